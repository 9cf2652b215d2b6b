"""Measure how often the judge is wrong, on answers whose worth is known and on mutated solutions.

The answers come from the simulated class: right ones written differently, and wrong ones that state
what they must earn and which hint they must get. ``autograder.audit.mutants`` makes the mutants.
All of it is our own code and runs here, without a sandbox.
"""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path

from autograder.audit import pairs, trivial
from autograder.audit.mutation_testing import judge_mutants
from autograder.audit.questions import EQUIVALENT, LessonQuestions, Question, Unrunnable
from autograder.audit.report import Audit
from autograder.audit.runner import (
    SEEDS,
    TOO_LONG,
    OutOfTime,
    elsewhere,
    judged,
    run,
    run_and_judge,
    seeds,
    time_limit,
)
from autograder.cells import defined_names
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.execution.executor import cores
from autograder.judging import proof
from autograder.judging.judge import Asked, judge_in_order
from autograder.judging.keys import key_of
from autograder.kernels.client import ONE_THREAD
from autograder.simulate import Answers, read_class
from selfcheck import UnknownExercise

OWN = "solution"
"""The name of the lesson's own answers, which come from no file."""


def tasks(course: CourseFolder, lessons: Sequence[str]) -> list[tuple[str, Question]]:
    """Every question of some lessons, in order.

    Raises:
        CourseError: when an exercise or its key can't be loaded, or they don't fit together.
    """
    found = []
    for name in lessons:
        try:
            lesson = LessonQuestions.read(course, name)
        except UnknownExercise as error:
            raise CourseError(f"{name}: {error}") from error
        for question in lesson.questions:
            key = key_of(course.declared, question.exercise)
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
                    f"{path}: its name must begin with right_ or wrong_, which says what it "
                    "contains"
                )
            if answers.student.startswith("wrong_") and not answers.expected:
                raise CourseError(
                    f"{path}: wrong answers need a header with `expected:`, and what fails below it"
                )
        if unknown := lesson.equivalent.keys() - lesson.right.keys():
            names = ", ".join(map(repr, sorted(unknown)))
            raise CourseError(f"{lesson.answers / EQUIVALENT}: no solution cell {names}")
    return found


def audit(
    course: CourseFolder,
    tasks: Sequence[tuple[str, Question]],
    jobs: int | None = None,
    every_mutant: bool = False,
) -> Iterator[Audit]:
    """Judge all answers to some questions, and all mutants of the right ones.

    Args:
        course: the course folder.
        tasks: the questions with their lessons.
        jobs: the number of processes; one per core if left out.
        every_mutant: judge all mutants, even if a key asks for a sample.

    Yields:
        The result for each question, in the order in which they finish.
    """
    context = multiprocessing.get_context("spawn")
    # Mistakes multiply thousands of small matrices, so a second thread would mostly wait.
    # A mutant may depend on the order of a set of words, which must not change from run to run.
    os.environ |= ONE_THREAD | {"PYTHONHASHSEED": "0"}
    quiet = (dict(course.declared.variables),)
    with ProcessPoolExecutor(jobs or cores(), context, _be_quiet, quiet) as pool:
        by_lesson = {
            name: [question for _, question in both]
            for name, both in itertools.groupby(tasks, lambda task: task[0])
        }
        parts = enumerate(
            part for name, asked in by_lesson.items() for part in _parts(course.root, name, asked)
        )
        # Building models takes longest, so those answers start first: otherwise, everything would
        # wait for them at the end.
        ordered = sorted(
            parts, key=lambda part: not any(_builds(course, each) for each in part[1][1])
        )
        todo = {
            pool.submit(_part_of, course.root, *part, every_mutant): number
            for number, part in ordered
        }
        left = Counter(question for _, (_, asked, _) in ordered for question in asked)
        found: dict[Question, dict[int, Audit]] = {question: {} for _, question in tasks}
        for done in as_completed(todo):
            for one in done.result():
                found[one.question][todo[done]] = one
                left[one.question] -= 1
                if not left[one.question]:
                    yield _sum(one.question, found[one.question], every_mutant)


_Part = tuple[str, Sequence[Question], str]
"""A lesson, some of its questions, and whose answers to them are judged."""


