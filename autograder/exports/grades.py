"""Read everybody's grades in the graded lessons, once for all exports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any

from autograder.cells import title
from autograder.collect.manifest import without_submission
from autograder.course_folder import CourseFolder
from autograder.deadlines import Deadline
from autograder.errors import CourseError
from autograder.gradebook.queries import LessonGrades
from autograder.grading.results import Score
from autograder.reports import lesson_results
from autograder.reports.lesson_results import SubmissionResult
from autograder.roster.roster import ROSTER_FILE, Person, join_people, read_roster
from selfcheck.responses import printable
from selfcheck.verdicts import POINT_DIGITS


class Status(StrEnum):
    """The status of a student's grade in a lesson."""

    graded = "graded"
    unfinished = "needs manual grading"
    outdated = "graded before the lesson changed"
    failed = "not graded"
    missing = "not handed in"


@dataclass(frozen=True)
class Grade:
    """One student's grade in one lesson.

    Args:
        submission: the submission, graded or not; None if there is none.
        handed_in: the submission time in UTC; None if it's unknown.
        seconds_late: seconds after the due date, including an extension.
        comments: manual comments by the exercise's title.
    """

    submission: SubmissionResult | None = None
    handed_in: datetime | None = None
    seconds_late: float = 0.0
    comments: Mapping[str, str] = field(default_factory=dict)

    @property
    def status(self) -> Status:
        """Its status."""
        if self.submission is None:
            return Status.missing
        if not self.submission.graded:
            return Status.failed
        if self.submission.by_hand:
            return Status.unfinished
        return Status.outdated if self.submission.outdated else Status.graded

    @property
    def total(self) -> float | None:
        """The gradebook's points minus the penalty; None until they are final."""
        final = self.submission and self.status is Status.graded
        return self.submission.total if self.submission and final else None

    @property
    def penalty(self) -> float:
        """The late penalty, in points."""
        return self.submission.penalty if self.submission else 0.0

    @property
    def scores(self) -> tuple[Score, ...]:
        """The exercises, in the notebook's order; none where it is not graded."""
        return self.submission.row.scores if self.submission else ()

    def comment(self, score: Score) -> str:
        """The manual comment on an exercise, or ""."""
        return self.comments.get(title(score.cell), "")

    @property
    def feedback(self) -> Iterator[str]:
        """The text for the student next to the grade, by line, as plain text."""
        for score in self.scores:
            explanation = " ".join(filter(None, (score.explanation, self.comment(score))))
            if explanation:
                points = f"{score.points:g} of {score.maximum:g} points"
                yield f"{title(score.cell)}: {points}. {explanation}"
        if self.penalty:
            yield f"late penalty: {self.penalty:g} points"


@dataclass(frozen=True)
class GradedLesson:
    """A graded lesson.

    Args:
        name: the name of its folder in ``source/``.
        maximum: the maximum points.
        grades: by the student's id; students who handed in nothing have none.
        deadline: when it's due, and which penalties are out of date.
        again: sentences on students who handed in again after grading.
        refused: by the student's id, why the submission could not be collected.
    """

    name: str
    maximum: float
    grades: Mapping[str, Grade]
    deadline: Deadline
    again: tuple[str, ...]
    refused: Mapping[str, str]

    def grade(self, person: Person) -> Grade:
        """A person's grade."""
        return self.grades.get(person.student) or Grade()

    @cached_property
    def exercises(self) -> dict[str, float]:
        """The graded cells in the notebook's order, with the points that can be earned."""
        return {
            score.cell: score.maximum for grade in self.grades.values() for score in grade.scores
        }


