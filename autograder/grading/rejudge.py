"""Judge recorded responses again, with today's rubric and without running students' code.

The record of a graded notebook contains the responses, the seed of their inputs and the verdicts
on them. So aspects, shares, references, known mistakes and points can be corrected for a class that
was graded already. Inputs can't: new ones need a new execution.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode, v4
from nbformat.v4 import new_notebook
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades
from nbgrader.utils import compute_checksum

from autograder.cells import grade_id, graded_exercise
from autograder.course_folder import STAGING, CourseFolder
from autograder.errors import CourseError
from autograder.execution.executor import cores
from autograder.gradebook.engine import one_transaction, quick
from autograder.gradebook.queries import GradeEntries, GradeEntry, LessonGrades
from autograder.grading.batch import grading_lock
from autograder.grading.converter import converter_of
from autograder.grading.judging_step import show_verdict
from autograder.grading.plan import SEED_BITS
from autograder.grading.reasons import with_cause
from autograder.grading.results import result_of
from autograder.judging import worker
from autograder.judging.judge import Asked
from autograder.judging.keys import key_of
from autograder.judging.marking import Marking
from autograder.record import RESULT, CellResult, Judgement, NotebookResult, notebook_text
from selfcheck import Course
from selfcheck.responses import printable
from selfcheck.texts import say
from selfcheck.verdicts import POINT_DIGITS, Finding, Verdict

_FEW = 50  # submissions, which one process has judged before others have started


class NothingToJudge(Exception):
    """A submission can't be judged again; the message tells the instructor why."""


@dataclass(frozen=True)
class CellChange:
    """A change to one graded cell.

    Args:
        cell: its grade_id; ``notebook/grade_id`` where a lesson has several notebooks.
        before: the judge's points in the gradebook.
        after: the judge's new points.
        before_maximum: the maximum when it was graded.
        maximum: the maximum today.
        manual: points given by hand in place of the judge's, or None; they are kept.
        why: the differences, line by line, without control characters.
    """

    cell: str
    before: float
    after: float
    before_maximum: float
    maximum: float
    manual: float | None
    why: str

    @property
    def regrades(self) -> bool:
        """Whether the judge gives different points."""
        return self.before != self.after


@dataclass(frozen=True)
class Rejudged:
    """The result for one submission.

    Args:
        student: the submission's folder name.
        changes: in the notebooks' order; an unchanged cell has none.
        before: points of all cells that count, without late penalties.
        after: the same, with the changes.
        problem: why it was not judged again, else "".
    """

    student: str
    changes: tuple[CellChange, ...] = ()
    before: float = 0.0
    after: float = 0.0
    problem: str = ""

    @property
    def regraded(self) -> bool:
        """Whether the judge gives different points in any of its cells."""
        return any(change.regrades for change in self.changes)


@dataclass(frozen=True)
class _RejudgedCell:
    """A graded cell that is being judged again.

    Args:
        cell: of the graded notebook.
        entry: the gradebook's entry.
        name: the cell's grade_id.
        maximum: the maximum points when it was graded.
        auto: the judge's points in the gradebook.
        old: what the judge said.
        decided_by: what decides today's verdict.
    """

    cell: NotebookNode
    entry: GradeEntry
    name: str
    maximum: float
    auto: float
    old: Judgement
    decided_by: str

    @property
    def outdated(self) -> bool:
        """Whether the recorded verdict was decided by something other than today's."""
        return self.old.decided_by != self.decided_by


@dataclass(frozen=True)
class _JudgePool:
    """Judges a course's responses as soon as a process is free.

    Args:
        course: the course of the exercises.
        marking: how answers are marked.
        exercises: what the lesson asks for today, by notebook and grade_id.
        executor: where they are judged.
    """

    course: Course
    marking: Marking
    exercises: Mapping[tuple[str, str], str]
    executor: Executor

    def submit(self, judged: Sequence[_RejudgedCell]) -> Future[list[Verdict]]:
        """Start judging a notebook's responses."""
        again = [
            worker.AskedAgain(
                one.name,
                Asked(one.old.exercise, one.old.seed, one.old.responses[0]),
                one.old.inputs,
            )
            for one in judged
            if one.old.responses
        ]
        return self.executor.submit(worker.judge_again, self.course, again, self.marking)


