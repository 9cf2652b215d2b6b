"""What grading a class costs: nbgrader as it comes, Otter-Grader, and `autograder grade`.

    python -m benchmarks.grading

Every grader gets the same submissions to one lesson, in one run, on one machine: the simulated
class of ``tests/submissions``, repeated under other names, in a copy of the course that is made for
it. The figures go to ``benchmarks/grading.md``. On two cores it takes half an hour, most of it
nbgrader's and Otter's.

Processor time is what the system accounts to children that have ended and were waited for, theirs
included (``RUSAGE_CHILDREN``). Forked kernels are waited for by the guardians beside them, those by
the forking process and that by the grader, so they are in it; the processes are also sampled while
they run, the larger of the two figures counts, and the report says how far apart they were.

What a submission costs beyond the student's own cells is all processor time of the grading divided
by the submissions, less what the kernel used in cells. The grader reports what a kernel has used
when its last cell ends, and that includes the kernel's own start: what a kernel has used after a
notebook of one empty cell is therefore taken off it first. So imports, preparing, starting, talking
to the kernel, judging and recording all count as cost; what is done once is shared by all.

Memory is the proportional set size (``/proc/<pid>/smaps_rollup``), sampled over the whole tree of
processes in runs of its own, as reading it slows down what is measured. What a kernel adds is the
peak with several kernels less the peak with none, divided by their number.
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import os
import platform
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import uuid
import zipfile
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from unittest import mock

import nbformat
import psutil

from autograder.course_folder import CONFIG, CourseFolder
from autograder.errors import CourseError
from autograder.execution.executor import LocalPool, cores
from autograder.execution.job import Outcome, Plan
from autograder.execution.notebook_client import execute
from autograder.gradebook.engine import quick
from autograder.grading.converter import StagedAutograde, converter_of
from autograder.grading.journal import Journal
from autograder.grading.prepared import PreparedSubmission
from autograder.grading.results import read_row
from autograder.kernels import client, preload
from autograder.kernels.sandbox import view_of
from autograder.release.generate import copy_of, release
from autograder.simulate import REFERENCE, simulate
from tests.support.cluster import dask_cluster

ROOT = Path(__file__).parents[1]
REPORT = ROOT / "benchmarks" / "grading.md"
BIN = Path(sys.executable).parent
LESSON = "03-attention"
SIZES = [4, 16, 48]

AT_ONCE = 2
"""How many submissions Otter is given side by side."""

KERNELS = 4
"""So many at a time are compared with none to find what one more takes."""

EMPTY_NOTEBOOKS = 10
CROWD = 10_000
"""Submissions that are recorded, and students in the gradebook."""

ROUNDS = 10
"""How often the class is executed for them, each time with other inputs."""

ON_CLUSTER, WORKERS = 500, 4
"""Submissions that are executed on a Dask cluster, and its worker processes."""

AGAIN = 1_000
"""Submissions that are judged again."""

RECORDED = {1_000: 0.06, CROWD: 0.08}
"""By students in the gradebook, what preparing, judging and recording one submission may take of a
core, in seconds."""

ANOTHER_LESSON = "01-text-preprocessing"

NODES = (1, 2, 4, 8, 16, 32, 64)
CORES_OF_A_NODE = 2

RATIO, BEYOND, PER_KERNEL, SANDBOX = 30, 0.3, 150, 0.15
"""What must hold: times stock's throughput, CPU seconds per submission, MB; and, again in
CPU seconds per submission, what the sandbox adds."""

AGAIN_SECONDS, CROWD_MINUTES, CROWD_NODES = 10, 15, 16
"""What must hold: seconds to judge again, minutes for all submissions on so many nodes."""

STOCK, OTTER, OURS, ALL_CELLS, FREE = (
    "`nbgrader autograde`",
    "`otter run`",
    "`autograder grade`",
    "`autograder grade --all-cells`",
    "`autograder grade --sandbox none`",
)

STOCK_CONFIG = """c = get_config()
c.CourseDirectory.course_id = "attention"
c.Execute.timeout = 300
"""

# What Otter runs in the student's kernel, each against numbers from NumPy.
OTTER_TESTS = {
    "average_attention": """
import numpy as np
random = np.random.RandomState(0)
hidden, context = (random.randn(*s).astype("float32") for s in ((2, 5, 4), (4,)))
weights = np.exp(hidden @ context / 2)
weights /= weights.sum(axis=1, keepdims=True)
expected = (weights[..., None] * hidden).sum(axis=1)
bool(np.allclose(average_attention(hidden, context), expected, atol=1e-5))
""",
    "scaled_dot_product_attention": """
import numpy as np
random = np.random.RandomState(1)
query, key, value = (random.randn(*s).astype("float32") for s in ((2, 3, 4), (2, 5, 4), (2, 5, 6)))
expected = np.exp(query @ key.swapaxes(1, 2) / 2)
expected /= expected.sum(axis=-1, keepdims=True)
output, weights = scaled_dot_product_attention(query, key, value)
bool(np.allclose(weights, expected, atol=1e-5))
bool(np.allclose(output, expected @ value, atol=1e-5))
""",
    "causal_mask": """
import numpy as np
bool(np.array_equal(causal_mask(4), np.arange(4)[:, None] >= np.arange(4)))
""",
    "separate_heads": """
import numpy as np
x = np.random.RandomState(3).randn(2, 5, 6).astype("float32")
bool(np.allclose(np.array(separate_heads(x, 3))[:, 1], x[..., 2:4]))
""",
    "combine_heads": """
