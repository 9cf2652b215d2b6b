"""Grading a lesson: submissions side by side, a row for each, none lost."""

from __future__ import annotations

import fcntl
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from jupyter_client.kernelspec import NoSuchKernel
from nbformat import v4

from autograder.cells import grade_id, graded_exercise, is_autograded, verdict_in
from autograder.course_folder import STAGING, CourseError, CourseFolder
from autograder.grading.execution import Outcome
from autograder.grading.pools import LocalPool, Pool
from autograder.grading.source import read_source
from course.responses import printable
from course.verdicts import Verdict

if TYPE_CHECKING:
    from autograder.grading.gradebook import Claims
    from autograder.grading.pipeline import Prepared

RENAMING = ".renaming.json"
"""In ``STAGING``: the old and the new id of a student while what is theirs moves."""

_LOOK_AGAIN = 1.0
"""Seconds until a submission that another grader has is asked for again."""


@dataclass(frozen=True)
class Score:
    """What one graded cell earned.

    Args:
        cell: its grade_id.
        points: earned so far.
        maximum: that can be earned.
        manual: whether a person still has to grade it, or to look at it again.
        verdict: the judge's, or None where it had no say.
        outdated: whether it was graded before the cell was added or got other points.
    """

    cell: str
    points: float
    maximum: float
    manual: bool
    verdict: Verdict | None = None
    outdated: bool = False

    @property
    def settled(self) -> bool:
        """Whether the points are final."""
        return not (self.manual or self.outdated)


@dataclass(frozen=True)
class Row:
    """How grading one submission came out.

    Args:
        student: the submission's folder name.
        scores: in the notebook's order; none when it was not graded.
        problem: why it was not graded, else "".
        repairs: what had to be put right in the notebooks before they could be graded.
        lesson_changes: how today's lesson differs from the one that was handed out.
        seconds: what each phase took; none when it had been graded before.
        recorded: what each phase took, whenever it was graded, ``record`` but for the publishing;
            none where nobody measured it, as under ``nbgrader autograde``.
    """

    student: str
    scores: tuple[Score, ...] = ()
    problem: str = ""
    repairs: tuple[str, ...] = ()
    lesson_changes: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    recorded: Mapping[str, float] = field(default_factory=dict)

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
        """What could be earned in these."""
        return sum(score.maximum for score in self.scores if score.settled)

    @property
    def outdated(self) -> float:
        """What can be earned in cells that were added or got other points after the grading."""
        return sum(score.maximum for score in self.scores if score.outdated and not score.manual)

    @property
    def by_hand(self) -> float:
        """What a person may still add."""
        return sum(score.maximum for score in self.scores if score.manual)


