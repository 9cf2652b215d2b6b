"""Hostile submissions, every other one honest, through both of the instructor's commands.

``make test-hostile`` grades the quick ones, ``make stress`` the others. Nothing here runs outside
of the namespaces that ``tests.support.hostile`` makes, where they can be made.
"""

import functools
import hashlib
import json
import os
import re
import secrets
import sqlite3
import stat
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from pathlib import Path

import nbformat
import pytest

import autograder.judging.judge
import autograder.judging.mistakes
import keys.preprocessing
from autograder.cells import BEGIN_SOLUTION, graded_exercise
from autograder.course_folder import CourseFolder
from autograder.execution.executor import cores
from autograder.execution.notebook_client import ENDED, ENDED_HERE, GRACE, WALL_FACTOR
from autograder.simulate import read_expected, simulate
from selfcheck.verdicts import Verdict
from tests.conftest import QUICK_LESSON, REPOSITORY, needs_sandbox, write_quick_course
from tests.support.commands import BIN
from tests.support.graded import record_of, verdicts_in
from tests.support.hostile import (
    Attack,
    Finished,
    bank,
    can_contain,
    contained,
    ended_for_memory,
    forbidden_in,
    maximum,
)
from tests.support.submitted import worth

pytestmark = [pytest.mark.timeout(3600), needs_sandbox]

OTHER_TAG = re.compile(r"<(?!/?(div|p|b|br|code|table|t[dhr]|thead|tbody|span|ul|li)\b)")
"""Than those of a verdict."""

COMMANDS = {
    "autograder": (BIN / "autograder", "grade", QUICK_LESSON),
    "nbgrader": (BIN / "nbgrader", "autograde", QUICK_LESSON),
}
ANSWERS = sorted((REPOSITORY / "tests" / "submissions" / QUICK_LESSON).glob("*.py"))
MUCH = 2**30
"""Bytes: a file of holes is larger, and would take hours to read."""
TIME_LIMIT = 3
CONFIGURATION = """
c.Execute.timeout = TIME_LIMIT
c.ExecuteSubmission.memory_limit = 600
c.ExecuteSubmission.disk_limit = 30
c.ExecuteSubmission.process_limit = 150
c.ExecuteSubmission.output_limit = 10
c.LimitOutput.max_lines = 1_000_000
""".replace("TIME_LIMIT", str(TIME_LIMIT))
SENTENCES = {
    module.__name__: module.__doc__.splitlines()[0]
    for module in (
        autograder.judging.judge,
        autograder.judging.mistakes,
        keys.preprocessing,
    )
}

SPOKEN_ALOUD = """import subprocess

subprocess.Popen(["sh", "-c", "sleep 100 # SECRET"])
"""
"""Whoever can see the processes of other kernels finds an answer there."""


def parameters():
    """Commands and attacks as parameters of a test: those that aren't quick are marked slow."""
    uncontained = pytest.mark.skipif(
        not can_contain(),
        reason="exhausts the machine without limits that only root can set: run it as root",
    )
    for door in COMMANDS:
        for attack in BANK:
            if attack.only and door != "autograder":
                continue
            marks = [] if attack.quick else [pytest.mark.slow]
            if attack.family == "exhausting":
                marks.append(uncontained)
            yield pytest.param(door, attack, id=f"{door}-{attack.student}", marks=marks)


BANK = bank()
every_attack = pytest.mark.parametrize(("door", "attack"), list(parameters()))
every_door = pytest.mark.parametrize("door", COMMANDS)