import numpy as np
x = np.random.RandomState(4).randn(2, 3, 5, 2).astype("float32")
bool(np.allclose(np.array(combine_heads(x))[..., 2:4], x[:, 1]))
""",
    "multi_head_self_attention": """
import numpy as np
inputs = np.random.RandomState(2).randn(2, 5, 4).astype("float32")
layer = MultiHeadSelfAttention(4, 1)
output = np.array(layer(inputs))
linears = layer.query_linear, layer.key_linear, layer.value_linear, layer.output_linear
kernels = [np.array(linear.kernel) for linear in linears]
query, key, value = (inputs @ kernel for kernel in kernels[:3])
weights = np.exp(query @ key.swapaxes(1, 2) / 2)
weights /= weights.sum(axis=-1, keepdims=True)
bool(np.allclose(output, weights @ value @ kernels[3], atol=1e-5))
""",
}


class BenchmarkError(Exception):
    """Something could not be measured; the message says what."""


def say(line: str) -> None:
    """Report progress."""
    print(line, file=sys.stderr, flush=True)


# --- costs of commands ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Cost:
    """What commands took.

    Args:
        wall: seconds by the clock.
        accounted: processor seconds that the system accounts to them.
        seen: processor seconds that sampling saw, a little less than there were.
    """

    wall: float
    accounted: float
    seen: float

    @property
    def cpu(self) -> float:
        """Processor seconds."""
        return max(self.accounted, self.seen)


@dataclass
class Sampler:
    """Looks at this process's descendants again and again, in a thread.

    Args:
        memory: whether to read memory too, and more often.
    """

    memory: bool = False
    cpu: dict[int, float] = field(default_factory=dict)
    peaks: dict[int, int] = field(default_factory=dict)
    """Bytes, proportional, of the whole tree, by how many forked kernels were in it."""
    private: int = 0
    """Bytes of a forked kernel that nobody shares."""

    # Below this process: the grader, bubblewrap, the forking process, a guardian, its kernel.
    _GUARDIAN = 4

    def __enter__(self) -> Sampler:
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(0.05 if self.memory else 0.5):
            total = kernels = 0
            for pid, depth in _descendants(os.getpid()):
                with suppress(psutil.Error, OSError, ValueError):  # it may have ended
                    self.cpu[pid] = sum(psutil.Process(pid).cpu_times()[:2])
                    if self.memory:
                        shares = _memory(pid)
                        total += shares["Pss"]
                        if depth > self._GUARDIAN:
                            kernels += 1
                            own = shares["Private_Clean"] + shares["Private_Dirty"]
                            self.private = max(self.private, own)
            self.peaks[kernels] = max(self.peaks.get(kernels, 0), total)

    @property
    def peak(self) -> int:
        """Bytes, proportional, of the whole tree."""
        return max(self.peaks.values())


def _descendants(pid: int, depth: int = 1) -> Iterator[tuple[int, int]]:
    """The processes below one, each followed by those below it, and how deep they are."""
    with suppress(OSError):
        for children in Path(f"/proc/{pid}").glob("task/*/children"):
            for child in map(int, children.read_text().split()):
                yield child, depth
                yield from _descendants(child, depth + 1)


def _memory(pid: int) -> dict[str, int]:
    """A process's memory, in bytes by kind."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    return {name: 1024 * int(value.split()[0]) for name, value in (x.split(":") for x in lines)}


