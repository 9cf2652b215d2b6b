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
from selfcheck import UnknownExercise, responses

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
        # Building models takes longest, so those exercises start first: otherwise, everything would
        # wait for them at the end.
        others = {name: _read(course.root, name)[1] for name in {name for name, _ in tasks}}
        parts = [
            (name, question, student)
            for name, question in tasks
            for student in (None, *_right(others[name], question))
        ]
        parts.sort(key=lambda part: (not _builds(course, part[1]), part[2] is not None))
        todo = {
            pool.submit(_part_of, course.root, name, question, student, every_mutant): question
            for name, question, student in parts
        }
        left = Counter(todo.values())
        found = {question: Audit(question, every_mutant=every_mutant) for _, question in tasks}
        for done in as_completed(todo):
            question = todo[done]
            found[question] += done.result()
            left[question] -= 1
            if not left[question]:
                yield found[question]


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
    lesson, others = _read(root, name)
    found = Audit(question, every_mutant=True)
    for student in (None, *_right(others, question)):
        found += _part(lesson, others, question, student, every_mutant=True)
    return found


def _read(root: Path, name: str) -> tuple[LessonQuestions, list[Answers]]:
    """Read a lesson and all answers to it."""
    lesson = LessonQuestions.read(CourseFolder(root), name)
    return lesson, list(read_class(lesson.answers, lesson.right))


_read_once = cache(_read)
"""A cache for the audit's processes: reading takes a quarter of a second, and there are hundreds of
parts."""


def _right(others: Sequence[Answers], question: Question) -> list[str]:
    """The students with right answers to a question, first the lesson's own."""
    return [OWN, *(each.student for each in others if _is_right(each, question))]


def _is_right(answers: Answers, question: Question) -> bool:
    return answers.student.startswith("right_") and question.cell in answers.cells


def _part_of(
    root: Path, name: str, question: Question, student: str | None, every_mutant: bool
) -> Audit:
    """The work of one process in the pool."""
    found = _part(*_read_once(root, name), question, student, every_mutant)
    _freeze()
    return found


@cache
def _freeze() -> None:
    """Exempt the libraries' objects from garbage collection: they outlive the audit."""
    gc.freeze()


def _part(
    lesson: LessonQuestions,
    others: Sequence[Answers],
    question: Question,
    student: str | None,
    every_mutant: bool,
) -> Audit:
    """Judge the mutants of a student's right answer; if there is no student, everything else."""
    found = Audit(question, every_mutant=every_mutant)
    if student == OWN:
        judge_mutants(lesson, Answers(OWN, {}, {}), found)
        return found
    for answers in others:
        if student is not None:
            if answers.student == student:
                judge_mutants(lesson, answers, found)
        elif _is_right(answers, question):
            _judge_right(lesson, answers, found)
        elif question.cell in answers.expected.keys() & answers.cells.keys():
            _judge_wrong(lesson, answers, found)
        elif question.cell in answers.expected:
            _judge_on_top(lesson, answers, found)
    if student is None:
        _judge_own(lesson, found)
        key = key_of(lesson.course, question.exercise)
        found.unsound += proof.mistake_problems(key, proof.MISTAKE_SEEDS)
        found.trivial += trivial.earned(lesson.course, question.exercise).items()
        found.pairs += pairs.judge_pairs(lesson.course, question.exercise)
        found.equivalent = frozenset(lesson.equivalent.get(question.cell, {}))
    return found


def _judge_right(lesson: LessonQuestions, answers: Answers, found: Audit) -> None:
    found.right += 1
    for seed in seeds(found.every_mutant):
        try:
            with time_limit():
                names = lesson.names(answers.student, answers.cells)
                obj = names[found.question.object]
                one = run_and_judge(lesson.course, found.question.exercise, obj, seed)
        except (Unrunnable, OutOfTime) as error:
            found.rejected.append(f"{answers.student}: {str(error) or TOO_LONG}")
            return
        found.largest_right = max(found.largest_right, one.error)
        if one.verdict.percent < 100:
            found.rejected.append(f"{answers.student}, seed {seed}: {one.verdict.explanation}")
            return


def _judge_on_top(lesson: LessonQuestions, answers: Answers, found: Audit) -> None:
    """Judge the lesson's own answer on top of a student's, whose mistakes already cost points."""
    asked, seed = [], SEEDS[0]
    try:
        with time_limit():
            names = lesson.names(answers.student, answers.cells)
            until = lesson.questions.index(found.question) + 1
            for question in lesson.questions[:until]:
                obj = names.get(question.object)
                if obj and (question.cell in answers.cells or question == found.question):
                    exercise = lesson.course.get(question.exercise)
                    response = responses.respond(exercise, obj, exercise.drawn(seed))
                    asked.append(Asked(question.exercise, seed, response))
            *_, verdict = judge_in_order(lesson.course, asked)
    except (Unrunnable, OutOfTime) as error:
        found.misjudged.append(f"{answers.student}: {str(error) or TOO_LONG}")
        return
    stated = answers.expected[found.question.cell]
    found.misjudged += [f"{answers.student}: {text}" for text in stated.differences(verdict)]


def _judge_own(lesson: LessonQuestions, found: Audit) -> None:
    """Judge the lesson's own answer."""
    obj = lesson.names(OWN, {})[found.question.object]
    for seed in SEEDS[:2]:
        verdict = run_and_judge(lesson.course, found.question.exercise, obj, seed).verdict
        if verdict.percent < 100:
            found.unsound.append(
                f"the lesson's own answer earns {verdict.percent} %, seed {seed}: "
                f"{verdict.explanation} (Is the answer right? Then look at call() of the exercise.)"
            )


def _judge_wrong(lesson: LessonQuestions, answers: Answers, found: Audit) -> None:
    question, stated = found.question, answers.expected[found.question.cell]
    others = seeds(found.every_mutant)
    first = next(others)
    try:
        with time_limit():
            names = lesson.names(answers.student, answers.cells)
            if question.object not in names:
                return  # it never reaches the judge: tests of whole notebooks cover it
            obj = names[question.object]
            one = run_and_judge(lesson.course, question.exercise, obj, first)
            if difference := elsewhere(lesson, question, obj, one.verdict, others):
                found.by_seed.append(f"{answers.student}: {difference}")
    except (Unrunnable, OutOfTime) as error:
        found.misjudged.append(f"{answers.student}: {str(error) or TOO_LONG}")
        return
    found.wrong += 1
    known = [known.name for known in key_of(lesson.course, question.exercise).mistakes]
    if unknown := set(stated.mistake.split(" and ")) - {*known, "", "none"}:
        there = ", ".join(known)
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
