"""How often the judge is wrong: answers whose worth is known, and solutions with a slip, judged.

The answers are those of the simulated class: right ones written differently, and wrong ones with
what they must earn and which hint they must get. The slips are made by ``autograder.mutants``.
All of it is our own code and runs here, without a sandbox.
"""

from __future__ import annotations

import ast
import contextlib
import linecache
import multiprocessing
import os
import signal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import yaml

from autograder import bundled, mutants, reference
from autograder.cells import grade_id, graded_exercise, is_solution, parse
from autograder.course_folder import CourseFolder
from autograder.grading.pools import cores
from autograder.judge import judge
from autograder.simulate import Answers, read_answers
from course import exercises, responses
from course.exercises import Exercise, Failure, Observation
from course.exercises.aspects import errors
from course.verdicts import Verdict, observe

SEEDS = (3, 20, 4_000_000_000)
"""Right answers, and slips that seem to pass, are judged on inputs of all of these; wrong answers
on the first: that a mistake costs the same on all is tested of every known one."""

EQUIVALENT = "equivalent_mutants.yaml"
"""In a lesson's folder of simulated students: by solution cell, slips that make no difference,
and why."""

ENOUGH_HINTS = 0.95
"""Of the wrong answers, so many must get the hint that names their cause."""

_TIME_LIMIT = 60


class _OutOfTime(BaseException):
    """A slip has made an endless loop; nothing that catches exceptions may catch this."""


@dataclass(frozen=True)
class Question:
    """An exercise as a lesson asks it.

    Args:
        exercise: its name.
        cell: the grade_id of the cell that answers it.
        object: what the answer is called.
        points: what it is worth.
    """

    exercise: str
    cell: str
    object: str
    points: float


@dataclass(frozen=True)
class Lesson:
    """A lesson's questions, with right answers.

    Args:
        name: of the lesson.
        imports: the code that its answers rely on.
        right: the source's solutions by grade_id, in order, with the marks around them.
        questions: all that the judge decides, in order.
        answers: the folder with files of answers.
    """

    name: str
    imports: str
    right: Mapping[str, str]
    questions: Sequence[Question]
    answers: Path

    @classmethod
    def read(cls, course: CourseFolder, name: str) -> Lesson:
        """Read a lesson of ``source/``."""
        notebook = nbformat.read(course.source(name), as_version=4)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        imports = [
            ast.unparse(statement)
            for cell in code
            for statement in parse(cell.source).body
            if isinstance(statement, ast.Import | ast.ImportFrom)
        ]
        right = {grade_id(cell): cell.source for cell in code if is_solution(cell)}
        questions = []
        for cell in code:
            exercise = graded_exercise(cell)
            if exercise:
                points = float(cell.metadata["nbgrader"]["points"])
                answered = exercises.get(exercise).function
                questions.append(Question(exercise, answered, _asked_for(cell.source), points))
        answers = bundled.simulated_class(course, name)
        return cls(name, "\n".join(imports), right, questions, answers)

    def files(self, kind: str) -> list[Path]:
        """The files of ``"right"`` or ``"wrong"`` answers."""
        return sorted(self.answers.glob(f"{kind}_*.py"))

    @cached_property
    def equivalent(self) -> dict[str, dict[str, str]]:
        """By grade_id and mutant, why it makes no difference."""
        path = self.answers / EQUIVALENT
        return yaml.safe_load(path.read_text("utf8")) if path.is_file() else {}

    def names(self, label: str, changed: Mapping[str, str]) -> dict[str, Any]:
        """The names that the lesson's answers define.

        Args:
            label: for tracebacks.
            changed: by grade_id, answers other than the source's.
        """
        names: dict[str, Any] = {"__name__": "__main__"}
        exec(self.imports, names)
        for cell, source in (dict(self.right) | dict(changed)).items():
            # As in a notebook, the source can be looked up: AutoGraph rewrites conditions then.
            file = f"<{self.name}/{label}/{cell}>"
            linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
            exec(compile(source, file, "exec"), names)
        return names


