"""One lesson's written questions, as the page on which people mark them shows them."""

from __future__ import annotations

import math
import threading
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from nbformat.v4 import new_markdown_cell
from traitlets import Dict, Float, List, Unicode
from traitlets.config import Configurable, LoggingConfigurable

from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.gradebook.written_answers import (
    FIRST,
    REVIEW,
    SECOND,
    Mark,
    NotMarked,
    Reserved,
    Shares,
    WrittenAnswers,
)
from autograder.marking.agreement import agreement
from autograder.marking.alike import AlikeAnswers
from autograder.marking.questions import (
    Question,
    as_html,
    find_answer,
    notebook_as_html,
    written_questions,
)
from autograder.marking.requests import Request
from autograder.marking.statistics import question_statistics
from autograder.roster.roster import Roster, read_roster
from autograder.rubrics import DIGITS, Rubric, problems, read_rubrics

_TURNS = {FIRST: "first", SECOND: "second", REVIEW: "review"}

_LONGEST_COMMENT = 10_000

_MOST_ALIKE = 8
"""Different texts that are shown beside an answer."""

_SHORT = 1_000
"""Characters of an answer in a list of marks."""

_Key = tuple[str, str]  # an answer's id and version


class WrittenMarking(LoggingConfigurable):
    """Who marks written answers."""

    twice = Float(
        0.1,
        min=0,
        max=1,
        help="The part of all answers that a second person marks, without seeing what the first "
        "one decided, from 0 to 1.",
    ).tag(config=True)
    sections = Dict(
        key_trait=Unicode(),
        value_trait=List(Unicode()),
        help="By grader, the sections or groups of the roster whose answers they mark first.",
    ).tag(config=True)
    questions = Dict(
        key_trait=Unicode(),
        value_trait=List(Unicode()),
        help="By grader, the questions (their grade_ids) that they mark first. An answer that is "
        "in nobody's sections and questions is anybody's.",
    ).tag(config=True)


@dataclass(frozen=True)
class Recounted:
    """What a changed rubric changes for the answers to a question.

    Args:
        title: the question.
        marks: how many marks follow from the rubric.
        differences: in points, of those that count and change.
    """

    title: str
    marks: int
    differences: Sequence[float]


