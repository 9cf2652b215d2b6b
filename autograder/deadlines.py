"""When a lesson is due, what handing in late costs, and for whom that is put off.

nbgrader keeps due dates and extensions in its gradebook and a penalty for each notebook, which its
plugin computes when the notebook is graded. Here is such a plugin, and what brings the penalties of
a graded class up to date when a date, an extension or the policy changes, without executing
anything.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from nbgrader.api import (
    Assignment,
    Gradebook,
    MissingEntry,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy.orm import selectinload
from traitlets import Enum, Float

from autograder.course_folder import CourseError, CourseFolder
from autograder.exchange.record import late_without_time
from autograder.grading.batch import alone

_DAY = 24 * 60 * 60
_DIGITS = 6  # of points, as verdicts round them


class LatePolicy(LateSubmissionPlugin):
    """What handing in late costs, as ``nbgrader_config.py`` states it."""

    penalty_method = Enum(
        ("none", "zero", "percent"),
        default_value="none",
        help="none: nothing; zero: all points; percent: points for each day that has begun.",
    ).tag(config=True)

    percent_per_day = Float(
        10.0, min=0, max=100, help="How much of the points that can be earned a day costs."
    ).tag(config=True)

    most_percent = Float(
        100.0, min=0, max=100, help="How much of the points that can be earned lateness costs most."
    ).tag(config=True)

    grace_minutes = Float(
        0.0, min=0, help="Up to so many minutes behind the due date count as punctual."
    ).tag(config=True)

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        """The penalty for one notebook, as nbgrader asks for it.

        Args:
            student_id: whose.
            score: what the notebook earned.
            total_seconds_late: behind the due date, an extension counted.

        Returns:
            Points, or None where there is no penalty.
        """
        if self.penalty_method == "none" or total_seconds_late <= 60 * self.grace_minutes:
            return None
        if self.penalty_method == "zero":
            return score
        days = math.ceil(total_seconds_late / _DAY)
        percent = min(self.most_percent, days * self.percent_per_day)
        return round(min(score, self._maximum(student_id) * percent / 100), _DIGITS)

    @property
    def words(self) -> str:
        """The policy in a sentence."""
        if self.penalty_method == "none":
            return "Handing in late costs nothing."
        grace = f", {self.grace_minutes:g} minutes of grace" if self.grace_minutes else ""
        if self.penalty_method == "zero":
            return f"What is handed in late earns nothing{grace}."
        most = f", at most {self.most_percent:g} %" if self.most_percent < 100 else ""
        return (
            f"Each day that has begun costs {self.percent_per_day:g} % of the points{most}{grace}."
        )

    def _maximum(self, student: str) -> float:
        """What can be earned in the notebook that nbgrader is at."""
        at = self.parent  # nbgrader's preprocessor, which has the gradebook open
        submission = at.gradebook.find_submission_notebook(
            at.notebook_id, at.assignment_id, student
        )
        return submission.max_score


@dataclass(frozen=True)
class Change:
    """What becomes of one graded student's penalty.

    Args:
        student: whose.
        seconds_late: behind the due date, an extension counted.
        before: points of penalty in the gradebook.
        after: points of penalty that are due.
        score: without a penalty.
    """

    student: str
    seconds_late: float
    before: float
    after: float
    score: float


@dataclass(frozen=True)
class Deadline:
    """When a lesson is due, and what that means for those who handed it in.

    Args:
        due: in UTC; None where there is no due date.
        extensions: by student.
        policy: what handing in late costs, in a sentence.
        changes: penalties in the gradebook that are not what they have to be.
        unknown: who handed in at a time that nobody knows.
        late: of these, whom the learning platform calls late without saying by how much.
        recorded: whether the gradebook was changed.
    """

    due: datetime | None
    extensions: Mapping[str, timedelta]
    policy: str
    changes: tuple[Change, ...]
    unknown: tuple[str, ...]
    late: tuple[str, ...] = ()
    recorded: bool = False

    def warnings(self, lesson: str) -> Iterator[str]:
        """What is not as it has to be, in sentences.

        Args:
            lesson: its name.
        """
        if self.changes:
            students = _some([change.student for change in self.changes])
            yield (
                f"late penalties are not what the due date, extensions and policy make them: "
                f"{students}. To see and correct them: autograder deadline {lesson}"
            )
        if self.unknown:
            yield (
                f"nobody knows when they handed in, so nothing is taken off: {_some(self.unknown)}."
            )
        if self.late:
            yield (
                "the learning platform calls them late and doesn't say by how much, so you decide "
                f"what is taken off: {_some(self.late)}."
            )


def _some(students: Sequence[str], most: int = 10) -> str:
    shown = ", ".join(students[:most])
    return shown if len(students) <= most else f"{shown} and {len(students) - most} more"


def read_deadline(course: CourseFolder, lesson: str) -> Deadline:
    """Read when a lesson is due, and whose penalty is not what it has to be.

    Raises:
        CourseError: when the gradebook does not know the lesson.
    """
    with _opened(course) as gradebook:
        return look_up(course, gradebook, lesson)


def set_due_date(
    course: CourseFolder, lesson: str, due: datetime | None, *, apply: bool = False
) -> Deadline:
    """Set or remove a due date, and bring penalties up to date.

    Where penalties change, nothing is written unless ``apply`` is given.

    Args:
        course: the course folder.
        lesson: the lesson.
        due: with a time zone; None removes it.
        apply: also record what changes penalties.

    Raises:
        CourseError: when the gradebook does not know the lesson, somebody is grading, or there are
            extensions of a due date that is to be removed.
    """

    def change(gradebook: Gradebook) -> None:
        assignment = _assignment(gradebook, lesson)
        extended = [each.student_id for each in assignment.submissions if each.extension]
        if due is None and extended:
            raise CourseError(
                f"{lesson} has extensions of its due date ({', '.join(extended[:3])}): take them "
                f"back first: autograder extend {lesson} {extended[0]} 0"
            )
        assignment.duedate = due.astimezone(UTC).replace(tzinfo=None) if due else None

    return _changed(course, lesson, change, apply=apply)


def set_extensions(
    course: CourseFolder,
    lesson: str,
    students: Sequence[str],
    by: timedelta,
    *,
    keep_longer: bool = False,
    apply: bool = False,
) -> Deadline:
    """Give students more time, counted from the due date, or take it back.

    Where penalties change, nothing is written unless ``apply`` is given.

    Args:
        course: the course folder.
        lesson: the lesson.
        students: their ids.
        by: how much; it takes the place of what they had. Nothing takes it back.
        keep_longer: whether those who had more keep it, unless it is taken back.
        apply: also record what changes penalties.

    Raises:
        CourseError: when the gradebook does not know the lesson, it has no due date, or somebody is
            grading.
    """

    def change(gradebook: Gradebook) -> None:
        # nbgrader cannot compute lateness where there is an extension and no due date.
        assignment = _assignment(gradebook, lesson)
        if by and assignment.duedate is None:
            raise CourseError(
                f"{lesson} has no due date: set one first: autograder deadline {lesson} "
                "2026-12-01T23:59"
            )
        for entry in assignment.submissions:
            if entry.student_id in students:
                longer = keep_longer and by and entry.extension and entry.extension > by
                entry.extension = entry.extension if longer else by or None

    def enter(gradebook: Gradebook) -> None:
        entries = _assignment(gradebook, lesson).submissions
        known = {entry.student_id for entry in entries}
        for student in students:
            if by and student not in known:  # nothing of theirs is graded yet
                gradebook.update_or_create_student(student)
                gradebook.update_or_create_submission(lesson, student, extension=by)

    return _changed(course, lesson, change, enter, apply=apply)


def update_penalties(course: CourseFolder, lesson: str) -> Deadline:
    """Bring the penalties of a graded class up to date.

    Raises:
        CourseError: when the gradebook does not know the lesson, or somebody is grading.
    """
    return _changed(course, lesson, _nothing, apply=True)


def _nothing(gradebook: Gradebook) -> None:
    """What is changed, or entered afterwards, where that is nothing."""


def _changed(
    course: CourseFolder,
    lesson: str,
    change: Callable[[Gradebook], None],
    enter: Callable[[Gradebook], None] = _nothing,
    *,
    apply: bool,
) -> Deadline:
    """Change something and the penalties with it, or where that is not allowed, nothing.

    Args:
        course: the course folder.
        lesson: the lesson.
        change: what is changed, with the penalties in one transaction; it does not commit.
        enter: what is entered afterwards, of those who have no penalty.
        apply: whether penalties may change.
    """
    with alone(course), _opened(course) as gradebook:
        change(gradebook)
        found = look_up(course, gradebook, lesson)
        if found.changes and not apply:
            gradebook.db.rollback()
            return found
        for submission in _submissions(gradebook, _assignment(gradebook, lesson)):
            for notebook, penalty in _penalties(course, gradebook, submission):
                if (notebook.late_submission_penalty or 0.0) != penalty:
                    notebook.late_submission_penalty = penalty or None
        gradebook.db.commit()
        enter(gradebook)
        return replace(look_up(course, gradebook, lesson), changes=found.changes, recorded=True)


@contextmanager
def _opened(course: CourseFolder) -> Iterator[Gradebook]:
    """The course's gradebook."""
    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        yield gradebook


