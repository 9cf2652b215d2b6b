"""Everybody's grades in the graded lessons, read once for whatever is written from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from autograder.cells import title
from autograder.course_folder import CourseError, CourseFolder
from autograder.grading.batch import Score
from autograder.reports import results
from autograder.reports.results import Submission
from course.responses import printable


@dataclass(frozen=True)
class Student:
    """A student as nbgrader's gradebook knows them; what it does not know is "".

    Args:
        id: the name of the submission's folder.
        first_name, last_name, email: of the person.
        lms_user_id: what a learning management system calls them.
    """

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_user_id: str = ""

    @property
    def lms_number(self) -> str:
        """The id in the learning management system where it is a number, else "".

        Canvas and Moodle number their users, and may read any other text as the number that it
        begins with: somebody else's.
        """
        known = self.lms_user_id.strip()
        return known if known.isascii() and known.isdecimal() else ""


class Status(StrEnum):
    """How far a student's grade in a lesson has come."""

    graded = "graded"
    unfinished = "needs manual grading"
    failed = "not graded"
    missing = "not handed in"


@dataclass(frozen=True)
class Grade:
    """One student's grade in one lesson.

    Args:
        submission: what was handed in, graded or not; None where nothing was.
        handed_in: when, in UTC; None where nobody wrote it down.
        seconds_late: behind the due date, an extension counted.
        extended: whether there is an extension.
        comments: by an exercise's title, what a person wrote about it.
    """

    submission: Submission | None = None
    handed_in: datetime | None = None
    seconds_late: float = 0.0
    extended: bool = False
    comments: Mapping[str, str] = field(default_factory=dict)

    @property
    def status(self) -> Status:
        """How far it has come."""
        if self.submission is None:
            return Status.missing
        if not self.submission.graded:
            return Status.failed
        return Status.unfinished if self.submission.by_hand else Status.graded

    @property
    def total(self) -> float | None:
        """The gradebook's points less the penalty; None until they are final."""
        return self.submission.total if self.status is Status.graded else None

    @property
    def penalty(self) -> float:
        """Points that handing in late costs."""
        return self.submission.penalty if self.submission else 0.0

    @property
    def scores(self) -> tuple[Score, ...]:
        """The exercises, in the notebook's order; none where it is not graded."""
        return self.submission.row.scores if self.submission else ()

    def comment(self, score: Score) -> str:
        """What a person wrote about an exercise, or ""."""
        return self.comments.get(title(score.cell), "")


@dataclass(frozen=True)
class Lesson:
    """A graded lesson.

    Args:
        name: of its folder in ``source/``.
        maximum: points that can be earned.
        grades: by the student's id; who handed in nothing has none.
    """

    name: str
    maximum: float
    grades: Mapping[str, Grade]

    def grade(self, student: Student) -> Grade:
        """A student's grade."""
        return self.grades.get(student.id) or Grade()

    @property
    def exercises(self) -> dict[str, float]:
        """The graded cells in the notebook's order, with the points that can be earned."""
        return {
            score.cell: score.maximum for grade in self.grades.values() for score in grade.scores
        }


@dataclass(frozen=True)
class Grades:
    """What there is to export.

    Args:
        students: who is in the gradebook or handed something in, by id.
        lessons: by name.
    """

    students: tuple[Student, ...]
    lessons: tuple[Lesson, ...]

    @property
    def warnings(self) -> Iterator[str]:
        """What a teacher should know before anybody sees these grades, a line each."""
        for lesson in self.lessons:
            grades = {student.id: lesson.grade(student) for student in self.students}
            for status, why in _WHY_NOT.items():
                count = sum(grade.status is status for grade in grades.values())
                if count:
                    reason = why.format(lesson=lesson.name)
                    yield f"{lesson.name}: no grade for {count} of {len(grades)} students: {reason}"
            for name, grade in grades.items():
                if grade.extended and grade.penalty and not grade.seconds_late:
                    yield printable(
                        f"{lesson.name}: the penalty of {name} is from before the extension; "
                        f"grade again: autograder grade {lesson.name} --force --students {name}"
                    )


