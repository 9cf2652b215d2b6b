"""Answers of a graded class that no known mistake explains, with what a search finds about them."""

from __future__ import annotations

import multiprocessing
import re
import signal
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import v4

from autograder.audit.questions import LessonQuestions, Question
from autograder.cells import BEGIN_SOLUTION, END_SOLUTION, grade_id
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.execution.executor import cores
from autograder.grading.results import result_of
from autograder.judging.keys import key_of
from autograder.judging.search import search
from autograder.record import Judgement
from selfcheck.verdicts import Verdict

_NUMBER = re.compile(r"-?[\d.,]*\d(e[-+]?\d+)?")


@dataclass(frozen=True)
class UnexplainedAnswers:
    """Answers to an exercise with the same mistake, or, if none was found, with the same
    explanation, but for its numbers.

    Args:
        exercise: its name.
        count: the number of students.
        found: the sentences on the mistake, one for each place; none if no search explains it.
        explanation: what one of the students reads.
        percent: what this student got.
        answer: this student's code.
        solution: the lesson's.
    """

    exercise: str
    count: int
    found: tuple[str, ...]
    explanation: str
    percent: int
    answer: str
    solution: str


@dataclass(frozen=True)
class _Answer:
    judged: Judgement
    code: str


def unexplained(course: CourseFolder, lesson: str) -> Iterator[UnexplainedAnswers | str]:
    """Search the answers of a graded class that no known mistake explains.

    Args:
        course: the course folder.
        lesson: the lesson.

    Yields:
        The name of each exercise whose answers have been searched, then all groups of answers, the
        largest first.

    Raises:
        CourseError: when it has no exercises, or nobody's answers were judged.
    """
    if lesson not in course.lessons():
        raise CourseError(f"{lesson} isn't a lesson whose answers the judge marks.")
    questions = LessonQuestions.read(course, lesson)
    solutions = {
        question: _without_markers(questions.right[question.cell])
        for question in questions.questions
    }
    answers = _answers(course, lesson, solutions)
    todo = {each: found for each in solutions if (found := answers[each.exercise])}
    context = multiprocessing.get_context("spawn")
    # An interrupt reaches all processes; this one ends the others.
    ignore = (signal.SIGINT, signal.SIG_IGN)
    groups: list[UnexplainedAnswers] = []
    with ProcessPoolExecutor(cores(), context, signal.signal, ignore) as pool:
        waiting = {
            question: pool.submit(
                _search,
                course.root,
                question.exercise,
                [(each.judged.seed, each.judged.responses[0]) for each in found],
            )
            for question, found in todo.items()
        }
        for question, future in waiting.items():
            groups += _grouped(question, todo[question], future.result(), solutions[question])
            yield question.exercise
    yield from sorted(groups, key=lambda group: -group.count)


def _search(
    root: Path, exercise: str, responses: Sequence[tuple[int, Any]]
) -> list[tuple[str, ...]]:
    """The sentences on each of some responses to an exercise."""
    key = key_of(CourseFolder(root).declared, exercise)
    found = (search(key, seed, response) for seed, response in responses)
    return [tuple(hint.sentence for hint in made.hints) if made else () for made in found]


def _answers(
    course: CourseFolder, lesson: str, solutions: Mapping[Question, str]
) -> dict[str, list[_Answer]]:
    """What no known mistake explains, by exercise. The lesson's own code fails because of an
    earlier answer, and is left out."""
    asked = {question.exercise: question for question in solutions}
    answers: dict[str, list[_Answer]] = defaultdict(list)
    judged_at_all = False
    for student in course.students(lesson):
        path = course.autograded(student, lesson)
        if not path.is_file():
            continue
        notebook = v4.reads(path.read_text("utf8"))
        code = {grade_id(cell): cell.source for cell in notebook.cells}
        for cell in result_of(notebook).cells:
            if judged := cell.judged:
                judged_at_all = True
                question = asked.get(judged.exercise)
                if question and judged.responses and _is_unexplained(judged.verdict):
                    source = _without_markers(code.get(question.cell, ""))
                    if source != solutions[question]:
                        answers[judged.exercise].append(_Answer(judged, source))
    if not judged_at_all:
        raise CourseError(f"No answers to {lesson} have been judged: autograder grade {lesson}")
    return answers


def _without_markers(source: str) -> str:
    lines = source.strip().splitlines()
    return "\n".join(line for line in lines if line.strip() not in (BEGIN_SOLUTION, END_SOLUTION))


def _is_unexplained(verdict: Verdict) -> bool:
    """Whether an answer is wrong, and no known mistake explains or leads to it, be it one that an
    earlier answer has paid for."""
    explained = verdict.mistakes or verdict.losses
    return verdict.held < 100 and not verdict.reason and not explained


def _grouped(
    question: Question,
    answers: Sequence[_Answer],
    found: Sequence[tuple[str, ...]],
    solution: str,
) -> Iterator[UnexplainedAnswers]:
    alike: dict[tuple[tuple[str, ...], str], list[_Answer]] = defaultdict(list)
    for answer, sentences in zip(answers, found, strict=True):
        without_numbers = _NUMBER.sub("", answer.judged.verdict.explanation)
        alike[sentences, "" if sentences else without_numbers].append(answer)
    for (sentences, _), several in alike.items():
        # The shortest shows the mistake best.
        shown = min(several, key=lambda each: len(each.code))
        verdict = shown.judged.verdict
        yield UnexplainedAnswers(
            question.exercise,
            len(several),
            sentences,
            verdict.explanation,
            verdict.percent,
            shown.code,
            solution,
        )
