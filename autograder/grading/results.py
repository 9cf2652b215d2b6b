"""The result of grading a submission: a row, with a score for every graded cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from nbformat import NotebookNode, v4

from autograder.cells import graded_exercise
from autograder.course_folder import CourseFolder
from autograder.gradebook.queries import GradeEntries, GradeEntry, LessonGrades
from autograder.grading.judging_step import is_judged_otherwise, with_other_graded_cells
from autograder.record import CellResult, Judgement, NotebookResult, read_metadata
from selfcheck import responses, verdicts
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
class SubmissionRow:
    """The result of grading one submission.

    Args:
        student: the submission's folder name.
        scores: in the notebook's order; none when it was not graded.
        problem: why it was not graded, else "".
        repairs: what had to be repaired in the notebooks before they could be graded.
        lesson_changes: how today's lesson differs from the one that was handed out.
        seconds: the time of each phase; empty if it had been graded before.
        recorded: the time of each phase, whenever it was graded, with ``record`` excluding the
            publishing; empty if nbgrader graded it by itself.
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


def shared_reasons(rows: Iterable[SubmissionRow]) -> dict[str, str]:
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


def read_row(course: CourseFolder, lesson: str, student: str) -> SubmissionRow:
    """A graded submission: points from the gradebook, all else from the record.

    Where a lesson has several notebooks, cells are named ``notebook/cell``.
    """
    with course.nbgrader.gradebook as gradebook:
        known = LessonGrades(gradebook, lesson, student)
        row = row_of(course, lesson, student, known.entries[student])
        return replace(row, penalty=known.penalties[student])


def row_of(course: CourseFolder, lesson: str, student: str, entries: GradeEntries) -> SubmissionRow:
    """A graded submission, with what its record says.

    Args:
        course: the course folder.
        lesson: the lesson.
        student: the student's id.
        entries: what the gradebook says of it.
    """
    scores: list[Score] = []
    repairs: list[str] = []
    changes: list[str] = []
    unanswered: list[str] = []
    recorded: Counter[str] = Counter()
    for name in sorted(entries):
        path = course.autograded(student, lesson, name)
        result = read_result(path)
        repairs += result.repairs
        changes += result.lesson_changes
        unanswered += [path.name] if result.unanswered else []
        recorded.update(result.seconds)
        order = {each.cell: position for position, each in enumerate(result.cells)}
        for cell in sorted(entries[name], key=lambda cell: order.get(cell, len(order))):
            score = _score(course, cell, entries[name][cell], result.cell(cell))
            scores.append(score if len(entries) == 1 else replace(score, cell=f"{name}/{cell}"))
    return SubmissionRow(
        student,
        tuple(scores),
        repairs=tuple(repairs),
        lesson_changes=tuple(dict.fromkeys(changes)),
        unanswered=tuple(unanswered),
        recorded=dict(recorded),
    )


def _score(course: CourseFolder, cell: str, entry: GradeEntry, result: CellResult | None) -> Score:
    """What the gradebook and the record say about a graded cell."""
    # An added cell has no points yet. Manual points are kept, whatever it's worth.
    outdated = entry.auto is None and result is None
    if result and not result.by_hand:
        outdated = result.maximum != entry.maximum
        outdated = outdated or is_judged_otherwise(result.judged, course.declared, course.marking)
    outdated = outdated and entry.manual is None
    return Score(
        cell,
        # Points that aren't final may be from when the cell was worth more.
        points=min(entry.score, entry.maximum) if entry.needs_person or outdated else entry.score,
        maximum=entry.maximum,
        manual=entry.needs_person,
        verdict=result.judged.verdict if result and result.judged else None,
        outdated=outdated,
        failure=result.failure if result else "",
        given=entry.manual is not None and not entry.needs_person,
    )


def read_result(path: Path) -> NotebookResult:
    """The record of a graded notebook.

    Args:
        path: the notebook's. Where there is none, the result has no cells.

    Raises:
        ValueError: when it cannot be read.
    """
    if not path.is_file():
        return NotebookResult()
    # Like nbformat.read, but without validating again what was valid when it was written, and
    # without its cells if it has a record.
    text = path.read_text("utf8")
    about = NotebookNode(metadata=read_metadata(text))
    return NotebookResult.read(about) or result_of(v4.reads(text))


def result_of(notebook: NotebookNode) -> NotebookResult:
    """The record in a graded notebook; of one that has none, what its cells say.

    Raises:
        ValueError: when the record cannot be read.
    """
    return NotebookResult.read(notebook) or with_other_graded_cells(
        _before_records(notebook), notebook
    )


def verdicts_in(notebook: NotebookNode) -> Mapping[str, tuple[Verdict, float]]:
    """The verdicts in a graded notebook, each with the points that could be earned, by grade_id;
    none where its record cannot be read."""
    with suppress(AttributeError, KeyError, TypeError, ValueError):
        result = NotebookResult.read(notebook) or _before_records(notebook)
        return {
            each.cell: (each.judged.verdict, each.maximum) for each in result.cells if each.judged
        }
    return {}


def _before_records(notebook: NotebookNode) -> NotebookResult:
    """What earlier versions left instead: verdicts in outputs, the rest in other metadata. nbgrader
    alone leaves nothing."""
    cells = []
    for cell in notebook.cells:
        exercise = graded_exercise(cell) or ""
        for output in cell.outputs if exercise else ():
            data, about = output.get("data", {}), output.get("metadata", {})
            if verdict := data.get(verdicts.MIME):
                judged = Judgement(
                    exercise,
                    Verdict.from_json(verdict),
                    verdict["seed"],
                    about.get("inputs", ""),
                    about.get("decided_by", ""),
                    (data[responses.MIME],) if responses.MIME in data else (),
                )
                marks = cell.metadata.nbgrader
                cells.append(CellResult(marks.grade_id, float(marks.points), judged=judged))
    ours = notebook.metadata.get("course")
    ours = ours if isinstance(ours, dict) else {}
    return NotebookResult(
        tuple(cells),
        repairs=tuple(map(str, ours.get("repairs", ()))),
        lesson_changes=tuple(map(str, ours.get("lesson_changes", ()))),
        unanswered="unanswered" in ours,
        seconds=ours.get("seconds", {}),
    )
