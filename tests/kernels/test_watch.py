"""``autograder watch``: what a class hands in is graded and given back, whatever stops it."""

import contextlib
import random
import re
import signal
import sqlite3
import subprocess
import time
from collections import Counter

import pytest

from tests.conftest import QUICK_LESSON, needs_sandbox, write_quick_course
from tests.support.commands import BIN

pytestmark = [needs_sandbox, pytest.mark.timeout(3600)]

LINE = re.compile(r"^\S+ \S+ \S+ (\w+): ([\d.]+) of ", re.MULTILINE)


@contextlib.contextmanager
def watching(course, log, *options):
    """The command at work; what it prints goes to a file."""
    command = [BIN / "autograder", "watch", QUICK_LESSON, "--poll", "0.5", *options]
    with log.open("a") as out:
        process = subprocess.Popen(command, cwd=course.root, stdout=out, stderr=out)
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


def wait_for(done, seconds=300):
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.2)


def points(course):
    """Everybody's points, after the gradebook's integrity check."""
    with sqlite3.connect(course.root / "gradebook.db") as gradebook:
        assert gradebook.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return dict(
            gradebook.execute(
                "SELECT submitted_assignment.student_id, SUM(grade.auto_score) FROM grade"
                " JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id"
                " JOIN submitted_assignment"
                " ON submitted_assignment.id = submitted_notebook.assignment_id"
                " WHERE grade.auto_score IS NOT NULL GROUP BY submitted_assignment.student_id"
            )
        )


@pytest.fixture
def course(tmp_path):
    return write_quick_course(tmp_path, ["right"])


def hand_in(course, student):
    """Copy the right answers slowly enough to be seen halfway."""
    right = course.submitted("right", QUICK_LESSON)
    target = course.submitted(student, QUICK_LESSON)
    target.mkdir(parents=True, exist_ok=True)
    for path in right.iterdir():
        content = path.read_bytes()
        with (target / path.name).open("wb") as file:
            file.write(content[: len(content) // 2])
            file.flush()
            time.sleep(0.05)
            file.write(content[len(content) // 2 :])


def test_a_class_is_graded_as_it_hands_in_and_gets_its_feedback(course, tmp_path):
    log = tmp_path / "log.txt"
    with watching(course, log, "--publish", "now") as process:
        for student in ("ada", "ben"):
            hand_in(course, student)
        wait_for(lambda: log.read_text().count("feedback published") == 3)
        hand_in(course, "cem")
        wait_for(lambda: log.read_text().count("feedback published") == 4)
    assert process.returncode == 0
    said = log.read_text()
    assert "Traceback" not in said
    assert Counter(name for name, _ in LINE.findall(said)) == Counter(
        ["right", "ada", "ben", "cem"]
    )
    assert set(points(course).values()) == {16.0}
    assert course.feedback("ada", QUICK_LESSON).is_file()


def killed_at_random(course, log, students, kills):
    """Kill the command again and again while a class hands in; then let it finish."""
    moments = random.Random(0)
    waiting = list(students)
    for _ in range(kills):
        with contextlib.suppress(ProcessLookupError), watching(course, log) as process:
            until = time.monotonic() + moments.uniform(1.0, 8.0)
            while time.monotonic() < until:
                if waiting:
                    hand_in(course, waiting.pop())
            process.kill()
    for student in waiting:
        hand_in(course, student)
    with watching(course, log):
        wait_for(lambda: len(points(course)) == len(students) + 1, 1200)


@pytest.mark.parametrize(
    ("size", "kills"), [(9, 3), pytest.param(60, 20, marks=pytest.mark.slow)], ids=["few", "class"]
)
def test_killed_at_random_moments_it_grades_everybody_once(course, tmp_path, size, kills):
    log = tmp_path / "log.txt"
    students = [f"s{number}" for number in range(size)]
    killed_at_random(course, log, students, kills)
    assert set(points(course).values()) == {16.0}
    assert "Traceback" not in log.read_text()
    told = Counter(name for name, _ in LINE.findall(log.read_text()))
    # What was recorded when it was killed has no line; nothing has two.
    assert set(told.values()) == {1}
    left = [path.name for path in (course.root / ".autograder").rglob("*") if path.is_file()]
    assert left == [".lock"]
