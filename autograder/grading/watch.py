"""Grade what arrives and publish feedback, again and again, until somebody stops it.

It has no state of its own on disk: after a restart it continues from what grading recorded.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import islice
from pathlib import Path

from autograder.course_folder import CourseFolder
from autograder.errors import CourseBusy
from autograder.execution.executor import LocalPool
from autograder.folder_lock import locked
from autograder.gradebook.engine import quick
from autograder.grading.batch import NOT_GRADED, grade
from autograder.grading.converter import StagedAutograde, converter_of
from autograder.grading.results import SubmissionRow
from autograder.kernels import client
from autograder.nbgrader_exchange import NOT_COLLECTED, SECRET_FILE
from autograder.sanitize.program_files import walk_work
from autograder.sanitize.submission import MOST_FILES
from selfcheck.responses import printable

_ROUND = 4
"""Maximum number of submissions per kernel that are graded before it looks for new ones, so that a
backlog doesn't hold up a student who has just handed in."""

_RETRY = 60.0
"""Seconds before a failure on the grader's side is retried."""

_LOG_LINE = re.compile(r"^\[[^]]*\] (.*)", re.MULTILINE)


class Publish(StrEnum):
    """When students get their feedback: not from here, after the due date, or at once."""

    never = "never"
    due = "due"
    now = "now"


@dataclass(frozen=True)
class Event:
    """What happened, or what is wrong.

    Args:
        lesson: the lesson.
        row: the result of a submission that was graded, or wasn't.
        published: the student whose feedback was published.
        problem: what else is wrong.
    """

    lesson: str
    row: SubmissionRow | None = None
    published: str = ""
    problem: str = ""


@dataclass
class _LastSeen:
    """A student's submission as it was at the last look.

    Args:
        listed: its files, without those in folders.
        files: all its files, while it's waiting.
        since: when it was first seen as it is, in seconds.
        waiting: whether it may have to be graded.
        not_before: when it may be, in seconds.
        published: when the result was made whose feedback was published, or could not be.
    """

    listed: frozenset[tuple[str, int, int]] | None = None
    files: frozenset[tuple[str, int, int]] | None = None
    since: float = 0.0
    waiting: bool = False
    not_before: float = 0.0
    published: float = 0.0