def _parts(root: Path, name: str, asked: Sequence[Question]) -> Iterator[_Part]:
    """What one process judges at a time: the lesson's own answer to a question, or all answers in a
    file, some of which call others."""
    _, others = _read(root, name)
    yield from ((name, [question], OWN) for question in asked)
    for answers in others:
        cells = answers.cells.keys() | answers.expected.keys()
        if own := [question for question in asked if question.cell in cells]:
            yield name, own, answers.student


def _sum(question: Question, found: Mapping[int, Audit], every_mutant: bool) -> Audit:
    """The result for a question: the same, in whatever order its parts finish."""
    total = Audit(question, every_mutant=every_mutant)
    for _, one in sorted(found.items()):
        total += one
    return total


def _builds(course: CourseFolder, question: Question) -> bool:
    """Whether its answers build layers or models."""
    return course.declared.get(question.exercise).builds


def _be_quiet(variables: Mapping[str, str]) -> None:
    """Silence the output of libraries and answers."""
    os.environ |= variables
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)


def audit_one(root: Path, name: str, question: Question) -> Audit:
    """Judge all answers to one exercise, and all mutants of the right ones."""
    parts = enumerate(_parts(root, name, [question]))
    found = {number: _part(*_read(root, name), *part[1:], True)[0] for number, part in parts}
    return _sum(question, found, every_mutant=True)


def _read(root: Path, name: str) -> tuple[LessonQuestions, list[Answers]]:
    """Read a lesson and all answers to it."""
    lesson = LessonQuestions.read(CourseFolder(root), name)
    return lesson, list(read_class(lesson.answers, lesson.right))


_read_once = cache(_read)
"""A cache for the audit's processes: reading takes a quarter of a second, and there are hundreds of
parts."""


def _is_right(answers: Answers, question: Question) -> bool:
    return answers.student.startswith("right_") and question.cell in answers.cells


def _part_of(
    root: Path, name: str, asked: Sequence[Question], student: str, every_mutant: bool
) -> list[Audit]:
    """The work of one process in the pool."""
    found = _part(*_read_once(root, name), asked, student, every_mutant)
    _freeze()
    return found


@cache
def _freeze() -> None:
    """Exempt the libraries' objects from garbage collection: they outlive the audit."""
    gc.freeze()


def _part(
    lesson: LessonQuestions,
    others: Sequence[Answers],
    asked: Sequence[Question],
    student: str,
    every_mutant: bool,
) -> list[Audit]:
    """Judge a student's answers, and the mutants of right ones; of the lesson's own, also its key.

    Returns:
        One result for each question.
    """
    audits = [Audit(question, every_mutant=every_mutant) for question in asked]
    if student == OWN:
        for found in audits:
            _judge_own(lesson, found)
        return audits
    (answers,) = (each for each in others if each.student == student)
    known: dict[str, Asked] = {}
    for found in audits:
        if _is_right(answers, found.question):
            _judge_right(lesson, answers, found)
        elif found.question.cell in answers.expected.keys() & answers.cells.keys():
            _judge_wrong(lesson, answers, found, known)
        elif found.question.cell in answers.expected:
            _judge_on_top(lesson, answers, found, known)
    return audits


def _judge_right(lesson: LessonQuestions, answers: Answers, found: Audit) -> None:
    found.right += 1
    took = []
    for seed in seeds(found.every_mutant):
        began = time.process_time()
        try:
            with time_limit():
                names = lesson.names(answers.student, answers.cells)
                obj = names[found.question.object]
                one = run_and_judge(lesson.course, found.question.exercise, obj, seed)
        except (Unrunnable, OutOfTime) as error:
            found.rejected.append(f"{answers.student}: {str(error) or TOO_LONG}")
            break
        took.append(time.process_time() - began)
        found.largest_right = max(found.largest_right, one.error)
        if one.verdict.percent < 100:
            found.rejected.append(f"{answers.student}, seed {seed}: {one.verdict.explanation}")
            break
    if took:
        judge_mutants(lesson, answers, found, min(took))


