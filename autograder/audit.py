"""How often the judge is wrong: answers whose worth is known, and solutions with a slip, judged.

The answers are those of the simulated class: right ones written differently, and wrong ones with
what they must earn and which hint they must get. The slips are made by ``autograder.mutants``.
All of it is our own code and runs here, without a sandbox.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from autograder import mutants
from autograder.cells import defined_names
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.grading.pools import cores
from autograder.judging import proof, solutions
from autograder.judging.judge import judge
from autograder.judging.keys import key_of
from autograder.questions import EQUIVALENT, Lesson, Question, Unrunnable
from autograder.simulate import Answers, read_class
from selfcheck import Course, Failure, Observation, UnknownExercise, responses
from selfcheck.aspects import errors
from selfcheck.verdicts import Verdict, observe

SEEDS = (3, 20, 4_000_000_000)
"""Right answers, and slips that seem to pass, are judged on inputs of all of these; wrong answers
on the first, because every known mistake must cost the same on all of ``MISTAKE_SEEDS``."""

MISTAKE_SEEDS = range(50)

ENOUGH_HINTS = 0.95
"""Of the wrong answers, so many must get the hint that names their cause."""

_PROCESSOR_LIMIT = 60
_TIME_LIMIT = 600
_TOO_LONG = f"it takes more than {_PROCESSOR_LIMIT} seconds of the processor, or never ends"


class _OutOfTime(BaseException):
    """A slip has made an endless loop; nothing that catches exceptions may catch this."""


@dataclass(frozen=True)
class Judged:
    """The judge's word on an answer.

    Args:
        verdict: what it is.
        error: the largest error of its outputs, in tolerances; infinite where there is no number.
            What is text, or no output at all, counts as 0.
    """

    verdict: Verdict
    error: float


def judged(course: Course, name: str, obj: Any, seed: int) -> Judged:
    """Run an answer and judge it.

    Args:
        course: the course.
        name: the exercise.
        obj: the function or class.
        seed: of the inputs.
    """
    key = key_of(course, name)
    exercise = key.exercise
    response = responses.respond(exercise, obj, exercise.cases(seed))
    verdict = judge(course, name, seed, response)
    answers = responses.read(response, exercise, seed)
    expected = solutions.expected(exercise, key.solution, seed)
    seen = observe(exercise, seed, answers, expected)
    return Judged(verdict, max(map(_largest_error, seen.values())))


def _largest_error(observation: Observation) -> float:
    if isinstance(observation.received, Failure):
        return np.inf
    largest = 0.0
    for output, tolerance in observation.expected.tolerance.items():
        if output in observation.received:
            off = errors(observation, output, observation.received[output])
            error = np.inf if off is None else float(off.max(initial=0.0))
            # What must be exact has no tolerance.
            largest = max(largest, error / tolerance if tolerance else np.inf if error else 0.0)
    return largest


@dataclass
class Audit:
    """What came out for one exercise.

    Args:
        question: the exercise.
        right, wrong, mutants: how many there were.
        rejected: right answers that lost points, and why.
        accepted: wrong answers that lost none.
        misjudged: wrong answers that fail in other aspects than their file states.
        named: wrong answers whose hint is the stated one.
        unnamed: those whose hint is another, or that got none.
        survived: mutants that lost no points, though nobody says that they make no difference.
        equivalent: how many are said to make none.
        outdated: those of which this is said, but which are not there, or do lose points.
        unsound: what is wrong with the known mistakes, and with the lesson's own answer.
        largest_right: the largest error of a right answer, in tolerances.
        smallest_wrong: the smallest error of a wrong answer whose numbers are wrong; infinite where
            they all have another shape, aren't numbers, or must be exact.
    """

    question: Question
    right: int = 0
    wrong: int = 0
    mutants: int = 0
    rejected: list[str] = field(default_factory=list)
    accepted: list[str] = field(default_factory=list)
    misjudged: list[str] = field(default_factory=list)
    named: int = 0
    unnamed: list[str] = field(default_factory=list)
    survived: list[str] = field(default_factory=list)
    equivalent: int = 0
    outdated: list[str] = field(default_factory=list)
    unsound: list[str] = field(default_factory=list)
    largest_right: float = 0.0
    smallest_wrong: float = np.inf

    def row(self) -> tuple[str, ...]:
        """For a table."""
        numbers = np.isfinite(self.smallest_wrong) or self.largest_right > 0
        return (
            self.question.exercise,
            f"{self.right - len(self.rejected)} of {self.right}",
            f"{self.wrong - len(self.accepted)} of {self.wrong}",
            f"{self.mutants - self.equivalent - len(self.survived)} of "
            f"{self.mutants - self.equivalent}",
            f"{self.named} of {self.wrong}",
            f"{self.largest_right:.2g}" if numbers else "-",
            f"{self.smallest_wrong:.2g}" if np.isfinite(self.smallest_wrong) else "-",
        )

    @property
    def problems(self) -> list[str]:
        """What must not be."""
        found = {
            "right, but rejected": self.rejected,
            "wrong, but accepted": self.accepted,
            "not as stated": self.misjudged,
            "a slip that passes": self.survived,
            "no such slip, or it does not pass": self.outdated,
            "the key": self.unsound,
        }
        return [f"{what}: {each}" for what, several in found.items() for each in several]


@dataclass(frozen=True)
class Summary:
    """What came out for several exercises, in the order of the lessons."""

    audits: Sequence[Audit]

    @classmethod
    def of(cls, course: Course, audits: Iterable[Audit]) -> Summary:
        """Put a course's audits in order."""
        order = course.names()
        return cls(sorted(audits, key=lambda one: order.index(one.question.exercise)))

    @property
    def holds(self) -> bool:
        """Whether the judge was never wrong, and nearly every hint was the right one."""
        return not any(one.problems for one in self.audits) and self._hints >= ENOUGH_HINTS

    @property
    def _hints(self) -> float:
        wrong = sum(one.wrong for one in self.audits)
        return sum(one.named for one in self.audits) / wrong if wrong else 1.0

    @property
    def sentence(self) -> str:
        """All of it in a line."""

        def total(name: str) -> int:
            values = (getattr(one, name) for one in self.audits)
            return sum(value if isinstance(value, int) else len(value) for value in values)

        return (
            f"{total('accepted')} of {total('wrong')} wrong answers accepted, "
            f"{total('rejected')} of {total('right')} right answers rejected, "
            f"{total('survived')} of {total('mutants') - total('equivalent')} automatic slips "
            f"passed ({total('equivalent')} more are listed as making no difference); "
            f"{100 * self._hints:.1f} % of the wrong answers got the hint that names their cause."
        )