def environment(**variables: str) -> dict[str, str]:
    """This process's, without settings of the course but these; this Python's commands first."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COURSE_")}
    path = os.pathsep.join([str(BIN), os.environ["PATH"]])
    return kept | {"PATH": path, "COURSE_SOURCE": "sample"} | variables


def measure(
    commands: Sequence[Sequence[str | Path]],
    folder: Path,
    *,
    at_once: int = 1,
    memory: bool = False,
    **variables: str,
) -> tuple[Cost, Sampler, list[str]]:
    """Run commands; return what they took, the sampler, and what each printed.

    Args:
        commands: to run.
        folder: their working directory.
        at_once: how many side by side.
        memory: whether to sample their memory.
        variables: for their environment.

    Raises:
        BenchmarkError: when one fails.
    """

    def run(command: Sequence[str | Path]) -> str:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment(**variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode:
            raise BenchmarkError(f"{_named(command)} failed: {_last_line(done.stdout)}")
        return done.stdout

    before, started = _accounted(), time.perf_counter()
    with Sampler(memory) as sampler, ThreadPoolExecutor(at_once) as threads:
        printed = list(threads.map(run, commands))
    wall = time.perf_counter() - started
    cost = Cost(wall, _accounted() - before, sum(sampler.cpu.values()))
    return cost, sampler, printed


def _accounted() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _named(command: Sequence[str | Path]) -> str:
    program, *options = command
    return " ".join([Path(program).name, *(Path(option).name for option in options[:2])])


def _last_line(text: str) -> str:
    """The line that says what went wrong, without addresses and folders of this machine."""
    lines = [line.strip() for line in text.splitlines() if line.strip()] or ["it said nothing"]
    errors = [line for line in lines if line.startswith("ERROR")]
    line = re.sub(r"\w+://\S+", "<address>", (errors or lines)[-1])
    return re.sub(r"(?<!\S)['\"]?/\S+/", "", line)[:300]


# --- the class -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Class:
    """A released lesson with a simulated class.

    Args:
        course: the course folder that holds it.
        students: all different.
    """

    course: CourseFolder
    students: Sequence[str]

    @classmethod
    def make(cls, folder: Path) -> Class:
        """Release the lesson in a copy of the course, and simulate the class."""
        folder.mkdir()
        course = copy_of(CourseFolder(ROOT), folder)
        release(course, LESSON)
        return cls(course, simulate(course, LESSON, ROOT / "tests" / "submissions" / LESSON))

    def copy(self, folder: Path, size: int) -> CourseFolder:
        """A course folder elsewhere with so many submissions, repeated under other names."""
        folder.mkdir()
        course = copy_of(self.course, folder)  # with a gradebook of its own
        shutil.copytree(self.course.root / "release", folder / "release")
        shutil.copy2(self.course.root / "gradebook.db", folder)
        for number in range(size):
            time_round, position = divmod(number, len(self.students))
            student = self.students[position]
            shutil.copytree(
                self.course.submitted(student, LESSON),
                course.submitted(f"{student}-{time_round}", LESSON),
            )
        return course


def enrol(course: CourseFolder, count: int) -> None:
    """Enter more students into the gradebook, each with a graded submission to every lesson."""
    first = "enrolled-0"
    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        gradebook.add_student(first)
        for lesson in gradebook.assignments:
            gradebook.add_submission(lesson.name, first)
    with closing(sqlite3.connect(course.root / "gradebook.db")) as database, database:
        database.row_factory = sqlite3.Row
        database.execute("UPDATE grade SET auto_score = 1, needs_manual_grade = 0")

        def rows(table: str, column: str, value: str) -> list[dict[str, Any]]:
            found = database.execute(f"SELECT * FROM {table} WHERE {column} = ?", [value])
            return [dict(row) for row in found]

        def insert(table: str, entries: Sequence[Mapping[str, Any]]) -> None:
            names = list(entries[0])
            places = ", ".join("?" for _ in names)
            database.executemany(
                f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})",
                [list(entry.values()) for entry in entries],
            )

        (student,) = rows("student", "id", first)
        copies: dict[str, list[Mapping[str, Any]]] = {}

        def add(table: str, row: Mapping[str, Any], **changed: str) -> None:
            copies.setdefault(table, []).append(dict(row) | changed)

        names = [f"enrolled-{number}" for number in range(1, count)]
        for name in names:
            add("student", student, id=name)
        for submission in rows("submitted_assignment", "student_id", first):
            (notebook,) = rows("submitted_notebook", "assignment_id", submission["id"])
            marks = {
                table: rows(table, "notebook_id", notebook["id"]) for table in ("grade", "comment")
            }
            for name in names:
                handed_in, sheet = uuid.uuid4().hex, uuid.uuid4().hex
                add("submitted_assignment", submission, id=handed_in, student_id=name)
                add("submitted_notebook", notebook, id=sheet, assignment_id=handed_in)
                for table, entries in marks.items():
                    for entry in entries:
                        add(table, entry, id=uuid.uuid4().hex, notebook_id=sheet)
        for table, copied in copies.items():
            insert(table, copied)


# --- the graders ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Phases:
    """Seconds of one submission, as ``autograder grade`` reports them.

    Args:
        prepare, start, cells, record: by the clock.
        cpu: of the kernel's processor, until its last cell ended.
    """

    prepare: float
    start: float
    cells: float
    record: float
    cpu: float

    _SUMMARY = re.compile(
        r"Seconds per submission: prepare (\S+), start and end the kernel (\S+), cells (\S+), "
        r"judge and record (\S+); kernel CPU time (\S+)\.(?:\s|$)"
    )

    @classmethod
    def read(cls, printed: str) -> Phases:
        """Find the summary in what the command printed.

        Raises:
            BenchmarkError: when it is not there.
        """
        found = cls._SUMMARY.search(" ".join(printed.split()))
        if found is None:
            raise BenchmarkError("autograder grade printed no seconds of its phases")
        return cls(*map(float, found.groups()))


def stock(course: CourseFolder, *, memory: bool = False) -> tuple[Cost, Sampler]:
    """nbgrader with its own preprocessors and ordinary kernels."""
    (course.root / CONFIG).write_text(STOCK_CONFIG, "utf8")
    cost, sampler, _ = measure(
        [[BIN / "nbgrader", "autograde", LESSON]], course.root, memory=memory
    )
    _all_graded(course, STOCK)
    return cost, sampler


def ours(course: CourseFolder, *options: str, memory: bool = False) -> tuple[Cost, Sampler, Phases]:
    """The course's own command, with one kernel more than there are cores unless told otherwise."""
    command: list[str | Path] = [BIN / "autograder", "grade", LESSON, *options]
    cost, sampler, (printed,) = measure([command], course.root, memory=memory)
    _all_graded(course, OURS)
    return cost, sampler, Phases.read(printed)


def _all_graded(course: CourseFolder, grader: str) -> None:
    students = course.students(LESSON)
    graded = [student for student in students if course.autograded(student, LESSON).is_file()]
    if graded != students:
        raise BenchmarkError(f"{grader} graded {len(graded)} of {len(students)} submissions")


