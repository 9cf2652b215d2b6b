"""A guess is asked for, kept, answered after the demonstration, and never in anybody's way."""

import math
import tomllib
from pathlib import Path

import IPython.display
import pytest

from course.runtime import user_files
from course.widgets import predict
from course.widgets.predict.prediction import KINDS, find_prediction
from selfcheck.responses import GUESS_MIME

CHOICE, NUMBER = "attention.shuffled_tokens", "attention.spread_of_scores"
PLACE, CURVE = "attention.who_looks_at_whom", "attention.largest_weight"
SHARE = "attention.reversed_without_positions"
FOLDER = Path(predict.__file__).parent
ALL = [
    f"{path.stem}.{name}"
    for path in sorted(FOLDER.glob("*.toml"))
    for name in tomllib.loads(path.read_text("utf8"))
]


@pytest.fixture(autouse=True)
def nobody(monkeypatch, tmp_path):
    """Nobody sits before this notebook, and nobody has made a guess."""
    monkeypatch.setenv(user_files.VARIABLE, str(tmp_path))
    for name in ("NBGRADER_EXECUTION", "JPY_SESSION_NAME"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def controls(monkeypatch):
    """Somebody does; gives the controls that are shown for a prediction."""
    monkeypatch.setenv("JPY_SESSION_NAME", "lesson.ipynb")

    def shown(name):
        found = []
        monkeypatch.setattr("course.widgets.predict.controls.display", found.append)
        said(predict.ask, name)
        (box,) = found
        return box.children

    return shown


def said(function, *arguments, **measured):
    """What comes out: the Markdown, and all of the last output's data."""
    outputs = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(IPython.display, "display", lambda data, raw: outputs.append(data))
        function(*arguments, **measured)
    return "\n".join(output["text/markdown"] for output in outputs), outputs[-1] if outputs else {}


@pytest.mark.parametrize("name", ALL)
def test_every_prediction_has_one_right_choice_and_an_explanation_for_each(name):
    prediction = find_prediction(name)
    assert prediction.kind in KINDS
    assert prediction.question.strip()
    assert sum(choice.right for choice in prediction.choices) == 1
    assert all(len(choice.explanation) > 30 for choice in prediction.choices)
    labels = [choice.label for choice in prediction.choices]
    assert len(set(labels)) == len(labels) >= 3
    if prediction.kind == "number":
        limits = [choice.upto for choice in prediction.choices]
        assert limits == sorted(set(limits))
        assert limits[-1] == math.inf
    if prediction.kind == "place":
        for choice in prediction.choices[:-1]:
            assert choice.places
            for place in choice.places:
                assert prediction.chosen(list(place)) is choice
    if prediction.kind == "curve":
        assert len({len(choice.points) for choice in prediction.choices}) == 1
        assert all(0 <= point <= 1 for choice in prediction.choices for point in choice.points)
        assert all(prediction.axes)


def test_there_are_at_least_twelve_for_the_lesson_on_attention():
    assert len(ALL) >= 12


@pytest.mark.parametrize("name", ALL)
def test_unattended_the_choices_are_written_down_and_the_explanations_folded(name):
    prediction = find_prediction(name)
    asked, _ = said(predict.ask, name)
    assert prediction.question in asked
    if prediction.kind in ("choice", "curve"):
        assert all(choice.label in asked for choice in prediction.choices)
    assert not any(choice.explanation[:30] in asked for choice in prediction.choices)
    answered, _ = said(predict.answer, name, **numbers(name))
    assert answered.count("<details>") == len(prediction.choices)


def numbers(name):
    """A number for whatever the explanations mention."""
    with pytest.raises(ValueError, match="mention") as refused:
        predict.answer(name, nothing_of_this=1)
    listed = str(refused.value).partition("mention ")[2].partition(". Received")[0]
    return {each.strip("' "): 0.5 for each in listed.strip("[]").split(",") if each}


@pytest.mark.parametrize("name", ALL)
def test_while_grading_nothing_is_shown(name, monkeypatch):
    measured = numbers(name)
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    monkeypatch.setenv("JPY_SESSION_NAME", "lesson.ipynb")
    assert said(predict.ask, name) == ("", {})
    assert said(predict.answer, name, **measured) == ("", {})


class TestAGuess:
    def test_of_a_sentence_is_kept_and_answered(self, controls):
        radio, label = controls(CHOICE)
        assert radio.value is None
        radio.value = "It changes a little."
        assert label.value == "Kept. Now run the next cells."
        answered, data = said(predict.answer, CHOICE)
        assert answered.startswith("**You guessed: It changes a little.** Only by rounding error")
        assert "**It stays the same, up to rounding:** Yes" in answered
        assert data[GUESS_MIME] == {"name": CHOICE, "guess": "It changes a little.", "right": False}

    def test_that_is_right_needs_no_second_explanation(self, controls):
        controls(CHOICE)[0].value = "It stays the same, up to rounding."
        answered, data = said(predict.answer, CHOICE)
        assert answered.count("Yes: each token gets") == 1
        assert answered.count("<details>") == 2
        assert data[GUESS_MIME]["right"] is True

    def test_is_there_again_another_day(self, controls):
        controls(CHOICE)[0].value = "It changes a little."
        radio, label = controls(CHOICE)
        assert radio.value == "It changes a little."
        assert label.value == "Your earlier guess: It changes a little. You can change it."

    @pytest.mark.parametrize(
        ("typed", "kept_as", "right"),
        [("16", 16.0, True), (" 15,5 ", 15.5, True), ("1", 1.0, False), ("1e9", 1e9, False)],
    )
    def test_of_a_number(self, controls, typed, kept_as, right):
        row, label = controls(NUMBER)
        field, button = row.children
        field.value = typed
        button.click()
        assert label.value.startswith("Kept.")
        _, data = said(predict.answer, NUMBER, measured=16.1)
        assert data[GUESS_MIME] == {"name": NUMBER, "guess": kept_as, "right": right}

    @pytest.mark.parametrize("typed", ["", "sixteen", "nan", "1 6"])
    def test_that_is_no_number_is_not_kept(self, controls, typed):
        row, label = controls(NUMBER)
        row.children[0].value = typed
        row.children[1].click()
        assert "number" in label.value
        assert not user_files.path(predict.FILE).exists()

    @pytest.mark.parametrize(
        ("typed", "kept_as"), [("0.3", 0.3), ("30%", 0.3), ("30 %", 0.3), ("0", 0.0), ("1", 1.0)]
    )
    def test_of_a_share_may_be_a_percentage(self, controls, typed, kept_as):
        row, label = controls(SHARE)
        row.children[0].value = typed
        row.children[1].click()
        assert label.value.startswith("Kept.")
        _, data = said(predict.answer, SHARE, measured=0.29)
        assert data[GUESS_MIME]["guess"] == pytest.approx(kept_as)

    @pytest.mark.parametrize("typed", ["30", "-0.1", "101%"])
    def test_of_a_share_lies_between_0_and_1(self, controls, typed):
        row, label = controls(SHARE)
        row.children[0].value = typed
        row.children[1].click()
        assert "isn't a number from 0 to 1" in label.value
        assert not user_files.path(predict.FILE).exists()

    def test_of_a_place_is_one_place(self, controls):
        grid, _ = controls(PLACE)
        cells = {cell.tooltip: cell for cell in grid.children if hasattr(cell, "tooltip")}
        cells = {name: cell for name, cell in cells.items() if name}
        cells["the → the"].value = True
        cells["the → cat"].value = True
        assert [name for name, cell in cells.items() if cell.value] == ["the → cat"]
        answered, data = said(predict.answer, PLACE)
        assert answered.startswith("**You guessed: the → cat.** Yes")
        assert data[GUESS_MIME]["guess"] == [0, 1]

    def test_of_a_curve_is_made_by_its_name_below_a_picture(self, controls):
        asked, _ = said(predict.ask, CURVE)
        assert asked.count("<polyline") == 3
        assert "<title>Curves of largest weight against features per key: flat, " in asked
        controls(CURVE)[0].value = "rising to 1"
        answered, _ = said(predict.answer, CURVE, measured=0.98)
        assert "its weight is\n0.98" in answered


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"attention.shuffled_tokens": "It grows."}',
        '{"attention.shuffled_tokens": [1]}',
    ],
)
def test_a_file_of_guesses_that_was_tampered_with_counts_as_none(content):
    user_files.path(predict.FILE).parent.mkdir(exist_ok=True)
    user_files.path(predict.FILE).write_text(content)
    assert said(predict.answer, CHOICE)[0].count("<details>") == 3


def test_a_guess_that_cannot_be_kept_is_one_line(controls, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(user_files.VARIABLE, str(tmp_path / "file" / "below"))
    radio, label = controls(CHOICE)
    radio.value = "It stays the same, up to rounding."
    assert label.value.startswith("Your guess can't be kept")


def test_an_unknown_prediction_is_named_with_those_that_there_are():
    with pytest.raises(ValueError, match=r"no prediction 'attention\.none'.*shuffled_tokens"):
        predict.ask("attention.none")