def grade(
    course: CourseFolder,
    lesson: str,
    students: Sequence[str],
    *,
    force: bool = False,
    all_cells: bool = False,
    sandbox: str | None = None,
    pool: Pool | None = None,
) -> Iterator[Row]:
    """Grade submissions, giving each row as it is ready.

    An interrupted run leaves nothing half done: the next one grades what this one did not record,
    and does not execute again what had been executed. With a gradebook on a server, others may
    grade in the same folder at the same time: each submission is one grader's, and its row comes
    when it is graded, whoever did it.

    Args:
        course: the course folder, in which the lesson has been released.
        lesson: the lesson.
        students: whose submissions.
        force: also grade again what has been graded and not been handed in anew.
        all_cells: also execute what the lesson marks as demonstrations.
        sandbox: ``"bubblewrap"`` or ``"none"``; as the course's configuration says, if left out.
        pool: where notebooks are executed; on this machine, if left out.

    Raises:
        CourseError: when the gradebook does not answer or does not know the lesson, somebody is
            grading it, or there is to be a sandbox and cannot.
    """
    pool = pool or LocalPool()
    if sandbox != "none" and not pool.sandbox_problem():
        for path in course.source(lesson).parent.glob("*.ipynb"):
            pool.preload(read_source(path), [str(course.root)])  # while nbgrader is imported
    names = _released(course, lesson)
    settings = {"all_cells": all_cells} | ({"sandbox": sandbox} if sandbox else {})
    with _claims(course, lesson) as claims, course.as_working_directory(), course.quiet():
        converter = course.converter(lesson, force=force, **settings)
        sandboxed = course.nbgrader.config.ExecuteSubmission.get("sandbox") != "none"
        if sandboxed and (problem := pool.sandbox_problem()):
            raise CourseError(
                f"Nothing was graded, as submissions cannot be executed safely here: {problem}. "
                "With --sandbox none they are executed all the same, and can do what you can."
            )

        def refused(student: str, error: Exception) -> Row:
            claims.check()
            if _is_ours(error):
                return failed(student, error)
            converter.refuse(student)
            problem = _problem(course.submitted(student, lesson), names, error)
            return Row(student, problem=printable(problem))

        def failed(student: str, error: Exception) -> Row:
            # Not the student's fault: an earlier grade stays.
            converter.discard(student)
            return Row(student, problem=printable(_failure(error)))

        def finished(prepared: Prepared, future: Future) -> Row:
            started = time.perf_counter()
            student = prepared.student
            try:
                outcomes = future.result()
            except Exception as error:
                return failed(student, error)
            try:
                converter.keep(prepared, outcomes)
                claims.check()
                converter.record(prepared, outcomes)
            except Exception as error:
                return refused(student, error)
            phases = Counter({"prepare": prepared.seconds})
            for outcome in outcomes:
                phases.update(outcome.seconds)
            phases["record"] = time.perf_counter() - started
            return replace(read_row(course, lesson, student), seconds=dict(phases))

        def begun(student: str) -> Row | None:
            """Have a submission executed; a row where there is nothing to execute."""
            try:
                if not converter.is_due(student):
                    return read_row(course, lesson, student)
                with claims.entering(student):
                    prepared = converter.prepare(student)
            except Exception as error:
                return refused(student, error)
            running[_start(pool, prepared)] = prepared
            return None

        waiting = list(dict.fromkeys(students))
        running: dict[Future, Prepared] = {}
        with pool:
            while waiting or running:
                for student in tuple(waiting):
                    # One more than there are kernels, so that none waits for its notebook.
                    if len(running) > pool.size():
                        break
                    if not claims.take(student):
                        continue
                    waiting.remove(student)
                    if row := begun(student):
                        claims.release(student)
                        yield row
                if waiting and not running:  # others have them
                    time.sleep(_LOOK_AGAIN)
                idle = waiting and len(running) <= pool.size()
                timeout = _LOOK_AGAIN if idle else None
                for future in wait(running, timeout, FIRST_COMPLETED).done:
                    prepared = running.pop(future)
                    row = finished(prepared, future)
                    claims.release(prepared.student)
                    yield row


def _start(pool: Pool, prepared: Prepared) -> Future[tuple[Outcome, ...]]:
    """Have a submission's notebooks executed, unless an interrupted run has done so."""
    if not prepared.outcomes:
        sheets = prepared.sheets
        notebooks, plans = ([getattr(sheet, n) for sheet in sheets] for n in ("notebook", "plan"))
        return pool.submit(prepared.folder, notebooks, plans)
    done: Future[tuple[Outcome, ...]] = Future()
    done.set_result(prepared.outcomes)
    return done


@contextmanager
def _claims(course: CourseFolder, lesson: str) -> Iterator[Claims]:
    """Keep others from what this grader is at: from the folder, or from a submission at a time."""
    from autograder.grading.gradebook import Claims, is_shared, shared_claims

    url = course.nbgrader.coursedir.db_url
    if not is_shared(url):
        with alone(course):
            yield Claims()
        return
    with alone(course, but_for_graders=True), shared_claims(url, lesson) as claims:
        yield claims


@contextmanager
def alone(course: CourseFolder, *, but_for_graders: bool = False) -> Iterator[None]:
    """Keep out who else would write grades: two at a time would prepare in the same folders.

    Args:
        course: the course folder.
        but_for_graders: let those in who say so too, since they keep out of each other's way.

    Raises:
        CourseError: when somebody is at it, or a student's renaming was interrupted.
    """
    with locked(course, but_for_graders=but_for_graders):
        check_renamed(course)
        yield


def check_renamed(course: CourseFolder, *unless: str) -> bool:
    """See that no renaming of a student was interrupted.

    Args:
        course: the course folder.
        unless: the old and the new id of a renaming that may have been.

    Returns:
        Whether that one was.

    Raises:
        CourseError: when another one was.
    """
    path = course.root / STAGING / RENAMING
    begun = tuple(json.loads(path.read_text("utf8"))) if path.is_file() else ()
    if begun and begun != unless:
        raise CourseError(
            f"Renaming {begun[0]} was interrupted: complete it first: autograder rename-student "
            f"{begun[0]} {begun[1]}"
        )
    return bool(begun)