def _assignment(gradebook: Gradebook, lesson: str) -> Any:
    try:
        return gradebook.find_assignment(lesson)
    except MissingEntry:
        raise CourseError(
            f"The gradebook does not know {lesson}: run `autograder release {lesson}` first."
        ) from None


def look_up(course: CourseFolder, gradebook: Gradebook, lesson: str) -> Deadline:
    """What an open gradebook says of a lesson's deadline, and what is wrong with the penalties.

    Raises:
        CourseError: when the gradebook does not know the lesson.
    """
    assignment = _assignment(gradebook, lesson)
    due = assignment.duedate
    changes, unknown = [], []
    submissions = _submissions(gradebook, assignment)
    for submission in submissions:
        student = submission.student_id
        if due and not submission.timestamp and course.autograded(student, lesson).parent.is_dir():
            unknown.append(student)
        pairs = list(_penalties(course, gradebook, submission))
        before = sum(notebook.late_submission_penalty or 0.0 for notebook, _ in pairs)
        after = sum(penalty for _, penalty in pairs)
        if round(before - after, _DIGITS):
            score = sum(notebook.score for notebook, _ in pairs)
            changes.append(Change(student, _seconds_late(submission), before, after, score))
    return Deadline(
        due.replace(tzinfo=UTC) if due else None,
        {each.student_id: each.extension for each in submissions if each.extension},
        _policy_in_words(course),
        tuple(changes),
        tuple(unknown),
        tuple(late_without_time(course, lesson)) if due else (),
    )


