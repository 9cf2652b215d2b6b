"""Grade a lesson: submissions in parallel, one row each, none lost."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from jupyter_client.kernelspec import NoSuchKernel

from autograder.course_folder import STAGING, CourseFolder
from autograder.declaration import find_course
from autograder.errors import CourseError
from autograder.execution.executor import LocalPool, Pool
from autograder.execution.job import Outcome
from autograder.folder_lock import check_renamed, locked
from autograder.grading.preflight import NotReady, check_readiness
from autograder.grading.results import SubmissionRow, read_row
from autograder.kernels.sandbox import view_of
from autograder.sanitize.source import read_source
from autograder.sanitize.submission import SubmissionRefused, first_line
from selfcheck.responses import printable

if TYPE_CHECKING:
    from autograder.gradebook.database import Claims
    from autograder.grading.converter import StagedAutograde
    from autograder.grading.prepared import PreparedSubmission

T = TypeVar("T")

_ATTEMPTS = 2
"""Attempts for a step that fails on the grader's side. What was executed isn't executed again."""

_EXCHANGE = "/usr/local/share/nbgrader/exchange"
"""nbgrader's default exchange."""

NOT_GRADED = "not graded: "
"""How a row begins to say what failed on the grader's side."""

CLAIM_POLL_INTERVAL = 1.0
"""Seconds between attempts to claim a submission that another grader has."""


def grade(
    course: CourseFolder,
    lesson: str,
    students: Sequence[str],
    *,
    force: bool = False,
    all_cells: bool = False,
    sandbox: str | None = None,
    pool: Pool | None = None,
) -> Iterator[SubmissionRow]:
    """Grade submissions, giving each row as it is ready.

    An earlier result stays until a later one is complete, whatever goes wrong. What fails on the
    grader's side is tried again, and then ends as a row with a problem; the other submissions are
    graded.

    An interrupted run leaves nothing half done: the next one grades what this one did not record,
    and does not execute again what had been executed. With a gradebook on a server, others may
    grade in the same folder at the same time: each submission is one grader's, and its row comes
    when it is graded, whoever did it.

    Args:
        course: the course folder, in which the lesson has been released.
        lesson: the lesson.
        students: ids of those whose submissions are graded.
        force: also grade again what was graded and hasn't been handed in again since.
        all_cells: also execute what the lesson marks as demonstrations.
        sandbox: ``"bubblewrap"`` or ``"none"``; as the course's configuration says, if left out.
        pool: where notebooks are executed; on this machine, if left out.

    Raises:
        CourseError: when the gradebook does not answer or does not know the lesson, somebody is
            grading it, there is to be a sandbox and cannot, or the configuration adds to kernels
            what it may not.
    """
    if pool is None:
        pool = LocalPool()
    if sandbox != "none" and not pool.sandbox_problem():
        _preload(course, lesson, pool)
    _check_released(course, lesson)
    from autograder.grading.converter import converter_of

    settings: dict[str, Any] = {"all_cells": True} if all_cells else {}
    settings |= {"sandbox": sandbox} if sandbox else {}
    with _claims(course, lesson) as claims, course.as_working_directory(), course.quiet():
        converter = converter_of(course, lesson, force=force, **settings)
        sandboxed = converter.config.ExecuteSubmission.get("sandbox") != "none"
        if sandboxed and (problem := pool.sandbox_problem()):
            raise CourseError(
                f"Nothing was graded: submissions cannot be executed safely here: {problem}. To "
                "run them unsandboxed, with your privileges: autograder grade --sandbox none, or "
                'c.ExecuteSubmission.sandbox = "none" in nbgrader_config.py.'
            )
        _check_additions(converter)
        with pool:
            yield from _Grading(course, lesson, converter, claims, pool).rows(students)


def _preload(course: CourseFolder, lesson: str, pool: Pool) -> None:
    """Start preloading before nbgrader is imported, which reading the configuration needs. If
    several courses are installed, or the configuration adds to kernels, wait until it's read."""
    likely = find_course()
    added = (b".data_folders", b".variables", b"Exchange.root")
    if likely.package and not course.configures(*added):
        view = view_of(likely, str(course.root), _EXCHANGE)
        for path in course.source(lesson).parent.glob("*.ipynb"):
            pool.preload(read_source(path), view)


def _check_additions(converter: StagedAutograde) -> None:
    """Check what the configuration adds to kernels."""
    from autograder.grading.plan import ExecuteSubmission

    try:
        ExecuteSubmission(parent=converter).check_additions(converter.coursedir)
    except NotReady as error:
        raise CourseError(f"Nothing was graded: {error}.") from None


