"""Grading a class, through `autograder grade` and through plain `nbgrader autograde`.

Both run once, on copies of one course; the tests read what they left.
"""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.cells import graded_exercise, verdict_in
from autograder.course_folder import CourseFolder
from autograder.simulate import read_answers
from tests.conftest import (
    LESSON,
    QUICK_LESSON,
    REPOSITORY,
    write_quick_course,
    write_small_course,
)
from tests.submitted import Lesson

SUBMISSIONS = REPOSITORY / "tests" / "submissions" / LESSON
GRADED = ["reference", "unanswered", "wrong_masks", "wrong_names_and_shapes"]
BIN = Path(sys.executable).parent
CELLS = Lesson(LESSON).points


def run(course, *command, **environment):
    """Run a command as an instructor would: in the course folder, with nothing exported."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("COURSE_")}
    clean["PATH"] = f"{BIN}{os.pathsep}{clean['PATH']}"
    return subprocess.run(
        [str(part) for part in command],
        cwd=course,
        env=clean | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def hand_in(course, student, change):
    """Hand in the reference solution, changed."""
    target = course / "submitted" / student / LESSON
    shutil.copytree(course / "submitted" / "reference" / LESSON, target)
    change(target / f"{LESSON}.ipynb")


def killing_its_kernel(path):
    """Answers the first task, then ends the process in the second task's cell."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.id == "scaled_dot_product_attention":
            cell.source = "import os\n\nos._exit(1)"
    nbformat.write(notebook, path)


@pytest.fixture(scope="module")
def courses(tmp_path_factory):
    ours = write_small_course(tmp_path_factory.mktemp("course"))
    (ours / "course" / "answers").mkdir(parents=True)
    answers = ours / "simulated"
    answers.mkdir()
    for student in GRADED[2:]:
        shutil.copy(SUBMISSIONS / f"{student}.py", answers)
    for command in (("release",), ("simulate", LESSON, "--answers", answers)):
        finished = run(ours, BIN / "autograder", *command)
        assert finished.returncode == 0, finished.stderr
    hand_in(ours, "dies", killing_its_kernel)
    hand_in(ours, "not_json", lambda path: path.write_text("{ this is no JSON"))
    hand_in(ours, "other_name", lambda path: path.rename(path.with_name("homework.ipynb")))
    hand_in(ours, "nothing", lambda path: path.unlink())
    theirs = tmp_path_factory.mktemp("copy") / "course"
    shutil.copytree(ours, theirs)
    # Kernels spend much of their time waiting: the two side by side are done sooner.
    with ThreadPoolExecutor() as both:
        grading = both.submit(run, ours, BIN / "autograder", "grade", LESSON)
        autograding = both.submit(run, theirs, BIN / "nbgrader", "autograde", LESSON)
    return {"autograder": (ours, grading.result()), "nbgrader": (theirs, autograding.result())}


def grades(course):
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
            for submission in gradebook.assignment_submissions(LESSON)
            for notebook in submission.notebooks
            for grade in notebook.grades
        }


def auto_scores(course, student):
    return {
        cell.removeprefix("test_"): values[0]
        for (name, cell), values in grades(course).items()
        if name == student and cell.startswith("test_")
    }


@pytest.mark.parametrize("way", ["autograder", "nbgrader"])
@pytest.mark.parametrize("student", GRADED)
def test_each_student_earns_what_the_answers_are_worth(courses, way, student):
    expected = dict(CELLS)
    if student == "unanswered":
        expected = dict.fromkeys(CELLS, 0.0)
    elif student != "reference":
        stated = read_answers(SUBMISSIONS / f"{student}.py").expected
        expected |= {cell: entry["points"] for cell, entry in stated.items()}
    assert auto_scores(courses[way][0], student) == pytest.approx(expected)


def test_both_ways_give_identical_gradebooks(courses):
    ours, theirs = (grades(courses[way][0]) for way in ("autograder", "nbgrader"))
    assert ours == theirs
    assert len({student for student, _ in ours}) >= len(GRADED) + 2


def test_both_ways_leave_the_same_files(courses):
    def tree(course):
        return sorted(
            (str(path.relative_to(course)), oct(path.stat().st_mode))
            for path in (course / "autograded").rglob("*")
            if path.is_file()
        )

    assert tree(courses["autograder"][0]) == tree(courses["nbgrader"][0])


def test_written_answers_wait_for_a_person_and_unanswered_ones_do_not(courses):
    by_hand = {
        student: needs
        for (student, cell), (*_, needs, _) in grades(courses["autograder"][0]).items()
        if not cell.startswith("test_") and student in ("reference", "unanswered")
    }
    assert by_hand == {"reference": True, "unanswered": False}