def _submissions(gradebook: Gradebook, assignment: Assignment) -> list[SubmittedAssignment]:
    """A lesson's submissions by student, in few questions however many they are."""
    query = gradebook.db.query(SubmittedAssignment).filter_by(assignment_id=assignment.id)
    whole = selectinload(SubmittedAssignment.notebooks).undefer(SubmittedNotebook.score)
    return query.options(whole).order_by(SubmittedAssignment.student_id).all()


def _seconds_late(submission: Any) -> float:
    # nbgrader cannot compute it where there is an extension and no due date.
    return submission.total_seconds_late if submission.assignment.duedate else 0.0


def _penalties(
    course: CourseFolder, gradebook: Gradebook, submission: Any
) -> Iterator[tuple[SubmittedNotebook, float]]:
    """The notebooks of a submission, each with the points that nbgrader would take off today."""
    late = _seconds_late(submission)
    preprocessor = _preprocessor(course) if late else None
    for notebook in submission.notebooks:
        penalty = None
        if preprocessor:
            preprocessor.gradebook = gradebook
            preprocessor.notebook_id = notebook.name
            preprocessor.assignment_id = submission.assignment.name
            preprocessor.student_id = submission.student_id
            penalty = preprocessor.plugin_inst.late_submission_penalty(
                submission.student_id, notebook.score, late
            )
        yield notebook, min(max(penalty or 0.0, 0.0), notebook.score)


