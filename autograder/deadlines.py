"""Due dates, extensions and late penalties.

nbgrader keeps due dates and extensions in its gradebook and a penalty for each notebook, which its
plugin computes when the notebook is graded. This module brings the penalties of a graded class up
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
from autograder.late_penalty import LatePolicy
from autograder.names import join_names
from selfcheck.verdicts import POINT_DIGITS


@dataclass(frozen=True)
class PenaltyChange:
    """A change to one graded student's penalty.

    Args:
        student: the student's id.
        seconds_late: seconds after the due date, including an extension.
        before: the penalty in the gradebook, in points.
        after: the correct penalty, in points.
        score: the points before any penalty.
    """

    student: str
    seconds_late: float
    before: float
    after: float
    score: float


@dataclass(frozen=True)
class Deadline:
    """When a lesson is due, and the penalties that follow.

    Args:
        due: in UTC; None if there is no due date.
        zone: the time zone in which days are counted; None is this machine's.
        extensions: by student, on that zone's clock.
        policy: the late policy, in a sentence.
        changes: penalties in the gradebook that are out of date.
        unknown: students without a submission time.
        late: of these, the students whom the learning platform calls late without saying by how
            much.
        recorded: whether the gradebook was changed.
    """

    due: datetime | None
    zone: ZoneInfo | None
    extensions: Mapping[str, timedelta]
    policy: str
    changes: tuple[PenaltyChange, ...]
    unknown: tuple[str, ...]
    late: tuple[str, ...] = ()
    recorded: bool = False

    def warnings(self, lesson: str) -> Iterator[str]:
        """Warnings for the teacher, in sentences.

        Args:
            lesson: its name.
        """
        if self.changes:
            students = join_names([change.student for change in self.changes])
            yield (
                f"late penalties don't match the due date, extensions and policy: "
                f"{students}. To see and correct them: autograder deadline {lesson}"
            )
        if self.unknown:
            yield (
                "no submission time, so treated as on time and without a penalty: "
                f"{join_names(self.unknown)}."
            )
        if self.late:
            yield (
                "the learning platform calls them late but doesn't say by how much, so you decide "
                f"the penalty: {join_names(self.late)}."
            )


def read_deadline(course: CourseFolder, lesson: str) -> Deadline:
    """Read when a lesson is due, and which penalties are out of date.

    Raises:
        CourseError: when the gradebook does not know the lesson.
    """
    with _opened(course) as gradebook:
        return deadline_in(course, gradebook, lesson)


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
                f"{lesson} has extensions of its due date ({', '.join(extended[:3])}): remove them "
                f"first: autograder extend {lesson} {extended[0]} 0"
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
    """Grant students an extension, counted from the due date, or remove it.

    Where penalties change, nothing is written unless ``apply`` is given.

    Args:
        course: the course folder.
        lesson: the lesson.
        spans: the extension by student id, which replaces an earlier one; zero removes it.
        keep_longer: whether a longer earlier extension is kept, unless it's removed.
        apply: also record what changes penalties.

    Raises:
        CourseError: when the gradebook does not know the lesson, it has no due date, or somebody is
            grading.
    """
    zone = course_zone(course)

    def change(gradebook: Gradebook) -> None:
        # nbgrader can't compute lateness if there is an extension and no due date.
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
    """Change or enter nothing."""


def _changed(
    course: CourseFolder,
    lesson: str,
    change: Callable[[Gradebook], None],
    enter: Callable[[Gradebook], None] = _nothing,
    *,
    apply: bool,
) -> Deadline:
    """Change something and the penalties that depend on it, or nothing if that isn't allowed.

    Args:
        course: the course folder.
        lesson: the lesson.
        change: makes the change, in one transaction with the penalties; it doesn't commit.
        enter: enters afterwards what concerns students without a penalty.
        apply: whether penalties may change.
    """
    with grading_lock(course), _opened(course) as gradebook:
        change(gradebook)
        found = deadline_in(course, gradebook, lesson)
        if found.changes and not apply:
            gradebook.db.rollback()
            return found
        preprocessor = _preprocessor(course, gradebook)
        for submission in find_submissions(gradebook, _assignment(gradebook, lesson)):
            for notebook, penalty in _penalties(submission, preprocessor):
                if (notebook.late_submission_penalty or 0.0) != penalty:
                    notebook.late_submission_penalty = penalty or None
        gradebook.db.commit()
        enter(gradebook)
        return replace(deadline_in(course, gradebook, lesson), changes=found.changes, recorded=True)


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


def deadline_in(course: CourseFolder, gradebook: Gradebook, lesson: str) -> Deadline:
    """A lesson's deadline in an open gradebook, and the penalties that are out of date.

    Raises:
        CourseError: when the gradebook does not know the lesson.
    """
    assignment = _assignment(gradebook, lesson)
    due = assignment.duedate
    changes, unknown = [], []
    submissions = find_submissions(gradebook, assignment)
    preprocessor = _preprocessor(course, gradebook)
    for submission in submissions:
        student = submission.student_id
        if due and not submission.timestamp and course.autograded(student, lesson).parent.is_dir():
            unknown.append(student)
        pairs = list(_penalties(submission, preprocessor))
        before = sum(notebook.late_submission_penalty or 0.0 for notebook, _ in pairs)
        after = sum(penalty for _, penalty in pairs)
        if round(before - after, POINT_DIGITS):
            score = sum(notebook.score for notebook, _ in pairs)
            changes.append(PenaltyChange(student, _seconds_late(submission), before, after, score))
    zone = course_zone(course)
    return Deadline(
        due.replace(tzinfo=UTC) if due else None,
        zone,
        {each.student_id: _on_clock(each, zone) for each in submissions if each.extension},
        _policy_in_words(preprocessor),
        tuple(changes),
        tuple(unknown),
        tuple(late_without_time(course, lesson)) if due else (),
    )


def course_zone(course: CourseFolder) -> ZoneInfo | None:
    """The time zone in which a course counts days; None is this machine's."""
    return LatePolicy(config=course.nbgrader.config).zone