def test_a_kernel_that_dies_keeps_the_points_of_what_was_answered_before(courses):
    course, _ = courses["autograder"]
    answered = {"average_attention": CELLS["average_attention"]}
    assert auto_scores(course, "dies") == dict.fromkeys(CELLS, 0.0) | answered
    notebook = nbformat.read(CourseFolder(course).autograded("dies", LESSON), as_version=4)
    reasons = [verdict_in(cell).reason for cell in notebook.cells if graded_exercise(cell)]
    assert reasons[0] == ""
    assert all("the kernel ended itself, with code 1" in reason for reason in reasons[1:])


@pytest.mark.parametrize(
    ("student", "reason"),
    [
        ("not_json", "cannot be read as a notebook"),
        ("other_name", "is missing: only homework.ipynb was handed in"),
        ("nothing", "is missing: no notebook was handed in"),
    ],
)
def test_a_submission_that_cannot_be_graded_is_a_row_with_a_reason(courses, student, reason):
    course, finished = courses["autograder"]
    assert finished.returncode == 1
    line = next(line for line in finished.stdout.splitlines() if f" {student}: " in line)
    assert reason in line
    assert (course / "submitted" / student).exists()
    assert not (course / "autograded" / student / LESSON / f"{LESSON}.ipynb").exists()
    assert "Traceback" not in finished.stdout + finished.stderr


def test_a_renamed_function_gets_a_reason_that_says_so(courses):
    course, _ = courses["autograder"]
    path = course / "autograded" / "wrong_names_and_shapes" / LESSON / f"{LESSON}.ipynb"
    cells = {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}
    verdict = verdict_in(cells["test_average_attention"])
    assert "NameError" in verdict.reason
    assert "under the name that the task gives" in verdict.reason


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


def test_grading_again_repeats_nothing_and_says_the_same(courses):
    course, _ = courses["autograder"]
    path = course / "autograded" / "reference" / LESSON / f"{LESSON}.ipynb"
    before = path.stat().st_mtime_ns
    finished = run(course, BIN / "autograder", "grade", LESSON, "--students", "reference")
    assert finished.returncode == 0
    total = sum(CELLS.values())
    assert f"{total:g} of {total:g} points" in finished.stdout
    assert path.stat().st_mtime_ns == before


def test_a_students_feedback_page_shows_the_verdict_and_its_hint(courses):
    course, _ = courses["nbgrader"]
    finished = run(
        course, BIN / "nbgrader", "generate_feedback", LESSON, "--student", "wrong_masks"
    )
    assert finished.returncode == 0, finished.stderr
    page = (course / "feedback" / "wrong_masks" / LESSON / f"{LESSON}.html").read_text("utf8")
    assert "3.5 of 5 points" in page
    assert "masked keys get no weight, the others share it" in page
    assert "what must a logit be for a weight of 0?" in page


def test_without_the_judge_nobody_gets_points(courses, tmp_path):
    course = tmp_path / "course"
    shutil.copytree(courses["nbgrader"][0], course)
    (course / "nbgrader_config.py").write_text(
        'c = get_config()\nc.CourseDirectory.course_id = "attention"\nc.Execute.timeout = 300\n'
    )
    run(course, BIN / "nbgrader", "autograde", LESSON, "--student", "reference", "--force")
    assert auto_scores(course, "reference") == dict.fromkeys(CELLS, 0.0)


@pytest.fixture(scope="module")
def validated(courses):
    """What `nbgrader validate` tells three students."""
    course, _ = courses["nbgrader"]
    notebooks = {
        student: course / "submitted" / student / LESSON / f"{LESSON}.ipynb"
        for student in ("unanswered", "wrong_masks", "reference")
    }
    with ThreadPoolExecutor() as all_three:
        pages = {
            student: all_three.submit(run, course, BIN / "nbgrader", "validate", notebook)
            for student, notebook in notebooks.items()
        }
    return {student: page.result().stdout for student, page in pages.items()}


def test_validation_fails_on_an_unanswered_notebook_with_an_explanation(validated):
    page = validated["unanswered"]
    assert "VALIDATION FAILED" in page
    for cell in CELLS:
        assert f"attention.{cell}: not answered" in page


def test_validation_explains_a_mistake_and_passes_a_solved_notebook(validated):
    page = validated["wrong_masks"]
    assert "VALIDATION FAILED ON 2 CELL(S)" in page
    assert "Does not hold: masked keys get no weight" in page
    assert "Likely cause:  The mask made the logits of hidden keys 0" in page
    assert "Success! Your notebook passes all the tests." in validated["reference"]
