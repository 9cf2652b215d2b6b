"""Faults of the grader's own, injected into every function that a grading goes through.

A class with an earlier result hands in again and is graded again, while one function fails. What
must hold: the earlier result is there to the byte, or the new one is there as a whole; no points
are lost; the row says so; and the next run grades as if nothing had been.

A kernel runs once; its outcome is replayed for every fault. ``make test-faults`` tries them all.
"""

import builtins
import gc
import itertools
import json
import os
import secrets
import shutil
import sqlite3
import sys
from collections import Counter, defaultdict
from concurrent.futures import Future
from contextlib import closing, contextmanager
from types import FunctionType

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from nbgrader.api import InvalidEntry
from nbgrader.converters.base import NbGraderException
from nbgrader.nbgraderformat import ValidationError
from sqlalchemy.exc import OperationalError

from autograder.cells import grade_id, is_autograded
from autograder.course_folder import CourseFolder
from autograder.execution import executor
from autograder.grading import batch, preflight
from autograder.grading.converter import StagedAutograde
from autograder.grading.staging import Publication
from selfcheck import Course
from tests.conftest import QUICK_LESSON, REPOSITORY, write_configuration
from tests.support.graded import verdicts_in
from tests.support.results import journal, results

LESSON = "short"
NOTEBOOKS = {
    "first": {"setup", "find_emails", "test_find_emails", "steps_that_lose"},
    "second": {"setup", "tokenize", "test_tokenize"},
}
STUDENT = "ada"
SEED = 99
KINDS = {
    "RuntimeError": lambda: RuntimeError("injected"),
    "KeyError": lambda: KeyError("injected"),
    "full disk": lambda: OSError(28, "No space left on device"),
    "OperationalError": lambda: OperationalError("injected", {}, Exception("database is locked")),
    "MemoryError": MemoryError,
    "SystemExit": lambda: SystemExit(1),
    "NbGraderException": lambda: NbGraderException("injected"),
    "ValidationError": lambda: ValidationError("injected"),
    "InvalidEntry": lambda: InvalidEntry("injected"),
    "KeyboardInterrupt": KeyboardInterrupt,
}
PACKAGES = (
    "/autograder/execution/",
    "/autograder/gradebook/",
    "/autograder/grading/",
    "/autograder/judging/",
    "/autograder/sanitize/",
    "/autograder/cells",
    "/autograder/course_folder",
    "/autograder/folder_lock",
    "/keys/",
    "/course/",
    "/selfcheck/",
    "/nbgrader/",
    "/nbformat/",
    "/nbconvert/",
    "/shutil.py",
    "/pathlib.py",
    "/sqlalchemy/orm/session.py",
    "/sqlalchemy/engine/base.py",
    "/sqlalchemy/engine/default.py",
    "/sqlalchemy/pool/",
)
FULL = {"test_find_emails": 2.0, "test_tokenize": 2.0, "test_lower_case": 1.0}
LEAST = 20
"""Faults of each kind that must be reached: 200 in all."""


class Replaying(executor.LocalPool):
    """Gives what a kernel gave once, or runs one and keeps it."""

    outcomes = None

    def __init__(self):
        super().__init__(1)

    def preload(self, source, view):
        if self.outcomes is None:
            super().preload(source, view)

    def __exit__(self, *error):
        if self.outcomes is None:
            super().__exit__(*error)

    def submit(self, folder, notebooks, plans):
        if self.outcomes is None:
            future = super().submit(folder, notebooks, plans)
            type(self).outcomes = future.result()
            return future
        (folder / "left by the kernel.txt").write_text("a file")
        done = Future()
        done.set_result(self.outcomes)
        return done


def grade(course, *, force=True):
    (row,) = batch.grade(course, LESSON, [STUDENT], force=force, pool=Replaying())
    return row


def own_tests():
    """A graded cell of nbgrader's ordinary kind: no judge, but an assertion."""
    marks = {"grade": True, "solution": False, "locked": True, "task": False, "schema_version": 3}
    marks |= {"grade_id": "test_lower_case", "points": 1}
    source = "assert tokenize('A b') == ['a', 'b'], 'not in lower case'"
    return new_code_cell(source, id="test_lower_case", metadata={"nbgrader": marks})


