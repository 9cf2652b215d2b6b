"""What earns points in a written answer is said in one place, and adds up."""

import re
import tomllib

import nbformat
import pytest

from autograder.cells import grade_id, is_manually_graded
from tests.conftest import REPOSITORY

SOURCES = sorted(REPOSITORY.glob("source/*/*.ipynb"))
RUBRICS = {
    path.stem: tomllib.loads(path.read_text("utf8"))
    for path in sorted(REPOSITORY.glob("rubrics/*.toml"))
}
LESSONS = pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
QUESTIONS = pytest.mark.parametrize(
    "rubric",
    [
        pytest.param(rubric, id=question)
        for lesson in RUBRICS.values()
        for question, rubric in lesson.items()
    ],
)


def points(rubric, names):
    return sum(rubric["items"][name]["points"] for name in names)


def written_questions(source):
    return [cell for cell in nbformat.read(source, as_version=4).cells if is_manually_graded(cell)]


def test_there_is_a_rubric_for_each_lesson():
    assert list(RUBRICS) == [source.stem for source in SOURCES]


@LESSONS
def test_the_items_of_each_question_add_up_to_its_points(source):
    asked = {grade_id(cell): cell.metadata.nbgrader["points"] for cell in written_questions(source)}
    rubrics = RUBRICS[source.stem]
    assert list(asked) == list(rubrics)  # in the lesson's order
    assert asked == {question: points(of, of["items"]) for question, of in rubrics.items()}


@LESSONS
def test_a_model_answer_says_nothing_about_points(source):
    for cell in written_questions(source):
        assert not re.search(r"(?i)mark scheme|\b(1|one|half a) point", cell.source)


@QUESTIONS
def test_a_rubric_holds_what_graders_and_students_read(rubric):
    assert rubric.keys() == {"items", "examples"}
    for name, item in rubric["items"].items():
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", name)
        assert item.keys() == {"points", "text"}
        assert item["points"] > 0
        assert item["text"] == item["text"].strip()
        assert item["text"].endswith(".")


@QUESTIONS
def test_the_examples_get_the_points_of_their_items(rubric):
    full = points(rubric, rubric["items"])
    levels = [example["points"] for example in rubric["examples"]]
    assert 2 <= len(levels) <= 4
    assert levels == sorted(set(levels), reverse=True)  # one of each level, the best first
    assert levels[0] == full
    assert levels[-1] <= full / 8
    for example in rubric["examples"]:
        assert example.keys() == {"points", "items", "why", "text"}
        assert example["items"] == [name for name in rubric["items"] if name in example["items"]]
        assert example["points"] == points(rubric, example["items"])
        assert example["why"]
        assert example["text"]
