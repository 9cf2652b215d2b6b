"""Looking inside a model: a picture where nobody can click, controls where somebody can."""

import re

import IPython.display
import pytest

from course import models
from course.figures.attention_map import filled, picture_of
from course.widgets import explore

SENTENCE = "Oil prices rose to a record ___."


@pytest.fixture(scope="module")
def encoder():
    return models.load("news-encoder")


@pytest.fixture(autouse=True)
def nobody(monkeypatch):
    for name in ("NBGRADER_EXECUTION", "JPY_SESSION_NAME"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def shown(monkeypatch):
    """What is displayed."""
    found = []
    monkeypatch.setattr(IPython.display, "display", found.append)
    return found


def test_unattended_there_is_a_picture_and_what_fills_the_blank(encoder, shown, capsys):
    explore.attention(encoder, SENTENCE, layer=2, head=3, query="[blank]")
    (picture,) = shown
    assert "Layer 2, head 3" in picture.words
    assert picture.words.count("looks most at") == 1
    printed = capsys.readouterr()
    assert printed.out == f"{filled(encoder, SENTENCE)}\n"
    assert printed.err == ""


def test_a_sentence_without_a_blank_is_looked_at_all_the_same(encoder, shown, capsys):
    explore.attention(encoder, "Oil prices rose.")
    assert len(shown) == 1
    assert capsys.readouterr().out == ""


def test_while_grading_nothing_is_shown(encoder, shown, capsys, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    explore.attention(encoder, SENTENCE)
    assert shown == []
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layer": 9}, "layers 1 to"),
        ({"head": 0}, "Received: layer 1, head 0"),
        ({"query": "gas"}, "one of the sentence's words"),
    ],
)
def test_what_is_not_there_is_named(encoder, options, message):
    with pytest.raises(ValueError, match=message):
        explore.attention(encoder, SENTENCE, **options)


class TestControls:
    @pytest.fixture
    def controls(self, encoder, shown, monkeypatch):
        monkeypatch.setenv("JPY_SESSION_NAME", "lesson.ipynb")
        explore.attention(encoder, SENTENCE)
        box, row, guesses, picture = shown[0].children
        return {
            "sentence": box,
            "layer": row.children[0],
            "head": row.children[1],
            "words": row.children[2],
            "guesses": guesses,
            "picture": picture,
        }

    def test_offer_every_layer_head_and_word(self, controls, encoder):
        assert (controls["layer"].min, controls["layer"].max) == (1, encoder.num_layers)
        assert (controls["head"].min, controls["head"].max) == (1, encoder.num_heads)
        words = ("all words", "oil", "prices", "rose", "to", "a", "record", "[blank]", ".")
        assert controls["words"].options == words

    def test_change_the_picture(self, controls):
        pictures = [controls["picture"].value]
        for name, value in (("layer", 2), ("head", 2), ("words", "oil"), ("sentence", "A ___.")):
            controls[name].value = value
            pictures.append(controls["picture"].value)
        assert len(set(pictures)) == len(pictures)
        assert "[blank]" in controls["words"].options

    def test_say_what_is_wrong_with_a_sentence_and_go_on_with_the_next(self, controls):
        controls["sentence"].value = ""
        assert "1 to" in controls["picture"].value
        controls["layer"].value = 2
        controls["sentence"].value = "No blank."
        assert "Write ___" in controls["guesses"].value
        assert controls["picture"].value.startswith("<svg")

    def test_show_what_was_typed_as_text(self, controls):
        controls["sentence"].value = "<img src=x> " + "a " * 100
        assert "<img" not in controls["picture"].value


@pytest.mark.parametrize(("words", "below"), [(12, False), (13, True)])
def test_the_heat_map_of_a_long_sentence_is_below_its_lines(encoder, words, below):
    picture = picture_of(encoder.read("the " * words), 1, 1)
    cells = [
        (float(left), float(left) + float(width))
        for left, width in re.findall(
            r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', picture.svg
        )
    ]
    assert all(right <= picture.width for _, right in cells)
    first_cell = cells[2 * words][0]  # after both columns of words
    assert (first_cell < picture.width / 2) is below