@dataclass
class Watcher:
    """Looks for submissions in nbgrader's exchange and in ``submitted/``.

    A submission is graded when nothing in it has changed from one look to the next, so no half copy
    is.

    Args:
        course: the course folder.
        lessons: the lessons to look for.
        publish: when students get their feedback.
        pause: minutes between two gradings of the same student's lesson.
        jobs: the number of kernels in parallel; if left out, one more than there are cores.
        sandbox: ``"bubblewrap"`` or ``"none"``; as the course's configuration says, if left out.
    """

    course: CourseFolder
    lessons: Sequence[str]
    publish: Publish = Publish.never
    pause: float = 0.0
    jobs: int | None = None
    sandbox: str | None = None
    _seen: dict[tuple[str, str], _LastSeen] = field(default_factory=dict, init=False)
    _converters: dict[str, StagedAutograde] = field(default_factory=dict, init=False)
    _said: dict[tuple[str, str], str] = field(default_factory=dict, init=False)

    def look(self) -> Iterator[Event]:
        """Collect, grade and publish what there is, once.

        Raises:
            CourseError: when the course can't be graded.
        """
        for lesson in self.lessons:
            yield from self._collect(lesson)
            try:
                yield from self._grade(lesson)
                if self.publish != Publish.never:
                    yield from self._publish(lesson)
            except CourseBusy as error:
                yield from self._problem(lesson, "lock", f"waiting: {error}")
            else:
                yield from self._problem(lesson, "lock", "")

    def close(self) -> None:
        """Stop the processes that fork kernels."""
        client.close_all()

    def _collect(self, lesson: str) -> Iterator[Event]:
        """Collect from the exchange."""
        if not self.course.nbgrader.course_id:
            return
        succeeded, log = self.course.run_logged("collect", lesson, update=True)
        lines = _LOG_LINE.findall(log) or [printable(log)]
        wrong = [line for line in lines if line.startswith(NOT_COLLECTED)]
        if not succeeded:
            wrong = [f"nothing comes from nbgrader's exchange, if you use it: {lines[-1]}"]
        yield from self._problem(lesson, "exchange", "; ".join(wrong))

    def _grade(self, lesson: str) -> Iterator[Event]:
        now = time.time()
        ready = [name for name in self.course.students(lesson) if self._is_ready(lesson, name, now)]
        ready.sort(key=lambda name: self._seen[lesson, name].since)
        if not ready:
            return
        pool = LocalPool(self.jobs, stays=True)
        chosen = ready[: _ROUND * pool.size()]
        for row in grade(self.course, lesson, chosen, sandbox=self.sandbox, pool=pool):
            seen = self._seen[lesson, row.student]
            failed = row.problem.startswith(NOT_GRADED)
            seen.waiting, seen.not_before = failed, now + _RETRY if failed else 0.0
            again = not self._is_news(lesson, row.student, row.problem)
            if row.seconds or (row.problem and not (failed and again)):
                yield Event(lesson, row)

    def _is_ready(self, lesson: str, student: str, now: float) -> bool:
        """Whether a submission is to be graded now: it's new, and was the same at the last look."""
        seen = self._seen.setdefault((lesson, student), _LastSeen())
        path = self.course.submitted(student, lesson)
        try:
            listed = _listed(path)
            if listed != seen.listed:
                seen.listed, seen.files = listed, None
                seen.waiting = self._may_need_grading(lesson, student)
            if not seen.waiting:
                return False
            files = _all_files(path)
        except OSError:  # it's being replaced
            seen.files = None
            return False
        if files != seen.files:
            seen.files, seen.since = files, now
            return False
        graded = _newest(self.course.autograded(student, lesson).parent, "*.ipynb")
        return now >= max(seen.not_before, graded + 60 * self.pause if graded else 0.0)

    def _may_need_grading(self, lesson: str, student: str) -> bool:
        if lesson not in self._converters:
            converter = converter_of(self.course, lesson, force=False)
            converter.coursedir.db_url = quick(converter.coursedir.db_url)
            self._converters[lesson] = converter
        try:
            with self.course.as_working_directory(), self.course.quiet():
                return self._converters[lesson].needs_grading(student)
        except Exception:  # grading says what cannot be read
            return True

    def _publish(self, lesson: str) -> Iterator[Event]:
        """Publish feedback on results that are newer than it."""
        newer = {}
        for student in self.course.students(lesson):
            made = _newest(self.course.autograded(student, lesson).parent, "*.ipynb")
            page = _newest(self.course.feedback(student, lesson).parent, "*.html")
            seen = self._seen.setdefault((lesson, student), _LastSeen())
            if made > max(page, seen.published):
                newer[student] = made
        if newer and self.publish == Publish.due:
            due, spans = self._due(lesson)
            no_date = f"no due date, so no feedback: set one with autograder deadline {lesson}"
            yield from self._problem(lesson, "due", "" if due else no_date)
            now = datetime.now(UTC).replace(tzinfo=None)
            newer = {
                student: made
                for student, made in newer.items()
                if due and now > due + (spans.get(student) or timedelta())
            }
        if newer:
            with locked(self.course):
                for student, made in newer.items():
                    self._seen[lesson, student].published = made
                    yield self._publish_one(lesson, student)

    def _publish_one(self, lesson: str, student: str) -> Event:
        problem = self.course.run("generate_feedback", lesson, student_id=student)
        if not problem and (self.course.submitted(student, lesson) / SECRET_FILE).is_file():
            problem = self.course.run("release_feedback", lesson, student_id=student)
        if problem:
            last = printable(problem.strip().splitlines()[-1])
            return Event(lesson, problem=f"{student}: no feedback was published: {last}")
        return Event(lesson, published=student)

    def _due(self, lesson: str) -> tuple[datetime | None, dict[str, timedelta | None]]:
        """The due date in UTC, and extensions by student."""
        with self.course.nbgrader.gradebook as gradebook:
            assignment = gradebook.find_assignment(lesson)
            spans = {entry.student_id: entry.extension for entry in assignment.submissions}
            return assignment.duedate, spans

    def _problem(self, lesson: str, what: str, problem: str) -> Iterator[Event]:
        """An event for a problem, unless it's the same as at the last look."""
        if self._is_news(lesson, what, problem):
            yield Event(lesson, problem=problem)

    def _is_news(self, lesson: str, what: str, problem: str) -> bool:
        before = self._said.get((lesson, what), "")
        self._said[lesson, what] = problem
        return bool(problem) and problem != before


def _listed(folder: Path) -> frozenset[tuple[str, int, int]]:
    """Names, sizes and times of what is directly in a folder: few, whatever it holds."""
    with os.scandir(folder) as entries:
        listed = islice(entries, MOST_FILES)
        return frozenset(
            (entry.name, about.st_size, about.st_mtime_ns)
            for entry in listed
            for about in [entry.stat(follow_symlinks=False)]
        )


def _all_files(folder: Path) -> frozenset[tuple[str, int, int]]:
    """Paths, sizes and times of all files of a submission, as far as grading would read them."""
    paths = (Path(root, name) for root, _, names in walk_work(folder) for name in names)
    return frozenset(
        (str(path), about.st_size, about.st_mtime_ns)
        for path in islice(paths, MOST_FILES)
        for about in [path.lstat()]
    )


def _newest(folder: Path, pattern: str) -> float:
    """When the newest file of a kind was written, in seconds; 0 if there is none."""
    newest = 0.0
    with suppress(OSError):
        newest = max((path.lstat().st_mtime for path in folder.glob(pattern)), default=0.0)
    return newest
