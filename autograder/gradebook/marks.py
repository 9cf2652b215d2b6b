"""What people decided about written answers: reserved, marked, marked a second time.

A table beside nbgrader's keeps who marked an answer and what for. The points and the comment that
count are nbgrader's own manual ones, so the formgrader and everything else see them. nbgrader
creates the table together with its own.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from nbgrader.api import (
    Assignment,
    Base,
    BaseCell,
    Comment,
    Grade,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
    new_uuid,
)
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    DateTime,
    Float,
    Integer,
    Select,
    String,
    Text,
    UniqueConstraint,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from autograder.gradebook.engine import open_engine

FIRST, SECOND, REVIEW = 1, 2, 3
"""The turns of an answer. The first mark counts; the second is given without seeing it, and only
says how well people agree; a review sees both, and what the student asked, and counts instead."""

RESERVED_FOR = timedelta(hours=2)
"""How long an answer waits for the grader who was shown it."""


class WrittenMark(Base):
    """An answer that somebody is marking or has marked. Two people never have the same one: the
    database allows one row for each turn."""

    __tablename__ = "autograder_written_mark"
    __table_args__ = (UniqueConstraint("notebook_id", "cell", "turn"),)

    id = Column(String(32), primary_key=True)
    notebook_id = Column(String(32), nullable=False, index=True)  # the submitted notebook's
    cell = Column(String(128), nullable=False)  # the question's grade_id
    turn = Column(Integer, nullable=False)
    grader = Column(String(128), nullable=False)
    reserved = Column(DateTime, nullable=False)  # in UTC
    marked = Column(DateTime)  # in UTC; None while it's being marked
    items = Column(Text)  # the rubric's items that it got, as JSON
    points = Column(Float)  # None where the items decide
    total = Column(Float)
    comment = Column(Text)
    flagged = Column(Boolean)
    seconds = Column(Float)


class MarkRequest(Base):
    """What a student wrote who wants an answer to be marked anew."""

    __tablename__ = "autograder_mark_request"
    __table_args__ = (UniqueConstraint("notebook_id", "cell", "text"),)

    id = Column(String(32), primary_key=True)
    notebook_id = Column(String(32), nullable=False, index=True)
    cell = Column(String(128), nullable=False)
    text = Column(Text, nullable=False)
    entered = Column(DateTime, nullable=False)  # in UTC


_MARKS: Any = WrittenMark.__table__
_REQUESTS: Any = MarkRequest.__table__


@dataclass(frozen=True)
class Mark:
    """What somebody decided about an answer.

    Args:
        items: the names of the rubric's items that it got.
        points: points given freely; None where the items decide.
        total: the points.
        comment: for the student.
        flagged: whether a second opinion is wanted.
    """

    items: tuple[str, ...] = ()
    points: float | None = None
    total: float = 0.0
    comment: str = ""
    flagged: bool = False


@dataclass(frozen=True)
class Reserved:
    """An answer that a grader may mark.

    Args:
        answer: the submitted notebook's id, which tells nobody whose it is.
        turn: FIRST, SECOND or REVIEW.
        mark: the grader's own mark; None until there is one.
        earlier: in a review, the marks of the others.
        request: in a review, what the student asked, else "".
    """

    answer: str
    turn: int = FIRST
    mark: Mark | None = None
    earlier: tuple[Mark, ...] = ()
    request: str = ""


@dataclass(frozen=True)
class Progress:
    """How far the marking of a question is.

    Args:
        waiting: answers that nobody has marked.
        marked: answers that somebody has marked.
        mine: answers that this grader has marked, the second time included.
        flagged: answers for which a second opinion is wanted.
        again: answers that this grader may mark a second time.
        review: answers that this grader may review.
        seconds: this grader's median time for an answer; None before the first one.
    """

    waiting: int
    marked: int
    mine: int
    flagged: int
    again: int
    review: int
    seconds: float | None


@dataclass(frozen=True)
class Marked:
    """An answer that somebody has marked.

    Args:
        answer: the submitted notebook's id.
        turn: FIRST, SECOND or REVIEW.
        grader: who marked it.
        mark: what was decided.
        seconds: how long that took.
    """

    answer: str
    turn: int
    grader: str
    mark: Mark
    seconds: float


class NotMarked(Exception):
    """Nobody has marked an answer that somebody asks about; the message says which."""


class NotReserved(Exception):
    """Somebody else is marking this answer, or nobody may; the message says which."""


class WrittenAnswers:
    """The written answers to a lesson's questions in the gradebook.

    Args:
        url: the gradebook's, which nbgrader has opened before, so that its tables exist.
        lesson: the lesson.
        second_share: the share of answers that are marked twice, from 0 to 1.
    """

    def __init__(self, url: str, lesson: str, second_share: float = 0.0) -> None:
        self._engine, self._lesson, self._share = open_engine(url), lesson, second_share

    def progress(self, question: str, grader: str) -> Progress:
        """How far the marking of a question is, for a grader."""
        answers = self._answers(question)
        marks = [row for each in answers for row in each.rows.values() if row.marked]
        mine = [row for row in marks if row.grader == grader]
        return Progress(
            waiting=sum(each.waits for each in answers),
            marked=sum(row.turn == FIRST for row in marks),
            mine=len(mine),
            flagged=sum(row.turn == FIRST and row.flagged for row in marks),
            again=sum(each.is_open(SECOND, grader, self._share) for each in answers),
            review=sum(each.is_open(REVIEW, grader, self._share) for each in answers),
            seconds=statistics.median(row.seconds for row in mine) if mine else None,
        )

    def reserve_next(
        self, question: str, grader: str, turns: Sequence[int] = (FIRST, SECOND)
    ) -> Reserved | None:
        """Reserve an answer for a grader: the one that was shown and not marked, if there is one,
        else the next in an order of the grader's own. None when none waits.

        Args:
            question: its grade_id.
            grader: who marks.
            turns: the turns that are asked for.
        """
        answers = self._answers(question)
        for each in answers:
            for turn, row in each.rows.items():
                stays = each.waits == (turn == FIRST) and turn in turns
                if stays and row.grader == grader and not row.marked:
                    return each.reserved(turn)
        for each in sorted(answers, key=lambda each: _number(grader, each.id)):
            for turn in turns:
                if each.is_open(turn, grader, self._share) and self._reserve(each, turn, grader):
                    return each.reserved(turn)
        return None

    def find(self, question: str, answer: str, grader: str) -> Reserved:
        """An answer that a grader has marked or reserved.

        Raises:
            NotReserved: when it's somebody else's, or there is none.
        """
        with self._engine.connect() as connection:
            turn = self._own(connection, question, answer, grader).turn
        (found,) = (each for each in self._answers(question) if each.id == answer)
        return found.reserved(turn)

    def save(self, question: str, answer: str, grader: str, mark: Mark, seconds: float) -> None:
        """Record what a grader decided: all of it, or nothing.

        Args:
            question: its grade_id.
            answer: the submitted notebook's id.
            grader: who decided.
            mark: what was decided.
            seconds: what it took.

        Raises:
            NotReserved: when it's somebody else's by now.
        """
        with self._engine.begin() as connection:
            row = self._own(connection, question, answer, grader)
            decided = {
                "marked": _now(),
                "items": json.dumps(mark.items),
                "points": mark.points,
                "total": mark.total,
                "comment": mark.comment,
                "flagged": mark.flagged,
                "seconds": seconds,
            }
            connection.execute(update(_MARKS).where(_MARKS.c.id == row.id).values(decided))
            _count(connection, question, answer)

    def marked(self, question: str) -> list[Marked]:
        """All marks for the answers to a question."""
        with self._engine.connect() as connection:
            rows = connection.execute(self._marks(question).order_by(_MARKS.c.turn)).all()
        return [
            Marked(row.notebook_id, row.turn, row.grader, mark, row.seconds)
            for row in rows
            if row.marked and (mark := _mark(row))
        ]

    def change_total(self, question: str, marked: Marked, total: float) -> None:
        """Record other points for the same items.

        Args:
            question: its grade_id.
            marked: the mark as it was.
            total: the new points.
        """
        turn = _MARKS.c.notebook_id == marked.answer, _MARKS.c.turn == marked.turn
        with self._engine.begin() as connection:
            here = update(_MARKS).where(_MARKS.c.cell == question, *turn)
            connection.execute(here.values(total=total))
            _count(connection, question, marked.answer)

    def enter_request(self, question: str, student: str, text: str) -> bool:
        """Enter a student's request to mark an answer anew; False if it's known already.

        Raises:
            NotMarked: when nobody has marked the answer, or there is none.
        """
        theirs = (
            self._marks(question)
            .where(SubmittedAssignment.student_id == student)
            .where(_MARKS.c.turn == FIRST, _MARKS.c.marked.is_not(None))
        )
        try:
            with self._engine.begin() as connection:
                row = connection.execute(theirs).first()
                if row is None:
                    raise NotMarked(f"Nobody has marked {student}'s answer to {question} here.")
                asked = {"id": new_uuid(), "notebook_id": row.notebook_id, "cell": question}
                connection.execute(
                    insert(_REQUESTS).values(asked | {"text": text, "entered": _now()})
                )
        except IntegrityError:
            return False
        return True

    def comments(self, question: str) -> list[str]:
        """The comments that were written on a question's answers, the most frequent first."""
        written = (
            select(_MARKS.c.comment)
            .where(_MARKS.c.cell == question, _MARKS.c.comment != "")
            .where(_MARKS.c.notebook_id.in_(self._submitted(SubmittedNotebook.id)))
            .group_by(_MARKS.c.comment)
            .order_by(func.count().desc(), _MARKS.c.comment)
        )
        with self._engine.connect() as connection:
            return list(connection.scalars(written))

    def owner(self, answer: str) -> tuple[str, str] | None:
        """The student and the notebook of an answer, to read it; None if there is none."""
        whose = self._submitted(SubmittedAssignment.student_id, Notebook.name)
        with self._engine.connect() as connection:
            row = connection.execute(whose.where(SubmittedNotebook.id == answer)).first()
        return (row.student_id, row.name) if row else None

    def _answers(self, question: str) -> list[_Answer]:
        """All that are, or were, to be marked by a person."""
        grades = (
            self._submitted(SubmittedNotebook.id, Grade.needs_manual_grade)
            .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
            .join(BaseCell, BaseCell.id == Grade.cell_id)
            .where(BaseCell.name == question)
        )
        requests = (
            self._submitted(*_REQUESTS.c)
            .join(_REQUESTS, _REQUESTS.c.notebook_id == SubmittedNotebook.id)
            .where(_REQUESTS.c.cell == question)
            .order_by(_REQUESTS.c.entered)
        )
        with self._engine.connect() as connection:
            # Marks first: an answer that is marked in between then no longer waits.
            marks = connection.execute(self._marks(question)).all()
            asked = {row.notebook_id: row for row in connection.execute(requests)}
            answers = {
                row.id: _Answer(
                    row.id, question, bool(row.needs_manual_grade), {}, asked.get(row.id)
                )
                for row in connection.execute(grades)
            }
        for row in marks:
            if row.notebook_id in answers:
                answers[row.notebook_id].rows[row.turn] = row
        return list(answers.values())

    def _marks(self, question: str) -> Select:
        return (
            self._submitted(*_MARKS.c)
            .join(_MARKS, _MARKS.c.notebook_id == SubmittedNotebook.id)
            .where(_MARKS.c.cell == question)
        )

    def _submitted(self, *columns: Any) -> Select:
        return (
            select(*columns)
            .select_from(SubmittedNotebook)
            .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
            .where(Assignment.name == self._lesson)
        )

    def _reserve(self, answer: _Answer, turn: int, grader: str) -> bool:
        """Reserve an answer; False if somebody else was quicker."""
        now = _now()
        try:
            with self._engine.begin() as connection:
                if before := answer.rows.get(turn):
                    same = _MARKS.c.id == before.id, _MARKS.c.reserved == before.reserved
                    taken = {"grader": grader, "reserved": now, "marked": None}
                    if turn == FIRST:  # what others said was about another answer
                        others = _MARKS.c.notebook_id == answer.id, _MARKS.c.turn != FIRST
                        here = delete(_MARKS).where(_MARKS.c.cell == answer.question, *others)
                        connection.execute(here)
                    return (
                        connection.execute(update(_MARKS).where(*same).values(taken)).rowcount > 0
                    )
                row = {
                    "id": new_uuid(),
                    "notebook_id": answer.id,
                    "cell": answer.question,
                    "turn": turn,
                    "grader": grader,
                    "reserved": now,
                }
                connection.execute(insert(_MARKS).values(row))
        except IntegrityError:
            return False
        return True

    def _own(self, connection: Connection, question: str, answer: str, grader: str) -> Any:
        chosen = _MARKS.c.cell == question, _MARKS.c.notebook_id == answer
        row = connection.execute(select(_MARKS).where(*chosen, _MARKS.c.grader == grader)).first()
        if row is None:
            raise NotReserved(
                "Somebody else is marking this answer now: it was reserved for you for "
                f"{RESERVED_FOR.seconds // 3600} hours."
            )
        return row


