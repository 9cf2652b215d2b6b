"""A course folder for tests, and the instructor's command run in it."""

import dataclasses
import functools
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

# Before NumPy is imported: with these small matrices, a second thread mostly waits in a busy loop.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

from autograder import cli  # before what imports jsonschema, which it spares seconds

# isort: split
import nbformat
import pytest
from hypothesis import HealthCheck, settings

from autograder.cells import grade_id
from autograder.course_folder import CONFIG, CourseFolder
from autograder.declaration import find_course
from autograder.execution import executor
from autograder.execution.job import Outcome
from autograder.kernels import sandbox
from autograder.release.generate import release
from autograder.simulate import simulate
from course import COURSE
from selfcheck import responses, texts

# How fast a busy machine draws examples says nothing about what is tested.
_PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=10, **_PATIENT)
# With a database, Hypothesis keeps a front of examples, in which it sometimes fails by itself (an
# empty range for randrange(): its ParetoFront.add).
settings.register_profile("thorough", max_examples=100, database=None, **_PATIENT)
settings.load_profile("quick")

REPOSITORY = Path(__file__).parents[1]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
NO_CHROMIUM = "shows pages in a browser: install Chromium (Debian: apt install chromium)"
NO_SANDBOX = sandbox.problem()
needs_sandbox = pytest.mark.skipif(
    bool(NO_SANDBOX), reason=f"runs students' code in a sandbox: {NO_SANDBOX}"
)
LESSON = "03-attention"
QUICK_LESSON = "01-text-preprocessing"


def pytest_runtest_setup():
    # TensorFlow's logger closes the stream that it found when nbgrader sets up logging of its own:
    # that was pytest's, which every later test needs.
    if log := sys.modules.get("absl.logging"):
        log.get_absl_handler().python_handler.setStream(sys.__stderr__)
    if nbgrader := sys.modules.get("nbgrader.api"):
        _remember_alembic(nbgrader)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Reports go from process to process as UTF-8, which has no halves of characters: a test that
    shows some would otherwise end the whole run."""
    report = yield
    report.sections = [(title, _encodable(text)) for title, text in report.sections]
    if report.longrepr is not None and str(report.longrepr) != _encodable(str(report.longrepr)):
        report.longrepr = _encodable(str(report.longrepr))
    return report


def _encodable(text):
    return text.encode("utf8", "backslashreplace").decode("utf8")


def tracked(*paths):
    """What git knows of, or would add, by its path in the checkout."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *paths]
    done = subprocess.run(listed, cwd=REPOSITORY, check=True, capture_output=True, text=True)
    names = filter(None, done.stdout.split("\0"))
    return {name for name in names if (REPOSITORY / name).is_file()}


def copy_checkout(folder):
    """Copy what a newcomer clones."""
    for name in tracked():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, folder / name)


def remove_in_the_background(folder):
    """Gigabytes in small files take minutes to go, for which no test waits."""
    subprocess.Popen(["rm", "-rf", folder], stderr=subprocess.DEVNULL, start_new_session=True)


@functools.cache
def _remember_alembic(nbgrader):
    """Ask alembic once: nbgrader runs a command of two seconds for each new gradebook, which always
    says the same."""
    nbgrader.get_alembic_version = functools.cache(nbgrader.get_alembic_version)


def write_configuration(root):
    """The course's own configuration, marking by aspects; without a sandbox where there is none."""
    text = (REPOSITORY / CONFIG).read_text("utf8")
    # Files of answers state which aspects fail, and tests the points that these leave.
    text += 'c.Judge.marking = "aspects"\n'
    if NO_SANDBOX:
        text += 'c.ExecuteSubmission.sandbox = "none"\n'
    (root / CONFIG).write_text(text, "utf8")


def write_small_course(root, lesson=LESSON):
    """A course whose one lesson is a real one without its demonstrations.

    The set-up cell and the exercises are the lesson's own, so that a kernel has little more to do
    than to import TensorFlow.
    """
    write_configuration(root)
    notebook = nbformat.read(REPOSITORY / "source" / lesson / f"{lesson}.ipynb", as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.id == "setup" or grade_id(cell)]
    target = root / "source" / lesson / f"{lesson}.ipynb"
    target.parent.mkdir(parents=True)
    nbformat.write(notebook, target)
    return root