@dataclass(frozen=True)
class Graded:
    """What a command made of a course.

    Args:
        door: the command.
        attacks: what was handed in beside honest answers.
        course: the folder.
        finished: how the command came out.
        honest: by student, the file with the answers.
        planted: what nobody's kernel may see, by place.
        before, after: what must not change, by path.
        left: files that are left in the folder for temporary ones.
    """

    door: str
    attacks: Sequence[Attack]
    course: CourseFolder
    finished: Finished
    honest: Mapping[str, Path]
    planted: Mapping[str, str]
    before: Mapping[str, object]
    after: Mapping[str, object]
    left: tuple[str, ...]

    @cached_property
    def grades(self) -> dict[str, dict[str, float]]:
        """By student and exercise, the points in the gradebook, after its integrity check."""
        earned: dict[str, dict[str, float]] = {}
        with sqlite3.connect(self.course.root / "gradebook.db") as gradebook:
            assert gradebook.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            for student, cell, points, manual in gradebook.execute(
                "SELECT submitted_assignment.student_id, base_cell.name, grade.auto_score,"
                " grade.manual_score FROM grade"
                " JOIN base_cell ON base_cell.id = grade.cell_id"
                " JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id"
                " JOIN submitted_assignment"
                " ON submitted_assignment.id = submitted_notebook.assignment_id"
            ):
                assert manual is None
                if cell.startswith("test_"):
                    of_student = earned.setdefault(student, {})
                    assert cell not in of_student
                    of_student[cell.removeprefix("test_")] = points
        return earned

    def notebook(self, student: str) -> nbformat.NotebookNode:
        """A student's autograded notebook."""
        return nbformat.read(self.course.autograded(student, QUICK_LESSON), as_version=4)

    def verdicts(self, student: str) -> dict[str, Verdict]:
        """The judge's word by exercise."""
        found = verdicts_in(self.notebook(student))
        return {name.removeprefix("test_"): verdict for name, verdict in found.items()}

    def ended_at_a_limit(self, student: str) -> int:
        """How often a student's cells may have taken all their time: those that were ended at
        their time limit, and those in which a kernel was killed at another, with each kernel."""
        if not self.course.autograded(student, QUICK_LESSON).exists():
            return 0
        outputs = [o for cell in self.notebook(student).cells for o in cell.get("outputs", [])]
        late = sum(output.get("ename") == "CellTimeoutError" for output in outputs)
        here = [output["evalue"] for output in outputs if output.get("ename") == ENDED_HERE]
        # The last kernel's end is an error in every cell that it cut off; in one was time spent.
        cut = {output["evalue"] for output in outputs if output.get("ename") == ENDED}
        killed = sum(
            "the kernel was killed" in reason and "time was up" not in reason
            for reason in (*here, *cut)
        )
        return (late + killed) * (len(here) + 1)

    def came_out(self, student: str) -> str:
        """Whatever grading a submission brought out of its kernel: outputs, and files."""
        texts = []
        for path in (self.course.root / "autograded" / student).rglob("*"):
            if path.name == f"{QUICK_LESSON}.ipynb":
                outputs = [cell.get("outputs", []) for cell in nbformat.read(path, 4).cells]
                texts.append("\n".join(_texts(outputs)))
            elif path.is_file():
                texts.append(path.read_bytes().decode("latin-1"))
        return "\n".join(texts)


