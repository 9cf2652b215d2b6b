"""Judge recorded responses again, with today's rubric and without running students' code.

A graded cell of an autograded notebook contains the response, the seed of its inputs and the
verdict on them. So aspects, shares, references, known mistakes and points can be corrected for a
class that was graded already. Inputs can't: new ones need a new execution.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades
from nbgrader.utils import compute_checksum

from autograder.cells import grade_id, graded_exercise, recorded_outputs
from autograder.course_folder import STAGING, CourseFolder
from autograder.execution.executor import cores
from autograder.execution.outputs import clean
from autograder.gradebook.queries import Entry, read_entries
from autograder.grading.batch import grading_lock
from autograder.grading.converter import converter_of
from autograder.grading.preprocessors import (
    DECIDED_BY,
    INPUTS,
    SEED_BITS,
    decided,
    decided_by,
    fingerprint,
    handed_over,
    put_verdict,
)
from autograder.grading.reasons import with_cause
from autograder.judging.judge import Asked
from autograder.judging.keys import Key, key_of
from autograder.judging.marking import Marking
from autograder.judging.time_limit import judge_in_time
from selfcheck import Course, verdicts
from selfcheck.responses import printable
from selfcheck.verdicts import Verdict

_DIGITS = 6  # of points, as a verdict rounds them
_FEW = 50  # submissions, which one process has judged before others have started


class NothingToJudge(Exception):
    """A submission can't be judged again; the message tells the instructor why."""


@dataclass(frozen=True)
class Change:
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
    changes: tuple[Change, ...] = ()
    before: float = 0.0
    after: float = 0.0
    problem: str = ""

    @property
    def regraded(self) -> bool:
        """Whether the judge gives different points in any of its cells."""
        return any(change.regrades for change in self.changes)


@dataclass(frozen=True)
class _Judging:
    """A graded cell that is being judged again.

    Args:
        cell: of the graded notebook.
        key: the key of the exercise that it asks for.
        entry: the gradebook's entry.
        old: the recorded verdict.
        seed: the seed of the inputs.
        handed: the response; empty if the cell handed nothing over.
        decided_by: what decides today's verdict.
    """

    cell: NotebookNode
    key: Key
    entry: Entry
    old: Verdict
    seed: int
    handed: list[Any]
    decided_by: dict[str, str]

    @property
    def outdated(self) -> bool:
        """Whether the recorded verdict was decided by something other than today's."""
        return decided_by(self.cell) != self.decided_by[DECIDED_BY]

    def put(self, verdict: Verdict) -> None:
        """Replace the recorded verdict."""
        put_verdict(self.cell, verdict, self.seed, self.handed, self.decided_by)


@dataclass(frozen=True)
class _Judges:
    """Judges a course's responses as soon as a process is free."""

    course: Course
    marking: Marking
    executor: Executor

    def submit(self, judged: Sequence[_Judging]) -> Future[list[Verdict]]:
        """Start judging a notebook's responses."""
        asked = [
            Asked(one.key.exercise.name, one.seed, one.handed[0]) for one in judged if one.handed
        ]
        return self.executor.submit(judge_in_time, self.course, asked, self.marking)


@dataclass(frozen=True)
class Sheet:
    """A graded notebook that is being judged again.

    Args:
        name: the notebook's name.
        path: its path.
        notebook: its content there, until its cells get today's verdicts.
        judged: the cells that hold a verdict.
        verdicts: today's, of those that handed something over.
    """

    name: str
    path: Path
    notebook: NotebookNode
    judged: Sequence[_Judging]
    verdicts: Future[list[Verdict]]

    def pairs(self) -> Iterator[tuple[_Judging, Verdict]]:
        """Each cell with today's verdict."""
        new = iter(self.verdicts.result())
        for one in self.judged:
            # Only the execution can tell why a cell handed nothing over.
            yield one, with_cause(next(new), self.notebook) if one.handed else one.old


