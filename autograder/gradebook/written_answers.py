"""What people decided about written answers: reserved, marked, marked a second time.

A table beside nbgrader's keeps who marked an answer and what for. The points and the comment that
count are nbgrader's own manual ones, so the formgrader and everything else see them. nbgrader
creates the table together with its own.
"""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
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
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from autograder.gradebook.engine import open_engine
from autograder.gradebook.saving import GradedAnswer

FIRST, SECOND, REVIEW = 1, 2, 3
"""The turns of an answer. The first mark counts; the second is given without seeing it, and only
says how well people agree; a review sees all, and what the student asked, and counts instead. Later
turns are reviews, too."""

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
    answer = Column(String(64), nullable=False)  # the fingerprint of the text that it's about
    marked = Column(DateTime)  # in UTC; None while it's being marked
    items = Column(Text)  # the rubric's items that it got, as JSON
    points = Column(Float)  # None where the items decide
    total = Column(Float)
    comment = Column(Text)
    flagged = Column(Boolean)
    seconds = Column(Float)


class MarkRequest(Base):
    """A student's request to mark an answer again."""

    __tablename__ = "autograder_mark_request"

    id = Column(String(64), primary_key=True)  # a digest: the same request is entered once
    notebook_id = Column(String(32), nullable=False, index=True)
    cell = Column(String(128), nullable=False)
    answer = Column(String(64), nullable=False)  # the fingerprint of the text that it's about
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
        turn: FIRST, SECOND, REVIEW or later.
        version: tells the student's text from those that were handed in before.
        mark: the grader's own mark; None until there is one.
        earlier: in a review, the mark that counts, then the others.
        request: in a review, what the student asked, else "".
    """

    answer: str
    turn: int
    version: str
    mark: Mark | None = None
    earlier: tuple[Mark, ...] = ()
    request: str = ""


@dataclass(frozen=True)
class Shares:
    """Who marks which answers first. An answer for which nobody is named is anybody's.

    Args:
        by_student: the graders who mark a student's answers, by the student's id.
        by_question: those who mark a question's, by its grade_id.
    """

    by_student: Mapping[str, Set[str]] = field(default_factory=dict)
    by_question: Mapping[str, Set[str]] = field(default_factory=dict)

    def graders(self, student: str, question: str) -> Set[str]:
        """Who is named for an answer; nobody if it's anybody's."""
        nobody: Set[str] = frozenset()
        return self.by_student.get(student, nobody) | self.by_question.get(question, nobody)


@dataclass(frozen=True)
class Progress:
    """How far the marking of a question is.

    Args:
        waiting: answers that nobody has marked, and that aren't others' shares.
        others: answers that nobody has marked, and that only others are to mark.
        marked: answers that somebody has marked.
        mine: marks that this grader has given, second ones and reviews included.
        flagged: answers for which a second opinion is wanted, and not given yet.
        again: answers that this grader may mark a second time.
        review: answers that this grader may review.
        seconds: this grader's median time for an answer; None before the first one.
    """

    waiting: int
    others: int
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
        turn: FIRST, SECOND, REVIEW or later.
        grader: who marked it.
        mark: what was decided.
        seconds: how long that took.
        version: of the student's text.
        when: in UTC.
    """

    answer: str
    turn: int
    grader: str
    mark: Mark
    seconds: float
    version: str
    when: datetime


class NotMarked(Exception):
    """Nobody has marked an answer that somebody asks about; the message says which."""


class NotReserved(Exception):
    """Somebody else is marking this answer, or nobody may; the message says which."""