def write_notebook(path, cells, change=lambda cell: None):
    source = REPOSITORY / "source" / QUICK_LESSON / f"{QUICK_LESSON}.ipynb"
    notebook = nbformat.read(source, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.id in cells]
    for cell in notebook.cells:
        if cell.id == "setup":
            cell.source = "import re\nimport string\n\nfrom course import check, grade"
        change(cell)
    if "tokenize" in cells:
        notebook.cells.append(own_tests())
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


def wrong(cell):
    if cell.id in ("find_emails", "tokenize"):
        cell.source = cell.source.replace("return ", "return [] and ")
    elif cell.id == "steps_that_lose":
        cell.source = "All do."


def right(cell):
    if cell.id == "steps_that_lose":
        cell.source = "Stemming does."


def hand_in(course, change, day):
    folder = course.submitted(STUDENT, LESSON)
    for name, cells in NOTEBOOKS.items():
        write_notebook(folder / f"{name}.ipynb", cells, change)
    (folder / "beside.txt").write_text(f"handed in on day {day}")
    (folder / "timestamp.txt").write_text(f"2026-01-{day:02} 12:00:00 UTC")


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A course whose lesson has two notebooks, graded; then a better answer was handed in."""
    root = tmp_path_factory.mktemp("faults") / "course"
    root.mkdir()
    write_configuration(root)
    for name, cells in NOTEBOOKS.items():
        write_notebook(root / "source" / LESSON / f"{name}.ipynb", cells)
    course = CourseFolder(root)
    assert course.run("generate_assignment", LESSON, create=True) is None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "randbits", lambda bits: SEED)
        Replaying.outcomes = None
        hand_in(course, wrong, 1)
        assert not grade(course).problem
        with closing(sqlite3.connect(root / "gradebook.db")) as gradebook, gradebook:
            gradebook.execute("UPDATE grade SET manual_score = 0.5 WHERE auto_score IS NULL")
        assert course.run("generate_feedback", LESSON) is None
        earlier = root.with_name("earlier")
        shutil.copytree(root, earlier)
        Replaying.outcomes = None
        hand_in(course, right, 2)
        yield course, earlier
    Replaying.outcomes = None


def put_back(course, earlier):
    """The earlier result, without anything of later runs."""
    for name in ("autograded", ".autograder", "feedback"):
        shutil.rmtree(course.root / name, ignore_errors=True)
        shutil.copytree(earlier / name, course.root / name)
    shutil.copy(earlier / "gradebook.db", course.root)


@pytest.fixture
def course(graded):
    put_back(*graded)
    if Replaying.outcomes is None:
        assert points_of_tests(grade(graded[0])) == FULL
        put_back(*graded)
    return graded[0]


def recorded(course):
    """Points in the gradebook, in the verdicts of the notebooks, and in what the feedback tells."""
    with closing(sqlite3.connect(course.root / "gradebook.db")) as gradebook:
        saved = dict(
            gradebook.execute(
                "SELECT base_cell.name, grade.auto_score FROM grade "
                "JOIN base_cell ON base_cell.id = grade.cell_id "
                "WHERE base_cell.name LIKE 'test_%'"
            )
        )
    shown = {}
    for name in NOTEBOOKS:
        notebook = nbformat.read(course.autograded(STUDENT, LESSON, name), as_version=4)
        judged = verdicts_in(notebook)
        for cell in filter(is_autograded, notebook.cells):
            most = cell.metadata.nbgrader.points
            if verdict := judged.get(grade_id(cell)):
                shown[grade_id(cell)] = verdict.points(most)
            else:
                shown[grade_id(cell)] = 0.0 if cell.outputs else most
    return saved, shown


class Fault:
    """A function that fails: always, or once, at its first call or at its last.

    While it is in force, the functions have other code.

    Args:
        functions: the objects that have the same code.
        kind: of exception.
        at: the number of the call that fails; None for all of them.
    """

    def __init__(self, functions, kind, at):
        self.functions, self.kind, self.at = functions, kind, at
        self.calls, self.raised = 0, False

    def __call__(self, function, arguments, named):
        self.calls += 1
        if self.at is not None and self.calls != self.at:
            return function(*arguments, **named)
        self.raised = True
        raise KINDS[self.kind]()

    def __str__(self):
        return f"{self.kind} at {'every call' if self.at is None else f'call {self.at}'}"

    def bound(self):
        """A method or function that fails like this, in whatever way it is called."""
        return lambda *arguments, **named: self(None, arguments, named)

    @contextmanager
    def in_force(self):
        patched = []
        for number, function in enumerate(self.functions):
            names = function.__code__.co_freevars
            real = FunctionType(
                function.__code__,
                function.__globals__,
                function.__name__,
                function.__defaults__,
                function.__closure__,
            )
            real.__kwdefaults__ = function.__kwdefaults__
            name = f"_injected_{number}"
            setattr(builtins, name, lambda a, k, real=real: self(real, a, k))
            patched.append((function, function.__code__, name))
            function.__code__ = failing(name, names)
        try:
            yield
        finally:
            for function, code, name in patched:
                function.__code__ = code
                delattr(builtins, name)


def failing(name, free):
    """Code that calls the fault, with as many free variables as the code whose place it takes."""
    lines = ["def outer():"]
    lines += [f"    {variable} = None" for variable in free]
    lines += ["    def failing(*arguments, **named):"]
    lines += [f"        nonlocal {variable}" for variable in free]
    lines += [f"        return {name}(arguments, named)", "    return failing"]
    space = {}
    exec("\n".join(lines), space)
    return space["outer"]().__code__


def passed_through(step):
    """The functions of the packages above that a step calls, by name: the objects that have the
    same code, and the number of calls."""
    calls, codes = Counter(), {}

    def look(frame, event, _):
        code = frame.f_code
        if event == "call" and any(part in code.co_filename for part in PACKAGES):
            calls[id(code)] += 1
            codes[id(code)] = code

    sys.setprofile(look)
    try:
        step()
    finally:
        sys.setprofile(None)
    named = defaultdict(lambda: ([], 0))
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and codes.get(id(function.__code__)):
            code = function.__code__
            place = code.co_filename.rpartition("site-packages/")[2]
            name = f"{place.removeprefix(f'{REPOSITORY}/')}:{code.co_qualname}"
            named[name] = [*named[name][0], function], calls[id(code)]
    return dict(sorted(named.items()))


@pytest.fixture(scope="module")
def path(graded):
    """Every function that grading a submission anew goes through."""
    course, earlier = graded
    for _ in range(2):  # the kernel's, then one that replays it: what is read once is read
        put_back(course, earlier)
        grade(course)
    put_back(course, earlier)
    return passed_through(lambda: grade(course))


def outcome_of(course):
    """The row, or the exception that ended the run, as an instructor's command would show it."""
    try:
        return grade(course)
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        return error


