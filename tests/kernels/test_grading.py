"""Grading a class, through `autograder grade` and through plain `nbgrader autograde`.

Both run once, on copies of one course; the tests read what they left. It is done with a lesson that
needs no TensorFlow, and with one that does.
"""

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from html import unescape

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.cells import is_solution
from tests.conftest import (
    LESSON,
    QUICK_LESSON,
    REPOSITORY,
    write_quick_course,
    write_small_course,
)
from tests.support.commands import BIN, run
from tests.support.graded import verdicts_in
from tests.support.submitted import Lesson


@dataclass(frozen=True)
class Example:
    """A lesson with two of its wrong submissions, and what students read about the first.

    Args:
        lesson: the lesson's name.
        wrong: names of files in its ``tests/submissions``.
        failed: an aspect that the first one fails.
        hint: part of the hint that the first one gets.
        cells: how many of its cells lose points.
        callers: later tasks that call the second task's answer.
    """

    lesson: str
    wrong: tuple[str, str]
    failed: str
    hint: str
    cells: int
    callers: tuple[str, ...] = ()

    @property
    def answers(self):
        return REPOSITORY / "tests" / "submissions" / self.lesson

    @property
    def graded(self):
        return ["reference", "unanswered", *self.wrong]

    @property
    def points(self):
        return Lesson(self.lesson).points

    def notebook(self, course, student, folder="submitted"):
        return course / folder / student / self.lesson / f"{self.lesson}.ipynb"


EXAMPLES = [
    Example(
        QUICK_LESSON,
        ("wrong_whole_words", "wrong_types_and_order"),
        "the punctuation around an address isn't part of it",
        "what may be right next to an address in a sentence?",
        2,
    ),
    Example(
        LESSON,
        ("wrong_masks", "wrong_names_and_shapes"),
        "masked keys get no weight",
        "what must a score be for a weight of 0?",
        2,
        ("multi_head_self_attention",),
    ),
]


def hand_in(course, example, student, change):
    """Hand in the reference solution, changed."""
    target = example.notebook(course, student)
    shutil.copytree(example.notebook(course, "reference").parent, target.parent)
    change(target)


def other_notebook(path):
    """Hand in another one instead, which has none of the tasks."""
    path.rename(path.with_name("homework.ipynb")).write_text('{"cells": []}')


def answering(number, answer):
    """A change that puts code, made of the old one, into an exercise's cell."""

    def change(path):
        notebook = nbformat.read(path, as_version=4)
        cell = [cell for cell in notebook.cells if cell.cell_type == "code" and is_solution(cell)][
            number
        ]
        cell.source = answer(cell.source)
        nbformat.write(notebook, path)

    return change


@pytest.fixture(
    scope="module",
    params=EXAMPLES,
    ids=lambda example: example.lesson,
)
def example(request):
    return request.param


@pytest.fixture(scope="module")
def courses(example, tmp_path_factory):
    ours = write_small_course(tmp_path_factory.mktemp("course"), example.lesson)
    (ours / "course" / "answers").mkdir(parents=True)
    answers = ours / "simulated"
    answers.mkdir()
    for student in example.wrong:
        shutil.copy(example.answers / f"{student}.py", answers)
    for command in (("release",), ("simulate", example.lesson, "--answers", answers)):
        finished = run(ours, BIN / "autograder", *command)
        assert finished.returncode == 0, finished.stderr
    hand_in(ours, example, "dies", answering(1, lambda source: "import os\n\nos._exit(1)"))
    hand_in(
        ours, example, "renames", answering(0, lambda source: source.replace("def ", "def my_"))
    )
    hand_in(ours, example, "not_json", lambda path: path.write_text("{ this is no JSON"))
    hand_in(ours, example, "other_notebook", other_notebook)
    hand_in(ours, example, "nothing", lambda path: path.unlink())
    theirs = tmp_path_factory.mktemp("copy") / "course"
    shutil.copytree(ours, theirs)
    # Kernels spend much of their time waiting: the two side by side are done sooner.
    with ThreadPoolExecutor() as both:
        grading = both.submit(run, ours, BIN / "autograder", "grade", example.lesson)
        autograding = both.submit(run, theirs, BIN / "nbgrader", "autograde", example.lesson)
    return {"autograder": (ours, grading.result()), "nbgrader": (theirs, autograding.result())}