class WrittenAnswers:
    """The written answers to a lesson's questions in the gradebook.

    Args:
        url: the gradebook's, which nbgrader has opened before, so that its tables exist.
        lesson: the lesson.
        twice: the part of all answers that two people mark, from 0 to 1.
        shares: who marks what.
    """

    def __init__(
        self, url: str, lesson: str, twice: float = 0.0, shares: Shares | None = None
    ) -> None:
        self._engine, self._lesson, self._twice = open_engine(url), lesson, twice
        self._shares = shares or Shares()

    def progress(self, question: str, grader: str) -> Progress:
        """How far the marking of a question is, for a grader."""
        answers = self._answers(question)
        mine = [row for each in answers for row in each.rows.values() if row.grader == grader]
        times = [row.seconds for row in mine if row.marked]
        return Progress(
            waiting=sum(each.waits and each.is_for(grader) for each in answers),
            others=sum(each.waits and not each.is_for(grader) for each in answers),
            marked=sum(not each.waits and each.done(FIRST) is not None for each in answers),
            mine=len(times),
            flagged=sum(each.wants_opinion for each in answers),
            again=sum(each.is_open(SECOND, grader, self._twice) for each in answers),
            review=sum(each.is_open(REVIEW, grader, self._twice) for each in answers),
            seconds=statistics.median(times) if times else None,
        )

    def reserve_next(
        self, question: str, grader: str, turns: Sequence[int] = (FIRST, SECOND)
    ) -> Reserved | None:
        """Reserve an answer for a grader: the one that was shown and not marked, if there is one,
        else the next in an order of the grader's own. Reviews begin where two people differ most.
        None when none waits.

        Args:
            question: its grade_id.
            grader: who marks.
            turns: the turns that are asked for.
        """
        answers = self._answers(question)
        order = sorted(
            answers,
            key=lambda each: (
                not each.is_with(grader, turns),
                -each.difference if REVIEW in turns else 0,
                _uniform(grader, each.id),
            ),
        )
        for each in order:
            for turn in turns:
                if each.is_open(turn, grader, self._twice) and self._reserve(each, turn, grader):
                    return self.find(question, each.id, grader)
        return None

    def find(self, question: str, answer: str, grader: str) -> Reserved:
        """An answer that a grader has marked or reserved.

        Raises:
            NotReserved: when it's somebody else's, or there is none.
        """
        found, row = _own(self._answers(question), answer, grader)
        return found.reserved(row.turn)

    def waiting(self, question: str, grader: str) -> dict[str, str]:
        """The answers that a grader may mark first: by the submitted notebook's id, the version.

        Args:
            question: its grade_id.
            grader: who marks.
        """
        found = self._answers(question)
        return {each.id: each.version for each in found if each.is_open(FIRST, grader, self._twice)}

    def marked_by(self, question: str, grader: str) -> dict[str, str]:
        """The answers whose first mark is a grader's, and counts: as ``waiting`` gives them."""
        found = self._answers(question)
        return {each.id: each.version for each in found if each.counts_from(grader)}

    def save(
        self,
        question: str,
        answer: str,
        grader: str,
        mark: Mark,
        seconds: float,
        also: Mapping[str, str] | None = None,
    ) -> int:
        """Record what a grader decided: all of it, or nothing.

        Args:
            question: its grade_id.
            answer: the submitted notebook's id.
            grader: who decided.
            mark: what was decided.
            seconds: what it took.
            also: the versions of other answers, by the submitted notebook's id, of which each gets
                the same as its first mark, if it waits or that is the grader's own. Those that
                somebody else has by now, or that students have changed, are left out.

        Returns:
            How many of the others got it.

        Raises:
            NotReserved: when it's somebody else's by now, the student has handed in another answer,
                or somebody has given points in the formgrader.
        """
        answers = self._answers(question)
        found, row = _own(answers, answer, grader)
        if row.turn == FIRST and not found.waits and not found.is_as_counted:
            raise NotReserved("Somebody has given points to this answer in the formgrader.")
        others = self._reserve_also(answers, also or {}, grader) if row.turn == FIRST else []
        decided = {
            "marked": _now(),
            "items": json.dumps(mark.items),
            "points": mark.points,
            "total": mark.total,
            "comment": mark.comment,
            "flagged": mark.flagged,
            "seconds": seconds / (1 + len(others)),
        }
        with self._engine.begin() as connection:
            for each in (found, *others):
                place = _MARKS.c.notebook_id == each.id, _MARKS.c.cell == question
                same = (
                    _MARKS.c.turn == row.turn,
                    _MARKS.c.grader == grader,
                    _MARKS.c.answer == each.fingerprint,
                )
                saving = update(_MARKS).where(*place, *same).values(decided)
                if not connection.execute(saving).rowcount:
                    raise NotReserved(_TAKEN)
                if row.turn != SECOND:
                    _enter_counting_mark(connection, question, each.id, each.fingerprint)
        return len(others)

    def marked(self, question: str) -> list[Marked]:
        """All marks for the answers to a question, as these are today."""
        return [
            Marked(each.id, turn, row.grader, mark, row.seconds, each.version, row.marked)
            for each in self._answers(question)
            for turn, row in sorted(each.rows.items())
            if row.marked and (mark := _mark(row))
        ]

    def change_total(self, question: str, marked: Marked, total: float) -> None:
        """Record other points for the same items. Points that somebody has given in the formgrader
        since stay.

        Args:
            question: its grade_id.
            marked: the mark as it was.
            total: the new points.
        """
        found = self._find(question, marked.answer)
        if found is None:
            return
        turn = _MARKS.c.notebook_id == marked.answer, _MARKS.c.turn == marked.turn
        with self._engine.begin() as connection:
            here = update(_MARKS).where(_MARKS.c.cell == question, *turn)
            connection.execute(here.values(total=total))
            if marked.turn != SECOND and found.is_as_counted:
                _enter_counting_mark(connection, question, marked.answer, found.fingerprint)

    def enter_request(self, question: str, student: str, text: str) -> bool:
        """Enter a student's request to mark an answer again; False if it's known already.

        Raises:
            NotMarked: when nobody has marked the answer, or there is none.
        """
        whose = self._submitted(SubmittedNotebook.id).where(
            SubmittedAssignment.student_id == student
        )
        with self._engine.connect() as connection:
            theirs = set(connection.scalars(whose))
        marked = [
            each for each in self._answers(question) if each.id in theirs and each.done(FIRST)
        ]
        if not marked:
            raise NotMarked(f"Nobody has marked an answer of {student} to {question} here.")
        (found,) = marked
        request = {"notebook_id": found.id, "cell": question, "answer": found.fingerprint}
        digest = sha256("\0".join((*request.values(), text)).encode()).hexdigest()
        try:
            with self._engine.begin() as connection:
                entered = {"id": digest, "text": text, "entered": _now()}
                connection.execute(insert(_REQUESTS).values(request | entered))
        except IntegrityError:
            return False
        return True

    def comments(self, question: str, grader: str) -> list[tuple[str, tuple[str, ...]]]:
        """The comments on a question's answers with the items that these got, the most frequent
        first, but for those on answers that a grader is to mark without seeing the first mark."""
        written = Counter(
            (row.comment, tuple(json.loads(row.items)))
            for each in self._answers(question)
            if not each.is_open(SECOND, grader, self._twice)
            for row in each.rows.values()
            if row.comment
        )
        return [each for each, _ in written.most_common()]

    def owners(self, *answers: str) -> dict[str, tuple[str, str]]:
        """The student and the notebook of some answers, or of all, to read them."""
        whose = self._submitted(SubmittedNotebook.id, SubmittedAssignment.student_id, Notebook.name)
        if answers:
            whose = whose.where(SubmittedNotebook.id.in_(answers))
        with self._engine.connect() as connection:
            return {row.id: (row.student_id, row.name) for row in connection.execute(whose)}

    def _answers(self, question: str) -> list[_Answer]:
        """All that are, or were, to be marked by a person."""
        grades = (
            self._submitted(
                SubmittedNotebook.id,
                SubmittedAssignment.student_id,
                Grade.needs_manual_grade,
                Grade.manual_score,
                func.coalesce(GradedAnswer.fingerprint, "").label("fingerprint"),
            )
            .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
            .join(BaseCell, BaseCell.id == Grade.cell_id)
            .outerjoin(GradedAnswer, GradedAnswer.id == Grade.id)
            .where(BaseCell.name == question)
        )
        with self._engine.connect() as connection:
            # Marks first: an answer that is marked in between then no longer waits.
            marks, requests = (
                connection.execute(self._about(table, question)).all()
                for table in (_MARKS, _REQUESTS)
            )
            answers = {
                row.id: _Answer(
                    row.id,
                    question,
                    row.fingerprint,
                    bool(row.needs_manual_grade),
                    row.manual_score,
                    self._shares.graders(row.student_id, question),
                )
                for row in connection.execute(grades)
            }
        for row in marks:
            if found := answers.get(row.notebook_id):
                kept = found.rows if row.answer == found.fingerprint else found.outdated
                kept[row.turn] = row
        for row in requests:
            if (found := answers.get(row.notebook_id)) and row.answer == found.fingerprint:
                found.requests.append(row)
        return list(answers.values())

    def _about(self, table: Any, question: str) -> Select:
        return (
            self._submitted(*table.c)
            .join(table, table.c.notebook_id == SubmittedNotebook.id)
            .where(table.c.cell == question)
        )

    def _find(self, question: str, answer: str) -> _Answer | None:
        return next((each for each in self._answers(question) if each.id == answer), None)

    def _submitted(self, *columns: Any) -> Select:
        return (
            select(*columns)
            .select_from(SubmittedNotebook)
            .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
            .where(Assignment.name == self._lesson)
        )

    def _reserve_also(
        self, answers: Sequence[_Answer], versions: Mapping[str, str], grader: str
    ) -> list[_Answer]:
        """Those of some versions whose first mark is a grader's own, or that still wait for it and
        are reserved now."""
        return [
            each
            for each in answers
            if versions.get(each.id) == each.version
            and (
                each.counts_from(grader)
                or (each.is_open(FIRST, grader, self._twice) and self._reserve(each, FIRST, grader))
            )
        ]

    def _reserve(self, answer: _Answer, turn: int, grader: str) -> bool:
        """Reserve an answer; False if somebody else was quicker."""
        turn = answer.review_turn if turn == REVIEW else turn
        before = answer.rows.get(turn)
        if before and before.grader == grader and not before.marked:
            return True  # it was shown already
        row = dict.fromkeys(_DECIDED) | {
            "grader": grader,
            "reserved": _now(),
            "answer": answer.fingerprint,
        }
        place = {"notebook_id": answer.id, "cell": answer.question, "turn": turn}
        before = before or answer.outdated.get(turn)
        try:
            with self._engine.begin() as connection:
                if before is None:
                    connection.execute(insert(_MARKS).values(row | place | {"id": new_uuid()}))
                    return True
                same = _MARKS.c.id == before.id, _MARKS.c.reserved == before.reserved
                return connection.execute(update(_MARKS).where(*same).values(row)).rowcount > 0
        except IntegrityError:
            return False


