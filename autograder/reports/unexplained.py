"""Answers of a graded class that no known mistake explains, with what a search finds about them."""

from __future__ import annotations

import ast
import contextlib
import multiprocessing
import re
import signal
import warnings
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
from autograder.judging.candidates import Candidate
from autograder.judging.edits import EditError, texts_of
from autograder.judging.keys import Key, key_of
from autograder.judging.search import candidate, search
from autograder.record import Judgement
from selfcheck.explaining import Hint

_NUMBER = re.compile(r"-?[\d.,]*\d(e[-+]?\d+)?")


@dataclass(frozen=True)
class Change:
    """A change of a solution that gives an answer's results.

    Args:
        name: the candidate's.
        sentence: what it does.
        texts: parts of the solution, each followed by its replacement; empty if none can state it.
    """

    name: str
    sentence: str
    texts: tuple[str, ...]


@dataclass(frozen=True)
class UnexplainedAnswers:
    """Answers to an exercise with the same mistake, or, if none was found, with the same
    explanation, but for its numbers.

    Args:
        exercise: its name.
        students: who gave them.
        found: one or two changes that give their results together; none if no search finds any.
        explanation: what one of the students reads.
        percent: what this student got.
        answers: their code, once each: first what several students share, then the shortest. The
            first one is this student's.
        solution: the lesson's.
    """

    exercise: str
    students: tuple[str, ...]
    found: tuple[Change, ...]
    explanation: str
    percent: int
    answers: tuple[str, ...]
    solution: str


@dataclass(frozen=True)
class _Answer:
    student: str
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
    groups: list[UnexplainedAnswers] = []
    with ProcessPoolExecutor(cores(), context, _be_quiet) as pool:
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
    yield from sorted(groups, key=lambda group: -len(group.students))


def find_change(course: CourseFolder, lesson: str, name: str) -> tuple[Key, Candidate]:
    """A change that was found for a lesson's answers, with the key of its exercise.

    Args:
        course: the course folder.
        lesson: the lesson.
        name: the change's.

    Raises:
        CourseError: when no solution of the lesson has this change.
    """
    for question in LessonQuestions.read(course, lesson).questions:
        if name.startswith(f"{question.cell}-"):
            key = key_of(course.declared, question.exercise)
            if found := candidate(key, name):
                return key, found
    raise CourseError(
        f"No change of a solution of {lesson} is called {name!r}: `autograder mistakes {lesson}` "
        "shows the names, which change when a solution or the name of the course's package does."
    )


def _be_quiet() -> None:
    """Begin a process of the search."""
    # An interrupt reaches all processes; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")  # changed solutions divide by zero


def _search(
    root: Path, exercise: str, responses: Sequence[tuple[int, Any]]
) -> list[tuple[Change, ...]]:
    """The changes that explain each of some responses to an exercise."""
    key = key_of(CourseFolder(root).declared, exercise)
    found = [search(key, seed, response) for seed, response in responses]
    made = {name for each in found if each for name in each.names}
    if len(made) > 1:
        found = [
            one or search(key, seed, response, made)
            for one, (seed, response) in zip(found, responses, strict=True)
        ]
    return [
        tuple(_change(key, *each) for each in zip(one.names, one.hints, strict=True)) if one else ()
        for one in found
    ]


def _change(key: Key, name: str, hint: Hint) -> Change:
    found = candidate(key, name)
    assert found  # by search
    texts: tuple[str, ...] = ()
    with contextlib.suppress(EditError):
        texts = texts_of(key.solution, found.edits)
    return Change(name, hint.sentence, texts)


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
                if question and judged.responses and judged.verdict.is_unexplained:
                    source = _without_markers(code.get(question.cell, ""))
                    if source != solutions[question]:
                        answers[judged.exercise].append(_Answer(student, judged, source))
    if not judged_at_all:
        raise CourseError(f"No answers to {lesson} have been judged: autograder grade {lesson}")
    return answers


def _without_markers(source: str) -> str:
    lines = source.strip().splitlines()
    return "\n".join(line for line in lines if line.strip() not in (BEGIN_SOLUTION, END_SOLUTION))


def _grouped(
    question: Question,
    answers: Sequence[_Answer],
    found: Sequence[tuple[Change, ...]],
    solution: str,
) -> Iterator[UnexplainedAnswers]:
    alike: dict[tuple[tuple[Change, ...], str], list[_Answer]] = defaultdict(list)
    for answer, changes in zip(answers, found, strict=True):
        without_numbers = _NUMBER.sub("", answer.judged.verdict.explanation)
        alike[changes, "" if changes else without_numbers].append(answer)
    for (changes, _), several in alike.items():
        written: dict[str, list[_Answer]] = defaultdict(list)
        for answer in several:
            written[_normal(answer.code)].append(answer)
        # First what several wrote, then the shortest: it shows a mistake most clearly.
        different = sorted(written.values(), key=lambda each: (-len(each), len(each[0].code)))
        verdict = different[0][0].judged.verdict
        yield UnexplainedAnswers(
            question.exercise,
            tuple(each.student for each in several),
            changes,
            verdict.explanation,
            verdict.percent,
            tuple(each[0].code for each in different),
            solution,
        )


def _normal(code: str) -> str:
    """A text that is equal for code that differs in comments and spaces only."""
    try:
        return ast.dump(ast.parse(code))
    except SyntaxError:
        return code