def points_of_tests(row):
    return {
        score.cell.partition("/")[2]: score.points for score in row.scores if "/test_" in score.cell
    }


def check_after(course, earlier, outcome):
    """What must hold after a run with a fault in it: the earlier result as it was, or the new one
    as a whole."""
    assert isinstance(outcome, BaseException) or outcome.problem or points_of_tests(outcome) == FULL
    before, after = results(earlier), results(course.root)
    saved, shown = recorded(course)
    assert saved == shown, "the gradebook and the notebooks differ"
    assert after["feedback"] == before["feedback"]
    if after != before:
        assert saved == FULL
    with closing(sqlite3.connect(course.root / "gradebook.db")) as gradebook:
        by_hand = gradebook.execute("SELECT count(*) FROM grade WHERE manual_score = 0.5")
        assert by_hand.fetchone() == (1,), "points that a person gave are gone"
    problem = getattr(outcome, "problem", "")
    if problem and not problem.startswith("graded, but the result can't be shown: "):
        assert "(the earlier grade is kept)" in problem
        assert after == before


def check_next_run(course):
    """The next run needs no force: what was handed in is newer than what was graded."""
    row = grade(course, force=False)
    assert not row.problem, f"the next run: {row.problem}"
    assert points_of_tests(row) == FULL
    saved, shown = recorded(course)
    assert saved == shown == FULL
    assert journal(course.root) == {}