class LessonMarking:
    """The marking of one lesson. Lesson, rubrics and settings are read once.

    Args:
        course: the course folder.
        lesson: the lesson.

    Raises:
        CourseError: when there is no such lesson, nothing of it is graded yet, or the settings name
            a section that nobody is in.
    """

    def __init__(self, course: CourseFolder, lesson: str) -> None:
        self._course = course
        self._lesson = course.find_assignment(lesson)
        asked = written_questions(course, self._lesson)
        self.questions = {each.name: each for each in asked}
        for each in asked:
            if self.questions[each.name] != each:
                other = self.questions[each.name].notebook
                raise CourseError(
                    f"{each.notebook} and {other} both have a question called {each.name}: give "
                    "one of the cells another name, and release the lesson."
                )
        if not self.questions:
            raise CourseError(f"{self._lesson} has no written questions: there is nothing to mark.")
        # What answers say, and how alike they are, by question; one thread reads them at a time.
        self._texts: dict[str, dict[_Key, str]] = {name: {} for name in self.questions}
        self._alike: dict[str, AlikeAnswers] = {}
        self._reading = threading.Lock()
        self.rubrics()
        if not course.has_gradebook:
            raise CourseError(
                f"Nothing is graded yet: run `autograder grade {self._lesson}` first."
            )
        self._answers = self._open_gradebook()

    def rubrics(self) -> dict[str, Rubric]:
        """By question, as they are now; an empty one where there is none.

        Raises:
            CourseError: when one of them can't be read, or doesn't fit its question.
        """
        points = {each.name: each.points for each in self.questions.values()}
        found = read_rubrics(self._course, self._lesson)
        if wrong := list(problems(found, points)):
            raise CourseError(f"{'; '.join(wrong)}.")
        return {name: found.get(name, Rubric()) for name in self.questions}

    def _open_gradebook(self) -> WrittenAnswers:
        with self._course.as_working_directory(), self._course.quiet():
            nbgrader = self._course.nbgrader
            nbgrader.gradebook.close()  # opening it creates the tables that it lacks
        marking = WrittenMarking(parent=Configurable(config=nbgrader.config))
        url, shares = nbgrader.coursedir.db_url, self._shares(marking)
        return WrittenAnswers(url, self._lesson, marking.twice, shares)

    def _shares(self, marking: WrittenMarking) -> Shares:
        by_student: dict[str, set[str]] = defaultdict(set)
        by_question: dict[str, set[str]] = defaultdict(set)
        roster = read_roster(self._course) if marking.sections else Roster()
        for grader, sections in marking.sections.items():
            for section in sections:
                members = roster.group(section)
                if not members:
                    raise CourseError(
                        f"Nobody in the class is in {section!r}, which c.WrittenMarking.sections "
                        f"gives to {grader}. `autograder roster` reads the class with its sections."
                    )
                for person in members:
                    by_student[person.student].add(grader)
        for grader, questions in marking.questions.items():
            for question in questions:
                by_question[question].add(grader)
        return Shares(by_student, by_question)

    def described(self, grader: str) -> dict[str, Any]:
        """All questions, with their rubrics and how far they are."""
        rubrics = self.rubrics()
        questions = [
            {
                "name": question.name,
                "notebook": question.notebook,
                "title": question.title,
                "points": question.points,
                "text": question.task,
                "solution": question.solution,
                "items": [asdict(item) for item in rubric.items],
                "examples": [
                    {
                        "points": rubric.total(example.items),
                        "items": example.items,
                        "text": as_html(new_markdown_cell(example.text)),
                        "why": example.why,
                    }
                    for example in rubric.examples
                ],
                "progress": self._progress(question, grader),
                "agreement": self._agreement(question, grader),
            }
            for question in self.questions.values()
            for rubric in [rubrics[question.name]]
        ]
        return {"questions": questions}

    def next(self, question: Question, grader: str, *, review: bool = False) -> dict[str, Any]:
        """The next answer for this grader.

        Args:
            question: the question.
            grader: who marks.
            review: whether one is wanted on which people disagree, or the student does.
        """
        turns = (REVIEW,) if review else (FIRST, SECOND)
        reserved = self._answers.reserve_next(question.name, grader, turns)
        return self._shown(question, reserved) if reserved else {"answer": None}

    def answer(self, question: Question, grader: str, answer: str) -> dict[str, Any]:
        """An answer that this grader has marked or reserved."""
        return self._shown(question, self._answers.find(question.name, answer, grader))

    def save(self, question: Question, grader: str, answer: str, decided: Any) -> dict[str, Any]:
        """Record a mark.

        Args:
            question: the question.
            grader: who decided.
            answer: the answer's id.
            decided: what the page sent.

        Raises:
            CourseError: when it makes no sense; the message says why.
        """
        mark, seconds, also = self._read(question, decided)
        others = self._answers.save(question.name, answer, grader, mark, seconds, also)
        progress = self._progress(question, grader)
        return {"marked": asdict(mark), "others": others, "progress": progress}

    def alike(self, question: Question, grader: str, answer: str) -> dict[str, Any]:
        """Answers that say nearly the same as one of this grader's, and wait for a first mark, or
        have one from this grader, too, if it's marked: some of them, the most similar first. Those
        that are equal are together. The first time, all answers are read.
        """
        own = self._answers.find(question.name, answer, grader)
        if own.turn != FIRST:
            return {"alike": []}
        key = answer, own.version
        waiting = set(self._answers.waiting(question.name, grader).items())
        mine: set[_Key] = set()
        if own.mark:
            mine = set(self._answers.marked_by(question.name, grader).items())
        found = self._alike_to(question, key, (waiting | mine) - {key})
        texts = self._texts[question.name]
        equal: dict[tuple[str, str, bool], dict[str, str]] = {}
        for other in found:
            shown = texts[other], other[1], other in mine  # the version knows the pictures, too
            if shown not in equal and len(equal) == _MOST_ALIKE:
                break
            equal.setdefault(shown, {})[other[0]] = other[1]
        owners = self._answers.owners(*(next(iter(versions)) for versions in equal.values()))
        alike = []
        for (_, _, marked), versions in equal.items():
            student, _ = owners[next(iter(versions))]
            html = as_html(find_answer(self._course, student, self._lesson, question))
            alike.append({"text": html, "marked": marked, "versions": versions})
        return {"alike": alike}

    def comments(self, question: Question, grader: str) -> dict[str, Any]:
        """Comments that anybody has written on its answers, to use them again."""
        written = self._answers.comments(question.name, grader)
        return {"comments": [{"comment": said, "items": items} for said, items in written]}

    def mine(self, question: Question, grader: str) -> dict[str, Any]:
        """What a grader has marked, the newest first, with the answers."""
        marked = [each for each in self._answers.marked(question.name) if each.grader == grader]
        marked.sort(key=lambda each: each.when, reverse=True)
        with self._reading:
            texts = self._read_texts(question, {(each.answer, each.version) for each in marked})
        return {
            "marks": [
                {
                    "answer": each.answer,
                    "turn": _TURNS[min(each.turn, REVIEW)],
                    "items": each.mark.items,
                    "total": each.mark.total,
                    "flagged": each.mark.flagged,
                    "comment": each.mark.comment,
                    "text": _shortened(texts[each.answer, each.version]),
                }
                for each in marked
            ]
        }

    def notebook(self, question: Question, grader: str, answer: str) -> dict[str, Any]:
        """The notebook with an answer that this grader has, for reading."""
        self._answers.find(question.name, answer, grader)
        ((student, _),) = self._answers.owners(answer).values()
        return {"cells": notebook_as_html(self._course, student, self._lesson, question)}

    def enter_requests(self, requests: Sequence[Request]) -> tuple[int, list[str]]:
        """Enter students' requests to mark their answers again; those that are known stay.

        Returns:
            How many are new, and what is wrong with others, in sentences.
        """
        new, wrong = 0, []
        for request in requests:
            asked = [
                question.name
                for question in self.questions.values()
                if request.question.replace("_", " ").casefold() == question.title.casefold()
            ]
            try:
                if not asked:
                    raise NotMarked(f"{self._lesson} asks no question called {request.question!r}.")
                if not request.request:
                    raise NotMarked(f"{request.student} gives no reason.")
                new += self._answers.enter_request(asked[0], request.student, request.request)
            except NotMarked as error:
                wrong.append(f"{request.place}: {error}")
        return new, wrong

    def recount(self, *, apply: bool) -> list[Recounted]:
        """Count the marks again whose points follow from a rubric, by today's.

        Args:
            apply: also record the new points. Points that were given freely stay.
        """
        found = []
        rubrics = self.rubrics()
        for name, question in self.questions.items():
            rubric = rubrics[name]
            marks = [each for each in self._answers.marked(name) if each.mark.points is None]
            totals = [rubric.total(each.mark.items) for each in marks]
            changed = [
                (each, total)
                for each, total in zip(marks, totals, strict=True)
                if rubric.items and total != each.mark.total
            ]
            for each, total in changed if apply else ():
                self._answers.change_total(name, each, total)
            differences = [total - each.mark.total for each, total in changed if each.turn == FIRST]
            found.append(Recounted(question.title, len(marks), differences))
        return found

    def _agreement(self, question: Question, grader: str) -> dict[str, Any]:
        """Of all who mark, and of this grader with others."""
        known = question_statistics(question.name, self._answers.marked(question.name))
        own = (each.agreement for each in known.graders if each.name == grader)
        return asdict(known.agreement) | {"mine": asdict(next(own, agreement([])))}

    def _progress(self, question: Question, grader: str) -> dict[str, Any]:
        return asdict(self._answers.progress(question.name, grader))

    def _alike_to(self, question: Question, key: _Key, waiting: set[_Key]) -> Sequence[_Key]:
        with self._reading:
            known = self._alike.get(question.name)
            if known is None or not {key, *waiting} <= known.keys:
                texts = self._read_texts(question, {key, *waiting})
                known = self._alike[question.name] = AlikeAnswers(texts)
            return [each for each in known.to(key) if each in waiting]

    def _read_texts(self, question: Question, keys: set[_Key]) -> dict[_Key, str]:
        """What these answers say, and those that were read before; "" if a notebook is gone."""
        texts = self._texts[question.name]
        if new := keys - texts.keys():
            owners = self._answers.owners()
            for answer, version in new:
                student, _ = owners[answer]
                texts[answer, version] = ""
                with suppress(CourseError):
                    cell = find_answer(self._course, student, self._lesson, question)
                    texts[answer, version] = cell.source
        return texts

    def _shown(self, question: Question, reserved: Reserved) -> dict[str, Any]:
        owners = self._answers.owners(reserved.answer)
        if not owners:
            raise CourseError("The gradebook does not have this answer any more.")
        cell = find_answer(self._course, owners[reserved.answer][0], self._lesson, question)
        return {
            "answer": reserved.answer,
            "text": as_html(cell),
            "version": reserved.version,
            "turn": _TURNS[min(reserved.turn, REVIEW)],
            "marked": asdict(reserved.mark) if reserved.mark else None,
            "earlier": [asdict(mark) for mark in reserved.earlier],
            "request": reserved.request,
        }

    def _read(self, question: Question, decided: Any) -> tuple[Mark, float, dict[str, str]]:
        """What a page sent, checked."""
        rubric = self.rubrics()[question.name]
        try:
            items = tuple(str(name) for name in decided["items"])
            points, seconds = decided["points"], float(decided["seconds"])
            points = None if points is None else float(points)
            comment, flagged = str(decided["comment"]).strip(), bool(decided["flagged"])
            also = {str(other): str(version) for other, version in decided["also"].items()}
        except (AttributeError, KeyError, TypeError, ValueError):
            raise CourseError("The page sent something else than a mark: reload it.") from None
        if not set(items) <= {item.name for item in rubric.items}:
            raise CourseError("The rubric has changed since this page was opened: reload it.")
        total = rubric.total(items) if points is None else round(points, DIGITS)
        if not 0 <= total <= question.points:
            raise CourseError(f"Give 0 to {question.points:g} points.")
        if len(comment) > _LONGEST_COMMENT:
            raise CourseError(f"A comment may have {_LONGEST_COMMENT:,} characters.")
        spent = min(seconds, 3600.0) if math.isfinite(seconds) and seconds > 0 else 0.0
        return Mark(items, points, total, comment, flagged), spent, also


def _shortened(text: str) -> str:
    """A text, or how it begins."""
    return text if len(text) <= _SHORT else f"{text[:_SHORT]} …"