def find_submissions(course: CourseFolder, lesson: str, names: Sequence[str]) -> list[str]:
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
            entries = read_entries(gradebook, lesson)
        writer = _Writer(course, lesson) if apply else None
        waiting, begun = deque(students), deque()
        with _judges(len(students)) as executor:
            judges = _Judges(course.declared, marking or course.marking, executor)
            while waiting or begun:
                # Read some ahead, so that no process waits for a notebook to be read.
                while waiting and len(begun) < 4 * cores():
                    student = waiting.popleft()
                    known = entries.get(student, {})
                    paths = {name: course.autograded(student, lesson, name) for name in known}
                    sheets = _attempt(student, _begin, paths, known, judges)
                    begun.append((student, known, sheets))
                student, known, sheets = begun.popleft()
                if isinstance(sheets, Rejudged):
                    yield sheets
                else:
                    yield _attempt(student, _finish, student, sheets, known, writer)


def _attempt(student: str, step: Callable[..., Any], *args: Any) -> Any | Rejudged:
    """Run a step for a submission, or say why it failed: the others are judged anyway."""
    try:
        return step(*args)
    except NothingToJudge as error:
        return Rejudged(student, problem=printable(str(error)))
    except Exception as error:  # a failure of ours, or an odd notebook
        return Rejudged(student, problem=f"not judged again: {_in_words(error)}")


def _begin(
    paths: Mapping[str, Path], entries: Mapping[str, Mapping[str, Entry]], judges: _Judges
) -> list[Sheet]:
    """Start judging the responses of a submission.

    Raises:
        NothingToJudge: when there are none, or not all of them can be judged.
    """
    sheets = [
        _read_sheet(name, path, entries[name], judges)
        for name, path in sorted(paths.items())
        if path.is_file()
    ]
    if not sheets:
        raise NothingToJudge("not graded yet: run `autograder grade`")
    if not any(sheet.judged for sheet in sheets):
        raise NothingToJudge("no response was recorded: it was graded by its own tests")
    return sheets


def _read_sheet(name: str, path: Path, entries: Mapping[str, Entry], judges: _Judges) -> Sheet:
    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception as error:
        problem = f"{path.name} cannot be read as a notebook: {_in_words(error)}"
        raise NothingToJudge(problem) from None
    judged = [
        _read_cell(cell, exercise, entries[grade_id(cell)], judges)
        for cell in notebook.cells
        if (exercise := graded_exercise(cell)) and grade_id(cell) in entries
    ]
    there = {grade_id(cell) for cell in notebook.cells}
    if added := sorted(cell for cell in entries if entries[cell].exercise and cell not in there):
        raise NothingToJudge(
            f"{', '.join(added)} was added to the lesson after this was graded: grade it with "
            "`autograder grade --force`"
        )
    return Sheet(name, path, notebook, judged, judges.submit(judged))


def _read_cell(cell: NotebookNode, asked: str, entry: Entry, judges: _Judges) -> _Judging:
    name = grade_id(cell)
    old, seed = _recorded(cell)
    if not old.exercise == asked == entry.exercise:
        raise NothingToJudge(
            f"{name} was graded for {old.exercise} but asks for {entry.exercise} today: grade it "
            "with `autograder grade --force`"
        )
    if entry.auto is None:
        raise NothingToJudge(f"the gradebook has no automatic points for {name}")
    handed = handed_over(clean(recorded_outputs(cell)))
    key = key_of(judges.course, asked)
    if handed and cell.outputs[0].metadata.get(INPUTS) != fingerprint(key.exercise, seed):
        raise NothingToJudge(
            f"the inputs of {name} have changed since it was graded: grade it with "
            "`autograder grade --force`"
        )
    decided_by = decided(key, seed, judges.marking)
    return _Judging(cell, key, entry, old, seed, handed, decided_by)


def _finish(
    student: str,
    sheets: Sequence[Sheet],
    entries: Mapping[str, Mapping[str, Entry]],
    writer: _Writer | None,
) -> Rejudged:
    """Await the verdicts, and record them when there is a writer.

    Raises:
        NothingToJudge: when a response does not fit today's exercise.
    """
    outdated = [any(one.outdated for one in sheet.judged) for sheet in sheets]
    by_sheet = [[change for one in sheet.pairs() if (change := _change(*one))] for sheet in sheets]
    if writer:
        for sheet, changes, due in zip(sheets, by_sheet, outdated, strict=True):
            if changes or due:
                writer.write(student, sheet, changes)
    changes = tuple(
        replace(change, cell=f"{sheet.name}/{change.cell}") if len(entries) > 1 else change
        for sheet, changes in zip(sheets, by_sheet, strict=True)
        for change in changes
    )
    before = sum(entry.score for cells in entries.values() for entry in cells.values())
    gained = sum(change.after - change.before for change in changes if change.manual is None)
    return Rejudged(student, changes, before, before + gained)