def try_fault(course, earlier, fault):
    """Grade with a fault, then without."""
    with fault.in_force():
        outcome = outcome_of(course)
    check_after(course, earlier, outcome)
    if journal(course.root) or results(course.root) != results(earlier):
        check_next_run(course)
        put_back(course, earlier)
    # Where all is as it was before, so is the next run.


def try_faults(graded, faults):
    """Try each fault; gives how many were reached, and what did not hold."""
    course, earlier = graded
    reached, broken = 0, []
    for name, fault in faults:
        put_back(course, earlier)
        try:
            try_fault(course, earlier, fault)
        except AssertionError as error:
            broken.append(f"{name}, {fault}: {str(error).splitlines()[0]}")
        reached += fault.raised
    return reached, broken


def faults_of(kind, path):
    """A tenth of the functions for each kind of exception; they fail always or once, in turn."""
    mine = list(path.items())[list(KINDS).index(kind) :: len(KINDS)]
    return [
        (name, Fault(functions, kind, (None, 1, calls)[number % 3]))
        for number, (name, (functions, calls)) in enumerate(mine)
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_function_fails_no_result_is_lost(course, graded, path, kind):
    reached, broken = try_faults(graded, faults_of(kind, path))
    assert broken == []
    assert reached >= LEAST


@pytest.mark.parametrize("name", ["rename", "replace", "fsync", "chmod", "mkdir", "unlink"])
@pytest.mark.parametrize("at", [None, 1, 2, 3])
def test_whatever_the_system_refuses_no_result_is_lost(course, graded, monkeypatch, name, at):
    fault, real = Fault((), "full disk", at), getattr(os, name)
    with monkeypatch.context() as patch:
        patch.setattr(os, name, lambda *a, **k: fault(real, a, k))
        outcome = outcome_of(course)
    check_after(course, graded[1], outcome)
    check_next_run(course)


KNOWN = {
    "autograder/grading/converter.py:StagedAutograde.record": None,
    "autograder/grading/converter.py:StagedAutograde._publish": 1,
    "autograder/grading/converter.py:StagedAutograde.prepare": None,
    "autograder/grading/judging_step.py:show_verdict": None,
    "autograder/judging/judge.py:judge": 1,
    "selfcheck/texts/__init__.py:language": None,
    "autograder/gradebook/saving.py:SaveGrades._save_grades": 1,
    "nbgrader/preprocessors/latesubmissions.py:AssignLatePenalties.preprocess": None,
    "autograder/sanitize/repair.py:RepairSubmission.preprocess": None,
    "nbgrader/coursedir.py:CourseDirectory.get_existing_timestamp": 1,
}


def test_the_known_places_lose_no_result(course, graded, path):
    kinds = itertools.cycle(["RuntimeError", "full disk", "SystemExit", "OperationalError"])
    faults = [(name, Fault(path[name][0], next(kinds), at)) for name, at in KNOWN.items()]
    assert try_faults(graded, faults) == (len(KNOWN), [])


def test_a_cell_with_tests_of_its_own_says_how_they_failed(course, graded, autograder):
    finished = autograder("grade", LESSON, "--sandbox", "none", course=graded[1])
    said = " ".join(finished.out.replace("│", " ").split())
    assert "failed its own tests: AssertionError: not in lower case" in said
    assert "not answered" not in said


@pytest.mark.parametrize("step", ["rename 1", "rename 2", "commit", "finish"])
def test_a_run_that_is_killed_while_it_publishes_is_settled_by_the_next(
    course, graded, monkeypatch, step
):
    with monkeypatch.context() as patch:
        patch.setattr(StagedAutograde, "recover", lambda self, student: None)
        if step == "finish":
            patch.setattr(Publication, "finish", Fault((), "KeyboardInterrupt", None).bound())
        elif step == "commit":
            real = StagedAutograde._publish

            def publish(*arguments):
                real(*arguments)
                raise KeyboardInterrupt

            patch.setattr(StagedAutograde, "_publish", publish)
        else:
            fault, rename = Fault((), "KeyboardInterrupt", int(step[-1])), os.rename
            patch.setattr(os, "rename", lambda *a, **k: fault(rename, a, k))
        assert isinstance(outcome_of(course), KeyboardInterrupt)
    assert f"{STUDENT}/{LESSON}.publishing" in journal(course.root)
    with batch.grading_lock(course):
        saved, shown = recorded(course)
        assert saved == shown
        if step != "finish":
            assert results(course.root) == results(graded[1])
    check_next_run(course)


def lacking_timestamp(folder):
    (folder / "timestamp.txt").write_text("the day before yesterday, I think")


def lacking_json(folder):
    (folder / "first.ipynb").write_text("{ this is no JSON")


def lacking_notebooks(folder):
    for name in NOTEBOOKS:
        (folder / f"{name}.ipynb").unlink()


def with_others(folder):
    for name in NOTEBOOKS:
        (folder / f"{name}.ipynb").unlink()
        (folder / f"my {name}.ipynb").write_text('{"cells": []}')


def with_a_link(folder):
    (folder / "first.ipynb").unlink()
    (folder / "first.ipynb").symlink_to("/etc/passwd")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lacking_timestamp, "timestamp.txt has no time"),
        (lacking_json, "first.ipynb cannot be read as a notebook"),
        (lacking_notebooks, "is missing: only beside.txt was handed in"),
        (with_others, "is missing: only beside.txt, my first.ipynb, my second.ipynb"),
        (with_a_link, "first.ipynb isn't a regular file but a link"),
    ],
)
def test_a_refused_submission_removes_nothing_and_is_tried_again(course, graded, change, reason):
    folder = course.submitted(STUDENT, LESSON)
    kept = folder.with_name("kept")
    shutil.copytree(folder, kept)
    change(folder)
    rows = [grade(course, force=force) for force in (True, False)]
    shutil.rmtree(folder)
    kept.rename(folder)
    for row in rows:
        assert reason in row.problem
        assert "(the earlier grade is kept)" in row.problem
        assert not row.problem.startswith("not graded")
    assert results(course.root) == results(graded[1])
    assert journal(course.root) == {}
    check_next_run(course)