def _extension(assignment: Assignment, by: timedelta, zone: ZoneInfo | None) -> timedelta:
    """Convert an extension on a zone's clock to one that nbgrader adds to the due date in UTC."""
    due = assignment.duedate.replace(tzinfo=UTC)
    return later(due, by, zone).astimezone(UTC) - due


def _on_clock(submission: Any, zone: ZoneInfo | None) -> timedelta:
    """A student's extension on a zone's clock."""
    due = submission.assignment.duedate.replace(tzinfo=UTC)
    return span_on_clock(due, due + submission.extension, zone)


def _seconds_late(submission: Any) -> float:
    # nbgrader can't compute it if there is an extension and no due date.
    return submission.total_seconds_late if submission.assignment.duedate else 0.0


def _penalties(
    submission: Any, preprocessor: AssignLatePenalties | None
) -> Iterator[tuple[SubmittedNotebook, float]]:
    """The notebooks of a submission, each with the penalty that nbgrader would compute today."""
    late = _seconds_late(submission)
    for notebook in submission.notebooks:
        penalty = None
        if late and preprocessor:
            preprocessor.notebook_id = notebook.name
            preprocessor.assignment_id = submission.assignment.name
            preprocessor.student_id = submission.student_id
            penalty = preprocessor.plugin_inst.late_submission_penalty(
                submission.student_id, notebook.score, late
            )
        yield notebook, min(max(penalty or 0.0, 0.0), notebook.score)


def _preprocessor(course: CourseFolder, gradebook: Gradebook) -> AssignLatePenalties | None:
    """The plugin that computes late penalties; None if the course has none."""
    config = course.nbgrader.config
    preprocessors = config.Autograde.get("autograde_preprocessors", [AssignLatePenalties])
    found = (each for each in preprocessors if issubclass(each, AssignLatePenalties))
    kind = next(found, None)
    if kind is None:
        return None
    preprocessor = kind(config=config)
    preprocessor.init_plugin()
    preprocessor.gradebook = gradebook
    return preprocessor


def _policy_in_words(preprocessor: AssignLatePenalties | None) -> str:
    if preprocessor is None:
        return LatePolicy().words
    plugin = preprocessor.plugin_inst
    if isinstance(plugin, LatePolicy):
        return plugin.words
    method = getattr(plugin, "penalty_method", "")
    return f"{type(plugin).__name__} decides the late penalty ({method or 'its own'})."