_DECIDED = ("marked", "items", "points", "total", "comment", "flagged", "seconds")

_TAKEN = (
    "Somebody else is marking this answer now: it was reserved for you for "
    f"{RESERVED_FOR.seconds // 3600} hours."
)


@dataclass(frozen=True)
class _Answer:
    """An answer to a question.

    Args:
        id: the submitted notebook's.
        question: the question's grade_id.
        fingerprint: of what the student wrote.
        waits: whether the gradebook waits for a person to mark it.
        manual: the points in the gradebook that a person gave, or None.
        graders: who is named to mark it first; nobody if anybody may.
        rows: the marks by turn, as they are in the table.
        outdated: those about another text, which was handed in before.
        requests: the student's, as they are in the table.
    """

    id: str
    question: str
    fingerprint: str
    waits: bool
    manual: float | None
    graders: Set[str]
    rows: dict[int, Any] = field(default_factory=dict)
    outdated: dict[int, Any] = field(default_factory=dict)
    requests: list[Any] = field(default_factory=list)

    @property
    def version(self) -> str:
        """Tells the student's text from those that were handed in before."""
        return self.fingerprint[:16]

    def done(self, turn: int) -> Any:
        """The row of a turn, if it's marked; else None."""
        row = self.rows.get(turn)
        return row if row is not None and row.marked else None

    @property
    def counting(self) -> Any:
        """The row that counts: the last review, or the first mark; None before that."""
        return next(
            (
                row
                for turn in sorted(self.rows, reverse=True)
                if turn != SECOND and (row := self.done(turn))
            ),
            None,
        )

    @property
    def is_as_counted(self) -> bool:
        """Whether the gradebook has the points of the mark that counts."""
        return self.counting is not None and self.manual == self.counting.total

    @property
    def wants_opinion(self) -> bool:
        """Whether a second opinion is wanted, and not given yet."""
        first = self.done(FIRST)
        return bool(first and first.flagged and not self.waits and not self.done(SECOND))

    @property
    def review_turn(self) -> int:
        """The turn of the next review, or of the one that was begun."""
        last = max([REVIEW, *self.rows])
        return last + 1 if self.done(last) else last

    def counts_from(self, grader: str) -> bool:
        """Whether the mark that counts is the first, and a grader's."""
        first = self.done(FIRST)
        counts = first is not None and first is self.counting and not self.waits
        return counts and first.grader == grader and self.is_as_counted

    def is_for(self, grader: str) -> bool:
        """Whether a grader is to mark it first, or anybody is."""
        return not self.graders or grader in self.graders

    def is_with(self, grader: str, turns: Sequence[int]) -> bool:
        """Whether it was shown to a grader for one of some turns, and isn't marked yet."""
        return any(
            row.grader == grader and not row.marked and min(turn, REVIEW) in turns
            for turn, row in self.rows.items()
        )

    def is_open(self, turn: int, grader: str, twice: float) -> bool:
        """Whether a grader may take it for a turn, with a part of all answers marked twice."""
        row = self.rows.get(self.review_turn if turn == REVIEW else turn)
        if row is not None and not row.marked:
            others = row.grader != grader and row.reserved >= _now() - RESERVED_FOR
            if others:
                return False
        first = self.done(FIRST)
        if turn == FIRST:  # a student who hands in again has another answer
            return self.waits and self.is_for(grader)
        if self.waits or first is None or first.grader == grader:
            return False
        if turn == REVIEW:
            return self._is_disputed
        chosen = first.flagged or _uniform(self.question, self.id) < twice
        return bool(chosen) and self.done(SECOND) is None

    @property
    def difference(self) -> float:
        """Between the first two marks, in points; 0 as long as there aren't two."""
        first, second = self.done(FIRST), self.done(SECOND)
        return abs(first.total - second.total) if first and second else 0.0

    @property
    def _is_disputed(self) -> bool:
        """Whether two people disagree, or the student does, and nobody has decided that yet."""
        counting = self.counting
        if counting is None:
            return False
        reviewed = counting.turn != FIRST
        asked = [row for row in self.requests if not reviewed or row.entered > counting.marked]
        differ = self.difference > 0
        return bool(asked) or (differ and not reviewed and self.is_as_counted)

    def reserved(self, turn: int) -> Reserved:
        """What a grader is shown in a turn."""
        own = _mark(self.rows[turn])
        if turn < REVIEW:
            return Reserved(self.id, turn, self.version, own)
        counting = self.counting if self.counting.turn != turn else self.done(FIRST)
        others = [row for number, row in sorted(self.rows.items()) if number != turn and row.marked]
        marks = map(_mark, sorted(others, key=lambda row: row is not counting))
        asked = max(self.requests, key=lambda row: row.entered).text if self.requests else ""
        return Reserved(self.id, turn, self.version, own, tuple(filter(None, marks)), asked)


