"""`autograder mistakes`: what no known mistake explains, in groups, without names."""

import re

import nbformat
import numpy as np
import pytest

from autograder.cells import grade_id
from autograder.judging import solutions
from autograder.judging.judge import Asked, judge_in_order, response_of
from autograder.judging.keys import key_of
from autograder.record import CellResult, Judgement, NotebookResult, notebook_text
from autograder.reports.unexplained import UnexplainedAnswers, unexplained
from course import COURSE
from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import write_quick_course

EXERCISE = "preprocessing.tf_idf"
CELL = "test_tf_idf"


def squared(weights):
    return weights**2


def drawn(weights):
    return np.random.RandomState(weights.size).uniform(size=weights.shape)


CODE = {
    "ada": "squared = 1  # one",
    "ben": "squared = 1  # two",
    "cem": "x = 11  # drawn",
    "dia": "known = 1",
    "student4": "drawn = 1111  # one",
    "student5": "drawn = 1111  # two",
    "student6": "(",
    "student7": "x = 111  # drawn",
    "student8": "x = 1111  # drawn",
}
ANSWERS = dict.fromkeys(CODE, drawn) | {
    "ada": squared,
    "ben": squared,
    "dia": "logarithm_of_base_2",
}


def outputs(change, seed):
    key = key_of(COURSE, EXERCISE)
    cases = solutions.cases(key.exercise, seed)
    known = isinstance(change, str)
    made = key.find(change).variant if known else key.solution
    right = {name: case.asked(solutions.outputs(made, case.inputs)) for name, case in cases.items()}
    if known:
        return right
    return {case: given | {"weights": change(given["weights"])} for case, given in right.items()}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class whose answers were judged."""
    course = write_quick_course(tmp_path_factory.mktemp("course"), list(ANSWERS))
    for seed, (student, change) in enumerate(ANSWERS.items()):
        response = response_of(EXERCISE, outputs(change, seed))
        (verdict,) = judge_in_order(COURSE, [Asked(EXERCISE, seed, response)])
        judged = Judgement(EXERCISE, verdict, seed, responses=(response,))
        notebook = nbformat.read(course.submitted(student, LESSON) / f"{LESSON}.ipynb", 4)
        (cell,) = (each for each in notebook.cells if grade_id(each) == "tf_idf")
        cell.source = CODE[student]
        NotebookResult((CellResult(CELL, 2.0, judged=judged),)).write(notebook)
        path = course.autograded(student, LESSON)
        path.parent.mkdir(parents=True)
        path.write_text(notebook_text(notebook), "utf8")
    return course


def test_answers_with_the_same_mistake_are_one_group_and_the_largest_comes_first(graded):
    exercise, *groups = unexplained(graded, LESSON)
    assert exercise == EXERCISE
    assert all(isinstance(group, UnexplainedAnswers) for group in groups)
    unclear, first = groups
    drew = tuple(student for student, change in ANSWERS.items() if change is drawn)
    assert (unclear.students, first.students) == (drew, ("ada", "ben"))
    (change,) = first.found
    assert change.sentence == "Your results are as if `weights` was squared."
    assert change.name.startswith("tf_idf-")
    (answer,) = first.answers  # comments make no difference
    assert answer == CODE["ada"] and "def tf_idf" in first.solution
    assert 0 <= first.percent < 100
    assert not unclear.found and len(unclear.answers) == 5


def test_several_answers_are_shown_if_no_change_gives_their_results(graded, autograder):
    """First what several wrote, then the shortest."""
    told = autograder("mistakes", LESSON, course=graded.root).out
    told = told[: told.index("2. preprocessing")]
    assert "written in 5 ways: there may be several mistakes" in told
    assert re.findall(r"^\+(?!\+)(.+)$", told, re.MULTILINE) == [CODE["student4"], "(", CODE["cem"]]
    assert "2 more ways aren't shown." in told


def test_one_answer_is_one(graded, autograder, monkeypatch):
    group = UnexplainedAnswers(EXERCISE, ("ada",), (), "Why?", 20, ("x",), "y")
    monkeypatch.setattr("autograder.reports.unexplained.unexplained", lambda *args: [group])
    told = autograder("mistakes", LESSON, course=graded.root).out
    assert "1 student\n" in told and "explains 1 answer." in told and "ways" not in told


def test_the_command_shows_code_and_no_names(graded, autograder):
    done = autograder("mistakes", LESSON, course=graded.root)
    assert done.code == 0
    assert "2. preprocessing.tf_idf: 2 students" in done.out
    assert "\n+squared = 1  # one\n" in done.out
    assert "### BEGIN SOLUTION" not in done.out
    assert "as if `weights` was squared" in done.out
    assert re.search(r"\n    tf_idf-\w+: unit_rows\(.+\) -> unit_rows\(.+\) ?\*\* ?2\n", done.out)
    assert "No known mistake explains 8 answers." in done.out
    assert not any(student in done.out for student in ANSWERS)


def test_students_are_shown_if_a_teacher_asks(graded, autograder):
    done = autograder("mistakes", LESSON, "--show-students", course=graded.root)
    assert "2 students\nada, ben\nYour results" in done.out


MISUSED = {
    "a name without a change": (("--name", "squared"), "need each other"),
    "a cost without a change": (("--cost", "slip"), "need each other"),
    "a hint that is empty, without a change": (("--hint", ""), "need each other"),
    "a change of no exercise": (
        ("--change", "tf_idf-0", "--name", "squared", "--hint", "No."),
        f"No change of a solution of {LESSON} is called 'tf_idf-0'",
    ),
}


@pytest.mark.parametrize(("options", "says"), MISUSED.values(), ids=MISUSED)
def test_what_cannot_be_named_is_refused(graded, autograder, options, says):
    done = autograder("mistakes", LESSON, *options, course=graded.root)
    assert done.code == 2
    assert says in " ".join(done.err.replace("│", " ").split())


def test_a_class_that_was_not_graded_is_told_what_to_do(tmp_path, autograder):
    course = write_quick_course(tmp_path, ["ada"])
    done = autograder("mistakes", LESSON, course=course.root)
    assert done.code == 2
    assert f"autograder grade {LESSON}" in done.err