def tasks(course: CourseFolder, lessons: Sequence[str]) -> list[tuple[str, Question]]:
    """Every question of some lessons, in order.

    Raises:
        CourseError: when an exercise or its key can't be loaded, or they don't fit together.
    """
    found = []
    for name in lessons:
        try:
            lesson = Lesson.read(course, name)
        except UnknownExercise as error:
            raise CourseError(f"{name}: {error}") from error
        for question in lesson.questions:
            try:
                key = key_of(course.declared, question.exercise)
            except Exception as error:
                problem = f"{type(error).__name__}: {error}"
                raise CourseError(
                    f"{name}: the key of {question.exercise} can't be loaded: {problem}"
                ) from error
            problems = itertools.chain(proof.problems(key), proof.mistake_problems(key))
            if problem := next(problems, ""):
                raise CourseError(f"{name}: {question.exercise}: {problem}")
            if question.object not in defined_names(lesson.right.get(question.cell, "")):
                problem = f"the cell {question.cell} doesn't define {question.object}"
                raise CourseError(f"{name}: {problem}")
            found.append((name, question))
        for answers in read_class(lesson.answers, lesson.right):
            path = f"{lesson.answers / answers.student}.py"
            if not answers.student.startswith(("right_", "wrong_")):
                raise CourseError(
                    f"{path}: begin its name with right_ or wrong_, which says what it holds"
                )
            if answers.student.startswith("wrong_") and not answers.expected:
                raise CourseError(
                    f"{path}: wrong answers need a header: `expected:`, and below what fails"
                )
        if unknown := lesson.equivalent.keys() - lesson.right.keys():
            names = ", ".join(map(repr, sorted(unknown)))
            raise CourseError(f"{lesson.answers / EQUIVALENT}: no solution cell {names}")
    return found


def audit(
    course: CourseFolder, tasks: Sequence[tuple[str, Question]], jobs: int | None = None
) -> Iterator[Audit]:
    """Judge all answers to some questions, and all slips in their solutions.

    Args:
        course: the course folder.
        tasks: the questions with their lessons.
        jobs: processes; one a core if left out.

    Yields:
        What came out for each question, in the order in which they are done.
    """
    context = multiprocessing.get_context("spawn")
    quiet = (dict(course.declared.variables),)
    with ProcessPoolExecutor(jobs or cores(), context, _be_quiet, quiet) as pool:
        # The last lessons' questions take longest.
        todo = [pool.submit(audit_one, course.root, *task) for task in reversed(tasks)]
        for done in as_completed(todo):
            yield done.result()


def _be_quiet(variables: Mapping[str, str]) -> None:
    """What libraries and answers print is of no interest."""
    os.environ |= variables
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)


