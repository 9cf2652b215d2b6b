"""Diagrams say what they show, are the same every time, and stay inside their frame."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from course.figures import diagrams

WORDS = ["the", "cat", "sleeps"]
WEIGHTS = np.array([[0.4, 0.4, 0.2], [0.1, 0.1, 0.8], [0.1, 0.79, 0.11]])
ANGLES = np.arange(9)[:, None] / np.array([1.0, 10.0])
HANDS = np.stack([np.sin(ANGLES), np.cos(ANGLES)], axis=-1).reshape(9, 4)
MERGES = [("i", "n"), ("in", "g"), ("w", "in")]
ALL = {
    "attention_lines": lambda: diagrams.attention_lines(WORDS, WEIGHTS, title="Layer 1, head 1"),
    "one_query": lambda: diagrams.attention_lines(WORDS, WEIGHTS, query=1),
    "look_up": lambda: diagrams.look_up(WORDS, "sleeps", [0.11, 0.79, 0.1]),
    "heads": lambda: diagrams.heads(WORDS, num_heads=3, depth=2),
    "many_heads": lambda: diagrams.heads(WORDS, num_heads=4, depth=4),
    "mask_shapes": lambda: diagrams.mask_shapes([5, 3], 5, 3),
    "chunks": lambda: diagrams.chunks(
        ["one", "two", "three", "four", "five"], [[0, 1, 2], [2, 3, 4]], [1, 2]
    ),
    "word_bars": lambda: diagrams.word_bars(WORDS, {"weight": [0.2, 0.5, 0.3], "loss": [0, 1, -1]}),
    "windows": lambda: diagrams.windows(["one", "two", "three", "four", "five"], 3, 2),
    "convolution": lambda: diagrams.convolution(["the", "film", "is", "not", "good"], 2, 1),
    "convolution_strides": lambda: diagrams.convolution(["one"] * 9, 3, 3),
    "receptive_field": lambda: diagrams.receptive_field([7, 7], [3, 3], 40),
    "receptive_field_of_three": lambda: diagrams.receptive_field([3, 2, 2], [1, 2, 1], 9),
    "padding_wins": lambda: diagrams.padding_wins([0.4, 0.9, 0.1, 1.6, 1.6], 3),
    "fields": lambda: diagrams.fields(words=12, length=43, width=25, apart=9),
    "fields_without_padding": lambda: diagrams.fields(words=9, length=10, width=4, apart=3),
    "encoder_layer": lambda: diagrams.encoder_layer(highlighted="attention"),
    "pairs": lambda: diagrams.pairs(["oil", "prices", "rise", "again"]),
    "fastformer": lambda: diagrams.fastformer(),
    "chain": lambda: diagrams.chain(["Sports"] * 30 + ["Business"] + ["Sports"] * 9, 30, 10),
    "long_chain": lambda: diagrams.chain(["Sports"] * 60 + ["World"] + ["Sports"] * 39, 60, 12),
    "chain_read": lambda: diagrams.chain(["Business", "Sports", "Sports"], 0, 2),
    "fastformer_block": lambda: diagrams.encoder_layer(first="Fastformer"),
    "hidden_words": lambda: diagrams.hidden_words(
        ["the", "cat", "sleeps", ""], ["the", "[blank]", "sleeps", ""], [1, 2]
    ),
    "residual_path": lambda: diagrams.encoder_layer(highlighted="residual path"),
    "transformer_classifier": diagrams.transformer_classifier,
    "clock_hands": lambda: diagrams.clock_hands(HANDS, range(9)),
    "rotated_pair": lambda: diagrams.rotated_pair([1, 0], [0, 2], [(0, 0), (1, 3), (7, 9)], 0.5),
    "matches": lambda: diagrams.matches("<B12>, floor 3", [r"\d+", "[x-z]", r"\d*"]),
    "merge_trees": lambda: diagrams.merge_trees(["swinging", "kings", "winning", "win"], MERGES),
    "forms": lambda: diagrams.forms(
        ["universe", "university", "mice"],
        {
            "stem": ["univers", "univers", "mice"],
            "lemma": ["universe", "university", "mouse"],
            "subwords": [["un", "iv", "ers", "e"], ["un", "iv", "ers", "ity"], ["m", "ice"]],
        },
    ),
}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=ALL)
def drawing(request):
    return ALL[request.param]()


def parsed(drawing):
    return ElementTree.fromstring(drawing.svg)


def test_it_says_in_words_what_it_shows(drawing):
    assert len(drawing.words) > 40
    assert parsed(drawing).find(f"{SVG}title").text == drawing.words
    data, metadata = drawing._repr_mimebundle_()
    assert data == {"image/svg+xml": drawing.svg, "text/plain": drawing.words}
    assert metadata["image/svg+xml"]["alt"] == drawing.words


@pytest.mark.parametrize("name", ALL)
def test_it_is_the_same_every_time(name):
    assert ALL[name]().svg == ALL[name]().svg


def test_it_stays_inside_its_frame_and_fits_a_notebook(drawing):
    assert drawing.width <= 700
    for box in parsed(drawing).iter(f"{SVG}rect"):
        if "x" in box.attrib:
            x, y, width, height = (float(box.get(key)) for key in ("x", "y", "width", "height"))
            assert x >= 0 and x + width <= drawing.width
            assert y >= 0 and y + height <= drawing.height
    for path in parsed(drawing).findall(f"{SVG}path"):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", path.get("d"))]
        assert all(0 <= x <= drawing.width for x in numbers[::2])
        assert all(0 <= y <= drawing.height for y in numbers[1::2])


def test_it_has_a_background_so_that_dark_themes_can_show_it(drawing):
    first = parsed(drawing).find(f"{SVG}rect")
    assert (first.get("width"), first.get("fill")) == ("100%", "#ffffff")


def test_a_word_from_a_student_is_text():
    drawing = diagrams.attention_lines(["<b>", "&"], np.full((2, 2), 0.5), title="<script>")
    assert [text.text for text in parsed(drawing).iter(f"{SVG}text")].count("<b>") == 2
    assert "<script>" not in drawing.svg


def test_a_line_is_as_thick_as_its_weight_is_large():
    lines = [
        (float(path.get("stroke-width")), float(path.get("stroke-opacity")))
        for path in parsed(diagrams.attention_lines(WORDS, WEIGHTS)).findall(f"{SVG}path")
    ]
    assert len(lines) == WEIGHTS.size
    assert [width for width, _ in lines] == pytest.approx((0.5 + 5 * WEIGHTS).ravel())
    assert max(lines)[1] == pytest.approx(0.8)


def test_only_the_query_that_was_asked_for_has_lines():
    drawing = diagrams.attention_lines(WORDS, WEIGHTS, query=1)
    assert len(parsed(drawing).findall(f"{SVG}path")) == 3
    assert "cat looks most at sleeps (0.80)" in drawing.words
    assert "the looks" not in drawing.words


def test_weights_of_another_size_are_refused():
    with pytest.raises(ValueError, match=r"\(T, T\) with T = 3 tokens. Received: \(2, 2\)"):
        diagrams.attention_lines(WORDS, WEIGHTS[:2, :2])


def test_as_many_windows_as_fit():
    assert "2 windows" in ALL["windows"]().words


def test_pairs_say_how_many_lines_they_have():
    drawing = diagrams.pairs(WORDS)
    assert "9 lines" in drawing.words
    assert "6 lines" in drawing.words
    assert len(parsed(drawing).findall(f"{SVG}path")) == 9 + 6


def test_the_steps_of_the_layer_are_numbered():
    texts = [text.text for text in parsed(diagrams.fastformer()).iter(f"{SVG}text")]
    assert [text for text in texts if text.isdigit()] == list("123456")


def test_a_chain_says_whether_its_odd_article_is_read():
    topics = ["Sports", "Sports", "Business"]
    assert "never sees it" in diagrams.chain(topics, 2, 2).words
    assert "reads it" in diagrams.chain(topics, 2, 3).words
    assert "number 3 is about Business" in diagrams.chain(topics, 2, 3).words


def test_a_clock_hand_points_where_its_sine_and_cosine_say():
    drawing = diagrams.clock_hands(HANDS, range(9))
    assert "hand 0: 0, 57, 115," in drawing.words  # a radian from one position to the next
    assert "hand 1: 0, 6, 11," in drawing.words  # and a tenth of one
    hands = [
        np.array(re.findall(r"-?[\d.]+", path.get("d")), float)
        for path in parsed(drawing).findall(f"{SVG}path")
    ]
    assert len(hands) == 2 * 9
    for pair in range(2):
        for position, (x, y, tip_x, tip_y) in enumerate(hands[9 * pair : 9 * pair + 9]):
            # Like a clock's: at 0 up, then to the right. Downwards counts as more in a drawing.
            turned = np.arctan2(tip_x - x, y - tip_y)
            expected = position / 10**pair
            assert np.cos(turned - expected) > 0.999


def test_clocks_of_positions_that_are_left_out_are_a_dashed_line():
    def dashed(positions):
        drawing = parsed(diagrams.clock_hands(HANDS[: len(positions)], positions))
        return sum(bool(path.get("stroke-dasharray")) for path in drawing.findall(f"{SVG}path"))

    assert dashed([0, 1, 2]) == 0
    assert dashed([0, 1, 5, 6, 9]) == 2


def test_a_rotated_pair_shows_the_same_angle_where_the_distance_is_the_same():
    drawing = ALL["rotated_pair"]()
    # 90 degrees as given, and one radian (57 degrees) more where the key is two places further.
    assert "Query at 0, key at 0: 90 degrees" in drawing.words
    assert "Query at 1, key at 3: 147 degrees" in drawing.words
    assert "Query at 7, key at 9: 147 degrees" in drawing.words
    lines, dashed = [], []
    for path in parsed(drawing).findall(f"{SVG}path"):
        ends = np.array(re.findall(r"-?[\d.]+", path.get("d")), float)
        (dashed if path.get("stroke-dasharray") else lines).append(ends)
    for (x, y, *query), (_, _, *key) in zip(lines[0::2], lines[1::2], strict=True):
        # The key's vector is twice as long, but the hands show directions.
        assert np.hypot(query[0] - x, query[1] - y) == pytest.approx(62, abs=0.1)
        assert np.hypot(key[0] - x, key[1] - y) == pytest.approx(62, abs=0.1)
    x, y, tip_x, tip_y = lines[2]  # the query at 1, half a radian anticlockwise
    assert np.arctan2(y - tip_y, tip_x - x) == pytest.approx(0.5, abs=0.01)
    for x, y, tip_x, tip_y in dashed[0::2]:  # in each circle, the query at position 0
        assert (tip_x, tip_y) == pytest.approx((x + 62, y), abs=0.1)
    assert len(dashed) == 6


def test_a_chunk_that_cuts_the_phrase_looks_different():
    drawing = ALL["chunks"]()
    assert "Chunk 1, which holds the phrase, is: one two three." in drawing.words
    assert "Chunk 2, which doesn't hold the phrase, is: three four five." in drawing.words
    fills = [box.get("fill") for box in parsed(drawing).iter(f"{SVG}rect")]
    assert fills.count(diagrams.QUERY) == 1  # the phrase, whole
    assert fills.count(diagrams.EDGE) == 1  # and cut
    assert "orange: the phrase, whole; grey: the phrase, cut" in drawing.svg


def test_the_longest_bar_is_the_one_of_the_largest_number_not_of_the_first_that_rounds_like_it():
    drawing = diagrams.word_bars(["far", "dull", "gripping"], {"weight": [0.1, 0.111, 0.114]})
    assert "most for gripping" in drawing.words


def test_a_bar_is_as_long_as_its_number_and_hangs_down_where_that_is_negative():
    drawing = ALL["word_bars"]()
    assert "weight: most for cat" in drawing.words
    bars = [
        (float(box.get("y")), float(box.get("height")))
        for box in parsed(drawing).iter(f"{SVG}rect")
        if box.get("width") == "16"
    ]
    heights = np.array([height for _, height in bars])
    np.testing.assert_allclose(heights[:3] / heights[1], [0.4, 1, 0.6], atol=0.01)
    (_, _), (up, size), (down, _) = bars[3:]
    assert up + size == pytest.approx(down)


def filled(drawing):
    """Boxes without an edge: what is coloured."""
    return [box for box in parsed(drawing).iter(f"{SVG}rect") if box.get("stroke") == "none"]


def test_a_match_is_as_wide_as_its_characters_and_an_empty_one_is_none():
    drawing = diagrams.matches("<B12>, floor 3", [r"\d+", r"\d*"])
    assert drawing.words.endswith(r"\d+ finds 12, 3. \d* finds 12, 3.")
    widths = [float(box.get("width")) for box in filled(drawing)]
    assert widths == pytest.approx([2 * widths[1], widths[1]] * 2)
    assert "[x-z] finds nothing." in ALL["matches"]().words


def test_merges_are_applied_in_their_order():
    drawing = ALL["merge_trees"]()
    # "w" meets no "in" where both have become "ing".
    assert drawing.words.endswith("The words become s·w·ing·ing, k·ing·s, win·n·ing, win.")
    numbers = [text.text for text in parsed(drawing).iter(f"{SVG}text") if text.text.isdigit()]
    assert sorted(numbers) == ["1"] * 6 + ["2"] * 4 + ["3"] * 2


def test_forms_that_words_share_have_a_colour():
    drawing = ALL["forms"]()
    assert "university: stem univers, lemma university, subwords un·iv·ers·ity" in drawing.words
    fills = [box.get("fill") for box in filled(drawing)]
    assert fills == [diagrams.HEADS[0]] * 2 + [*diagrams.HEADS[1:4]] * 2


def test_a_form_has_one_colour_in_all_columns_and_none_where_it_is_not_shared():
    cut = [["elect", "ions"], ["elect", "ed"], ["play", "ed"]]
    words, stems = ["elections", "elected", "played"], ["elect", "elect", "play"]
    fills = [box.get("fill") for box in filled(diagrams.forms(words, {"a": stems, "b": cut}))]
    elect, ed = diagrams.HEADS[:2]
    assert fills == [elect, elect, elect, elect, ed, ed]


def test_a_field_counts_if_it_holds_a_word_and_is_drawn_where_it_lies():
    drawing = ALL["fields"]()
    assert "The fields of its 3 steps, step 0: from 0 to 24, with a word;" in drawing.words
    assert drawing.words.endswith("9 to 33, with a word; step 2: from 18 to 42, padding alone.")
    boxes = [box for box in parsed(drawing).iter(f"{SVG}rect") if box.get("height") == "16"]
    x = [float(box.get("x")) for box in boxes if "url" not in box.get("fill")]
    text, begins = x[:43], x[43:]
    assert begins == pytest.approx([text[0], text[9], text[18]])
    padded = [float(box.get("x")) for box in boxes if "url" in box.get("fill")]
    assert padded == pytest.approx([*text[12:], text[18]])


def test_pooling_with_a_mask_keeps_the_largest_number_of_the_windows_with_words():
    drawing = ALL["padding_wins"]()
    assert "the largest number is 1.6, from step 3" in drawing.words
    assert drawing.words.endswith("with the mask it's 0.9, from step 1.")