def _asked_for(source: str) -> str:
    """What a graded cell calls the answer: the second argument of its ``grade(...)``."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return next(call.args[1].id for call in calls if getattr(call.func, "id", "") == "grade")


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


def judged(exercise: Exercise, obj: Any, seed: int) -> Judged:
    """Run an answer and judge it.

    Args:
        exercise: what is asked.
        obj: the function or class.
        seed: of the inputs.
    """
    response = responses.respond(exercise, obj, exercise.cases(seed))
    verdict = judge(exercise.name, seed, response)
    answers = responses.read(response, exercise, seed)
    seen = observe(exercise, seed, answers, reference.expected(exercise, seed))
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
        misjudged: wrong answers that earned other points than their file states.
        named: wrong answers whose hint is the stated one.
        unnamed: those whose hint is another, or that got none.
        survived: mutants that lost no points, though nobody says that they make no difference.
        equivalent: how many are said to make none.
        outdated: those of which this is said, but which are not there, or do lose points.
        largest_right: the largest error of a right answer, in tolerances.
        smallest_wrong: the smallest error of a wrong answer whose numbers are wrong; infinite where
            they all have another shape, are no numbers, or must be exact.
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
            "other points than stated": self.misjudged,
            "a slip that passes": self.survived,
            "no such slip, or it does not pass": self.outdated,
        }
        return [f"{what}: {each}" for what, several in found.items() for each in several]


@dataclass(frozen=True)
class Summary:
    """What came out for several exercises, in the order of the lessons."""

    audits: Sequence[Audit]

    @classmethod
    def of(cls, audits: Iterable[Audit]) -> Summary:
        """Put them in order."""
        order = exercises.names()
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
    """Every question of some lessons, in order."""
    return [
        (name, question) for name in lessons for question in Lesson.read(course, name).questions
    ]


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
    with ProcessPoolExecutor(jobs or cores(), context, _be_quiet) as pool:
        # The last lessons' questions take longest.
        todo = [pool.submit(audit_one, course.root, *task) for task in reversed(tasks)]
        for done in as_completed(todo):
            yield done.result()


def _be_quiet() -> None:
    """TensorFlow and what answers print are of no interest."""
    os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"}
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)


def audit_one(root: Path, name: str, question: Question) -> Audit:
    """Judge all answers to one exercise, and all slips in its solution."""
    lesson = Lesson.read(CourseFolder(root), name)
    found = Audit(question)
    for path in lesson.files("right"):
        answers = read_answers(path)
        if question.cell in answers.cells:
            _judge_right(lesson, answers, found)
    for path in lesson.files("wrong"):
        answers = read_answers(path)
        if question.cell in answers.expected:
            _judge_wrong(lesson, answers, found)
    _judge_mutants(lesson, found)
    return found


def _judge_right(lesson: Lesson, answers: Answers, found: Audit) -> None:
    exercise = exercises.get(found.question.exercise)
    obj = lesson.names(answers.student, answers.cells)[found.question.object]
    found.right += 1
    for seed in SEEDS:
        one = judged(exercise, obj, seed)
        found.largest_right = max(found.largest_right, one.error)
        if one.verdict.percent < 100:
            found.rejected.append(f"{answers.student}, seed {seed}: {one.verdict.explanation}")
            return


def _judge_wrong(lesson: Lesson, answers: Answers, found: Audit) -> None:
    question, stated = found.question, answers.expected[found.question.cell]
    obj = lesson.names(answers.student, answers.cells).get(question.object)
    if obj is None:
        return  # under another name it never reaches the judge: tests of whole notebooks cover it
    found.wrong += 1
    one = judged(exercises.get(question.exercise), obj, SEEDS[0])
    if one.error > 1:  # else the numbers are right, and something else is wrong
        found.smallest_wrong = min(found.smallest_wrong, one.error)
    points = one.verdict.points(question.points)
    if one.verdict.percent == 100:
        found.accepted.append(answers.student)
    elif points != stated["points"]:
        found.misjudged.append(f"{answers.student} earns {points:g}, not {stated['points']:g}")
    if names_the_cause(one.verdict, stated):
        found.named += 1
    else:
        found.unnamed.append(f"{answers.student}: {one.verdict.explanation}")


def names_the_cause(verdict: Verdict, stated: Mapping[str, object]) -> bool:
    """Whether the hint is the one that a file of wrong answers asks for."""
    if "mistake" in stated:
        return stated["mistake"] in verdict.mistakes
    return bool(verdict.relation) and stated.get("relation") == verdict.relation


def _judge_mutants(lesson: Lesson, found: Audit) -> None:
    question = found.question
    exercise = exercises.get(question.exercise)
    said = lesson.equivalent.get(question.cell, {})
    passed = set()
    for mutant in mutants.mutants(lesson.right[question.cell]):
        found.mutants += 1
        if _passes(lesson, question, exercise, mutant):
            passed.add(mutant.name)
            if mutant.name in said:
                found.equivalent += 1
            else:
                found.survived.append(f"line {mutant.line}, {mutant.name}")
    found.outdated += sorted(said.keys() - passed)


def _passes(lesson: Lesson, question: Question, exercise: Exercise, mutant: mutants.Mutant) -> bool:
    """Whether a changed solution earns everything on all seeds."""
    with _time_limit():
        try:
            names = lesson.names("mutant", {question.cell: mutant.source})
        except (Exception, SystemExit, _OutOfTime):
            return False
        try:
            obj = names[question.object]
            return all(judged(exercise, obj, seed).verdict.percent == 100 for seed in SEEDS)
        except _OutOfTime:
            return False


@contextlib.contextmanager
def _time_limit() -> Iterator[None]:
    def stop(number: int, frame: object) -> None:
        raise _OutOfTime

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(_TIME_LIMIT)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