class _Grading:
    """Submissions of one lesson on their way from ``submitted/`` to their rows.

    Args:
        course: the course folder.
        lesson: the lesson.
        converter: nbgrader's converter for the lesson.
        claims: this grader's claims.
        pool: executes the notebooks.
    """

    def __init__(
        self,
        course: CourseFolder,
        lesson: str,
        converter: StagedAutograde,
        claims: Claims,
        pool: Pool,
    ) -> None:
        self._course, self._lesson = course, lesson
        self._converter, self._claims, self._pool = converter, claims, pool
        self._running: dict[Future[tuple[Outcome, ...]], PreparedSubmission] = {}

    def rows(self, students: Sequence[str]) -> Iterator[SubmissionRow]:
        """Grade them in parallel, yielding each row as it's ready."""
        waiting = list(dict.fromkeys(students))
        running = self._running
        while waiting or running:
            for student in tuple(waiting):
                # Prepare one more than there are kernels, so that none waits for its notebook.
                if len(running) > self._pool.size():
                    break
                if not self._claims.claim(student):
                    continue
                waiting.remove(student)
                if row := self._begin(student):
                    self._claims.release(student)
                    yield row
            if waiting and not running:  # others have them
                time.sleep(CLAIM_POLL_INTERVAL)
            idle = waiting and len(running) <= self._pool.size()
            timeout = CLAIM_POLL_INTERVAL if idle else None
            for future in wait(running, timeout, FIRST_COMPLETED).done:
                prepared = running.pop(future)
                row = self._finish(prepared, future)
                self._claims.release(prepared.student)
                yield row

    def _begin(self, student: str) -> SubmissionRow | None:
        """Start executing a submission; return a row if there is nothing to execute."""
        try:
            if not self._retry(lambda: self._needs_grading(student)):
                return read_row(self._course, self._lesson, student)
            if self._unready:
                raise self._unready
            prepared = self._retry(lambda: self._prepare(student))
            self._running[_start(self._pool, prepared)] = prepared
        except CourseError:
            raise
        except SubmissionRefused as error:
            return self._without_grade(student, str(error))
        except (Exception, SystemExit) as error:
            return self._without_grade(student, _failure(error))
        return None

    def _finish(
        self, prepared: PreparedSubmission, future: Future[tuple[Outcome, ...]]
    ) -> SubmissionRow:
        """Judge and record what was executed. Any failure here is the grader's own."""
        started = time.perf_counter()
        student, converter = prepared.student, self._converter
        try:
            outcomes = future.result()
            # Keep what was executed even if the claims are lost, so that it isn't executed again.
            self._retry(lambda: converter.keep(prepared, outcomes), claimed=False)
            self._retry(lambda: converter.record(prepared, outcomes))
        except CourseError:
            raise
        except (Exception, SystemExit) as error:
            return self._without_grade(student, _failure(error))
        phases = defaultdict(float, prepare=prepared.seconds)
        for phase, seconds in (each for outcome in outcomes for each in outcome.seconds.items()):
            phases[phase] += seconds
        phases["record"] = time.perf_counter() - started
        try:
            row = self._retry(lambda: read_row(self._course, self._lesson, student))
        except (Exception, SystemExit) as error:
            why = f"{type(error).__name__}: {first_line(error)}"
            return SubmissionRow(
                student, problem=printable(f"graded, but the result can't be shown: {why}")
            )
        return replace(row, seconds=dict(phases))

    @cached_property
    def _unready(self) -> NotReady | None:
        """Why the lesson can't be graded here: computed once, for all submissions."""
        from autograder.grading.plan import check_kernels

        try:
            notebooks = list(self._course.source(self._lesson).parent.glob("*.ipynb"))
            check_readiness(self._course.declared, notebooks)
            check_kernels(self._converter, notebooks)
        except NotReady as error:
            return error
        return None

    def _needs_grading(self, student: str) -> bool:
        self._converter.recover(student)
        return self._converter.needs_grading(student)

    def _prepare(self, student: str) -> PreparedSubmission:
        with self._claims.entering(student):
            return self._converter.prepare(student)

    def _retry(self, step: Callable[[], T], *, claimed: bool = True) -> T:
        """Run a step of the grader, and retry it if it fails: it often succeeds a moment later.

        Args:
            step: the step.
            claimed: whether the step needs the claims.

        Raises:
            CourseError: when the claims were lost meanwhile.
            Exception: what the step raised the last time.
        """
        check = self._claims.check if claimed else lambda: None
        for _ in range(_ATTEMPTS - 1):
            check()
            try:
                return step()
            except (CourseError, SubmissionRefused):
                raise
            except (Exception, SystemExit):
                continue
        check()
        return step()

    def _without_grade(self, student: str, why: str) -> SubmissionRow:
        """A row for a submission that wasn't graded; it keeps its earlier grade, if any.

        Raises:
            CourseError: when the claims were lost, and nothing else can be graded.
        """
        self._claims.check()
        with suppress(Exception, SystemExit):  # if it fails, the next run cleans up
            self._converter.abandon(student)
        if self._converter.is_graded(student):
            why += " (the earlier grade is kept)"
        return SubmissionRow(student, problem=printable(why))