def grades(course, lesson):
    """Everything the gradebook says of every graded cell."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        return {
            (submission.student.id, grade.name): (
                grade.auto_score,
                grade.manual_score,
                grade.extra_credit,
                grade.needs_manual_grade,
                grade.max_score,
            )
            for submission in gradebook.assignment_submissions(lesson)
            for notebook in submission.notebooks
            for grade in notebook.grades
        }


def auto_scores(course, lesson, student):
    return {
        cell.removeprefix("test_"): values[0]
        for (name, cell), values in grades(course, lesson).items()
        if name == student and cell.startswith("test_")
    }


@pytest.mark.parametrize("way", ["autograder", "nbgrader"])
def test_each_student_earns_what_the_answers_are_worth(courses, example, way):
    for student in example.graded:
        expected = dict(example.points)
        if student == "unanswered":
            expected = dict.fromkeys(expected, 0.0)
        elif student != "reference":
            expected |= Lesson(example.lesson).worth(example.answers / f"{student}.py")
        found = auto_scores(courses[way][0], example.lesson, student)
        assert found == pytest.approx(expected), student


def test_both_ways_give_identical_gradebooks(courses, example):
    ours, theirs = (grades(courses[way][0], example.lesson) for way in ("autograder", "nbgrader"))
    assert ours == theirs
    assert len({student for student, _ in ours}) >= len(example.graded) + 2


def test_both_ways_leave_the_same_files(courses):
    def tree(course):
        return sorted(
            (str(path.relative_to(course)), oct(path.stat().st_mode))
            for path in (course / "autograded").rglob("*")
            if path.is_file()
        )

    assert tree(courses["autograder"][0]) == tree(courses["nbgrader"][0])


def test_written_answers_wait_for_a_person_and_unanswered_ones_do_not(courses, example):
    found = grades(courses["autograder"][0], example.lesson)
    by_hand = {
        student: needs
        for (student, cell), (*_, needs, _) in found.items()
        if not cell.startswith("test_") and student in ("reference", "unanswered")
    }
    assert by_hand == {"reference": True, "unanswered": False}


def test_an_answer_that_ends_the_kernel_costs_its_task_and_those_that_call_it(courses, example):
    course, _ = courses["autograder"]
    _, second, *_ = example.points
    lost = {second, *example.callers}
    expected = {cell: 0.0 if cell in lost else most for cell, most in example.points.items()}
    assert auto_scores(course, example.lesson, "dies") == expected
    found = verdicts_in(example.notebook(course, "dies", "autograded"))
    reasons = [verdict.reason for verdict in found.values()]
    assert "the kernel ended itself, with code 1" in reasons[1]
    assert not any(reasons[:1] + reasons[2:])


@pytest.mark.parametrize(
    ("student", "reason"),
    [
        ("not_json", "cannot be read as a notebook"),
        ("other_notebook", "is missing: only homework.ipynb was handed in"),
        ("nothing", "is missing: no notebook was handed in"),
    ],
)
def test_a_submission_that_cannot_be_graded_is_a_row_with_a_reason(
    courses, example, student, reason
):
    course, finished = courses["autograder"]
    assert finished.returncode == 1
    line = next(line for line in finished.stdout.splitlines() if f" {student}: " in line)
    assert reason in line
    assert (course / "submitted" / student).exists()
    assert not example.notebook(course, student, "autograded").exists()
    assert "Traceback" not in finished.stdout + finished.stderr


def test_a_renamed_function_gets_a_reason_that_says_so(courses, example):
    path = example.notebook(courses["autograder"][0], "renames", "autograded")
    verdict = verdicts_in(path)[f"test_{next(iter(example.points))}"]
    assert "NameError" in verdict.reason
    assert "under the name that the task asks for" in verdict.reason


def test_nbgrader_alone_forks_all_kernels_from_one_process(tmp_path):
    course = write_quick_course(tmp_path, ["ada", "ben"])
    for student in ("ada", "ben"):
        path = course.submitted(student, QUICK_LESSON) / f"{QUICK_LESSON}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        # A process and its forks agree on this number; any other draws its own.
        source = "hash('text')"
        notebook.cells.append(nbformat.v4.new_code_cell(source))
        nbformat.write(notebook, path)
    finished = run(tmp_path, BIN / "nbgrader", "autograde", QUICK_LESSON)
    assert finished.returncode == 0, finished.stderr
    origins = {
        nbformat.read(course.autograded(student, QUICK_LESSON), as_version=4)
        .cells[-1]
        .outputs[0]
        .data["text/plain"]
        for student in ("ada", "ben")
    }
    assert len(origins) == 1


def test_grading_again_repeats_nothing_and_says_the_same(courses, example):
    course, _ = courses["autograder"]
    path = example.notebook(course, "reference", "autograded")
    before = path.stat().st_mtime_ns
    command = (BIN / "autograder", "grade", example.lesson, "--students", "reference")
    finished = run(course, *command)
    assert finished.returncode == 0
    total = sum(example.points.values())
    assert f"{total:g} of {total:g} points" in finished.stdout
    assert path.stat().st_mtime_ns == before


def test_a_students_feedback_page_shows_the_verdict_and_its_hint(courses, example):
    course, _ = courses["nbgrader"]
    student = example.wrong[0]
    command = (BIN / "nbgrader", "generate_feedback", example.lesson, "--student", student)
    finished = run(course, *command)
    assert finished.returncode == 0, finished.stderr
    page = example.notebook(course, student, "feedback").with_suffix(".html").read_text("utf8")
    worth = Lesson(example.lesson).worth(example.answers / f"{student}.py")
    cell, points = next(iter(worth.items()))
    assert f"{points:g} of {example.points[cell]:g} points" in page
    assert example.failed in unescape(page)
    assert example.hint in unescape(page)


def test_without_the_judge_nobody_gets_points(courses, example, tmp_path):
    course = tmp_path / "course"
    shutil.copytree(courses["nbgrader"][0], course)
    (course / "nbgrader_config.py").write_text(
        'c = get_config()\nc.CourseDirectory.course_id = "attention"\nc.Execute.timeout = 300\n'
    )
    command = ("nbgrader", "autograde", example.lesson, "--student", "reference", "--force")
    run(course, BIN / command[0], *command[1:])
    found = auto_scores(course, example.lesson, "reference")
    assert found == dict.fromkeys(example.points, 0.0)


@pytest.fixture(scope="module")
def validated(courses, example):
    """What `nbgrader validate` tells three students."""
    course, _ = courses["nbgrader"]

    def validate(student):
        # Processes that start kernels at the same moment may draw the same port.
        sockets = "--KernelManager.transport=ipc"
        path = example.notebook(course, student)
        done = run(course, BIN / "nbgrader", "validate", sockets, path)
        assert done.stdout, done.stderr
        return done.stdout

    with ThreadPoolExecutor() as all_three:
        return list(all_three.map(validate, ("unanswered", example.wrong[0], "reference")))


def test_validation_fails_on_an_unanswered_notebook_with_an_explanation(validated, example):
    page, _, _ = validated
    assert "VALIDATION FAILED" in page
    for cell in example.points:
        assert f".{cell}: not answered" in page


def test_validation_explains_a_mistake_and_passes_a_solved_notebook(validated, example):
    _, wrong, right = validated
    assert f"VALIDATION FAILED ON {example.cells} CELL(S)" in wrong
    assert f"Failed: {example.failed}" in " ".join(wrong.split())
    likely = " ".join(wrong.partition("Likely cause:")[2].split())  # broken into lines
    assert example.hint in likely
    assert "Success! Your notebook passes all the tests." in right
