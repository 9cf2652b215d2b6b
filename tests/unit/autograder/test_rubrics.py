"""A rubric is read or refused with its place, and adds up to what its question is worth."""

import re

import pytest

from autograder.course_folder import CONFIG, CourseFolder
from autograder.errors import CourseError
from autograder.marking.questions import written_questions
from autograder.rubrics import problems, read_rubrics
from tests.conftest import REPOSITORY
from tests.support.pages import block

BLOCKS = [block("marking.md", "Rubrics", "toml")]
RUBRIC = BLOCKS[0].text
WHERE, ITEM = "03.toml, why_it_sinks", "[why_it_sinks.items.density]"


@pytest.fixture
def course(tmp_path):
    (tmp_path / CONFIG).touch()
    (tmp_path / "rubrics").mkdir()
    return CourseFolder(tmp_path)


def written(course, text):
    (course.root / "rubrics" / "03.toml").write_text(text, "utf8")
    return read_rubrics(course, "03")


def test_points_follow_from_items(course):
    rubric = written(course, RUBRIC)["why_it_sinks"]
    assert [item.name for item in rubric.items] == ["density", "force"]
    assert rubric.total(["force"]) == 0.5
    assert rubric.total(["force", "density", "no longer there"]) == rubric.points == 1.0
    (example,) = rubric.examples
    assert rubric.total(example.items) == 0.5


def test_a_lesson_without_a_file_has_none(course):
    assert read_rubrics(course, "03") == {}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("points = 0.5", "points = half", "rubrics/03.toml can't be read"),
        ("points = 0.5", 'points = "half"', f"{WHERE}, density: points is 'half'"),
        ("points = 0.5", "points = true", f"{WHERE}, density: points is True"),
        (
            "points = 0.5",
            "points = -0.5",
            f"{WHERE}, density: points must be more than 0",
        ),
        (
            "points = 0.5",
            "points = nan",
            f"{WHERE}, density: points must be more than 0",
        ),
        ("points = 0.5\n", "", f"{WHERE}, density: points is missing"),
        ("text = ", "texts = ", f"{WHERE}, density: 'texts' isn't known here"),
        (
            '["density"]',
            '["death"]',
            "example 1: the rubric has no item called 'death'",
        ),
        (
            ITEM,
            f"[how]\nitems = 3\n{ITEM}",
            "how: items is 3",
        ),
        (
            ITEM,
            f"how = 3\n{ITEM}",
            "how: this should be a table",
        ),
    ],
)
def test_a_mistake_in_the_file_is_said_with_its_place(course, old, new, said):
    with pytest.raises(CourseError, match=said.replace(".", r"\.")):
        written(course, RUBRIC.replace(old, new, 1))


def test_a_rubric_that_does_not_fit_its_question_is_named(course):
    rubrics = written(course, RUBRIC)
    assert list(problems(rubrics, {"why_it_sinks": 1.0})) == []
    (other,) = problems(rubrics, {"why_it_sinks": 2.0})
    assert (
        "why_it_sinks is worth 2 points, but the items of its rubric in rubrics/ add up to 1"
        in other
    )
    (unasked,) = problems(rubrics, {"how": 1.0})
    assert "why_it_sinks has a rubric in rubrics/, but the lesson has no such question" in unasked


LESSONS = pytest.mark.parametrize("lesson", CourseFolder(REPOSITORY).lessons())


@LESSONS
def test_every_written_question_of_the_course_has_a_rubric_with_examples_at_each_level(lesson):
    course = CourseFolder(REPOSITORY)
    rubrics = read_rubrics(course, lesson)
    points = {question.name: question.points for question in written_questions(course, lesson)}
    assert list(points) == list(rubrics)  # in the lesson's order
    assert list(problems(rubrics, points)) == []
    for rubric in rubrics.values():
        assert all(item.text.endswith(".") for item in rubric.items)
        levels = [rubric.total(example.items) for example in rubric.examples]
        assert len(levels) >= 2
        assert levels == sorted(set(levels), reverse=True)  # one of each level, the best first
        assert levels[0] == rubric.points
        assert levels[-1] <= rubric.points / 8
        assert all(example.why and example.text for example in rubric.examples)


@LESSONS
def test_a_model_answer_says_nothing_about_points(lesson):
    for question in written_questions(CourseFolder(REPOSITORY), lesson):
        assert not re.search(r"(?i)mark scheme|\b(1|one|half a) point", question.solution)