def _texts(value):
    """All text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def fingerprints(folder, contents=True):
    """What lies in a folder: names, kinds, permissions, and contents or times."""
    found = {}
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in (*folders, *files):
            path = Path(root) / name
            about = path.lstat()
            said: object = about.st_mtime_ns
            if stat.S_ISLNK(about.st_mode):
                said = path.readlink()
            elif stat.S_ISDIR(about.st_mode):
                said = None
            elif contents and stat.S_ISREG(about.st_mode) and about.st_size < MUCH:
                with path.open("rb") as file:
                    said = hashlib.file_digest(file, "sha256").hexdigest()
            size = about.st_size if stat.S_ISREG(about.st_mode) else 0
            found[str(path)] = (about.st_mode, size, said)
    return found


def grade(door, root, attacks, *, options=(), hand_in=True):
    """Write a course and grade it, with secrets planted all around it.

    Args:
        door: the command.
        root: an empty folder.
        attacks: each is handed in beside an honest student's answers.
        options: of the command.
        hand_in: whether the attacks are, or only the honest answers.
    """
    planted = {
        place: f"{place}-{secrets.token_hex(8)}"
        for place in ("environment", "home", "process", "socket", "answer", "another", "source")
    }
    folder = root / "course"
    folder.mkdir(parents=True)
    write_quick_course(folder, [planted["another"]])
    with (folder / "nbgrader_config.py").open("a") as configuration:
        configuration.write(CONFIGURATION)
    course = CourseFolder(folder)
    honest = dict(zip([f"{attack.student}_neighbour" for attack in attacks], cycle(ANSWERS)))
    answers = root / "answers"
    answers.mkdir()
    for student, path in honest.items():
        text = path.read_text()
        if student.startswith("peeking"):
            text = re.sub("^# %% .*$", rf"\g<0>\n{SPOKEN_ALOUD}", text, count=1, flags=re.M)
        text = f"{text}\n\n# SECRET\n".replace("SECRET", planted["answer"])
        (answers / f"{student}.py").write_text(text)
    simulate(course, QUICK_LESSON, answers)
    reference = course.submitted("reference", QUICK_LESSON) / f"{QUICK_LESSON}.ipynb"
    for attack in attacks if hand_in else ():
        attack.submit(reference, course.submitted(attack.student, QUICK_LESSON))
    source = course.source(QUICK_LESSON)
    text = source.read_text()
    mark = json.dumps(f"{BEGIN_SOLUTION}\n")[1:]
    assert mark in text
    comment = json.dumps(f"    # {planted['source']}\n")
    source.write_text(text.replace(mark, f"{mark},\n{comment}"))
    home = root / "home"
    home.mkdir()
    (home / "notes.txt").write_text(planted["home"])

    def unchanged():
        trusted = [folder / name for name in ("source", "release", "submitted")]
        found = fingerprints(Path(sys.prefix), contents=False)
        for place in (*trusted, home / "notes.txt", REPOSITORY / "course", REPOSITORY / "source"):
            found |= fingerprints(place)
        return found

    before = unchanged()
    with tempfile.TemporaryDirectory(prefix="hostile-") as name:
        temporary = Path(name) / "tmp"
        temporary.mkdir()
        variables = {
            "HOME": str(home),
            "TMPDIR": str(temporary),
            "INSTRUCTOR_TOKEN": planted["environment"],
        }
        finished = contained(
            [*COMMANDS[door], *options],
            folder=folder,
            variables=variables,
            secrets=planted,
            limit=3000,
        )
        (root / "printed.txt").write_text(finished.out)
        left = tuple(str(path.relative_to(temporary)) for path in temporary.rglob("*"))
    after = unchanged()
    return Graded(door, attacks, course, finished, honest, planted, before, after, left)


@pytest.fixture(scope="module")
def batch(request, tmp_path_factory):
    """What a command makes of all attacks that this run of the tests asks for, graded at once."""
    asked = [
        item.callspec.params
        for item in request.session.items
        if item.path == request.path and hasattr(item, "callspec")
    ]

    @functools.cache
    def graded_by(door):
        attacks = {
            params["attack"].student: params["attack"]
            for params in asked
            if "attack" in params and params["door"] == door
        }
        return grade(door, tmp_path_factory.mktemp(door), list(attacks.values()))

    return graded_by


@pytest.fixture
def graded(batch, door) -> Graded:
    """What the command has made of a course."""
    return batch(door)


def show(graded):
    """The end of what a command printed, for a failed test."""
    return f"{graded.door}, code {graded.finished.code}:\n{graded.finished.out[-5000:]}"


@every_attack
def test_it_earns_what_it_answers(graded, attack):
    earned = graded.grades.get(attack.student, {})
    if attack.refused:
        assert not any(earned.values()), earned
        assert not graded.course.autograded(attack.student, QUICK_LESSON).exists()
        return
    said = {name: verdict.explanation for name, verdict in graded.verdicts(attack.student).items()}
    assert {
        name: (points, said[name])
        for name, points in earned.items()
        if points != attack.points[name]
    } == {}
    assert earned.keys() == attack.points.keys()


@every_attack
def test_what_it_lost_has_a_reason(graded, attack):
    if attack.refused:
        lines = [line for line in graded.finished.out.splitlines() if attack.student in line]
        if graded.door == "autograder":
            _, _, problem = next(line for line in lines if "/" in line).partition(": ")
            assert re.search(attack.refused, problem), problem
        else:
            assert lines
        return
    verdicts = graded.verdicts(attack.student)
    assert verdicts.keys() == maximum().keys()
    for exercise, pattern in attack.reasons.items():
        assert re.search(pattern, verdicts[exercise].explanation), verdicts[exercise].explanation
    for exercise, verdict in verdicts.items():
        assert bool(verdict.explanation) == (attack.points[exercise] < maximum()[exercise])
    if attack.repair:
        repairs = record_of(graded.course.autograded(attack.student, QUICK_LESSON)).repairs
        assert any(re.search(attack.repair, repair) for repair in repairs), repairs


@every_attack
def test_it_saw_nothing_and_reached_nothing(graded, attack):
    text = graded.came_out(attack.student)
    assert forbidden_in(text, graded.planted | SENTENCES) == []


@every_attack
def test_what_it_left_is_harmless(graded, attack):
    root = graded.course.root / "autograded" / attack.student
    submitted = graded.course.submitted(attack.student, QUICK_LESSON)
    for path in root.rglob("*"):
        mode = path.lstat().st_mode
        assert stat.S_ISREG(mode) or stat.S_ISDIR(mode), path
        assert not mode & (stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX), path
        # nbgrader copies what was handed in under the name that it has.
        assert path.name.isprintable() or (submitted / path.name).is_file(), repr(path.name)
    if not attack.refused:
        for cell in filter(graded_exercise, graded.notebook(attack.student).cells):
            page = cell.outputs[0].data["text/html"]
            assert not OTHER_TAG.search(page)


@every_door
def test_the_batch_comes_to_its_end(graded):
    assert graded.finished.code in (0, 1), show(graded)
    if graded.door == "autograder":
        students = set(graded.course.students(QUICK_LESSON))
        rows = re.findall(r"^ *\d+/\d+ ([^:]+): ", graded.finished.out, re.MULTILINE)
        assert sorted(rows) == sorted(students), show(graded)
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", graded.finished.out)


@every_door
def test_honest_students_earn_what_their_answers_are_worth(graded):
    for student, path in graded.honest.items():
        stated = {
            name: worth(each, f"preprocessing.{name}", maximum()[name])
            for name, each in read_expected(path).items()
        }
        assert graded.grades[student] == maximum() | stated, student
    assert graded.grades["reference"] == graded.grades[graded.planted["another"]] == maximum()
    assert not any(graded.grades["unanswered"].values())


@every_door
def test_nothing_outside_has_changed(graded):
    assert graded.after == graded.before
    home = graded.course.root.parent / "home"
    assert not [path for path in home.rglob("*") if "hostile" in path.name]
    assert not list(graded.course.root.rglob("*hostile-was-here*"))


@every_door
def test_no_process_and_no_temporary_file_is_left(graded):
    assert graded.finished.living == []
    assert graded.left == ()


@pytest.mark.slow
def test_without_the_hostile_half_the_honest_half_has_the_same_grades(batch, tmp_path):
    both = batch("autograder")
    honest = grade("autograder", tmp_path, both.attacks, hand_in=False)
    students = {*both.honest, "reference", "unanswered"}
    assert students == honest.grades.keys() - {honest.planted["another"]}
    assert {name: both.grades[name] for name in students} == {
        name: honest.grades[name] for name in students
    }
    # As many submissions again, and what its time limits allow every cell that does not end: on
    # all kernels at once, but for the last student, who may have begun when the others were done.
    endless = [both.ended_at_a_limit(attack.student) for attack in both.attacks]
    limits = (sum(endless) / (cores() + 1) + max(endless)) * (WALL_FACTOR * TIME_LIMIT + GRACE)
    assert both.finished.seconds <= 2 * honest.finished.seconds + limits


GREEDY = """hoard = b"x" * (700 << 20)
import time
time.sleep(6)
"""
"""Within its own limit; two at a time are more than the machine has."""


@pytest.mark.slow
@pytest.mark.skipif(
    not can_contain(),
    reason="takes away memory by a control group, which only root can make: run it as root",
)
def test_when_memory_runs_out_the_victims_are_executed_again_alone(tmp_path):
    students = ["ada", "ben", "cy"]
    (tmp_path / "course").mkdir()
    course = write_quick_course(tmp_path / "course", students)
    with (course.root / "nbgrader_config.py").open("a") as configuration:
        configuration.write("c.ExecuteSubmission.memory_limit = 1000\n")
    for student in students[:2]:
        path = course.submitted(student, QUICK_LESSON) / f"{QUICK_LESSON}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        notebook.cells.append(nbformat.v4.new_code_cell(GREEDY))
        nbformat.write(notebook, path)
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    before = ended_for_memory()
    finished = contained(
        [*COMMANDS["autograder"], "--jobs", "3"],
        folder=course.root,
        variables={"HOME": str(tmp_path), "TMPDIR": str(temporary)},
        secrets={"process": "", "socket": ""},
        limit=600,
        memory=1500 << 20,
    )
    if ended_for_memory() == before:
        pytest.skip("the machine has no memory controller")
    assert finished.code == 0, finished.out
    full = sum(maximum().values())
    rows = re.findall(r"/3 (\w+): ([\d.]+) of ([\d.]+) points", finished.out)
    assert sorted(rows) == [(name, f"{full:g}", f"{full:g}") for name in students], finished.out


@pytest.mark.slow
@pytest.mark.skipif(
    not can_contain(),
    reason="attacks outside the sandbox need limits that only root can set: run it as root",
)
def test_where_nothing_hides_them_the_secrets_are_found(tmp_path):
    """The attacks that look for secrets do find them, so that finding none says something."""
    attacks = [attack for attack in BANK if attack.student in PEEKING]
    graded = grade("autograder", tmp_path, attacks, options=("--sandbox", "none"))
    found = {
        attack.student: forbidden_in(graded.came_out(attack.student), graded.planted | SENTENCES)
        for attack in attacks
    }
    assert all(found.values()), found


PEEKING = (
    "peeking_beside_the_course",
    "peeking_course_root",
    "peeking_environment",
    "peeking_imported_reference",
    "peeking_memory_of_others",
    "peeking_processes",
    "peeking_shell",
    "reaching_abstract_sockets",
    "reaching_network",
    "reaching_other_kernels",
    "reaching_unix_sockets",
)