_WHY_NOT = {
    Status.unfinished: "a person still has to grade answers (formgrader, Manual Grading).",
    Status.failed: "what they handed in is not graded; `autograder report {lesson}` says why.",
}


def rounded(points: float) -> float:
    """Points without the digits that rounding made.

    Example:
        >>> rounded(0.1 + 0.2)
        0.3
    """
    return round(points, 6) + 0.0


def read(course: CourseFolder, lessons: Sequence[str] = (), students: Sequence[str] = ()) -> Grades:
    """Read grades from the gradebook, and the reasons for them from the autograded notebooks.

    Args:
        course: the course folder.
        lessons: which; all that are graded, if there are none here.
        students: whose; everybody's, if there are none here.

    Raises:
        CourseError: when a lesson or a student does not exist, or nothing is graded.
    """
    chosen = [course.find_assignment(name) for name in lessons] or _graded(course)
    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        found = tuple(_lesson(course, gradebook, name) for name in dict.fromkeys(chosen))
        known = {each.id: _student(each) for each in gradebook.students}
    for lesson in found:
        known |= {name: Student(name) for name in lesson.grades if name not in known}
    for name in students:
        if name not in known:
            raise CourseError(
                f"No student {name!r} in the gradebook or in submitted/: there are {len(known)}, "
                f"such as {', '.join(map(repr, sorted(known)[:3]))}."
            )
    return Grades(tuple(known[name] for name in sorted(set(students) or known)), found)


def _graded(course: CourseFolder) -> list[str]:
    """The lessons that have grades, by name."""
    names = {path.parent.name for path in course.root.glob("autograded/*/*/*.ipynb")}
    if not names:
        raise CourseError("Nothing is graded yet: grade a lesson first: autograder grade <lesson>")
    return sorted(names)


def _student(entry: Any) -> Student:
    known = (entry.first_name, entry.last_name, entry.email, entry.lms_user_id)
    return Student(entry.id, *(each or "" for each in known))


def _lesson(course: CourseFolder, gradebook: Any, name: str) -> Lesson:
    submissions = results.read(course, name).submissions
    assignment = gradebook.find_assignment(name)
    entries = {entry.student_id: entry for entry in assignment.submissions}
    comments = _comments(gradebook, name)
    grades = {}
    for submission in submissions:
        entry = entries.get(submission.student)
        grades[submission.student] = Grade(
            submission,
            handed_in=entry and entry.timestamp,
            # nbgrader cannot compute it where there is an extension and no due date.
            seconds_late=entry.total_seconds_late if entry and assignment.duedate else 0.0,
            extended=bool(entry and entry.extension),
            comments=comments.get(submission.student, {}),
        )
    return Lesson(name, float(assignment.max_score), grades)


def _comments(gradebook: Any, lesson: str) -> dict[str, dict[str, str]]:
    """What people wrote about answers: by student, by the exercise's title."""
    from nbgrader.api import (
        Assignment,
        BaseCell,
        Comment,
        Notebook,
        SubmittedAssignment,
        SubmittedNotebook,
    )
    from sqlalchemy import select

    written = (
        select(
            SubmittedAssignment.student_id.label("student"),
            Notebook.name.label("notebook"),
            BaseCell.name.label("cell"),
            Comment.manual_comment.label("text"),
        )
        .select_from(Comment)
        .join(BaseCell, Comment.cell_id == BaseCell.id)
        .join(SubmittedNotebook, Comment.notebook_id == SubmittedNotebook.id)
        .join(Notebook, SubmittedNotebook.notebook_id == Notebook.id)
        .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .where(Assignment.name == lesson, Comment.manual_comment != "")
    )
    comments: dict[str, dict[str, str]] = defaultdict(dict)
    for each in gradebook.db.execute(written):
        # Cells have their notebook's name before them where a lesson has several.
        for name in (each.cell, f"{each.notebook}/{each.cell}"):
            comments[each.student][title(name)] = each.text
    return comments