@dataclass(frozen=True)
class Otter:
    """Otter-Grader in an environment of its own.

    Args:
        folder: the environment.
        tests: the assignment's archive.
        work: a folder for results.
    """

    folder: Path
    tests: Path
    work: Path

    @classmethod
    def install(cls, folder: Path, work: Path) -> Otter:
        """Create the environment, unless it is there already, and the assignment.

        Raises:
            BenchmarkError: when it cannot be installed.
        """
        if not (folder / "bin" / "otter").is_file():
            say("Otter-Grader: installing it, and what the notebook imports")
            # The course's own package brings what the notebook imports.
            pip: list[str | Path] = [folder / "bin" / "python", "-m", "pip", "install", "--quiet"]
            pip += ["--disable-pip-version-check", "otter-grader[grading]"]
            pip += [ROOT / "selfcheck", ROOT]
            make: list[str | Path] = [sys.executable, "-m", "venv", folder]
            for command in (make, pip):
                measure([command], work)
        tests = work / "autograder.zip"
        tests.write_bytes(otter_assignment())
        return cls(folder, tests, work)

    @property
    def version(self) -> str:
        """Of the package."""
        words = subprocess.run(
            [self.folder / "bin" / "python", "-m", "pip", "show", "otter-grader"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        return next(line.split()[1] for line in words.splitlines() if line.startswith("Version"))

    def grade(self, course: CourseFolder, *, memory: bool = False) -> tuple[Cost, Sampler]:
        """Grade every submission.

        Raises:
            BenchmarkError: when the reference solution does not earn all points.
        """
        results = self.work / f"{course.root.name}-results"
        commands: list[list[str | Path]] = []
        for student in course.students(LESSON):
            (results / student).mkdir(parents=True)
            options: list[str | Path] = ["-a", self.tests, "-o", results / student, "--no-logo"]
            notebook = course.submitted(student, LESSON) / f"{LESSON}.ipynb"
            commands.append([self.folder / "bin" / "otter", "run", *options, notebook])
        # nbgrader tells the notebook that it is being graded, so that it trains little.
        cost, sampler, _ = measure(
            commands, self.work, at_once=AT_ONCE, memory=memory, COURSE_BUDGET="smoke"
        )
        graded = json.loads((results / f"{REFERENCE}-0" / "results.json").read_text("utf8"))
        scores = [(test["score"], test["max_score"]) for test in graded["tests"] if "score" in test]
        if len(scores) != len(OTTER_TESTS) or any(score != most for score, most in scores):
            raise BenchmarkError(f"Otter gave the reference solution {scores}")
        return cost, sampler


def otter_assignment() -> bytes:
    """The archive that ``otter run`` takes: a test in the "ok" format for each exercise."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("otter_config.json", "{}")
        for name, code in OTTER_TESTS.items():
            lines = []
            for line in code.strip().splitlines():
                lines.append(f">>> {line}")
                if line.startswith("bool("):
                    lines.append("True")
            case = {"code": "\n".join(lines), "hidden": False, "locked": False}
            suite = {"cases": [case], "scored": True, "setup": "", "teardown": ""}
            test = {"name": name, "points": 1, "suites": [suite | {"type": "doctest"}]}
            archive.writestr(f"tests/{name}.py", f"OK_FORMAT = True\ntest = {test!r}\n")
    return written.getvalue()


# --- what else is measured -----------------------------------------------------------------------


def start_of_a_kernel(course: CourseFolder) -> float:
    """Processor seconds of a forked kernel's own start, with one empty cell."""
    source = nbformat.read(course.source(LESSON), as_version=4)
    modules, variables = preload.of_notebook(source)
    view = view_of(course.declared)
    plan = Plan({}, {"TF_CPP_MIN_LOG_LEVEL": "3"}, modules, variables, view=view)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("pass")])
    notebook.metadata.kernelspec = source.metadata.kernelspec
    try:
        outcomes = [execute(notebook, course.root, plan) for _ in range(EMPTY_NOTEBOOKS)]
    finally:
        client.close_all()
    return sum(outcome.seconds["cpu"] for outcome in outcomes) / EMPTY_NOTEBOOKS


@dataclass(frozen=True)
class Memory:
    """Peaks of proportional memory, in bytes.

    Args:
        peaks: of the whole tree of processes, by what was run.
        kernel: what each of several kernels of ours adds to it.
        private: what one of them shared with nobody, at the moment at which that was most.
    """

    peaks: Mapping[str, int]
    kernel: float
    private: int


def sample_memory(lesson_class: Class, otter: Otter | None, work: Path) -> Memory:
    """Sample the memory of every grader."""
    peaks, private = {}, 0
    say("memory: nbgrader, one submission")
    peaks[STOCK] = stock(lesson_class.copy(work / "memory-stock", 1), memory=True)[1].peak
    if otter:
        say(f"memory: Otter, {AT_ONCE} submissions side by side")
        course = lesson_class.copy(work / "memory-otter", AT_ONCE)
        peaks[f"{OTTER}, {AT_ONCE} side by side"] = otter.grade(course, memory=True)[1].peak
    for kernels in (1, KERNELS):
        say(f"memory: ours, --jobs {kernels}")
        course = lesson_class.copy(work / f"memory-{kernels}", len(lesson_class.students))
        sampler = ours(course, "--jobs", str(kernels), memory=True)[1]
        peaks[f"`autograder grade --jobs {kernels}`"] = sampler.peak
        private = max(private, sampler.private)
    if not {0, KERNELS} <= set(sampler.peaks):
        raise BenchmarkError(f"memory was never seen with {KERNELS} kernels running")
    peaks["the same, while no kernel was there"] = sampler.peaks[0]
    added = (sampler.peak - sampler.peaks[0]) / KERNELS
    return Memory(peaks, added, private)


