"""The result of grading a submission: a row, with a score for every graded cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from nbformat import NotebookNode, v4

from autograder.cells import grade_id, graded_exercise, is_autograded, verdict_in
from autograder.course_folder import CourseFolder
from autograder.execution.notebook_client import missing_names
from autograder.gradebook.schema import UNANSWERED
from autograder.grading.preprocessors import decided_by
from autograder.grading.reasons import causes
from autograder.judging.keys import key_of
from selfcheck.responses import printable
from selfcheck.verdicts import NOT_ANSWERED, Verdict


@dataclass(frozen=True)
class Score:
    """The points of one graded cell.

    Args:
        cell: its grade_id.
        points: earned so far.
        maximum: the maximum points.
        manual: whether it needs manual grading, or a second look.
        verdict: the judge's verdict, or None if the cell isn't judged.
        outdated: whether it was graded before the cell was added or its points, its exercise's
            solution or its aspects' shares changed.
        failure: how a cell with tests of its own failed, else "".
        given: whether the points were given by hand, perhaps in place of a test's.
    """

    cell: str
    points: float
    maximum: float
    manual: bool
    verdict: Verdict | None = None
    outdated: bool = False
    failure: str = ""
    given: bool = False

    @property
    def settled(self) -> bool:
        """Whether the points are final."""
        return not (self.manual or self.outdated)

    @property
    def explanation(self) -> str:
        """Why points were lost, in one line; "" if none were."""
        if self.points >= self.maximum:
            return ""
        if self.given:
            return "graded by hand"
        if self.verdict:
            return self.verdict.explanation
        return "graded by its own tests" if self.points else self.failure or NOT_ANSWERED


@dataclass(frozen=True)
class Row:
    """The result of grading one submission.

    Args:
        student: the submission's folder name.
        scores: in the notebook's order; none when it was not graded.
        problem: why it was not graded, else "".
        repairs: what had to be repaired in the notebooks before they could be graded.
        lesson_changes: how today's lesson differs from the one that was handed out.
        seconds: the time of each phase; empty if it had been graded before.
        recorded: the time of each phase, whenever it was graded, with ``record`` excluding the
            publishing; empty if it wasn't measured, as under ``nbgrader autograde``.
        unanswered: the notebooks in which nothing is answered.
        penalty: the late penalty, in points.
    """

    student: str
    scores: tuple[Score, ...] = ()
    problem: str = ""
    repairs: tuple[str, ...] = ()
    lesson_changes: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    recorded: Mapping[str, float] = field(default_factory=dict)
    unanswered: tuple[str, ...] = ()
    penalty: float = 0.0

    @property
    def points(self) -> float:
        """The sum over the graded cells."""
        return sum(score.points for score in self.scores)

    @property
    def settled(self) -> float:
        """The sum over the cells whose points are final."""
        return sum(score.points for score in self.scores if score.settled)

    @property
    def maximum(self) -> float:
        """The maximum of the cells whose points are final."""
        return sum(score.maximum for score in self.scores if score.settled)

    @property
    def outdated(self) -> float:
        """The maximum of cells that were added or have changed since."""
        return sum(score.maximum for score in self.scores if score.outdated and not score.manual)

    @property
    def by_hand(self) -> float:
        """The points that manual grading may still add."""
        return sum(score.maximum for score in self.scores if score.manual)


_SUSPICIOUSLY_MANY = 3


def shared_reasons(rows: Iterable[Row]) -> dict[str, str]:
    """Cells in which a whole class earned nothing for the same reason: the lesson may be broken.

    Args:
        rows: the rows of a class. With fewer than three, the result is empty.

    Returns:
        By cell, the reason why there was nothing to judge, or the error that stopped its tests.
    """
    graded = [row for row in rows if row.scores]
    by_cell: dict[str, list[str]] = {}
    for score in (score for row in graded for score in row.scores):
        why = score.verdict.reason if score.verdict else score.failure
        by_cell.setdefault(score.cell, []).append("" if score.points else why)
    return {
        cell: reasons[0]
        for cell, reasons in by_cell.items()
        if len(reasons) == len(graded) >= _SUSPICIOUSLY_MANY
        and set(reasons) == {reasons[0]}
        and reasons[0] not in ("", NOT_ANSWERED)
    }


def read_row(course: CourseFolder, lesson: str, student: str) -> Row:
    """A graded submission: points from the gradebook, all else from its notebooks.

    Where a lesson has several notebooks, cells are named ``notebook/cell``.
    """
    with course.nbgrader.gradebook as gradebook:
        submission = gradebook.find_submission(lesson, student)
        grades = {each.name: each.grades for each in submission.notebooks}
        row = row_of(course, lesson, student, grades)
        return replace(row, penalty=float(submission.late_submission_penalty or 0.0))


def row_of(
    course: CourseFolder, lesson: str, student: str, grades: Mapping[str, Sequence[Any]]
) -> Row:
    """A graded submission, with verdicts, repairs and times from its notebooks.

    Args:
        course: the course folder.
        lesson: the lesson.
        student: whose submission.
        grades: by notebook, what the gradebook says of its graded cells: objects with ``name``,
            ``score``, ``auto_score``, ``manual_score``, ``max_score`` and ``needs_manual_grade``.
    """
    scores, repairs, changes, unanswered, recorded = [], [], [], [], Counter()
    for name in sorted(grades):
        path = course.autograded(student, lesson, name)
        # Like nbformat.read, but without validating again what was valid when it was written.
        notebook = v4.reads(path.read_text("utf8")) if path.is_file() else v4.new_notebook()
        cells = notebook.cells
        ours = notebook.metadata.get("course", {})
        repairs += map(str, ours.get("repairs", []))
        changes += map(str, ours.get("lesson_changes", []))
        unanswered += [path.name] if UNANSWERED in ours else []
        seconds = ours.get("seconds", {})
        recorded.update({phase: float(value) for phase, value in seconds.items()})
        order = {grade_id(cell): position for position, cell in enumerate(cells)}
        tested = {grade_id(cell): cell.metadata.nbgrader for cell in cells if is_autograded(cell)}
        verdicts = {grade_id(cell): verdict_in(cell) for cell in cells if graded_exercise(cell)}
        failures = {grade_id(cell): _own_tests(cell, notebook) for cell in cells}
        otherwise = {grade_id(cell) for cell in cells if is_judged_otherwise(course, cell)}
        for grade in sorted(grades[name], key=lambda grade: order.get(grade.name, len(order))):
            points, maximum = float(grade.score or 0.0), float(grade.max_score)
            manual = bool(grade.needs_manual_grade)
            # An added cell has no points yet. Manual points are kept, whatever it's worth.
            outdated = grade.auto_score is None and grade.name not in order
            if grade.name in tested:
                outdated = tested[grade.name].points != maximum
            outdated = outdated or grade.name in otherwise
            outdated = outdated and grade.manual_score is None
            scores.append(
                Score(
                    cell=grade.name if len(grades) == 1 else f"{name}/{grade.name}",
                    # Points that aren't final may be from when the cell was worth more.
                    points=min(points, maximum) if manual or outdated else points,
                    maximum=maximum,
                    manual=manual,
                    verdict=verdicts.get(grade.name),
                    outdated=outdated,
                    failure=failures.get(grade.name, ""),
                    given=grade.manual_score is not None and not manual,
                )
            )
    return Row(
        student,
        tuple(scores),
        repairs=tuple(repairs),
        lesson_changes=tuple(dict.fromkeys(changes)),
        unanswered=tuple(unanswered),
        recorded=dict(recorded),
    )


def is_judged_otherwise(course: CourseFolder, cell: NotebookNode) -> bool:
    """Whether shares or the solution have changed since a cell's verdict."""
    recorded = decided_by(cell) if graded_exercise(cell) else ""
    if not recorded:
        return False
    try:
        key = key_of(course.declared, graded_exercise(cell))
        return recorded != course.marking.decided_by(key)
    except Exception:  # reported when its lesson is released or graded
        return False


def _own_tests(cell: NotebookNode, notebook: NotebookNode) -> str:
    """How a graded cell with tests of its own failed, or ""."""
    if not is_autograded(cell) or (graded_exercise(cell) and verdict_in(cell)):
        return ""
    for output in cell.outputs:
        if output.output_type == "error":
            said = f"{output.ename}: {output.evalue}".strip().splitlines()[0].rstrip(": ")
            failed = f"failed its own tests: {printable(said[:200])}"
            cause = next(causes(missing_names(said), notebook), "")
            return f"{failed}. {cause}" if cause else failed
    if any(output.get("name") == "stderr" for output in cell.outputs):
        return "wrote to stderr, perhaps a warning: nbgrader gives no points for that"
    return ""