@dataclass(frozen=True)
class RejudgedNotebook:
    """A graded notebook that is being judged again.

    Args:
        name: the notebook's name.
        path: its path.
        notebook: its content there, until its cells show today's verdicts.
        result: its record.
        judged: the cells that hold a verdict.
        verdicts: today's, of those that handed something over.
    """

    name: str
    path: Path
    notebook: NotebookNode
    result: NotebookResult
    judged: Sequence[_RejudgedCell]
    verdicts: Future[list[Verdict]]

    def pairs(self) -> Iterator[tuple[_RejudgedCell, Verdict]]:
        """Each cell with today's verdict."""
        new = iter(self.verdicts.result())
        for one in self.judged:
            # Only the execution can tell why a cell handed nothing over.
            responded = bool(one.old.responses)
            yield one, with_cause(next(new), self.notebook) if responded else one.old.verdict


def chosen_students(course: CourseFolder, lesson: str, names: Sequence[str]) -> list[str]:
    """Check students' ids; an empty list means all who were graded or handed something in.

    Raises:
        CourseError: when one of them did neither, or nobody did.
    """
    graded = {folder.parent.name for folder in course.folder("autograded").glob(f"*/{lesson}/")}
    everybody = graded.union(course.students(lesson))
    unknown = [name for name in names if name not in everybody]
    if unknown or not everybody:
        return course.find_students(lesson, unknown)  # raises the error
    return list(dict.fromkeys(names)) or sorted(everybody)


def rejudge(
    course: CourseFolder,
    lesson: str,
    students: Sequence[str],
    *,
    apply: bool = False,
    marking: Marking | None = None,
) -> Iterator[Rejudged]:
    """Judge the recorded responses of submissions again, yielding each row as it's ready.

    If it's interrupted or stopped by an error, run it again: what was recorded is kept, and the
    rest is still due.

    Args:
        course: the course folder.
        lesson: the lesson.
        students: the students' ids.
        apply: also record the changes in the gradebook and in the autograded notebooks. Manual
            points, extra credit and comments are kept.
        marking: how answers are marked; as configured if left out.

    Raises:
        CourseError: when somebody is grading in the course.
    """
    with grading_lock(course), course.as_working_directory(), course.quiet():
        with course.nbgrader.gradebook as gradebook:
            grades = LessonGrades(gradebook, lesson)
            entries, exercises = grades.entries, grades.exercises
        writer = _Writer(course, lesson) if apply else None
        waiting = deque(students)
        worker.collect_rarely()
        begun: deque[tuple[str, GradeEntries, Any]] = deque()
        with _judges(len(students)) as executor:
            judges = _JudgePool(course.declared, marking or course.marking, exercises, executor)
            while waiting or begun:
                # Read some ahead, so that no process waits for a notebook to be read.
                while waiting and len(begun) < 4 * cores():
                    student = waiting.popleft()
                    known: GradeEntries = entries.get(student, {})
                    paths = {name: course.autograded(student, lesson, name) for name in known}
                    notebooks = _attempt(student, _begin, paths, known, judges)
                    begun.append((student, known, notebooks))
                student, known, notebooks = begun.popleft()
                if isinstance(notebooks, Rejudged):
                    yield notebooks
                else:
                    yield _attempt(student, _finish, student, notebooks, known, writer)


def _attempt(student: str, step: Callable[..., Any], *args: Any) -> Any | Rejudged:
    """Run a step for a submission, or say why it failed: the others are judged anyway."""
    try:
        return step(*args)
    except (CourseError, NothingToJudge) as error:
        return Rejudged(student, problem=printable(str(error)))
    except Exception as error:  # a failure of ours, or an odd notebook
        return Rejudged(student, problem=f"not judged again: {_in_words(error)}")


def _begin(
    paths: Mapping[str, Path], entries: GradeEntries, judges: _JudgePool
) -> list[RejudgedNotebook]:
    """Start judging the responses of a submission.

    Raises:
        NothingToJudge: when there are none, or not all of them can be judged.
    """
    notebooks = [
        _read_notebook(name, path, entries[name], judges)
        for name, path in sorted(paths.items())
        if path.is_file()
    ]
    if not notebooks:
        raise NothingToJudge("not graded yet: run `autograder grade`")
    if not any(rejudged.judged for rejudged in notebooks):
        raise NothingToJudge(
            "no response was recorded, as it was graded by its own tests: `autograder grade "
            "--force` runs them again"
        )
    return notebooks