@dataclass(frozen=True)
class Grades:
    """The data to export.

    Args:
        students: everybody in the class or with a submission, by student id.
        lessons: by name.
        left: students who have left the class and weren't asked for.
        ids_are_logins: whether student ids may be used as logins: only without a roster, which may
            make ids from anything.
    """

    students: tuple[Person, ...]
    lessons: tuple[GradedLesson, ...]
    left: tuple[Person, ...] = ()
    ids_are_logins: bool = False

    @property
    def graded(self) -> Iterator[Person]:
        """The students with a final grade in a lesson. Nobody else belongs in a file for import,
        because platforms remove a grade if its cell is empty."""
        for person in self.students:
            if any(lesson.grade(person).total is not None for lesson in self.lessons):
                yield person

    @property
    def warnings(self) -> Iterator[str]:
        """Warnings for the teacher before anybody sees these grades, one per line."""
        for lesson in self.lessons:
            grades = {person.student: lesson.grade(person) for person in self.students}
            missing = [p for p in self.students if lesson.grade(p).status is Status.missing]
            if sentence := without_submission(missing, lesson.refused, len(grades)):
                yield f"{lesson.name}: {sentence}"
            for status, why in _WHY_NOT.items():
                count = sum(grade.status is status for grade in grades.values())
                if count:
                    reason = why.format(lesson=lesson.name)
                    yield f"{lesson.name}: no grade for {count} of {len(grades)} students: {reason}"
            for why in lesson.deadline.warnings(lesson.name):
                yield printable(f"{lesson.name}: {why}")
            for line in lesson.again:
                yield f"{lesson.name}: {line}"
        if self.left:
            yield f"Only in the JSON file, as they have left the class: {join_people(self.left)}"


_WHY_NOT = {
    Status.unfinished: "answers need manual grading (in the formgrader, under Manual Grading).",
    Status.outdated: "the lesson changed after they were graded: run `autograder rejudge {lesson} "
    "--apply` to update points, `autograder grade {lesson} --force` to grade added cells.",
    Status.failed: "their submission is not graded; `autograder report {lesson}` says why.",
}


def rounded(points: float) -> float:
    """Points without rounding errors in the last digits.

    Example:
        >>> rounded(0.1 + 0.2)
        0.3
    """
    return round(points, POINT_DIGITS) + 0.0


def read_grades(
    course: CourseFolder, lessons: Sequence[str] = (), students: Sequence[str] = ()
) -> Grades:
    """Read grades from the gradebook, and the reasons for them from the autograded notebooks.

    Args:
        course: the course folder.
        lessons: the lessons' names; if empty, all that are graded.
        students: the students' ids; if empty, everybody's.

    Raises:
        CourseError: when a lesson or a student does not exist, or nothing is graded.
    """
    chosen = [course.find_assignment(name) for name in lessons] or _graded(course)
    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        found = tuple(_lesson(course, gradebook, name) for name in dict.fromkeys(chosen))
    known = {person.student: person for person in read_roster(course).people}
    for lesson in found:
        known |= {name: Person(name) for name in lesson.grades if name not in known}
    for name in students:
        if name not in known:
            raise CourseError(
                f"No student {name!r} in the gradebook or in submitted/: there are {len(known)}, "
                f"such as {', '.join(map(repr, sorted(known)[:3]))}."
            )
    asked = set(students) or {name for name, person in known.items() if not person.dropped}
    left = () if students else tuple(p for _, p in sorted(known.items()) if p.dropped)
    ids_are_logins = not (course.root / ROSTER_FILE).is_file()
    return Grades(tuple(known[name] for name in sorted(asked)), found, left, ids_are_logins)


def _graded(course: CourseFolder) -> list[str]:
    """The lessons that have grades, by name."""
    names = {path.parent.name for path in course.folder("autograded").glob("*/*/*.ipynb")}
    if not names:
        raise CourseError("Nothing is graded yet. Grade a lesson first: autograder grade <lesson>")
    return sorted(names)


def _lesson(course: CourseFolder, gradebook: Any, name: str) -> GradedLesson:
    lesson = lesson_results.read_results(course, name)
    assignment = gradebook.find_assignment(name)
    entries = {entry.student_id: entry for entry in assignment.submissions}
    comments = _comments(gradebook, name)
    grades = {}
    for submission in lesson.submissions:
        entry = entries.get(submission.student)
        grades[submission.student] = Grade(
            submission,
            handed_in=entry and entry.timestamp,
            # nbgrader can't compute it if there is an extension and no due date.
            seconds_late=entry.total_seconds_late if entry and assignment.duedate else 0.0,
            comments=comments.get(submission.student, {}),
        )
    maximum = float(assignment.max_score)
    return GradedLesson(name, maximum, grades, lesson.deadline, lesson.again, lesson.refused)


def _comments(gradebook: Any, lesson: str) -> dict[str, dict[str, str]]:
    """Manual comments by student and the exercise's title."""
    comments: dict[str, dict[str, str]] = defaultdict(dict)
    for student, written in LessonGrades(gradebook, lesson).comments.items():
        for (notebook, cell), text in written.items():
            # If a lesson has several notebooks, cells have their notebook's name before them.
            for name in (cell, f"{notebook}/{cell}"):
                comments[student][title(name)] = text
    return comments