def _change(judging: _Judging, new: Verdict) -> Change | None:
    """The change to a cell, which gets today's verdict; None if nothing changes."""
    cell, entry, old = judging.cell, judging.entry, judging.old
    name = grade_id(cell)
    if old.findings and not new.findings:
        raise NothingToJudge(
            f"the response to {name} doesn't fit today's exercise ({new.reason}): grade it "
            "with `autograder grade --force`"
        )
    before, after = round(entry.auto, _DIGITS), new.points(entry.maximum)
    before_maximum = float(cell.metadata.nbgrader.points)
    if (old, before_maximum, before) == (new, entry.maximum, after):
        if judging.outdated:
            judging.put(new)
        return None
    if before_maximum != entry.maximum:
        cell.metadata.nbgrader.points = entry.maximum
        cell.metadata.nbgrader.checksum = compute_checksum(cell)
    judging.put(new)
    why = "\n".join(map(printable, _reasons(old, new, before_maximum, entry)))
    return Change(name, before, after, before_maximum, entry.maximum, entry.manual, why)


class _AtOnce(Executor):
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
        return _AtOnce()
    context = multiprocessing.get_context("spawn")
    # An interrupt reaches all processes; this one ends the others.
    ignore = (signal.SIGINT, signal.SIG_IGN)
    return ProcessPoolExecutor(cores(), context, signal.signal, ignore)


def _recorded(cell: NotebookNode) -> tuple[Verdict, int]:
    """The verdict in a graded cell, and the seed of its inputs.

    Raises:
        NothingToJudge: when one of them is missing or has another format.
    """
    name, outputs = grade_id(cell), recorded_outputs(cell)
    content: Any = outputs[0].get("data", {}).get(verdicts.MIME) if len(outputs) == 1 else None
    if content is None:
        raise NothingToJudge(f"{name} has no verdict: it was graded by something else")
    try:
        verdict, seed = Verdict.from_json(content), content["seed"]
    except (KeyError, TypeError):
        raise NothingToJudge(f"the verdict in {name} has an unknown format") from None
    if type(seed) is not int or not 0 <= seed < 2**SEED_BITS:
        raise NothingToJudge(f"the verdict in {name} has no seed")
    return verdict, seed


def _reasons(old: Verdict, new: Verdict, before_maximum: float, entry: Entry) -> Iterator[str]:
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
    for aspect in dict.fromkeys((*before, *now)):
        was, seen = before.get(aspect), now.get(aspect)
        if was is None:
            yield f"new aspect, {'passed' if seen.passed else 'failed'}: {aspect}"
        elif seen is None:
            yield f"removed aspect, had {'passed' if was.passed else 'failed'}: {aspect}"
        elif was.passed != seen.passed:
            yield f"{'now passes' if seen.passed else 'now fails'}: {aspect}"
        elif was.percent != seen.percent:
            yield f"{seen.percent} % of the points, was {was.percent} %: {aspect}"
        elif was.seen != seen.seen:
            yield f"still failed, with a changed description: {aspect}"


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
        self._url = converter.coursedir.db_url
        self._unfinished = course.root / STAGING / "rejudged.unfinished"

    def write(self, student: str, sheet: Sheet, changes: Sequence[Change]) -> None:
        """Record the points, then replace the notebook."""
        regraded = {change.cell for change in changes if change.regrades}
        cells = [cell for cell in sheet.notebook.cells if grade_id(cell) in regraded]
        names = {
            "student": student,
            "assignment": self._lesson,
            "notebook": sheet.name,
            "db_url": self._url,
        }
        for preprocessor in self._recording:
            preprocessor(
                new_notebook(cells=cells, metadata=sheet.notebook.metadata),
                ResourcesDict(nbgrader=names),
            )
        with self._unfinished.open("w", encoding="utf8") as file:
            file.write(nbformat.writes(sheet.notebook))
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(sheet.path, self._unfinished)
        self._unfinished.replace(sheet.path)
