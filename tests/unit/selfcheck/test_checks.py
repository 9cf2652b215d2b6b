"""check(): what a student reads."""

from dataclasses import replace

import numpy as np
import pytest

import course
import selfcheck
from selfcheck import Case, Expected, Failure, Observation, responses
from selfcheck.aspects import comparable, equals, has_shapes, numbers_agree
from selfcheck.checks import CheckFailed
from selfcheck.explaining import Hint, hints_text

NAME = "attention.average_attention"


def right(hidden, context):
    hidden, context = np.array(hidden), np.array(context)
    scores = hidden @ context / np.sqrt(hidden.shape[-1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return (weights[..., None] * hidden).sum(axis=1)


def mean(hidden, context):
    return np.array(hidden).mean(axis=1)


def test_a_right_answer_is_told_so(capsys):
    course.check(NAME, right)
    assert "all 4 aspects passed" in capsys.readouterr().out


def test_a_wrong_answer_is_told_what_was_seen_and_the_likely_cause():
    with pytest.raises(CheckFailed) as failure:
        course.check(NAME, mean)
    text = str(failure.value)
    assert "2 of 4 aspects passed" in text
    assert "Failed:       the numbers are right" in text
    assert "expected" in text
    assert "you didn't use the context" in text


def test_an_unanswered_exercise_is_told_so():
    def stub(hidden, context):
        raise NotImplementedError

    with pytest.raises(AssertionError, match="not answered"):
        course.check(NAME, stub)


def test_of_two_answers_in_a_cell_the_one_that_is_left_is_named_by_its_line():
    source = (
        "def pooled(hidden):\n    raise NotImplementedError()\n\n"
        "def attend(hidden, context):\n    return pooled(hidden)\n"
    )
    names = {}
    exec(compile(source, "<ipython-input-1>", "exec"), names)
    exercise = course.COURSE.get(NAME)
    response = responses.respond(exercise, names["attend"], exercise.drawn(1))
    failures = [Failure(**case["failure"]) for case in response["cases"].values()]
    assert {str(failure) for failure in failures} == {
        "not answered yet: line 2 of the cell still raises NotImplementedError"
    }


def test_an_exception_is_told_with_its_message():
    def broken(hidden, context):
        return hidden @ hidden

    with pytest.raises(CheckFailed, match="InvalidArgumentError"):
        course.check(NAME, broken)


def test_the_explanation_in_a_notebook_has_no_traceback():
    error = CheckFailed("what was seen")
    assert error._render_traceback_() == ["CheckFailed: what was seen"]


def test_while_grading_a_check_does_nothing(monkeypatch, capsys, tmp_path):
    def untouched(hidden, context):
        raise AssertionError("called")

    # Nothing may keep the next line, which hands the outputs over, from being reached.
    monkeypatch.setattr(selfcheck.Course, "answers", tmp_path)
    with pytest.raises(FileNotFoundError):
        course.check(NAME, right)
    monkeypatch.setenv(responses.INPUTS_VARIABLE, "somewhere")
    course.check(NAME, untouched)
    assert not capsys.readouterr().out


def one_number(came, right):
    """What is said of a number that came back in another's place."""
    inputs = {"x": np.ones(1, np.float32)}
    expected = Expected({"y": np.asarray(right)}, {"y": 1e-9})
    seen = Observation(Case("plain", inputs), expected, {"y": came})
    return numbers_agree("y")(seen)


@pytest.mark.parametrize(
    ("came", "said"),
    [
        (np.asarray(165.0), "`y`: got 165, expected 160.8"),
        (np.asarray(160.8000001), "`y`: got 160.8000001, expected 160.8"),
        ("160.8", "couldn't be compared: `y` is a str; expected one number"),
        (np.ones(3), "couldn't be compared: `y` has shape (3,); expected one number"),
    ],
)
def test_one_number_is_spoken_of_as_one(came, said):
    assert one_number(came, 160.8) == said


@pytest.mark.parametrize(
    ("came", "said"),
    [
        (np.asarray(3.0), "`y` is one number; expected an array (rows) = (2,)"),
        (["0.1", "0.2"], "`y` has text in it, such as '0.1'; expected an array of numbers (rows)"),
        ([["1"], ["2"]], "`y` has text in it, such as '1'; expected an array of numbers"),
        ({1.0}, "`y` is a set; expected an array of numbers (rows)"),
    ],
)
def test_what_is_no_array_is_told_what_it_is(came, said):
    expected = Expected({"y": np.ones(2)}, {"y": 1e-6})
    case = Case("plain", {"x": np.ones(1, np.float32)})
    seen = has_shapes({"y": ("rows",)})(Observation(case, expected, {"y": came}))
    assert seen.startswith(said)


def test_an_empty_list_is_told_to_be_empty():
    expected = Expected({"words": ["a", "b"]}, {})
    seen = Observation(Case("plain", {"text": "a b"}), expected, {"words": []})
    assert equals("words")(seen) == "`words` is empty; expected a list that begins with 'a'"


def test_of_two_mistakes_a_section_is_named_once():
    one, two, three = Hint("No scale.", 3), Hint("No mask.", 3), Hint("No sum.", 4)
    assert hints_text((one, two)) == "Two mistakes at once. No scale. No mask. See section 3."
    assert hints_text((one, three)) == (
        "Two mistakes at once. No scale. See section 3. No sum. See section 4."
    )


def test_numbers_that_differ_are_written_differently():
    expected = Expected({"y": np.array([1.0, 621.876])}, {"y": 1e-6})
    case = Case("plain", {"x": np.ones(1, np.float32)})
    seen = numbers_agree("y")(Observation(case, expected, {"y": np.array([1.0, 621.88])}))
    assert seen.endswith("at [1] 621.88, expected 621.876")


def test_what_the_exercise_says_of_another_kind_is_said_without_its_class():
    said = "Return a list of texts, not ndarray."
    assert str(Failure("WrongReturn", said, 3)) == (
        "Return a list of texts, not ndarray, line 3 of the cell"
    )
    assert str(Failure("TypeError", "no")) == "TypeError: no"


def test_what_cannot_be_compared_is_not_said_to_be_unequal():
    """Under a title such as "identical tokens come back unchanged", a shape would contradict it."""
    array = Observation(
        Case("plain", {}), Expected({"y": np.zeros((2, 3))}, {"y": 0.1}), {"y": np.zeros(3)}
    )
    words = Observation(Case("plain", {}), Expected({"y": ["a"]}, {}), {"y": "a"})
    begin = "couldn't be compared: `y` "
    assert numbers_agree("y")(array) == f"{begin}has shape (3,); expected (2, 3)"
    assert comparable({"y": ("rows", "columns")})(array).startswith(f"{begin}has shape (3,)")
    assert equals("y")(words) == f"{begin}is a str; expected a list"
    assert has_shapes({"y": ("rows", "columns")})(array).startswith("`y` has shape (3,)")
    failed = replace(array, received=Failure("ValueError", "no"))
    assert comparable({"y": ("rows", "columns")})(failed) == "ValueError: no"


def test_an_output_that_is_not_there_could_not_be_compared():
    seen = Observation(Case("plain", {}), Expected({"y": np.zeros(2)}, {"y": 0.1}), {})
    assert numbers_agree("y")(seen) == "`y` couldn't be compared"
