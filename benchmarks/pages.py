"""What a teacher of ten thousand waits for: the formgrader's pages, and commands about a class.

    python -m benchmarks.pages

A part of the simulated class of ``03-attention`` is graded. Copies of its submissions, its rows of
the gradebook and its feedback pages under other names make ten thousand. One in ``TEMPLATES`` is
without points for the questions in words; a third of the class is late.

Every command runs in a process of its own. The pages are those of a Jupyter server that was started
as a teacher starts it: of each page, everything that it asks the server for to show its table.
"""

from __future__ import annotations

import argparse
import csv
import json
import multiprocessing
import os
import resource
import secrets
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from multiprocessing.context import SpawnProcess
from pathlib import Path
from unittest import mock

import psutil

from autograder.collect.filenames import Platform
from autograder.collect.manifest import ManifestEntry, write_collected
from autograder.course_folder import CourseFolder
from autograder.grading import rejudge as rejudging
from autograder.grading.results import read_result
from autograder.judging import worker
from autograder.judging.worker import AskedAgain
from autograder.sanitize.submission import TIMESTAMP, read_timestamp
from benchmarks.grading import BIN, LESSON, BenchmarkError, Class, environment, say, table
from selfcheck.verdicts import Verdict
from tests.browser.desk import Desk
from tests.support.archives import worksheet

SIZE = 10_000
TEMPLATES = 24
"""So many submissions are graded; the others are copies of them."""

LISTING, STUDENT, MARKING, NEXT, READING, COMMAND = 3.0, 2.0, 1.0, 0.2, 60.0, 20.0
"""What may take how long, in seconds: a page about a class, a page about a student, the page for
marking, the next answer there, reading all answers, and a command."""

QUESTION = "why_the_root"

DUE = datetime(2026, 3, 3, 12)
COPY = "-copy-"
"""What is in the name of a student whose submission is a copy."""


@dataclass(frozen=True)
class Measured:
    """What something took.

    Args:
        what: its name.
        wall: seconds by the clock.
        cpu: processor seconds.
        limit: what it may take by the clock.
    """

    what: str
    wall: float
    cpu: float
    limit: float


# --- the class -----------------------------------------------------------------------------------