def audit_one(root: Path, name: str, question: Question) -> Audit:
    """Judge all answers to one exercise, and all slips in its solution."""
    lesson = Lesson.read(CourseFolder(root), name)
    found = Audit(question)
    for answers in read_class(lesson.answers, lesson.right):
        if answers.student.startswith("right_") and question.cell in answers.cells:
            _judge_right(lesson, answers, found)
        if answers.student.startswith("wrong_") and question.cell in answers.expected:
            _judge_wrong(lesson, answers, found)
    _judge_own(lesson, found)
    found.unsound += proof.mistake_problems(key_of(lesson.course, question.exercise), MISTAKE_SEEDS)
    _judge_mutants(lesson, found)
    return found


def _judge_right(lesson: Lesson, answers: Answers, found: Audit) -> None:
    found.right += 1
    for seed in SEEDS:
        try:
            with _time_limit():
                names = lesson.names(answers.student, answers.cells)
                obj = names[found.question.object]
                one = judged(lesson.course, found.question.exercise, obj, seed)
        except (Unrunnable, _OutOfTime) as error:
            found.rejected.append(f"{answers.student}: {str(error) or _TOO_LONG}")
            return
        found.largest_right = max(found.largest_right, one.error)
        if one.verdict.percent < 100:
            found.rejected.append(f"{answers.student}, seed {seed}: {one.verdict.explanation}")
            return


def _judge_own(lesson: Lesson, found: Audit) -> None:
    """Judge the lesson's own answer."""
    obj = lesson.names("solution", {})[found.question.object]
    for seed in SEEDS[:2]:
        verdict = judged(lesson.course, found.question.exercise, obj, seed).verdict
        if verdict.percent < 100:
            found.unsound.append(
                f"the lesson's own answer earns {verdict.percent} %, seed {seed}: "
                f"{verdict.explanation} (Is the answer right? Then look at call() of the exercise.)"
            )


def _judge_wrong(lesson: Lesson, answers: Answers, found: Audit) -> None:
    question, stated = found.question, answers.expected[found.question.cell]
    try:
        with _time_limit():
            obj = lesson.names(answers.student, answers.cells).get(question.object)
            one = obj and judged(lesson.course, question.exercise, obj, SEEDS[0])
    except (Unrunnable, _OutOfTime) as error:
        found.misjudged.append(f"{answers.student}: {str(error) or _TOO_LONG}")
        return
    if obj is None:
        return  # under another name it never reaches the judge: tests of whole notebooks cover it
    found.wrong += 1
    known = [known.name for known in key_of(lesson.course, question.exercise).misconceptions]
    if unknown := set(stated.mistake.split(" and ")) - {*known, "", "none"}:
        there = ", ".join(known)
        found.misjudged += [
            f"{answers.student}: no known mistake {name!r}; there are: {there}" for name in unknown
        ]
    if one.error > 1:  # else the numbers are right, and something else is wrong
        found.smallest_wrong = min(found.smallest_wrong, one.error)
    if one.verdict.percent == 100:
        found.accepted.append(answers.student)
    elif difference := stated.contradicted(one.verdict):
        found.misjudged.append(f"{answers.student}: {difference}")
    if stated.names(one.verdict):
        found.named += 1
    else:
        found.unnamed.append(f"{answers.student}: {one.verdict.explanation}")


def _judge_mutants(lesson: Lesson, found: Audit) -> None:
    question = found.question
    said = lesson.equivalent.get(question.cell, {})
    passed = set()
    for mutant in mutants.mutants(lesson.right[question.cell]):
        found.mutants += 1
        if _passes(lesson, question, mutant):
            passed.add(mutant.name)
            if mutant.name in said:
                found.equivalent += 1
            else:
                found.survived.append(f"line {mutant.line}, {mutant.name}")
    found.outdated += sorted(said.keys() - passed)


def _passes(lesson: Lesson, question: Question, mutant: mutants.Mutant) -> bool:
    """Whether a changed solution earns everything on all seeds."""
    with _time_limit():
        try:
            names = lesson.names("mutant", {question.cell: mutant.source})
        except (Exception, SystemExit, _OutOfTime):
            return False
        try:
            obj = names[question.object]
            verdicts = (judged(lesson.course, question.exercise, obj, x).verdict for x in SEEDS)
            return all(verdict.percent == 100 for verdict in verdicts)
        except _OutOfTime:
            return False


@contextlib.contextmanager
def _time_limit() -> Iterator[None]:
    def stop(number: int, frame: object) -> None:
        raise _OutOfTime

    # An endless loop needs the processor, however busy the machine is; what only waits doesn't.
    timers = (
        (signal.SIGPROF, signal.ITIMER_PROF, _PROCESSOR_LIMIT),
        (signal.SIGALRM, signal.ITIMER_REAL, _TIME_LIMIT),
    )
    before = [signal.signal(number, stop) for number, _, _ in timers]
    for _, timer, seconds in timers:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for (number, timer, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)
