"""Judge mutants of right answers: none may earn full points, or depend on the seed."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Mapping

from autograder.audit import mutants
from autograder.audit.questions import LessonQuestions, Question, Unrunnable
from autograder.audit.report import Audit
from autograder.audit.runner import (
    MORE_MEMORY,
    SEEDS,
    OutOfTime,
    elsewhere,
    run_and_judge,
    seeds,
    time_limit,
)
from autograder.judging.keys import key_of
from autograder.judging.memory_limit import memory_limit
from autograder.simulate import Answers
from selfcheck.verdicts import Verdict

_LEAST_SECONDS, _TIMES = 0.5, 10
"""CPU seconds for a mutant, on top of a multiple of what the right answer takes on one seed: many
mutants make endless loops."""


def judge_mutants(
    lesson: LessonQuestions, answers: Answers, found: Audit, right_takes: float
) -> None:
    """Judge the mutants of one right answer: all of them, or the sample that its key sets.

    Args:
        lesson: the lesson that asks for it.
        answers: the answer, and those that it may call.
        found: the results are added to it.
        right_takes: the CPU seconds of the answer itself on one seed.
    """
    question = found.question
    cells = {cell: answers.cells.get(cell, source) for cell, source in lesson.right.items()}
    seconds = _LEAST_SECONDS + _TIMES * right_takes
    step = 1 if found.every_mutant else key_of(lesson.course, question.exercise).mutant_sample
    for mutant in one_in(step, answers.student, cells[question.cell]):
        found.mutants += 1
        where = f"{answers.student}, line {mutant.line}"
        verdict, by_seed = judge_mutant(
            lesson, question, cells, mutant, seconds, found.every_mutant
        )
        if by_seed:
            found.by_seed.append(f"{where}, {mutant.name}: {by_seed}")
        elif verdict and verdict.percent == 100:
            found.passed.append((where, mutant.name))


def one_in(step: int, student: str, source: str) -> list[mutants.Mutant]:
    """One in ``step`` of the mutants of an answer."""
    # Each answer starts at a different mutant, because the first lines of many are alike.
    return mutants.mutants(source)[zlib.crc32(student.encode()) % step :: step]


def judge_mutant(
    lesson: LessonQuestions,
    question: Question,
    cells: Mapping[str, str],
    mutant: mutants.Mutant,
    seconds: float,
    many_seeds: bool = False,
) -> tuple[Verdict | None, str]:
    """The verdict on a changed answer, and how it depends on the seed; None if there is none."""
    try:  # outside the limits, because time may run out just as they end
        with time_limit(seconds), memory_limit(MORE_MEMORY):
            return _judge(lesson, question, {**cells, question.cell: mutant.source}, many_seeds)
    except (Unrunnable, OutOfTime, MemoryError):
        return None, ""


def _judge(
    lesson: LessonQuestions, question: Question, cells: Mapping[str, str], many_seeds: bool = False
) -> tuple[Verdict | None, str]:
    obj = lesson.names("mutant", cells).get(question.object)
    if obj is None:
        return None, ""
    verdict = run_and_judge(lesson.course, question.exercise, obj, SEEDS[0]).verdict
    if "layers" in cells[question.cell] and verdict.percent < 100 and not verdict.mistakes:
        return verdict, ""  # layers and models take long
    others = itertools.islice(seeds(many_seeds), 1, None if many_seeds else 2)
    return verdict, elsewhere(lesson, question, obj, verdict, others)
