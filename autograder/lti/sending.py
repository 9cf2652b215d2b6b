"""Send grades to the platform: only those that have changed since the last time."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.exports.grades import GradedLesson, rounded
from autograder.lti.services import Column, RequestRefused, Services
from autograder.roster.roster import Person, write_atomically

SENT_FILE = "lti.json"
"""The file in the course folder with the last grade sent, by column URL and platform user."""

_CANVAS = "https://canvas.instructure.com/lti/submission"

LtiScore = dict[str, Any]
"""``scoreGiven``, ``scoreMaximum`` and ``comment``, as Assignment and Grade Services name them."""


@dataclass(frozen=True)
class Sending:
    """One student's grade for the platform.

    Args:
        person: the student.
        score: the grade; None if there is no final one.
        before: the last grade sent to the platform; None if there is none.
        status: the status of the grade, in words.
        problem: why the grade can't be or wasn't sent, else "".
    """

    person: Person
    score: LtiScore | None
    before: LtiScore | None
    status: str
    problem: str = ""

    @property
    def due(self) -> bool:
        """Whether it has to be sent, and can be."""
        return self.score is not None and self.score != self.before and not self.problem


def maximum_of(course: CourseFolder, lesson: str) -> float:
    """The maximum points of a lesson.

    Raises:
        CourseError: when it isn't released, or has no points.
    """
    from nbgrader.api import MissingEntry

    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        try:
            maximum = float(gradebook.find_assignment(lesson).max_score)
        except MissingEntry:
            maximum = 0.0
    if not maximum:
        raise CourseError(
            f"No points can be earned in {lesson}: is it released? autograder release {lesson}"
        )
    return maximum


def plan(
    course: CourseFolder, lesson: GradedLesson, students: Sequence[Person], column: Column
) -> list[Sending]:
    """Compare the grades with those sent to the platform before.

    Args:
        course: the course folder.
        lesson: the lesson with its grades.
        students: the students in the class.
        column: the lesson's column.

    Raises:
        CourseError: when the record of sent grades can't be read.
    """
    sent = _read(course).get(column.url, {})
    return [_planned(lesson, person, sent.get(person.lti_user_id)) for person in students]


def _planned(lesson: GradedLesson, person: Person, before: LtiScore | None) -> Sending:
    grade = lesson.grade(person)
    if grade.total is None:
        return Sending(person, None, before, grade.status.value)
    score = {
        "scoreGiven": rounded(grade.total),
        "scoreMaximum": lesson.maximum,
        "comment": "\n".join(grade.feedback),
    }
    unknown = "the platform's id isn't known: autograder lti roster"
    problem = "" if person.lti_user_id else unknown
    return Sending(person, score, before, grade.status.value, problem)


def send(
    course: CourseFolder,
    services: Services,
    column: Column,
    planned: Sequence[Sending],
    report: Callable[[Sending], None],
) -> None:
    """Send the grades that are due, and record those that arrived, even after an error.

    Args:
        course: the course folder.
        services: the platform's services.
        column: the lesson's column.
        planned: the students' grades.
        report: called with each grade that was sent or refused.

    Raises:
        CourseError: when the platform can't be reached, refuses everything, or the record of sent
            grades can't be written.
    """
    record = _read(course)
    sent = record.setdefault(column.url, {})
    try:
        for each in planned:
            if each.due and each.score:
                try:
                    services.send(column, _body(each.person, each.score))
                except RequestRefused as refused:
                    if refused.of_everything:
                        raise
                    report(replace(each, problem=str(refused)))
                else:
                    sent[each.person.lti_user_id] = each.score
                    report(each)
    finally:
        text = json.dumps(record, indent=1, ensure_ascii=False)
        write_atomically(course.root / SENT_FILE, f"{text}\n")


def _body(person: Person, score: LtiScore) -> dict[str, Any]:
    return score | {
        "userId": person.lti_user_id,
        "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "activityProgress": "Completed",
        "gradingProgress": "FullyGraded",
        # Canvas would count each grade as one more attempt by the student.
        _CANVAS: {"new_submission": False},
    }


def _read(course: CourseFolder) -> dict[str, dict[str, LtiScore]]:
    path = course.root / SENT_FILE
    try:
        record = json.loads(path.read_bytes()) if path.is_file() else {}
        return {column: dict(sent) for column, sent in record.items()}
    except (OSError, ValueError, AttributeError, TypeError, RecursionError) as error:
        raise CourseError(
            f"{path} cannot be read ({error}): restore a backup, or delete it, and every grade is "
            "sent again."
        ) from None