def _read_notebook(
    of: str, path: Path, entries: Mapping[str, GradeEntry], judges: _JudgePool
) -> RejudgedNotebook:
    try:
        # Like nbformat.read, but what was valid when it was written isn't validated again.
        notebook = v4.reads(path.read_text("utf8"))
        result = result_of(notebook)
    except Exception as error:
        problem = f"{path.name} cannot be read as a notebook: {_in_words(error)}"
        raise NothingToJudge(problem) from None
    asked = {cell: each for (book, cell), each in judges.exercises.items() if book == of}
    there = {name: cell for cell in notebook.cells if (name := grade_id(cell))}
    if added := sorted(entries.keys() & asked.keys() - there.keys()):
        raise NothingToJudge(
            f"{', '.join(added)} was added to the lesson after this was graded: grade it with "
            "`autograder grade --force`"
        )
    judged = [
        _read_cell(cell, result.cell(name), asked.get(name), entries[name], judges)
        for name, cell in there.items()
        if name in entries and graded_exercise(cell)
    ]
    return RejudgedNotebook(of, path, notebook, result, judged, judges.submit(judged))


def _read_cell(
    cell: NotebookNode,
    result: CellResult | None,
    today: str | None,
    entry: GradeEntry,
    judges: _JudgePool,
) -> _RejudgedCell:
    name = cell.metadata.nbgrader.grade_id
    if result is None or result.judged is None:
        raise NothingToJudge(f"{name} has no verdict: it was graded by something else")
    old = result.judged
    if type(old.seed) is not int or not 0 <= old.seed < 2**SEED_BITS:
        raise NothingToJudge(f"the verdict in {name} has no seed")
    if today is None or not old.verdict.exercise == old.exercise == today:
        raise NothingToJudge(
            f"{name} was graded for {old.verdict.exercise} but asks for {today} today: grade it "
            "with `autograder grade --force`"
        )
    if entry.auto is None:
        raise NothingToJudge(f"the gradebook has no automatic points for {name}")
    decided_by = judges.marking.decided_by(key_of(judges.course, today))
    return _RejudgedCell(cell, entry, name, result.maximum, entry.auto, old, decided_by)


def _finish(
    student: str,
    notebooks: Sequence[RejudgedNotebook],
    entries: GradeEntries,
    writer: _Writer | None,
) -> Rejudged:
    """Await the verdicts, and record them when there is a writer.

    Raises:
        NothingToJudge: when a response does not fit today's exercise.
    """
    judged = [list(rejudged.pairs()) for rejudged in notebooks]
    by_notebook = [[change for one in pairs if (change := _change(*one))] for pairs in judged]
    for rejudged, pairs, changes in zip(notebooks, judged, by_notebook, strict=True):
        if writer and (changes or any(one.outdated for one, _ in pairs)):
            writer.write(student, rejudged, pairs, changes)
    all_changes = tuple(
        replace(change, cell=f"{rejudged.name}/{change.cell}") if len(entries) > 1 else change
        for rejudged, changes in zip(notebooks, by_notebook, strict=True)
        for change in changes
    )
    before = sum(entry.score for cells in entries.values() for entry in cells.values())
    gained = sum(change.after - change.before for change in all_changes if change.manual is None)
    return Rejudged(student, all_changes, before, before + gained)


def _change(judging: _RejudgedCell, new: Verdict) -> CellChange | None:
    """The change to a cell; None if nothing changes."""
    entry, old, was_worth = judging.entry, judging.old.verdict, judging.maximum
    if old.findings and not new.findings:
        raise NothingToJudge(
            f"the response to {judging.name} doesn't fit today's exercise ({new.reason}): "
            "grade it with `autograder grade --force`"
        )
    before, after = round(judging.auto, POINT_DIGITS), new.points(entry.maximum)
    if (old, was_worth, before) == (new, entry.maximum, after):
        return None
    why = "\n".join(map(printable, _reasons(old, new, was_worth, entry)))
    return CellChange(judging.name, before, after, was_worth, entry.maximum, entry.manual, why)


class _InlineExecutor(Executor):
    """An executor that runs everything at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call the function."""
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done


def _judges(submissions: int) -> Executor:
    """The executor for a number of submissions."""
    if submissions <= _FEW:
        return _InlineExecutor()
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(cores(), context, worker.begin)