def grade_some(folder: Path) -> CourseFolder:
    """A course in which a part of the simulated class is graded and has its feedback."""
    made = Class.make(folder)
    step = -(-len(made.students) // TEMPLATES)
    kept = made.students[::step]
    for student in set(made.students).difference(kept):
        shutil.rmtree(made.course.folder("submitted") / student)
    for number, student in enumerate(kept):
        made.course.submitted(student, LESSON).joinpath(TIMESTAMP).write_text(written(number))
    for command in (
        ["autograder", "deadline", LESSON, "2026-03-03T12:00", "--timezone", "UTC"],
        ["autograder", "grade", LESSON],
        ["nbgrader", "generate_feedback", LESSON],
    ):
        run([BIN / command[0], *command[1:]], folder)
    return made.course


def written(number: int, copy: int = 0) -> str:
    """When somebody handed in: a third of the class is late, and no two at the same time."""
    handed_in = DUE + timedelta(hours=20 - 30 * min(number % 3, 1), seconds=copy)
    return f"{handed_in:%Y-%m-%d %H:%M:%S} UTC"


_IDS: Mapping[str, Sequence[str]] = {
    "student": ("id",),
    "submitted_assignment": ("id", "student_id"),
    "submitted_notebook": ("id", "assignment_id"),
    "grade": ("id", "notebook_id"),
    "comment": ("id", "notebook_id"),
    "autograder_graded_answer": ("id",),
}
"""By table, the columns whose values are others in each copy."""


def multiply(course: CourseFolder, size: int) -> None:
    """Copy what was graded until there are so many."""
    students = course.students(LESSON)
    copies = range(1, -(-size // len(students)))
    with closing(sqlite3.connect(course.root / "gradebook.db")) as database, database:
        database.execute(
            "UPDATE grade SET manual_score = 1, needs_manual_grade = 0 WHERE auto_score IS NULL "
            "AND notebook_id <> (SELECT MIN(id) FROM submitted_notebook)"
        )
        database.execute("UPDATE comment SET manual_comment = 'Well done.' WHERE rowid % 3 = 0")
        database.execute("CREATE TEMP TABLE copies (copy INTEGER)")
        database.executemany("INSERT INTO copies VALUES (?)", [(number,) for number in copies])
        for name, ids in _IDS.items():
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
            values = [f"{each} || '{COPY}' || copy" if each in ids else each for each in columns]
            database.execute(
                f"INSERT INTO {name} ({', '.join(columns)}) "
                f"SELECT {', '.join(values)} FROM {name}, copies"
            )
        for number, student in enumerate(students):
            for copy in copies:
                time_stamp = written(number, copy).replace(" UTC", ".000000")
                database.execute(
                    "UPDATE submitted_assignment SET timestamp = ? WHERE student_id = ?",
                    [time_stamp, f"{student}{COPY}{copy}"],
                )
    for number, student in enumerate(students):
        for step in ("submitted", "autograded", "feedback"):
            original = course.folder(step) / student
            for copy in copies:
                target = original.with_name(f"{student}{COPY}{copy}")
                # Pages are only packed.
                shutil.copytree(
                    original, target, copy_function=os.link if step == "feedback" else shutil.copy2
                )
                if step != "feedback":
                    (target / LESSON / TIMESTAMP).write_text(written(number, copy))


def write_lists(course: CourseFolder, students: Sequence[str]) -> tuple[Path, Path]:
    """Write Canvas' list of the class and Moodle's worksheet, and say that all was collected from
    Moodle."""
    roster, sheet = course.root / "canvas.csv", course.root / "worksheet.csv"
    people = [
        (number, student, f"First{number % 97}", f"Last{number}")
        for number, student in enumerate(students, 1)
    ]
    with roster.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["Student", "ID", "SIS User ID", "SIS Login ID", "Section"])
        for number, student, first, last in people:
            writer.writerow([f"{last}, {first}", number, f"S-{number}", student, f"L{number % 50}"])
    sheet.write_bytes(
        worksheet(
            (
                number,
                f"{first} {last}",
                f"{student}@school.edu",
                "",
                "Monday, 2 March 2026, 12:00 PM",
            )
            for number, student, first, last in people
        )
    )
    write_collected(
        course,
        LESSON,
        {
            student: ManifestEntry(
                "moodle.zip",
                time=read_timestamp(course.submitted(student, LESSON)),
                platform=Platform.moodle,
                number=str(number),
            )
            for number, student, _, _ in people
        },
    )
    return roster, sheet


# --- commands ------------------------------------------------------------------------------------


def measure_commands(course: CourseFolder) -> Iterator[Measured]:
    """What commands about the whole class take."""
    roster, sheet = write_lists(course, course.students(LESSON))
    commands: list[list[str | Path]] = [
        ["roster", roster],
        ["roster"],
        ["roster", "--missing", LESSON],
        ["report", LESSON],
        ["export", "canvas"],
        ["export", "moodle"],
        ["export", "moodle", LESSON, "--worksheet", sheet],
        ["export", "gradescope"],
        ["export", "json"],
        ["export", "feedback", LESSON],
    ]
    for words in commands:
        said = " ".join(each if isinstance(each, str) else each.name for each in words)
        command = [BIN / "autograder", *words]
        yield timed(f"`autograder {said}`", partial(run, command, course.root))
    judging = multiprocessing.get_context("spawn").Process(
        target=judge_again_without_judging, args=(course.root,)
    )
    yield timed(f"`autograder rejudge {LESSON}` but for judging", partial(wait, judging))


def timed(what: str, work: Callable[[], None]) -> Measured:
    """What a process that is started and waited for takes."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    work()
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    say(f"{what}: {wall:.1f} s, processor {cpu:.1f} s")
    return Measured(what, wall, cpu, COMMAND)


def run(command: Sequence[str | Path], folder: Path) -> None:
    """Run a command in a course folder.

    Raises:
        BenchmarkError: when it fails.
    """
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True)
    if done.returncode:
        raise BenchmarkError(f"{command}: {done.stdout[-500:]}{done.stderr[-500:]}")


def wait(process: SpawnProcess) -> None:
    """Run a process to its end."""
    process.start()
    process.join()
    if process.exitcode:
        raise BenchmarkError(f"judging again ended with {process.exitcode}")


def judge_again_without_judging(root: Path) -> None:
    """Judge a class again, with a judge that says at once what it said before."""
    course = CourseFolder(root)
    students = course.students(LESSON)
    said = {}
    for student in (name for name in students if COPY not in name):
        for cell in read_result(course.autograded(student, LESSON)).cells:
            if cell.judged:
                said[cell.judged.exercise, cell.judged.seed] = cell.judged.verdict

    def repeat(_: object, again: Sequence[AskedAgain], __: object) -> list[Verdict]:
        return [said[each.asked.name, each.asked.seed] for each in again]

    here = rejudging._InlineExecutor()
    with (
        mock.patch.object(worker, "judge_again", repeat),
        mock.patch.object(rejudging, "_judges", lambda _: here),
    ):
        rows = list(rejudging.rejudge(course, LESSON, students))
    if len(rows) != len(students) or any(row.problem or row.changes for row in rows):
        raise BenchmarkError("judging again changed something")


# --- pages ---------------------------------------------------------------------------------------


def measure_pages(course: CourseFolder, home: Path) -> Iterator[Measured]:
    """What the server takes for what pages ask of it."""
    student = course.students(LESSON)[len(course.students(LESSON)) // 2]
    desk = Desk.set_up(course.root, home, home / "exchange")
    token = secrets.token_hex()
    command = ("jupyter", "server", f"--IdentityProvider.token={token}")
    with desk.jupyter_lab((*command, "--ServerApp.open_browser=True")):
        (about,) = (home / "runtime").glob("jpserver-*.json")
        server = json.loads(about.read_text())
        process = psutil.Process(server["pid"])

        def ask(path: str) -> bytes:
            method, _, address = path.rpartition(" ")
            request = urllib.request.Request(
                f"{server['url']}{address}",
                headers={"Authorization": f"token {token}"},
                method=method or "GET",
            )
            with urllib.request.urlopen(request) as answer:
                return answer.read()

        ask("formgrader/manage_assignments")  # imports what is left to import
        ask(f"marking/{LESSON}/questions")  # and what is read once
        (notebook,) = json.loads(
            ask(f"formgrader/api/student_notebook_submissions/{student}/{LESSON}")
        )
        pages = {
            "manage_assignments": ("formgrader/api/assignments", LISTING),
            f"manage_submissions/{LESSON}": (f"formgrader/api/submissions/{LESSON}", LISTING),
            "the same, one row after a button": (
                f"formgrader/api/submission/{LESSON}/{student}",
                STUDENT,
            ),
            f"gradebook/{LESSON}": (f"formgrader/api/notebooks/{LESSON}", LISTING),
            f"gradebook/{LESSON}/{LESSON}": (
                f"formgrader/api/submitted_notebooks/{LESSON}/{LESSON}",
                LISTING,
            ),
            "manage_students": ("formgrader/api/students", LISTING),
            "manage_students/STUDENT": (f"formgrader/api/student_submissions/{student}", STUDENT),
            f"manage_students/STUDENT/{LESSON}": (
                f"formgrader/api/student_notebook_submissions/{student}/{LESSON}",
                STUDENT,
            ),
            "submissions/ID": (f"formgrader/submissions/{notebook['id']}/", STUDENT),
            "submissions/ID/next": (f"formgrader/submissions/{notebook['id']}/next", STUDENT),
            f"marking/{LESSON}": (f"marking/{LESSON}/questions", MARKING),
            "the next answer there": (f"POST marking/{LESSON}/questions/{QUESTION}/next", NEXT),
        }

        def measure(what: str, path: str, limit: float) -> Measured:
            before, started = sum(process.cpu_times()[:2]), time.perf_counter()
            size = len(ask(path))
            wall = time.perf_counter() - started
            measured = Measured(what, wall, sum(process.cpu_times()[:2]) - before, limit)
            say(f"{what}: {wall:.2f} s, processor {measured.cpu:.2f} s, {size} bytes")
            return measured

        for page, (path, limit) in pages.items():
            yield measure(page, path, limit)
        question = f"marking/{LESSON}/questions/{QUESTION}"
        shown = json.loads(ask(f"POST {question}/next"))["answer"]
        # The first time, all answers are read, in a thread beside what else is asked for.
        for what, limit in (("alike answers there, at first", READING), ("and then", MARKING)):
            yield measure(what, f"{question}/answers/{shown}/alike", limit)


def main() -> int:
    """Make the class, measure, and print a table; 1 if something took too long."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--size", type=int, default=SIZE, help="students")
    size = options.parse_args().size
    with tempfile.TemporaryDirectory(prefix="pages-") as name:
        folder = Path(name)
        say(f"A class of {size:,}")
        course = grade_some(folder / "course")
        multiply(course, size)
        found = [*measure_commands(course), *measure_pages(course, folder / "home")]
    rows = [[one.what, f"{one.wall:.1f}", f"{one.cpu:.1f}", f"{one.limit:g}"] for one in found]
    print("\n".join(table(["what", "seconds", "CPU seconds", "at most"], rows)))
    return 0 if all(one.wall <= one.limit for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