@dataclass(frozen=True)
class _Answer:
    """An answer to a question.

    Args:
        id: the submitted notebook's.
        question: the question's grade_id.
        waits: whether the gradebook waits for a person to mark it.
        rows: the marks by turn, as they are in the table.
        request: the student's last request, as it is in the table.
    """

    id: str
    question: str
    waits: bool
    rows: dict[int, Any]
    request: Any

    def is_open(self, turn: int, grader: str, share: float) -> bool:
        """Whether a grader may take it for a turn, with a share of all answers marked twice."""
        row, first = self.rows.get(turn), self.rows.get(FIRST)
        left = row is not None and not row.marked and row.reserved < _now() - RESERVED_FOR
        if turn == FIRST:  # a student who hands in again has another answer
            return self.waits and (row is None or bool(row.marked) or left)
        if self.waits or first is None or not first.marked or first.grader == grader:
            return False
        if turn == SECOND:
            chosen = first.flagged or _number(self.question, self.id) < share
            return bool(chosen) and (row is None or left)
        return self._is_disputed and (row is None or bool(row.marked) or left)

    @property
    def _is_disputed(self) -> bool:
        """Whether two people disagree, or the student does, and nobody has decided that yet."""
        first, second, review = (self.rows.get(turn) for turn in (FIRST, SECOND, REVIEW))
        if review and review.marked:
            return self.request is not None and self.request.entered > review.marked
        differ = second and second.marked and second.total != first.total  # type: ignore[union-attr]
        return self.request is not None or bool(differ)

    def reserved(self, turn: int) -> Reserved:
        """What the grader is shown whose turn it is."""
        own = _mark(self.rows[turn]) if turn in self.rows else None
        if turn != REVIEW:
            return Reserved(self.id, turn, own)
        marks = (_mark(row) for turn, row in sorted(self.rows.items()) if turn != REVIEW)
        asked = self.request.text if self.request else ""
        return Reserved(self.id, turn, own, tuple(filter(None, marks)), asked)


