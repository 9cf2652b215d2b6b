"""A graded lesson, read once: what every student earned, why, and how long it took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.collect.manifest import read_refused, without_submission
from autograder.course_folder import CourseFolder
from autograder.deadlines import read_deadline
from autograder.errors import CourseError
from autograder.gradebook.queries import Entries, LessonGrades
from autograder.grading.again import remarks
from autograder.grading.results import Row, Score, row_of
from autograder.kernels.sandbox import Limits
from autograder.reports.guesses import Guesses, read_guesses
from autograder.roster.roster import Person, Roster, read_roster
from autograder.sanitize.submission import too_much, unreadable
from selfcheck.responses import printable


@dataclass(frozen=True)
class Submission:
    """One student's submission.

    Args:
        row: how it came out, with a problem where it is not graded.
        penalty: points that handing in late costs.
    """

    row: Row
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
        """Points that a person may still add."""
        return self.row.by_hand

    @property
    def outdated(self) -> float:
        """Points that can be earned in cells that changed after it was graded."""
        return self.row.outdated

    @property
    def total(self) -> float:
        """The points so far, as the gradebook has them, less the penalty."""
        return max(0.0, self.row.points - self.penalty)

    @property
    def maximum(self) -> float:
        """What can be earned, by hand or not."""
        return sum(score.maximum for score in self.row.scores)

    @property
    def seconds(self) -> float | None:
        """What grading it took by the clock; None where nobody measured it."""
        phases = self.row.recorded
        return sum(value for phase, value in phases.items() if phase != "cpu") if phases else None

    def score(self, cell: str) -> Score | None:
        """What a cell earned; None where it has no such cell."""
        return next((score for score in self.row.scores if score.cell == cell), None)


@dataclass(frozen=True)
class Results:
    """A lesson's submissions, by student.

    Args:
        lesson: its name.
        submissions: graded or not.
        roster: the class.
        warnings: what is not as it has to be about lateness.
        again: who handed in again since the grading, in sentences.
        refused: by student, why what was handed in could not be collected.
        guesses: what was guessed before demonstrations.
    """

    lesson: str
    submissions: tuple[Submission, ...]
    roster: Roster
    warnings: tuple[str, ...]
    again: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    guesses: tuple[Guesses, ...] = ()

    @property
    def missing(self) -> tuple[Person, ...]:
        """Who is in the class, and of whom nothing was collected."""
        there = {each.student for each in self.submissions}
        return tuple(each for each in self.roster.enrolled if each.student not in there)

    @property
    def missing_sentence(self) -> str:
        """Of whom nothing was collected, and why; "" where there is nobody."""
        people = len(self.submissions) + len(self.missing)
        return without_submission(self.missing, self.refused, people)

    @property
    def graded(self) -> tuple[Submission, ...]:
        """The submissions that have points."""
        return tuple(each for each in self.submissions if each.graded)

    @property
    def cells(self) -> list[str]:
        """The graded cells, in the notebook's order."""
        return list(dict.fromkeys(score.cell for each in self.graded for score in each.row.scores))


def read(course: CourseFolder, lesson: str) -> Results:
    """Read what grading a lesson left in the gradebook and in the autograded notebooks.

    A thousand submissions are read in seconds: the gradebook is asked once.

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
            f"Nothing of {lesson} is graded yet: grade it first: autograder grade {lesson}"
        )
    if not course.has_gradebook:
        raise CourseError(
            "The gradebook is missing. Put a copy of it back: points and comments by hand are only "
            f"there. Or grade again, without these: autograder grade {lesson} --force"
        )
    with course.as_working_directory(), course.quiet():
        with course.nbgrader.gradebook as gradebook:
            known = LessonGrades(gradebook, lesson)
            entries, penalties = known.entries, known.penalties
        submissions = [
            _submission(course, lesson, student, entries.get(student), penalties[student])
            if student in published
            else Submission(Row(student, problem=_why_not(course, lesson, student)))
            for student in sorted(published.union(course.students(lesson)))
        ]
    if not any(each.graded for each in submissions):
        raise CourseError(
            f"What is in autograded/ of {lesson} cannot be read, or the gradebook does not know "
            f"it: grade it again: autograder grade {lesson} --force"
        )
    warnings = tuple(map(printable, read_deadline(course, lesson).warnings(lesson)))
    again = tuple(map(printable, remarks(course, lesson)))
    refused = read_refused(course, lesson)
    guesses = read_guesses(course, lesson, (each.student for each in submissions if each.graded))
    roster = read_roster(course)
    return Results(lesson, tuple(submissions), roster, warnings, again, refused, guesses)


def _submission(
    course: CourseFolder,
    lesson: str,
    student: str,
    entries: Entries | None,
    penalty: float,
) -> Submission:
    again = f"grade it again: autograder grade {lesson} --force --students {student}"
    if entries is None:
        return Submission(Row(student, problem=printable(f"not in the gradebook: {again}")))
    try:
        return Submission(row_of(course, lesson, student, entries), penalty)
    except Exception:  # whatever is in it, the others have their rows
        problem = f"its autograded notebook cannot be read: {again}"
        return Submission(Row(student, problem=printable(problem)))


def _why_not(course: CourseFolder, lesson: str, student: str) -> str:
    """Why a submission is not graded, as far as its files say."""
    folder = course.submitted(student, lesson)
    names = sorted(path.stem for path in course.source(lesson).parent.glob("*.ipynb"))
    linked = folder.is_symlink() or any(path.is_symlink() for path in folder.glob("*.ipynb"))
    disk = course.nbgrader.config.ExecuteSubmission.get("disk_limit", Limits.disk)
    try:
        problem = "" if linked else too_much(folder, disk * 2**20) or unreadable(folder, names)
    except OSError as error:
        problem = f"what was handed in cannot be read: {error.strerror}"
    return printable(problem or f"`autograder grade {lesson}` grades it, or says why it cannot be")
