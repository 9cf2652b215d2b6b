"""Read a graded lesson once: everybody's points, the reasons for them, and the grading times."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

from autograder.audit.reliability import Reliability, read_reliability
from autograder.collect.manifest import read_refused, without_submission
from autograder.course_folder import CourseFolder
from autograder.deadlines import Deadline, read_deadline
from autograder.errors import CourseError
from autograder.gradebook.queries import GradeEntries, LessonGrades
from autograder.grading.resubmissions import remarks
from autograder.grading.results import Score, SubmissionRow, row_of
from autograder.installed_course import simulated_class
from autograder.kernels.sandbox import Limits
from autograder.reports.guesses import Guesses, read_guesses
from autograder.roster.roster import Person, Roster, read_roster
from autograder.sanitize.submission import too_much, unreadable
from selfcheck.responses import printable


@dataclass(frozen=True)
class SubmissionResult:
    """One student's submission.

    Args:
        row: its result, with a problem if it isn't graded.
        penalty: the late penalty, in points.
    """

    row: SubmissionRow
    penalty: float = 0.0

    @property
    def student(self) -> str:
        """The submission's folder name."""
        return self.row.student

    @property
    def graded(self) -> bool:
        """Whether it has points, perhaps not all of them yet."""
        return not self.row.problem

    @property
    def by_hand(self) -> float:
        """Points that manual grading may still add."""
        return self.row.by_hand

    @property
    def outdated(self) -> float:
        """The maximum points of cells that changed after it was graded."""
        return self.row.outdated

    @property
    def total(self) -> float:
        """The points so far in the gradebook, minus the penalty."""
        return max(0.0, self.row.points - self.penalty)

    @property
    def maximum(self) -> float:
        """The maximum points, including manual grading."""
        return sum(score.maximum for score in self.row.scores)

    @property
    def seconds(self) -> float | None:
        """The wall-clock time of grading it in seconds; None if it wasn't measured."""
        phases = self.row.recorded
        return sum(value for phase, value in phases.items() if phase != "cpu") if phases else None

    def score(self, cell: str) -> Score | None:
        """A cell's score; None if there is no such cell."""
        return next((score for score in self.row.scores if score.cell == cell), None)


@dataclass(frozen=True)
class LessonResults:
    """A lesson's submissions, by student.

    Args:
        lesson: its name.
        submissions: graded or not.
        roster: the class.
        deadline: when it's due, and which penalties are out of date.
        again: sentences on students who handed in again after grading.
        refused: by student, why the submission could not be collected.
        guesses: the guesses before demonstrations.
        reliability: by exercise, how often the last audit found the judge wrong.
    """

    lesson: str
    submissions: tuple[SubmissionResult, ...]
    roster: Roster
    deadline: Deadline
    again: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    guesses: tuple[Guesses, ...] = ()
    reliability: Mapping[str, Reliability] = field(default_factory=dict)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about late penalties."""
        return tuple(map(printable, self.deadline.warnings(self.lesson)))

    @property
    def missing(self) -> tuple[Person, ...]:
        """The people in the class without a collected submission."""
        there = {each.student for each in self.submissions}
        return tuple(each for each in self.roster.enrolled if each.student not in there)

    @property
    def missing_sentence(self) -> str:
        """A sentence on the people without a collected submission; "" if there are none."""
        people = len(self.submissions) + len(self.missing)
        return without_submission(self.missing, self.refused, people)

    @property
    def graded(self) -> tuple[SubmissionResult, ...]:
        """The submissions that have points."""
        return tuple(each for each in self.submissions if each.graded)

    @cached_property
    def cells(self) -> list[str]:
        """The graded cells, in the notebook's order."""
        return list(dict.fromkeys(score.cell for each in self.graded for score in each.row.scores))


def read_results(course: CourseFolder, lesson: str) -> LessonResults:
    """Read a lesson's results from the gradebook and the autograded notebooks.

    A thousand submissions are read in seconds: the gradebook is queried once for the points
    (``LessonGrades``) and once for the deadline, whatever the size of the class.

    Args:
        course: the course folder.
        lesson: the lesson, or any folder of ``source/``.

    Raises:
        CourseError: when nothing of it is graded.
    """
    published = {
        path.parent.parent.name for path in course.folder("autograded").glob(f"*/{lesson}/*.ipynb")
    }
    if not published:
        raise CourseError(
            f"Nothing of {lesson} is graded yet. Grade it first: autograder grade {lesson}"
        )
    if not course.has_gradebook:
        raise CourseError(
            "The gradebook is missing. Restore a backup: manual points and comments are only in "
            "it. "
            f"Or grade again without them: autograder grade {lesson} --force"
        )
    with course.as_working_directory(), course.quiet():
        with course.nbgrader.gradebook as gradebook:
            known = LessonGrades(gradebook, lesson)
            entries, penalties = known.entries, known.penalties
        submissions = [
            _submission(course, lesson, student, entries.get(student), penalties[student])
            if student in published
            else SubmissionResult(SubmissionRow(student, problem=_why_not(course, lesson, student)))
            for student in sorted(published.union(course.students(lesson)))
        ]
    if not any(each.graded for each in submissions):
        raise CourseError(
            f"The results of {lesson} in autograded/ can't be read, or aren't in the gradebook. "
            f"Grade it again: autograder grade {lesson} --force"
        )
    deadline = read_deadline(course, lesson)
    again = tuple(map(printable, remarks(course, lesson)))
    refused = read_refused(course, lesson)
    guesses = read_guesses(course, lesson, (each.student for each in submissions if each.graded))
    roster = read_roster(course)
    reliability: Mapping[str, Reliability] = {}
    with suppress(CourseError):  # no simulated class, so no audit
        reliability = read_reliability(simulated_class(course, lesson))
    return LessonResults(
        lesson, tuple(submissions), roster, deadline, again, refused, guesses, reliability
    )


def _submission(
    course: CourseFolder,
    lesson: str,
    student: str,
    entries: GradeEntries | None,
    penalty: float,
) -> SubmissionResult:
    again = f"grade it again: autograder grade {lesson} --force --students {student}"
    if entries is None:
        return SubmissionResult(
            SubmissionRow(student, problem=printable(f"not in the gradebook: {again}"))
        )
    try:
        return SubmissionResult(row_of(course, lesson, student, entries), penalty)
    except Exception:  # one unreadable notebook must not affect the others
        problem = f"its autograded notebook cannot be read: {again}"
        return SubmissionResult(SubmissionRow(student, problem=printable(problem)))


def _why_not(course: CourseFolder, lesson: str, student: str) -> str:
    """Why a submission isn't graded, as far as its files tell."""
    folder = course.submitted(student, lesson)
    names = sorted(path.stem for path in course.source(lesson).parent.glob("*.ipynb"))
    linked = folder.is_symlink() or any(path.is_symlink() for path in folder.glob("*.ipynb"))
    disk = course.nbgrader.config.ExecuteSubmission.get("disk_limit", Limits.disk)
    try:
        problem = "" if linked else too_much(folder, disk * 2**20) or unreadable(folder, names)
    except OSError as error:
        problem = f"the submission can't be read: {error.strerror}"
    return printable(
        problem or (f"run `autograder grade {lesson}`, which grades it or says why it can't")
    )
