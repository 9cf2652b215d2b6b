"""When a lesson is due, what handing in late costs, and for whom that is put off.

nbgrader keeps due dates and extensions in its gradebook and a penalty for each notebook, which its
plugin computes when the notebook is graded. Here is what brings the penalties of a graded class up
to date when a date, an extension or the policy changes, without executing anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from nbgrader.api import (
    Assignment,
    Gradebook,
    MissingEntry,
    SubmittedNotebook,
)
from nbgrader.preprocessors import AssignLatePenalties

from autograder.collect.manifest import late_without_time
from autograder.course_folder import CourseFolder
from autograder.datetimes import later, span_on_clock
from autograder.errors import CourseError
from autograder.gradebook.queries import find_submissions
from autograder.grading.batch import grading_lock
from autograder.late_penalty import DIGITS, LatePolicy
from autograder.names import listed


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
        zone: on whose clock days are counted; None is this machine's.
        extensions: by student, on that clock.
        policy: what handing in late costs, in a sentence.
        changes: penalties in the gradebook that are not what they have to be.
        unknown: who handed in at a time that nobody knows.
        late: of these, whom the learning platform calls late without saying by how much.
        recorded: whether the gradebook was changed.
    """

    due: datetime | None
    zone: ZoneInfo | None
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
            students = listed([change.student for change in self.changes])
            yield (
                f"late penalties are not what the due date, extensions and policy make them: "
                f"{students}. To see and correct them: autograder deadline {lesson}"
            )
        if self.unknown:
            yield (
                "nobody knows when they handed in, so nothing is taken off: "
                f"{listed(self.unknown)}."
            )
        if self.late:
            yield (
                "the learning platform calls them late and doesn't say by how much, so you decide "
                f"what is taken off: {listed(self.late)}."
            )


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
    zone = course_zone(course)

    def change(gradebook: Gradebook) -> None:
        assignment = _assignment(gradebook, lesson)
        extended = [each.student_id for each in assignment.submissions if each.extension]
        if due is None and extended:
            raise CourseError(
                f"{lesson} has extensions of its due date ({', '.join(extended[:3])}): take them "
                f"back first: autograder extend {lesson} {extended[0]} 0"
            )
        spans = {each: _on_clock(each, zone) for each in assignment.submissions if each.extension}
        assignment.duedate = due.astimezone(UTC).replace(tzinfo=None) if due else None
        for entry, span in spans.items():
            entry.extension = _extension(assignment, span, zone)

    return _changed(course, lesson, change, apply=apply)


def set_extensions(
    course: CourseFolder,
    lesson: str,
    spans: Mapping[str, timedelta],
    *,
    keep_longer: bool = False,
    apply: bool = False,
) -> Deadline:
    """Give students more time, counted from the due date, or take it back.

    Where penalties change, nothing is written unless ``apply`` is given.

    Args:
        course: the course folder.
        lesson: the lesson.
        spans: how much, by student id; it takes the place of what they had. Nothing takes it back.
        keep_longer: whether those who had more keep it, unless it is taken back.
        apply: also record what changes penalties.

    Raises:
        CourseError: when the gradebook does not know the lesson, it has no due date, or somebody is
            grading.
    """
    zone = course_zone(course)

    def change(gradebook: Gradebook) -> None:
        # nbgrader cannot compute lateness where there is an extension and no due date.
        assignment = _assignment(gradebook, lesson)
        if any(spans.values()) and assignment.duedate is None:
            raise CourseError(
                f"{lesson} has no due date: set one first: autograder deadline {lesson} "
                "2026-12-01T23:59"
            )
        for entry in assignment.submissions:
            if entry.student_id in spans:
                by = spans[entry.student_id]
                longer = keep_longer and by and entry.extension and _on_clock(entry, zone) > by
                if not longer:
                    entry.extension = _extension(assignment, by, zone) if by else None

    def enter(gradebook: Gradebook) -> None:
        assignment = _assignment(gradebook, lesson)
        known = {entry.student_id for entry in assignment.submissions}
        for student, by in spans.items():
            if by and student not in known:  # nothing of theirs is graded yet
                gradebook.update_or_create_student(student)
                extension = _extension(assignment, by, zone)
                gradebook.update_or_create_submission(lesson, student, extension=extension)

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
    with grading_lock(course), _opened(course) as gradebook:
        change(gradebook)
        found = look_up(course, gradebook, lesson)
        if found.changes and not apply:
            gradebook.db.rollback()
            return found
        for submission in find_submissions(gradebook, _assignment(gradebook, lesson)):
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
    submissions = find_submissions(gradebook, assignment)
    for submission in submissions:
        student = submission.student_id
        if due and not submission.timestamp and course.autograded(student, lesson).parent.is_dir():
            unknown.append(student)
        pairs = list(_penalties(course, gradebook, submission))
        before = sum(notebook.late_submission_penalty or 0.0 for notebook, _ in pairs)
        after = sum(penalty for _, penalty in pairs)
        if round(before - after, DIGITS):
            score = sum(notebook.score for notebook, _ in pairs)
            changes.append(Change(student, _seconds_late(submission), before, after, score))
    zone = course_zone(course)
    return Deadline(
        due.replace(tzinfo=UTC) if due else None,
        zone,
        {each.student_id: _on_clock(each, zone) for each in submissions if each.extension},
        _policy_in_words(course),
        tuple(changes),
        tuple(unknown),
        tuple(late_without_time(course, lesson)) if due else (),
    )


def course_zone(course: CourseFolder) -> ZoneInfo | None:
    """The time zone on whose clock a course counts days; None is this machine's."""
    return LatePolicy(config=course.nbgrader.config).zone


def _extension(assignment: Assignment, by: timedelta, zone: ZoneInfo | None) -> timedelta:
    """What nbgrader adds to the due date, in UTC, for an extension by so much on a clock."""
    due = assignment.duedate.replace(tzinfo=UTC)
    return later(due, by, zone).astimezone(UTC) - due


def _on_clock(submission: Any, zone: ZoneInfo | None) -> timedelta:
    """By how much a student's due date is later on a clock."""
    due = submission.assignment.duedate.replace(tzinfo=UTC)
    return span_on_clock(due, due + submission.extension, zone)


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