@contextmanager
def locked(course: CourseFolder, *, but_for_graders: bool = False) -> Iterator[None]:
    """As ``alone``, also where a student's renaming was interrupted.

    Raises:
        CourseError: when somebody is at it.
    """
    path = course.root / STAGING / ".lock"  # no student's name begins with a dot
    path.parent.mkdir(exist_ok=True)
    # On a network's file system, a shared lock is for who may read.
    with path.open("a+") as lock:
        try:
            fcntl.flock(lock, (fcntl.LOCK_SH if but_for_graders else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError:
            raise CourseError(
                f"Somebody is grading in {course.root} already: wait until it is done."
            ) from None
        yield


def read_row(course: CourseFolder, lesson: str, student: str) -> Row:
    """A graded submission: points from the gradebook, all else from its notebooks.

    Where a lesson has several notebooks, cells are named ``notebook/cell``.
    """
    with course.nbgrader.gradebook as gradebook:
        notebooks = gradebook.find_submission(lesson, student).notebooks
        return row_of(course, lesson, student, {each.name: each.grades for each in notebooks})


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
    scores, repairs, changes, recorded = [], [], [], Counter()
    for name in sorted(grades):
        path = course.autograded(student, lesson, name)
        # As nbformat.read, but that what was valid when it was written is not validated.
        notebook = v4.reads(path.read_text("utf8")) if path.is_file() else v4.new_notebook()
        cells = notebook.cells
        ours = notebook.metadata.get("course", {})
        repairs += ours.get("repairs", [])
        changes += ours.get("lesson_changes", [])
        recorded.update(ours.get("seconds", {}))
        order = {grade_id(cell): position for position, cell in enumerate(cells)}
        tested = {grade_id(cell): cell.metadata.nbgrader for cell in cells if is_autograded(cell)}
        verdicts = {grade_id(cell): verdict_in(cell) for cell in cells if graded_exercise(cell)}
        for grade in sorted(grades[name], key=lambda grade: order.get(grade.name, len(order))):
            points, maximum = float(grade.score or 0.0), float(grade.max_score)
            manual = bool(grade.needs_manual_grade)
            # An added cell has no points yet. Those of a person's stay, whatever it is worth.
            outdated = grade.auto_score is None and grade.name not in order
            if grade.name in tested:
                outdated = tested[grade.name].points != maximum
            outdated = outdated and grade.manual_score is None
            scores.append(
                Score(
                    cell=grade.name if len(grades) == 1 else f"{name}/{grade.name}",
                    # What is not final may be from when the cell was worth more.
                    points=min(points, maximum) if manual or outdated else points,
                    maximum=maximum,
                    manual=manual,
                    verdict=verdicts.get(grade.name),
                    outdated=outdated,
                )
            )
    told = {"repairs": tuple(repairs), "lesson_changes": tuple(dict.fromkeys(changes))}
    return Row(student, tuple(scores), **told, recorded=dict(recorded))


def _released(course: CourseFolder, lesson: str) -> list[str]:
    """The notebooks of a lesson, as the gradebook knows them."""
    from nbgrader.api import MissingEntry

    with course.nbgrader.gradebook as gradebook:
        try:
            return [notebook.name for notebook in gradebook.find_assignment(lesson).notebooks]
        except MissingEntry:
            raise CourseError(
                f"The gradebook does not know {lesson}: run `autograder release {lesson}` first."
            ) from None


def _problem(folder: Path, names: Sequence[str], error: Exception) -> str:
    """Why a submission could not be graded, in words.

    Args:
        folder: the submission.
        names: of the lesson's notebooks.
        error: what stopped it.
    """
    from autograder.grading.pipeline import Refused

    if isinstance(error, Refused):
        return str(error)
    reason = f"it could not be graded: {type(error).__name__}: {_first_line(error)}"
    return unreadable(folder, names) or reason


def unreadable(folder: Path, names: Sequence[str]) -> str:
    """What is wrong with the notebooks that were handed in, in words, or "".

    Args:
        folder: the submission.
        names: of the lesson's notebooks.
    """
    paths = [path for name in names if (path := folder / f"{name}.ipynb").is_file()]
    if not paths:
        others = sorted(other.name for other in folder.glob("*.ipynb"))
        found = f"only {', '.join(others)}" if others else "no notebook"
        return f"{' or '.join(names)}.ipynb is missing: {found} was handed in"
    for path in paths:
        try:
            nbformat.read(path, as_version=4)
        except Exception as error:
            return f"{path.name} cannot be read as a notebook: {_first_line(error)}"
    return ""


def _is_ours(error: Exception) -> bool:
    """Whether the disk or the gradebook failed, which says nothing of the submission."""
    from sqlalchemy.exc import OperationalError

    # nbgrader raises an error of its own where it could not commit.
    causes = (error, error.__context__)
    return isinstance(error, OSError) or any(isinstance(one, OperationalError) for one in causes)


def _failure(error: Exception) -> str:
    """Why a submission was not executed, in words."""
    if isinstance(error, NoSuchKernel):
        return f"not graded: there is no kernel {error.name!r} here"
    return f"not graded: {type(error).__name__}: {_first_line(error)}"


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:200]
