"""Every lesson as students and instructors open it.

``make test-lessons`` does it at smoke size on the built-in samples,
``make lessons-full`` in full on real data.
"""

import os
import re
import resource
from pathlib import Path
from subprocess import DEVNULL

import nbformat
import pytest

from autograder.audit.questions import LessonQuestions
from autograder.cells import (
    grade_id,
    is_autograded,
)
from autograder.course_folder import CourseFolder
from autograder.simulate import read_answers
from tests.support import executed
from tests.unit.test_lessons import LESSONS

REPOSITORY = Path(__file__).parents[2]
CLASS = REPOSITORY / "tests" / "submissions"


FULL = os.environ.get("COURSE_BUDGET") == "full"

# What a lesson may compute in full, in minutes of one core. Lesson 02 reads all published reviews,
# and 07 says itself how long its four long cells take (`few_labels.py` times the longest).
CPU_MINUTES = {
    "01-text-preprocessing": 2,
    "02-conv1d-baseline": 4,
    "03-attention": 2,
    "04-transformer-encoder": 2,
    "05-long-documents": 5,
    "06-fastformer": 5,
    "07-pretraining": 12,
}

# Of each lesson, right answers that differ much from ours but keep what a lesson gives of a class.
OTHER_WAYS = {
    "01-text-preprocessing": "right_other_styles",
    "02-conv1d-baseline": "right_keras_layers",
    "03-attention": "right_shared_again",
    "04-transformer-encoder": "right_subclassed",
    "05-long-documents": "right_other_ways",
    "06-fastformer": "right_keras_layers",
    "07-pretraining": "right_steps",
}


@pytest.fixture
def execute(tmp_path, tmp_path_factory):
    """Run a notebook in an empty folder; return its cells by id."""
    sizes = {"COURSE_BUDGET": "smoke", "COURSE_SOURCE": "sample"}
    if FULL:
        sizes = {"COURSE_BUDGET": "full", "COURSE_SOURCE": "real"}
    # In a full run the lessons share one table, as they do for a student.
    sizes["COURSE_RESULTS"] = str(tmp_path_factory.getbasetemp() / "results")

    def run(path):
        notebook = nbformat.read(path, as_version=4)
        environment = os.environ | sizes | {"TF_CPP_MIN_LOG_LEVEL": "3"}
        executed.execute(notebook, tmp_path, environment, stderr=DEVNULL)
        return {cell.id: cell for cell in notebook.cells}

    return run


def errors(cell):
    return [output.ename for output in cell.get("outputs", []) if output.output_type == "error"]


def printed(cell):
    return "".join(output.get("text", "") for output in cell.get("outputs", []))


@pytest.fixture
def kernels_minutes():
    """The CPU minutes of kernels so far. In full they get one core: waiting threads would count."""

    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (usage.ru_utime + usage.ru_stime) / 60

    cores = os.sched_getaffinity(0) if FULL and hasattr(os, "sched_getaffinity") else ()
    if cores:
        os.sched_setaffinity(0, {min(cores)})
    before = spent()
    yield lambda: spent() - before
    if cores:
        os.sched_setaffinity(0, cores)


@LESSONS
def test_the_solved_lesson_runs_through_in_its_time(source, execute, kernels_minutes):
    cells = execute(source)
    for name, cell in cells.items():
        if is_autograded(cell):
            # The published check passes; the hidden test waits for a judge.
            assert errors(cell) == ["Unjudged"], name
            assert "aspects passed on the published inputs" in printed(cell)
        else:
            assert errors(cell) == [], (name, cell.outputs)
        streams = {output.get("name") for output in cell.get("outputs", [])}
        assert "stderr" not in streams, (name, cell.outputs)
    text = "".join(map(printed, cells.values()))
    said = re.findall(r"^(\w+): [\d,]+ train and [\d,]+ test texts in", text, re.MULTILINE)
    assert len(said) == len({*said}), "each data set is announced once"
    if FULL:
        minutes = kernels_minutes()
        print(f"{minutes:.2f} CPU minutes")
        assert minutes < CPU_MINUTES[source.stem]


@LESSONS
def test_the_lesson_runs_through_with_right_answers_in_another_style(source, execute, tmp_path):
    notebook = nbformat.read(source, as_version=4)
    right = LessonQuestions.read(CourseFolder(REPOSITORY), source.stem).right
    answers = read_answers(CLASS / source.stem / f"{OTHER_WAYS[source.stem]}.py", right)
    for cell in notebook.cells:
        cell.source = answers.cells.get(grade_id(cell), cell.source)
    nbformat.write(notebook, tmp_path / source.name)
    for name, cell in execute(tmp_path / source.name).items():
        assert errors(cell) == (["Unjudged"] if is_autograded(cell) else []), (name, cell.outputs)


@LESSONS
def test_the_students_lesson_fails_only_where_an_answer_is_missing(source, execute):
    release = REPOSITORY / "release" / source.stem / source.name
    cells = execute(release)
    graded = [cell for cell in cells.values() if is_autograded(cell)]
    assert graded
    for cell in graded:
        assert errors(cell) == ["CheckFailed"], cell.id
    others = {name for cell in cells.values() for name in errors(cell) if not is_autograded(cell)}
    assert others <= {"NotImplementedError"}
