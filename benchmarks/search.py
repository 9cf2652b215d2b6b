"""How many wrong answers a search explains if nobody has written any known mistake.

    python benchmarks/search.py                        # lessons 03 and 05
    python benchmarks/search.py --lesson 03-attention --seeds 40

All known mistakes are taken out, and every wrong answer of the simulated class is searched. What
is found is then tried on further seeds: does it still give the answer's outputs? Seconds are of
this process's processor time; those of the first answer to an exercise include the time for
listing its edits. ``--show`` prints each answer's code beside what was found.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from autograder.audit.questions import LessonQuestions, Unrunnable
from autograder.audit.runner import OutOfTime, time_limit
from autograder.course_folder import CourseFolder
from autograder.judging import solutions
from autograder.judging.keys import Key, KnownMistake, key_of
from autograder.judging.mistakes import OutputsByCase
from autograder.judging.search import search
from autograder.simulate import read_class
from selfcheck import responses
from selfcheck.evidence import Seen
from selfcheck.explaining import gives
from selfcheck.verdicts import observe

SEED, FURTHER = 3, 100
LESSONS = ("03-attention", "05-long-documents")


def wrong_answers(lesson: LessonQuestions) -> Iterator[tuple[Key, str, Any]]:
    """Each wrong answer: the key of what it answers, its code, and the function or class."""
    for question in lesson.questions:
        for answers in read_class(lesson.answers, lesson.right):
            wrong = answers.student.startswith("wrong_")
            if wrong and question.cell in answers.expected.keys() & answers.cells.keys():
                try:
                    names = lesson.names(answers.student, answers.cells)
                except Unrunnable:
                    continue
                if question.object in names:
                    key = key_of(lesson.course, question.exercise)
                    yield key, answers.cells[question.cell], names[question.object]


def response(key: Key, obj: Any, seed: int) -> dict[str, Any]:
    """What an answer hands over."""
    return responses.respond(key.exercise, obj, key.exercise.drawn(seed))


def seen(key: Key, given: Any, seed: int) -> Seen:
    """What the judge sees of it."""
    expected = solutions.expected(key.exercise, key.solution, seed)
    return observe(key.exercise, seed, responses.read(given, key.exercise, seed), expected)


def holds(key: Key, found: KnownMistake, obj: Any, seed: int) -> bool:
    """Whether what was found gives an answer's outputs with another seed."""
    outputs = OutputsByCase(found, solutions.cases(key.exercise, seed))
    with np.errstate(all="ignore"):
        return all(
            gives(outputs[name], one, found.failure)
            for name, one in seen(key, response(key, obj, seed), seed).items()
        )


def main() -> int:
    """Print a row for each exercise."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--course", type=Path, default=Path(__file__).parents[1])
    options.add_argument("--lesson", action="append")
    options.add_argument("--seeds", type=int, default=2, help="how many further seeds")
    options.add_argument("--show", action="store_true")
    given = options.parse_args()
    course = CourseFolder(given.course)
    os.environ |= dict(course.declared.variables)
    # Only when all are there: some are inherited by later exercises.
    for key in [key_of(course.declared, name) for name in course.declared.names()]:
        key.mistakes.clear()
    counts: dict[str, list[float]] = {}
    for name in given.lesson or LESSONS:
        for key, code, obj in wrong_answers(LessonQuestions.read(course, name)):
            row = counts.setdefault(key.exercise.name, [0, 0, 0, 0.0])
            try:
                with time_limit():
                    handed = response(key, obj, SEED)
                began = time.process_time()
                found = search(key, SEED, handed) if seen(key, handed, SEED).wrong else None
            except (OutOfTime, responses.InvalidResponse):
                continue
            row[3] += time.process_time() - began
            row[0] += 1
            row[1] += bool(found)
            further = range(FURTHER, FURTHER + given.seeds)
            if not found:
                continue
            row[2] += not all(holds(key, found, obj, seed) for seed in further)
            if given.show:
                print(f"{code}\n>>> {found.hint}\n")
    print("| exercise | answers | explained | refuted by a further seed | seconds |")
    print("|---|---|---|---|---|")
    counts["all"] = [sum(column) for column in zip(*counts.values(), strict=True)]
    for exercise, (answers, explained, refuted, seconds) in counts.items():
        print(f"| {exercise} | {answers:g} | {explained:g} | {refuted:g} | {seconds:.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