@dataclass(frozen=True)
class Recording:
    """Processor seconds of one submission in the process that prepares, judges and records.

    Args:
        students: in the gradebook, besides those whose submissions are recorded.
        grades: rows of the gradebook's table.
        prepare, judge, record, read: by phase; to record is also to keep what was executed.
        wall: of all phases, by the clock.
    """

    students: int
    grades: int
    prepare: float
    judge: float
    record: float
    read: float
    wall: float

    @property
    def all(self) -> float:
        """What is to stay small in a large class."""
        return self.prepare + self.judge + self.record


def execute_class(lesson_class: Class, rounds: int, work: Path) -> Mapping[str, Journal]:
    """By name and round, what executing each of a class's submissions gave, with nothing judged."""
    course = lesson_class.copy(work / f"executed-{rounds}", rounds * len(lesson_class.students))
    found = {}
    with course.as_working_directory(), course.quiet(), LocalPool() as pool:
        converter = converter_of(course, LESSON, force=False)
        waiting = deque(course.students(LESSON))
        running: deque[tuple[PreparedSubmission, Future[tuple[Outcome, ...]]]] = deque()
        while waiting or running:
            while waiting and len(running) < 2 * cores():
                prepared = converter.prepare(waiting.popleft())
                notebooks = [one.notebook for one in prepared.notebooks]
                plans = [one.plan for one in prepared.notebooks]
                running.append((prepared, pool.submit(prepared.folder, notebooks, plans)))
            prepared, future = running.popleft()
            seeds = [one.plan.seed for one in prepared.notebooks]
            found[prepared.student] = Journal("", (), seeds, future.result())
            converter.discard(prepared.student)
    return found


def record_class(
    lesson_class: Class, executed: Mapping[str, Journal], students: int, work: Path
) -> Recording:
    """Prepare, judge and record a class twice, under other names; the second time counts. What a
    mistake's first discovery costs, the first time has paid."""
    size = len(lesson_class.students)
    course = lesson_class.copy(work / f"recorded-{students}", 2 * size)
    release(course, ANOTHER_LESSON)
    enrol(course, students)
    with closing(sqlite3.connect(course.root / "gradebook.db")) as database:
        (grades,) = database.execute("SELECT COUNT(*) FROM grade").fetchone()
    nbgrader = course.nbgrader
    nbgrader.coursedir.db_url = quick(nbgrader.coursedir.db_url)  # as grading opens it
    with course.as_working_directory(), course.quiet():
        converter = converter_of(course, LESSON, force=False)
        for time_round in (0, 1):
            started, spent = time.perf_counter(), Counter[str]()
            for name, journal in executed.items():
                student = f"{name.rpartition('-')[0]}-{time_round}"
                spent.update(record_one(course, converter, student, journal))
    wall = (time.perf_counter() - started) / size
    return Recording(students, grades, wall=wall, **{phase: spent[phase] / size for phase in spent})


def record_one(
    course: CourseFolder, converter: StagedAutograde, student: str, executed: Journal
) -> dict[str, float]:
    """Processor seconds by phase of a submission that was executed before."""
    times, judging = [time.process_time()], []

    def judge(*arguments: Any) -> Any:
        started = time.process_time()
        judged = type(converter)._judge(converter, *arguments)
        judging.append(time.process_time() - started)
        return judged

    if converter.recover(student) or not converter.needs_grading(student):
        raise BenchmarkError(f"{student} has been graded before")
    prepared = prepare_as_executed(converter, student, executed)
    times.append(time.process_time())
    converter.keep(prepared, executed.outcomes)
    with mock.patch.object(converter, "_judge", judge):
        converter.record(prepared, executed.outcomes)
    times.append(time.process_time())
    read_row(course, LESSON, student)
    times.append(time.process_time())
    prepare, record, read = (after - before for before, after in itertools.pairwise(times))
    judged = sum(judging)
    return {"prepare": prepare, "judge": judged, "record": record - judged, "read": read}


def prepare_as_executed(
    converter: StagedAutograde, student: str, executed: Journal
) -> PreparedSubmission:
    """Prepare a submission with the seeds with which it was executed."""
    prepared = converter.prepare(student)
    seeds = zip(prepared.notebooks, executed.seeds, strict=True)
    notebooks = tuple(replace(one, plan=replace(one.plan, seed=seed)) for one, seed in seeds)
    return replace(prepared, notebooks=notebooks)


def measure_recording(
    lesson_class: Class, executed: Mapping[str, Journal], work: Path
) -> list[Recording]:
    """Recording, in the presence of few and of many students."""
    found = []
    for students in RECORDED:
        found.append(record_class(lesson_class, executed, students, work))
        say(f"{students:,} students: {1000 * found[-1].all:.0f} ms of a core a submission")
    return found


@dataclass(frozen=True)
class Large:
    """What a large class takes.

    Args:
        different: the executions that were recorded, some of them several times.
        recorded: ``autograder grade`` for all submissions, each executed before.
        again: ``autograder rejudge`` for some of them.
        on_cluster: ``autograder grade`` for some submissions on a cluster.
    """

    different: int
    recorded: Cost
    again: Cost
    on_cluster: Cost