def _count(connection: Connection, question: str, answer: str) -> None:
    """Enter the points and the comment that count where nbgrader has them."""
    mark = marks_on(connection, answer).get(question)
    if mark is None:
        return
    cells = select(BaseCell.id).where(BaseCell.name == question)
    decided: dict[Any, dict[str, Any]] = {
        Grade: {"manual_score": mark.total, "needs_manual_grade": False},
        Comment: {"manual_comment": mark.comment},
    }
    for kind, values in decided.items():
        theirs = kind.notebook_id == answer, kind.cell_id.in_(cells)
        connection.execute(update(kind.__table__).where(*theirs).values(values))


def marks_on(connection: Any, answer: str) -> dict[str, Mark]:
    """The marks that count in a submitted notebook, by the question's grade_id.

    Args:
        connection: the database's.
        answer: the submitted notebook's id.
    """
    counting = _MARKS.c.turn != SECOND, _MARKS.c.marked.is_not(None)
    rows = connection.execute(
        select(_MARKS).where(_MARKS.c.notebook_id == answer, *counting).order_by(_MARKS.c.turn)
    )
    return {row.cell: mark for row in rows if (mark := _mark(row))}  # a review comes last


def _mark(row: Any) -> Mark | None:
    """A row's mark, which also stays while its answer is marked anew."""
    if row.total is None:
        return None
    return Mark(
        tuple(json.loads(row.items)), row.points, row.total, row.comment or "", bool(row.flagged)
    )


def _number(*names: str) -> float:
    """A number from 0 to 1, the same for the same names: it draws a sample and sorts."""
    digest = sha256("\0".join(names).encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