def write_quick_course(root, students):
    """A course whose one lesson needs no TensorFlow, released, answered rightly by all students."""
    write_configuration(root)
    shutil.copytree(REPOSITORY / "source" / QUICK_LESSON, root / "source" / QUICK_LESSON)
    (root / "nobody").mkdir()
    course = CourseFolder(root)
    release(course, QUICK_LESSON)
    simulate(course, QUICK_LESSON, root / "nobody")
    shutil.rmtree(root / "submitted" / "unanswered")
    reference = root / "submitted" / "reference"
    for student in students:
        shutil.copytree(reference, root / "submitted" / student)
    shutil.rmtree(reference)
    return course


@pytest.fixture
def executed(monkeypatch):
    """Whose submissions were executed, by kernels that are played and say nothing."""
    students = []

    def play(notebook, folder, plan):
        students.append(folder.parent.name)
        return Outcome({}, "", {"start": 1.0, "cells": 2.0, "cpu": 3.0})

    monkeypatch.setattr(executor, "execute", play)
    return students


def flat(out):
    """What was printed, with each of the table's cells on one line."""
    lines, cells = [], []
    for line in out.splitlines():
        if line.startswith(("│", "┃")):
            parts = [part.strip() for part in re.split("[│┃]", line)[1:-1]]
            cells = [f"{cell} {part}" for cell, part in zip(cells or [""] * 9, parts, strict=False)]
        else:
            lines += [*cells, "" if line[:1] in "├└┏┡" else line]
            cells = []
    return " ".join(" ".join(lines).split())


@pytest.fixture
def small_course(tmp_path):
    return write_small_course(tmp_path)


def responded(name, answer, seed=1):
    """What a student's process hands over of an answer."""
    exercise = COURSE.get(name)
    return responses.respond(exercise, answer, exercise.cases(seed))


@dataclass
class Finished:
    code: int
    out: str
    err: str


@pytest.fixture
def autograder(monkeypatch, capsys):
    """Run the instructor's command in this process, as its script would."""

    def run(*arguments, course):
        monkeypatch.chdir(course)
        monkeypatch.setattr(sys, "argv", ["autograder", *arguments])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        captured = capsys.readouterr()
        return Finished(stop.value.code or 0, captured.out, captured.err)

    return run


@pytest.fixture
def means(tmp_path, autograder, monkeypatch):
    """A course that was just begun: its folder, and how to change its key or its exercise."""
    folder = tmp_path / "means"
    assert autograder("init", str(folder), course=tmp_path).code == 0
    monkeypatch.syspath_prepend(str(folder))
    # It is not installed, and what isn't is nowhere in a sandbox.
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setattr(
        "autograder.audit.dry_run.sandbox.problem", lambda: "the course isn't installed"
    )
    yield folder
    for module in [name for name in sys.modules if name.partition(".")[0].startswith("means")]:
        del sys.modules[module]
    find_course.cache_clear()


@pytest.fixture
def titles_in_capitals(monkeypatch):
    """A language in which the titles of aspects are in capitals, and all else is English."""
    titles = [aspect.title for name in COURSE.names() for aspect in COURSE.get(name).aspects]
    translations = {title: title.upper() for title in titles}
    monkeypatch.setattr(texts, "_translations", lambda language: translations)


SHARES = {
    "preprocessing.find_emails": (20, 20, 15, 15, 10, 10, 10),
    "preprocessing.tokenize": (20, 20, 20, 20, 10, 10),
    "preprocessing.label_encode": (10, 10, 20, 50, 10),
}
"""Percents of the aspects, in order, for tests that state points."""


@pytest.fixture(scope="module")
def settled_shares():
    """Shares that stay what they are when the course's change."""
    with pytest.MonkeyPatch.context() as patch:
        for name, percents in SHARES.items():
            exercise = COURSE.get(name)
            aspects = zip(exercise.aspects, percents, strict=True)
            changed = tuple(dataclasses.replace(one, percent=share) for one, share in aspects)
            patch.setattr(type(exercise), "aspects", changed)
        yield