def _preprocessor(course: CourseFolder) -> AssignLatePenalties | None:
    """What takes points off when a notebook is graded; None where the course leaves it out."""
    config = course.nbgrader.config
    listed = config.Autograde.get("autograde_preprocessors", [AssignLatePenalties])
    found = (each for each in listed if issubclass(each, AssignLatePenalties))
    kind = next(found, None)
    if kind is None:
        return None
    preprocessor = kind(config=config)
    preprocessor.init_plugin()
    return preprocessor


def _policy_in_words(course: CourseFolder) -> str:
    preprocessor = _preprocessor(course)
    if preprocessor is None:
        return LatePolicy().words
    plugin = preprocessor.plugin_inst
    if isinstance(plugin, LatePolicy):
        return plugin.words
    method = getattr(plugin, "penalty_method", "")
    return f"{type(plugin).__name__} decides what handing in late costs ({method or 'its own'})."


_SPAN = re.compile(r"(?P<count>\d+(\.\d+)?)(?P<unit>[wdhm])")
_UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes"}


def read_span(text: str) -> timedelta:
    """A time span as people type it.

    Raises:
        CourseError: when it is none.

    Example:
        >>> read_span("1d12h"), read_span("0")
        (datetime.timedelta(days=1, seconds=43200), datetime.timedelta(0))
    """
    found = list(_SPAN.finditer(text))
    if text != "0" and (not found or "".join(each[0] for each in found) != text):
        raise CourseError(
            f"{text!r} is no span of time: write 3d, 36h, 90m, 1w or 1d12h; 0 takes it back."
        )
    try:
        parts = (timedelta(**{_UNITS[each["unit"]]: float(each["count"])}) for each in found)
        return sum(parts, timedelta())
    except OverflowError:
        raise CourseError(f"{text!r} is too long.") from None


def read_zone(name: str | None) -> ZoneInfo | None:
    """A time zone by its name, such as Europe/Berlin; None is this machine's.

    Raises:
        CourseError: when there is none of this name.
    """
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise CourseError(
            f"No time zone {name!r} is known here: write one such as Europe/Berlin or UTC."
        ) from None


def read_time(text: str, zone: ZoneInfo | None) -> datetime:
    """A date and time as people type it; a date alone means the end of the day.

    Args:
        text: 2026-12-01T23:59, 2026-12-01 23:59 or 2026-12-01; it may end with an offset.
        zone: whose clock it is on where it has no offset.

    Raises:
        CourseError: when it is none, or the clock skips it that day.
    """
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise CourseError(
            f"{text!r} is no date: write 2026-12-01T23:59, or 2026-12-01 for the end of that day."
        ) from None
    if len(text) <= len("2026-12-01"):
        time = time.replace(hour=23, minute=59)
    if time.tzinfo:
        return time
    # Of an hour that the clock shows twice, the later one: nobody is late too early.
    local = time.replace(tzinfo=zone, fold=1) if zone else time.replace(fold=1).astimezone()
    back = local.astimezone(UTC).astimezone(local.tzinfo)
    if back.replace(tzinfo=None, fold=0) != time:
        raise CourseError(f"There is no {text} in {zone or 'this time zone'}: the clocks skip it.")
    return local


def shown_time(time: datetime, zone: ZoneInfo | None) -> str:
    """A time on the clock of a zone, and in UTC.

    Example:
        >>> shown_time(datetime(2026, 12, 1, 22, 59, tzinfo=UTC), ZoneInfo("Europe/Berlin"))
        'Tue 2026-12-01 23:59 CET (22:59 UTC)'
    """
    local = time.astimezone(zone)
    utc = time.astimezone(UTC)
    form = "%H:%M" if utc.date() == local.date() else "%Y-%m-%d %H:%M"
    return f"{local:%a %Y-%m-%d %H:%M %Z} ({utc:{form}} UTC)"


def shown_span(seconds: float) -> str:
    """A time span for people.

    Example:
        >>> shown_span(3 * 86400 + 3600), shown_span(90)
        ('3 d 1 h', '2 min')
    """
    minutes = math.ceil(seconds / 60)
    parts = ((minutes // 1440, "d"), (minutes // 60 % 24, "h"), (minutes % 60, "min"))
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 min"