def _enter_counting_mark(
    connection: Connection, question: str, answer: str, fingerprint: str
) -> None:
    """Enter the points and the comment that count where nbgrader has them."""
    mark = marks_on(connection, answer, fingerprint).get(question)
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


def _own(answers: Sequence[_Answer], answer: str, grader: str) -> tuple[_Answer, Any]:
    """An answer, and a grader's last turn."""
    found = next((each for each in answers if each.id == answer), None)
    if found is None:
        raise NotReserved("The gradebook does not have this answer any more.")
    own = [turn for turn, row in found.rows.items() if row.grader == grader]
    if own:
        return found, found.rows[max(own)]
    if any(row.grader == grader for row in found.outdated.values()):
        raise NotReserved("The student has handed in another answer since.")
    raise NotReserved(_TAKEN)


def marks_on(connection: Any, answer: str, fingerprint: str | None = None) -> dict[str, Mark]:
    """The marks that count in a submitted notebook, by the question's grade_id.

    Args:
        connection: the database's.
        answer: the submitted notebook's id.
        fingerprint: of the text that they are about; any if left out.
    """
    counting = [_MARKS.c.turn != SECOND, _MARKS.c.marked.is_not(None)]
    if fingerprint is not None:
        counting.append(_MARKS.c.answer == fingerprint)
    rows = connection.execute(
        select(_MARKS).where(_MARKS.c.notebook_id == answer, *counting).order_by(_MARKS.c.turn)
    )
    return {row.cell: mark for row in rows if (mark := _mark(row))}  # a review comes last


def _mark(row: Any) -> Mark | None:
    """A row's mark; None while it's being marked."""
    if row.total is None:
        return None
    return Mark(
        tuple(json.loads(row.items)), row.points, row.total, row.comment or "", bool(row.flagged)
    )


def _uniform(*names: str) -> float:
    """A number from 0 to 1, the same for the same names: it draws a sample and sorts."""
    digest = sha256("\0".join(names).encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