def _reasons(old: Verdict, new: Verdict, before_maximum: float, entry: GradeEntry) -> Iterator[str]:
    """The differences, line by line."""
    if before_maximum != entry.maximum:
        yield f"worth {entry.maximum:g}, not {before_maximum:g} points"
    yield from _other_aspects(old, new)
    if old.losses != new.losses:
        yield f"marked {_marked(old)} before, and {_marked(new)} now"
    if old.explanation != new.explanation:
        yield "hint changed"
        yield f"before: {old.explanation or 'none'}"
        yield f"now: {new.explanation or 'none'}"
    if (old, before_maximum) == (new, entry.maximum):
        yield "the gradebook's points differ from the recorded verdict"
    if entry.manual is not None:
        yield f"the {entry.manual:g} points given by hand are kept"


def _marked(verdict: Verdict) -> str:
    if not verdict.losses:
        return f"by its aspects ({verdict.percent} %)"
    costs = " + ".join(f"{loss.percent} %" for loss in verdict.losses)
    return f"by the cause ({costs} off, {verdict.percent} % left)"


def _other_aspects(old: Verdict, new: Verdict) -> Iterator[str]:
    """Aspects that were added, removed, or changed their result, share or description."""
    before = {finding.title: finding for finding in old.findings}
    now = {finding.title: finding for finding in new.findings}
    for title in dict.fromkeys((*before, *now)):
        was, seen, aspect = before.get(title), now.get(title), say(title)
        if was is None or seen is None:
            yield _aspect_change(aspect, was, seen)
        elif was.passed != seen.passed:
            yield f"{'now passes' if seen.passed else 'now fails'}: {aspect}"
        elif was.percent != seen.percent:
            yield f"{seen.percent} % of the points, was {was.percent} %: {aspect}"
        elif was.seen != seen.seen:
            yield f"still failed, with a changed description: {aspect}"


def _aspect_change(aspect: str, was: Finding | None, seen: Finding | None) -> str:
    if seen:
        return f"new aspect, {'passed' if seen.passed else 'failed'}: {aspect}"
    passed = was is not None and was.passed
    return f"removed aspect, had {'passed' if passed else 'failed'}: {aspect}"


def _in_words(error: Exception) -> str:
    first = (str(error).strip().splitlines() or [""])[0]
    return printable(f"{type(error).__name__}: {first[:200]}")


class _Writer:
    """Records changes as nbgrader does.

    The gradebook is written first, and the notebook is replaced last, in one step: until then its
    verdicts show that the submission is still due.

    Args:
        course: the course folder.
        lesson: the lesson.
    """

    def __init__(self, course: CourseFolder, lesson: str) -> None:
        converter = converter_of(course, lesson, force=False)
        self._recording = [
            each(parent=converter)
            for each in converter.autograde_preprocessors
            if issubclass(each, SaveAutoGrades | AssignLatePenalties)
        ]
        self._lesson = lesson
        self._url = quick(converter.coursedir.db_url)
        self._unfinished = course.root / STAGING / "rejudged.unfinished"

    def write(
        self,
        student: str,
        rejudged: RejudgedNotebook,
        pairs: Sequence[tuple[_RejudgedCell, Verdict]],
        changes: Sequence[CellChange],
    ) -> None:
        """Record the points, then replace the notebook."""
        result = _put_into(rejudged.notebook, rejudged.result, pairs)
        regraded = {change.cell for change in changes if change.regrades}
        cells = [cell for cell in rejudged.notebook.cells if grade_id(cell) in regraded]
        names = {
            "student": student,
            "assignment": self._lesson,
            "notebook": rejudged.name,
        }
        with one_transaction(self._url) as url:
            for preprocessor in self._recording:
                about = {"nbgrader": names | {"db_url": url}, RESULT: result}
                preprocessor(new_notebook(cells=cells), ResourcesDict(**about))
        with self._unfinished.open("w", encoding="utf8") as file:
            file.write(notebook_text(rejudged.notebook))
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(rejudged.path, self._unfinished)
        self._unfinished.replace(rejudged.path)


def _put_into(
    notebook: NotebookNode, result: NotebookResult, pairs: Iterable[tuple[_RejudgedCell, Verdict]]
) -> NotebookResult:
    """Put today's verdicts into a notebook; gives its new record."""
    new = {}
    for one, verdict in pairs:
        maximum = one.entry.maximum
        show_verdict(one.cell, verdict, maximum)
        if one.maximum != maximum:
            one.cell.metadata.nbgrader.points = maximum
            one.cell.metadata.nbgrader.checksum = compute_checksum(one.cell)
        judged = replace(one.old, verdict=verdict, decided_by=one.decided_by)
        new[one.name] = CellResult(one.name, maximum, judged=judged)
    result = replace(result, cells=tuple(new.get(each.cell, each) for each in result.cells))
    result.write(notebook)
    return result