def _start(pool: Pool, prepared: PreparedSubmission) -> Future[tuple[Outcome, ...]]:
    """Execute a submission's notebooks, unless an interrupted run has done so."""
    if not prepared.outcomes:
        notebooks = [one.notebook for one in prepared.notebooks]
        plans = [one.plan for one in prepared.notebooks]
        return pool.submit(prepared.folder, notebooks, plans)
    done: Future[tuple[Outcome, ...]] = Future()
    done.set_result(prepared.outcomes)
    return done


@contextmanager
def _claims(course: CourseFolder, lesson: str) -> Iterator[Claims]:
    """Lock out other graders: from the whole folder, or from one submission at a time."""
    from autograder.gradebook.database import Claims, shared_claims
    from autograder.gradebook.engine import is_shared

    url = course.nbgrader.coursedir.db_url
    if not is_shared(url):
        with grading_lock(course):
            yield Claims()
        return
    with grading_lock(course, shared=True), shared_claims(url, lesson) as claims:
        yield claims


@contextmanager
def grading_lock(course: CourseFolder, *, shared: bool = False) -> Iterator[None]:
    """Keep out who else would write grades: two at a time would prepare in the same folders.

    Args:
        course: the course folder.
        shared: let those in who say so too, since they keep out of each other's way.

    Raises:
        CourseError: when somebody is at it, or a student's renaming was interrupted.
    """
    with locked(course, shared=shared):
        check_renamed(course)
        if not shared:  # these look at each submission that they claim
            _settle(course)
        yield


def _settle(course: CourseFolder) -> None:
    """Complete or undo results that a killed run has published halfway."""
    from autograder.grading.converter import converter_of

    for announced in (course.root / STAGING).glob("*/*.publishing"):
        student, lesson = announced.parent.name, announced.stem
        # If that can't be done now, it stays as it is until the lesson is graded.
        with suppress(Exception, SystemExit), course.as_working_directory(), course.quiet():
            converter_of(course, lesson, force=False).recover(student)


def _check_released(course: CourseFolder, lesson: str) -> None:
    """Check that the gradebook knows a lesson and that the configuration has a judge.

    From then on the course opens its gradebook the fast way.
    """
    from nbgrader.api import MissingEntry

    from autograder.gradebook.engine import quick

    steps = course.nbgrader.config.Autograde.get("autograde_preprocessors", ())
    judged = any(str(getattr(step, "__name__", step)).endswith("JudgeResponses") for step in steps)
    notebooks = course.source(lesson).parent.glob("*.ipynb")
    if not judged and any(read_source(path).exercises for path in notebooks):
        raise CourseError(
            "Nothing was graded because no judge is configured: nbgrader_config.py has to call "
            "configure(get_config()), from autograder.configuration."
        )

    with course.nbgrader.gradebook as gradebook:
        try:
            gradebook.find_assignment(lesson)
        except MissingEntry:
            raise CourseError(
                f"The gradebook does not know {lesson}: release it first, with `autograder release "
                f"{lesson}`, or with `nbgrader generate_assignment {lesson}` if its cells have "
                "tests of their own."
            ) from None
    course.nbgrader.coursedir.db_url = quick(course.nbgrader.coursedir.db_url)


def _failure(error: BaseException) -> str:
    """Describe a failure of the grader's own."""
    if isinstance(error, NotReady):
        return f"{NOT_GRADED}{error}"
    if isinstance(error, NoSuchKernel):
        return f"{NOT_GRADED}the kernel {error.name!r} isn't installed here"
    return f"{NOT_GRADED}{type(error).__name__}: {first_line(error)}"