def measure_large(lesson_class: Class, work: Path) -> Large:
    """Grade a large class that was executed before, judge some of it again, and have some
    executed on a cluster."""
    executed = execute_class(lesson_class, ROUNDS, work)
    say(f"{len(executed)} submissions are executed: {CROWD:,} are to be recorded")
    course = lesson_class.copy(work / "large", CROWD)
    students = course.students(LESSON)
    with course.as_working_directory(), course.quiet():
        converter = converter_of(course, LESSON, force=False)
        for student in students:
            name, number = student.rsplit("-", 1)
            journal = executed[f"{name}-{int(number) % ROUNDS}"]
            converter.keep(prepare_as_executed(converter, student, journal), journal.outcomes)
    recorded, _, _ = ours(course)
    say(f"{CROWD:,} submissions were recorded in {recorded.wall:.0f} s")
    chosen = [f"--student={student}" for student in students[:AGAIN]]
    again, _, (printed,) = measure([[BIN / "autograder", "rejudge", LESSON, *chosen]], course.root)
    if "Nothing changes." not in printed:
        raise BenchmarkError(f"judging again changed something: {_last_line(printed)}")
    say(f"{AGAIN:,} submissions were judged again in {again.wall:.1f} s")
    with dask_cluster(work, workers=WORKERS) as (scheduler, _):
        course = lesson_class.copy(work / "on-cluster", ON_CLUSTER)
        on_cluster, _, _ = ours(course, "--scheduler", scheduler)
    say(f"{ON_CLUSTER} submissions were graded on a cluster in {on_cluster.wall:.0f} s")
    return Large(len(executed), recorded, again, on_cluster)


# --- running and reporting -----------------------------------------------------------------------


@dataclass(frozen=True)
class Results:
    """All that was measured.

    Args:
        sizes: submissions, in order.
        costs: by grader and size.
        phases: ours, by size.
        start: processor seconds of a forked kernel's start.
        memory: peaks.
        large: a large class.
        recording: in one process, with few and many students in it.
        otter: its version, or why it was left out.
    """

    sizes: Sequence[int]
    costs: Mapping[str, Mapping[int, Cost]]
    phases: Mapping[int, Phases]
    start: float
    memory: Memory
    large: Large
    recording: Sequence[Recording]
    otter: str

    def in_cells(self, size: int) -> float:
        """Processor seconds of one submission in the student's own cells."""
        return max(0.0, self.phases[size].cpu - self.start)

    def beyond(self, size: int) -> float:
        """Processor seconds of one submission beyond the student's own cells."""
        return self.costs[OURS][size].cpu / size - self.in_cells(size)

    def sandbox(self, size: int) -> float:
        """Processor seconds of one submission that the sandbox adds."""
        return (self.costs[OURS][size].cpu - self.costs[FREE][size].cpu) / size

    @property
    def execution(self) -> float:
        """Seconds of one submission by the clock until its last cell has run."""
        phases = self.phases[self.sizes[-1]]
        return phases.start + phases.cells

    def minutes(self, nodes: int) -> float:
        """Minutes for a large class on so many nodes: computed, not measured."""
        executing = CROWD * self.execution / (CORES_OF_A_NODE * nodes)
        return max(executing, self.large.recorded.wall) / 60

    def ratio(self, grader: str, size: int) -> float:
        """A grader's throughput in nbgrader's."""
        return self.costs[STOCK][size].wall / self.costs[grader][size].wall

    @property
    def requirements(self) -> list[tuple[str, str, bool]]:
        """What must hold, what was measured, and whether it holds."""
        size = self.sizes[-1]
        ratio, beyond = self.ratio(OURS, size), self.beyond(size)
        kernel = self.memory.kernel / 1e6
        return [
            (
                f"at least {RATIO} times nbgrader's throughput, {size} submissions",
                f"{ratio:.1f}",
                ratio >= RATIO,
            ),
            (
                f"at most {BEYOND} CPU seconds per submission beyond its own cells, {size} "
                "submissions",
                f"{beyond:.2f}",
                beyond <= BEYOND,
            ),
            (
                f"at most {SANDBOX} CPU seconds per submission for the sandbox, {size} submissions",
                f"{self.sandbox(size):.2f}",
                self.sandbox(size) <= SANDBOX,
            ),
            (
                f"at most {PER_KERNEL} MB of proportional memory for one more kernel",
                f"{kernel:.0f} MB",
                kernel <= PER_KERNEL,
            ),
            (
                f"at most {AGAIN_SECONDS} s to judge {AGAIN:,} submissions again",
                f"{self.large.again.wall:.1f} s",
                self.large.again.wall <= AGAIN_SECONDS,
            ),
            (
                f"at most {CROWD_MINUTES} minutes for {CROWD:,} submissions on {CROWD_NODES} nodes "
                f"of {CORES_OF_A_NODE} cores",
                f"{self.minutes(CROWD_NODES):.0f}",
                self.minutes(CROWD_NODES) <= CROWD_MINUTES,
            ),
            *(
                (
                    f"at most {RECORDED[r.students]} CPU seconds per submission to prepare, judge "
                    f"and record it, {r.students:,} students enrolled",
                    f"{r.all:.3f}",
                    r.all <= RECORDED[r.students],
                )
                for r in self.recording
            ),
        ]