def _judge_on_top(
    lesson: LessonQuestions, answers: Answers, found: Audit, known: dict[str, Asked]
) -> None:
    """Judge the lesson's own answer on top of a student's, whose mistakes already cost points.

    Args:
        lesson, answers: the lesson, and the student's answers.
        found: the result is added to it.
        known: by exercise, the responses of the student's own answers, once they were run.
    """
    asked = []
    try:
        with time_limit():
            names = lesson.names(answers.student, answers.cells)
            until = lesson.questions.index(found.question) + 1
            for question in lesson.questions[:until]:
                obj = names.get(question.object)
                if obj and question.cell in answers.cells and question.exercise not in known:
                    known[question.exercise] = run(lesson.course, question.exercise, obj, SEEDS[0])
                if obj and question.cell in answers.cells:
                    asked.append(known[question.exercise])
                elif obj and question == found.question:
                    asked.append(run(lesson.course, question.exercise, obj, SEEDS[0]))
            *_, verdict = judge_in_order(lesson.course, asked)
    except (Unrunnable, OutOfTime) as error:
        found.misjudged.append(f"{answers.student}: {str(error) or TOO_LONG}")
        return
    stated = answers.expected[found.question.cell]
    found.misjudged += [f"{answers.student}: {text}" for text in stated.differences(verdict)]


def _judge_own(lesson: LessonQuestions, found: Audit) -> None:
    """Judge the lesson's own answer and its mutants, and what is made from the key."""
    took = []
    obj = lesson.names(OWN, {})[found.question.object]
    for seed in SEEDS[:2]:
        began = time.process_time()
        verdict = run_and_judge(lesson.course, found.question.exercise, obj, seed).verdict
        took.append(time.process_time() - began)
        if verdict.percent < 100:
            found.unsound.append(
                f"the lesson's own answer earns {verdict.percent} %, seed {seed}: "
                f"{verdict.explanation} (Is the answer right? Then look at call() of the exercise.)"
            )
    key = key_of(lesson.course, found.question.exercise)
    found.unsound += proof.mistake_problems(key, proof.MISTAKE_SEEDS)
    found.trivial += trivial.earned(lesson.course, found.question.exercise).items()
    found.pairs += pairs.judge_pairs(lesson.course, found.question.exercise)
    found.equivalent = frozenset(lesson.equivalent.get(found.question.cell, {}))
    judge_mutants(lesson, Answers(OWN, {}, {}), found, min(took))


def _judge_wrong(
    lesson: LessonQuestions, answers: Answers, found: Audit, known: dict[str, Asked]
) -> None:
    """Judge a wrong answer; ``known`` is as for ``_judge_on_top``."""
    question, stated = found.question, answers.expected[found.question.cell]
    others = seeds(found.every_mutant)
    first = next(others)
    try:
        with time_limit():
            names = lesson.names(answers.student, answers.cells)
            if question.object not in names:
                return  # it never reaches the judge: tests of whole notebooks cover it
            obj = names[question.object]
            known[question.exercise] = run(lesson.course, question.exercise, obj, first)
            one = judged(lesson.course, known[question.exercise])
            if difference := elsewhere(lesson, question, obj, one.verdict, others):
                found.by_seed.append(f"{answers.student}: {difference}")
    except (Unrunnable, OutOfTime) as error:
        found.misjudged.append(f"{answers.student}: {str(error) or TOO_LONG}")
        return
    found.wrong += 1
    mistakes = [made.name for made in key_of(lesson.course, question.exercise).mistakes]
    if unknown := set(stated.mistake.split(" and ")) - {*mistakes, "", "none"}:
        there = ", ".join(mistakes)
        found.misjudged += [
            f"{answers.student}: unknown mistake {name!r}; known ones: {there}" for name in unknown
        ]
    if one.error > 1:  # otherwise the numbers are right, and something else is wrong
        found.smallest_wrong = min(found.smallest_wrong, one.error)
    if one.verdict.percent == 100:
        found.accepted.append(answers.student)
    elif difference := stated.contradicted(one.verdict):
        found.misjudged.append(f"{answers.student}: {difference}")
    if stated.names(one.verdict):
        found.named += 1
    else:
        found.unnamed.append(f"{answers.student}: {one.verdict.explanation}")
        if one.verdict.mistakes:
            found.misled.append(f"{answers.student}: {one.verdict.explanation}")
