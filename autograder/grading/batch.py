"""Grading a lesson: one submission after another through nbgrader, a row for each, none lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat

from autograder.cells import grade_id, graded_exercise
from autograder.course_folder import CourseError, CourseFolder
from autograder.grading.preprocessors import from_cell
from course.verdicts import Verdict


@dataclass(frozen=True)
class Score:
    """What one graded cell earned.

    Args:
        cell: its grade_id.
        points: earned so far.
        maximum: that can be earned.
        manual: whether a person still has to grade it.
        verdict: the judge's, or None where it had no say.
    """

    cell: str
    points: float
    maximum: float
    manual: bool
    verdict: Verdict | None = None


@dataclass(frozen=True)
class Row:
    """How grading one submission came out.

    Args:
        student: the submission's folder name.
        scores: in the notebook's order; none when it was not graded.
        problem: why it was not graded, else "".
    """

    student: str
    scores: tuple[Score, ...] = ()
    problem: str = ""

    @property
    def points(self) -> float:
        """The sum over the graded cells."""
        return sum(score.points for score in self.scores)

    @property
    def maximum(self) -> float:
        """What could be earned in the cells that need no person."""
        return sum(score.maximum for score in self.scores if not score.manual)

    @property
    def by_hand(self) -> float:
        """What a person may still add."""
        return sum(score.maximum for score in self.scores if score.manual)


def grade(
    course: CourseFolder, lesson: str, students: Sequence[str], *, force: bool = False
) -> Iterator[Row]:
    """Grade submissions, giving each row as it is ready.

    Args:
        course: the course folder, in which the lesson has been released.
        lesson: the lesson.
        students: whose submissions.
        force: also grade again what has been graded and not been handed in anew.

    Raises:
        CourseError: when the gradebook does not know the lesson.
    """
    _require_released(course, lesson)
    for student in students:
        log = course.run("autograde", lesson, student, force=force, create=True)
        if log is None:
            yield Row(student, read_scores(course, lesson, student))
        else:
            problem = _problem(course.submitted(student, lesson), lesson, log)
            yield Row(student, problem=problem)


def read_scores(course: CourseFolder, lesson: str, student: str) -> tuple[Score, ...]:
    """A graded submission's scores: points from the gradebook, verdicts from its notebook."""
    notebook = nbformat.read(course.autograded(student, lesson), as_version=4)
    verdicts = {grade_id(cell): from_cell(cell) for cell in notebook.cells if graded_exercise(cell)}
    order = [grade_id(cell) for cell in notebook.cells]
    with course.nbgrader.gradebook as gradebook:
        grades = gradebook.find_submission(lesson, student).notebooks
        scores = [
            Score(
                cell=grade.name,
                points=float(grade.score or 0.0),
                maximum=float(grade.max_score),
                manual=bool(grade.needs_manual_grade),
                verdict=verdicts.get(grade.name),
            )
            for submitted in grades
            for grade in submitted.grades
        ]
    return tuple(sorted(scores, key=lambda score: order.index(score.cell)))


def _require_released(course: CourseFolder, lesson: str) -> None:
    from nbgrader.api import MissingEntry

    with course.nbgrader.gradebook as gradebook:
        try:
            gradebook.find_assignment(lesson)
        except MissingEntry:
            raise CourseError(
                f"The gradebook does not know {lesson}: run `autograder release {lesson}` first."
            ) from None


def _problem(folder: Path, lesson: str, log: str) -> str:
    """Why nbgrader refused a submission, in words."""
    path = folder / f"{lesson}.ipynb"
    if not path.is_file():
        others = sorted(other.name for other in folder.glob("*.ipynb"))
        found = f"only {', '.join(others)}" if others else "no notebook"
        return f"{path.name} is missing: {found} was handed in"
    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception as error:
        first = str(error).strip().splitlines() or [type(error).__name__]
        return f"{path.name} cannot be read as a notebook: {first[0][:200]}"
    names = Counter(name for cell in notebook.cells if (name := grade_id(cell)))
    if repeated := [name for name, count in names.items() if count > 1]:
        return f"a cell that is graded by its name is there more than once: {', '.join(repeated)}"
    # The last line of a traceback or of what nbgrader logged says most.
    lines = [line for line in log.splitlines() if line.strip()]
    return f"nbgrader could not grade it: {lines[-1].strip() if lines else 'it says nothing'}"