def run(sizes: Sequence[int], otter_folder: Path | None, work: Path) -> Results:
    """Measure everything.

    Args:
        sizes: submissions, in order.
        otter_folder: Otter's environment; without one, Otter is left out.
        work: an empty folder.
    """
    say(f"Releasing {LESSON} and simulating a class")
    lesson_class = Class.make(work / "course")
    otter, otter_words = None, "left out, as asked"
    if otter_folder:
        try:
            otter = Otter.install(otter_folder, work)
            otter.grade(lesson_class.copy(work / "otter-trial", 1))
            otter_words = otter.version
        except (BenchmarkError, OSError, subprocess.SubprocessError) as error:
            otter, otter_words = None, f"it could not be installed and used: {error}"
            say(f"Otter-Grader is left out: {otter_words}")
    say("The start of a kernel, with an empty notebook")
    start = start_of_a_kernel(lesson_class.course)
    memory = sample_memory(lesson_class, otter, work)
    say(f"{len(lesson_class.students)} submissions, executed once to be recorded")
    recording = measure_recording(lesson_class, execute_class(lesson_class, 1, work), work)
    large = measure_large(lesson_class, work)
    costs: dict[str, dict[int, Cost]] = {
        grader: {} for grader in (STOCK, OTTER, OURS, FREE, ALL_CELLS)
    }
    phases = {}
    for size in sizes:

        def course(name: str, size: int = size) -> CourseFolder:
            return lesson_class.copy(work / f"{name}-{size}", size)

        def done(grader: str, cost: Cost, size: int = size) -> None:
            costs[grader][size] = cost
            say(f"{size} submissions, {grader}: {cost.wall:.1f} s, processor {cost.cpu:.1f} s")

        cost, _, phases[size] = ours(course("ours"))
        done(OURS, cost)
        done(FREE, ours(course("free"), "--sandbox", "none")[0])
        done(ALL_CELLS, ours(course("all-cells"), "--all-cells")[0])
        if otter:
            done(OTTER, otter.grade(course("otter"))[0])
        done(STOCK, stock(course("stock"))[0])
    measured = {grader: by_size for grader, by_size in costs.items() if by_size}
    return Results(sizes, measured, phases, start, memory, large, recording, otter_words)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table in Markdown."""
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
    return [lines[0], "|" + "---|" * len(head), *lines[1:], ""]


def report(results: Results, command: str) -> str:
    """The page that ``benchmarks/grading.md`` holds."""
    r, largest = results, results.sizes[-1]
    costs = [cost for by_size in r.costs.values() for cost in by_size.values()]
    seen = [cost.seen / cost.accounted for cost in costs]
    comparison = [
        [
            str(size),
            grader,
            f"{cost.wall:.1f}",
            f"{cost.cpu:.1f}",
            f"{cost.cpu / size:.2f}",
            f"{60 * size / cost.wall:.1f}",
            f"{r.ratio(grader, size):.1f}",
        ]
        for size in r.sizes
        for grader, by_size in r.costs.items()
        for cost in [by_size[size]]
    ]
    split = [
        [
            str(size),
            *(f"{seconds:.2f}" for seconds in (p.prepare, p.start, p.cells, p.record)),
            f"{r.costs[OURS][size].cpu / size:.2f}",
            f"{r.in_cells(size):.2f}",
            f"{r.beyond(size):.2f}",
        ]
        for size, p in r.phases.items()
    ]
    large = r.large
    projection = [
        [str(nodes), f"{r.minutes(nodes):.0f}", f"{CROWD / r.minutes(nodes):.0f}"]
        for nodes in NODES
    ]
    lines = [
        "# What grading costs",
        "",
        f"The same submissions to `{LESSON}` graded by every grader, in one run, on one machine",
        f"with {cores()} cores: the simulated class of `tests/submissions`, repeated under other",
        "names.",
        "`benchmarks/grading.py` says how each figure is measured.",
        "",
        *table(
            ["must hold", "measured", "holds"],
            [[what, was, "yes" if ok else "**no**"] for what, was, ok in r.requirements],
        ),
        *table(
            ["submissions", "grader", "seconds", "CPU seconds", "CPU seconds per submission",
             "per minute", "throughput, nbgrader's = 1"],
            comparison,
        ),
        f"- {STOCK}: its own preprocessors and ordinary kernels, one submission after another. Its",
        "  configuration names the course and a time limit of 300 s, and nothing else, so it runs",
        "  every cell and judges nothing.",
        f"- {OURS}: {cores() + 1} kernels at a time. It leaves out what the lesson marks as",
        "  demonstrations and no answer needs; `--all-cells` runs that too, as the others do. Only",
        "  here do kernels run in a sandbox; `--sandbox none` shows what that costs.",
        *(
            [
                f"- {OTTER}: {AT_ONCE} at a time, in an environment of its own. It is given the",
                "  same notebooks and runs all their cells, at the size",
                "  at which nbgrader runs them (`COURSE_BUDGET=smoke`), then, for each exercise, a",
                "  test in the \"ok\" format that compares the answer with numbers from NumPy.",
            ]
            if OTTER in r.costs
            else [f"- Otter-Grader: {r.otter}."]
        ),
        "- CPU seconds are those that the system accounts. As a check, the running processes were",
        f"  sampled as well: that found {100 * min(seen):.0f} to {100 * max(seen):.0f} % of them.",
        "",
        "## Where ours spends it",
        "",
        "Seconds of one submission: the first four by the clock, the others of the processor.",
        "",
        *table(
            ["submissions", "prepare", "start and end the kernel", "cells", "judge and record",
             "CPU in all", "CPU in the student's cells", "CPU beyond them"],
            split,
        ),
        f"A forked kernel's own start takes {r.start:.2f} CPU seconds, which count as beyond the",
        "cells, as does what is done once for all submissions: importing nbgrader, and what the",
        "lesson imports into the process that is forked.",
        "",
        "## Memory",
        "",
        *table(
            ["run", "peak of all its processes, MB"],
            [[what, f"{peak / 1e6:.0f}"] for what, peak in r.memory.peaks.items()],
        ),
        "Proportional set size: memory that several processes share is divided among them.",
        f"With {KERNELS} kernels the peak is {r.memory.kernel / 1e6:.0f} MB per kernel higher than",
        "without any. Kernels do not all need most at the same moment: when one ran alone, at its",
        f"own peak, {r.memory.private / 1e6:.0f} MB were its own.",
        "",
        "## Recording",
        "",
        *recording_table(r.recording),
        f"## {CROWD:,} students",
        "",
        f"The simulated class was executed {ROUNDS} times, each time with other inputs. With",
        f"those {large.different} executions, {CROWD:,} submissions were given to",
        "`autograder grade` as a run leaves them that was stopped before it recorded anything. To",
        f"judge and record them took {large.recorded.wall:.0f} s by the clock and "
        f"{large.recorded.cpu:.0f} of the processor, in",
        "one process.",
        "",
        f"`autograder rejudge` judged {AGAIN:,} of them again in {large.again.wall:.1f} s",
        f"({large.again.cpu:.0f} of the processor). Every verdict was the recorded one.",
        "",
        f"{ON_CLUSTER} submissions were executed on a Dask cluster of {WORKERS} worker processes",
        f"on the same machine, and recorded, in {large.on_cluster.wall:.0f} s: "
        f"{60 * ON_CLUSTER / large.on_cluster.wall:.0f} a minute.",
        "",
        f"{CROWD:,} submissions on nodes of {CORES_OF_A_NODE} cores, computed and not measured:",
        "",
        "    seconds = max(submissions × (start + cells) ÷ (cores of a node × nodes), recording)",
        "",
        f"Execution takes {r.execution:.2f} s each by the clock, as in the run of {largest}",
        f"submissions, and all recording {large.recorded.wall:.0f} s, as above: one process writes",
        "the gradebook. The time to send notebooks to nodes is left out.",
        "",
        *table(["nodes", "minutes", "submissions per minute"], projection),
        f"- {versions()}; Otter-Grader {r.otter}",
        f"- {platform.system()}, {cores()} cores",
        f"- command: `{command}`",
        "",
    ]  # fmt: skip
    return "\n".join(lines)


def recording_table(recording: Sequence[Recording]) -> list[str]:
    """What one process spends on a submission between its execution and its row."""
    rows = [
        [
            f"{r.students:,}",
            f"{r.grades:,}",
            *(f"{1000 * x:.0f}" for x in (r.prepare, r.judge, r.record, r.all, r.read, r.wall)),
        ]
        for r in recording
    ]
    return [
        "Milliseconds of one core for a submission, in one process that executes nothing: the",
        "simulated class's answers, executed once before, are recorded twice under other names.",
        "The second time counts: the first pays for what each mistake's first discovery takes. The",
        "enrolled students have graded submissions to two lessons.",
        "",
        *table(
            ["enrolled", "rows of grades", "prepare", "judge", "record", "together",
             "read the row", "all, by the clock"],
            rows,
        ),
    ]  # fmt: skip


def versions() -> str:
    """Python's and the packages' that matter."""
    found = [f"Python {platform.python_version()}"]
    for package in ("nbgrader", "nbclient", "jupyter_client", "ipykernel", "keras", "numpy"):
        found.append(f"{package} {version(package)}")
    for package in ("tensorflow-cpu", "tensorflow"):
        with suppress(PackageNotFoundError):
            found.append(f"{package} {version(package)}")
    return ", ".join(found)


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Grade the same submissions with nbgrader, with Otter-Grader and with "
        "`autograder grade`, and write what it took to benchmarks/grading.md.",
    )
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="+",
        default=SIZES,
        metavar="N",
        help=f"submissions (default: {' '.join(map(str, SIZES))}); others are printed, not written",
    )
    parser.add_argument("--skip", choices=["otter"], help="leave Otter-Grader out")
    parser.add_argument(
        "--otter-environment",
        type=Path,
        metavar="FOLDER",
        help="where Otter-Grader is, or is to be, installed (default: a temporary folder)",
    )
    parser.add_argument(
        "--recording",
        action="store_true",
        help="only measure, and print, what preparing, judging and recording take",
    )
    arguments = parser.parse_args()
    sizes = sorted(set(arguments.sizes))
    if sizes[0] < 1:
        parser.error("--sizes must be at least 1")
    if not Path("/proc/self/smaps_rollup").is_file():
        parser.error("memory and processor time are read from /proc: this benchmark needs Linux")
    command = f"python -m benchmarks.grading --sizes {' '.join(map(str, sizes))}"
    if arguments.skip:
        command += f" --skip {arguments.skip}"
    try:
        with tempfile.TemporaryDirectory(prefix="grading-") as name:
            work = Path(name)
            if arguments.recording:
                lesson_class = Class.make(work / "course")
                executed = execute_class(lesson_class, 1, work)
                found = measure_recording(lesson_class, executed, work)
                print("\n".join(recording_table(found)))
                return 0 if all(r.all <= RECORDED[r.students] for r in found) else 1
            otter = (arguments.otter_environment or work / "otter").absolute()
            results = run(sizes, None if arguments.skip else otter, work)
    except (BenchmarkError, CourseError, OSError) as error:
        print(f"Error: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    page = report(results, command)
    if sizes == SIZES:
        REPORT.write_text(page, "utf8")
    else:
        print(page)
    return 0 if all(holds for _, _, holds in results.requirements) else 1


if __name__ == "__main__":
    sys.exit(main())
