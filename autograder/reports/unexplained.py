"""Answers of a graded class that no known mistake explains, with what a search finds about them."""

from __future__ import annotations

import multiprocessing
import signal
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import v4

from autograder.audit.questions import LessonQuestions, Question
from autograder.cells import grade_id
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.execution.executor import cores
from autograder.grading.results import result_of
from autograder.judging.keys import key_of
from autograder.judging.search import search
from autograder.record import Judgement
from selfcheck.verdicts import Verdict


@dataclass(frozen=True)
class UnexplainedAnswers:
    """Answers to an exercise with the same mistake, or, if none was found, with the same failures.

    Args:
        exercise: its name.
        count: the number of students.
        found: the sentences on the mistake, one for each place; none if no search explains it.
        failed: the titles of the aspects that failed.
        seen: what was seen first in one of them.
        answer: one student's code.
        solution: the lesson's.
    """

    exercise: str
    count: int
    found: tuple[str, ...]
    failed: tuple[str, ...]
    seen: str
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
    answers = _answers(course, lesson, questions.questions)
    todo = {each: found for each in questions.questions if (found := answers[each.exercise])}
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
            solution = questions.right[question.cell]
            groups += _grouped(question, todo[question], future.result(), solution)
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
    course: CourseFolder, lesson: str, questions: Sequence[Question]
) -> dict[str, list[_Answer]]:
    """What no known mistake explains, by exercise."""
    cells = {question.exercise: question.cell for question in questions}
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
                if (
                    judged.responses
                    and judged.exercise in cells
                    and _is_unexplained(judged.verdict)
                ):
                    source = code.get(cells[judged.exercise], "")
                    answers[judged.exercise].append(_Answer(judged, source))
    if not judged_at_all:
        raise CourseError(f"No answers to {lesson} have been judged: autograder grade {lesson}")
    return answers


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
    alike: dict[tuple[tuple[str, ...], tuple[str, ...]], list[_Answer]] = defaultdict(list)
    for answer, sentences in zip(answers, found, strict=True):
        verdict = answer.judged.verdict
        failed = tuple(each.title for each in verdict.findings if not each.passed)
        alike[sentences, () if sentences else failed].append(answer)
    for (sentences, _), several in alike.items():
        # The shortest shows the mistake best.
        shown = min(several, key=lambda each: len(each.code))
        wrong = [each for each in shown.judged.verdict.findings if not each.passed]
        yield UnexplainedAnswers(
            question.exercise,
            len(several),
            sentences,
            tuple(each.title for each in wrong),
            wrong[0].seen if wrong else "",
            shown.code,
            solution,
        )