EMPTY = {"expected": {}, "mistakes": [], "pairs": []}


def changed_sheets(tmp_path, change):
    folder = tmp_path / "answers"
    shutil.copytree(REPOSITORY / "course" / "answers", folder)
    path = folder / "preprocessing.tokenize.json"
    change(path)
    return folder


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda path: path.unlink(), id="missing"),
        pytest.param(lambda path: path.write_text("{"), id="no JSON"),
        pytest.param(lambda path: path.write_text(json.dumps(EMPTY)), id="empty"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:500]), id="cut off"),
    ],
)
def test_a_broken_answer_sheet_is_nobodys_zero(course, graded, monkeypatch, tmp_path, change):
    with monkeypatch.context() as patch:
        patch.setattr(Course, "answers", changed_sheets(tmp_path, change))
        row = grade(course)
    assert row.problem.startswith("not graded: the answer sheet of preprocessing.tokenize cannot")
    assert "autograder release 01-text-preprocessing" in row.problem
    assert results(course.root) == results(graded[1])
    check_next_run(course)


def test_an_exercise_that_the_judge_cannot_load_is_nobodys_zero(course, graded, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(preflight, "key_of", Fault((), "KeyError", None).bound())
        row = grade(course)
    assert "preprocessing.find_emails cannot be judged here: KeyError" in row.problem
    assert results(course.root) == results(graded[1])
    check_next_run(course)


def test_the_command_says_what_failed_and_ends_with_status_1(
    course, graded, monkeypatch, autograder
):
    arguments = ("grade", LESSON, "--force", "--sandbox", "none")
    with monkeypatch.context() as patch:
        patch.setenv("COURSE_LANGUAGE", "fr")
        finished = autograder(*arguments, course=course.root)
    assert finished.code == 1
    said = " ".join(finished.out.split())
    assert (
        "ada: not graded: COURSE_LANGUAGE is 'fr', but the available languages are: de, en"
    ) in said
    assert "(the earlier grade is kept)" in said
    assert results(course.root) == results(graded[1])


def test_nbgrader_alone_refuses_before_it_removes_anything(course, graded, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setenv("COURSE_LANGUAGE", "fr")
        log = course.run("autograde", LESSON, STUDENT, force=True)
    assert "Nothing was graded: COURSE_LANGUAGE is 'fr'" in log
    assert results(course.root) == results(graded[1])
