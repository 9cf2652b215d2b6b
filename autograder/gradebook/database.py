"""The gradebook as a database: checked before anything is done, and shared by graders.

nbgrader opens its gradebook by URL wherever it needs it. Where that is a PostgreSQL server, several
graders can be at one class: each claims a submission before it touches it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    InvalidEntry,
    Notebook,
    SourceCell,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import Connection, Select, bindparam, func, select, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.orm import with_polymorphic

from autograder.errors import CourseError
from autograder.gradebook.engine import (
    database_message,
    described,
    is_shared,
    is_there,
    open_engine,
)
from autograder.gradebook.releases import ReleasedVersion
from autograder.gradebook.saving import INDEXES

_GONE = (
    "The gradebook has stopped answering: {why}. What was recorded is kept. Run the same "
    "command again when it answers, and it resumes where this one stopped."
)

# Wait for a lock as long as it takes; a host that is switched off holds its locks for two minutes
# instead of two hours.
_SETTINGS = (
    "SET lock_timeout = 0",
    "SET statement_timeout = 0",
    "SET tcp_keepalives_idle = 60",
    "SET tcp_keepalives_interval = 10",
    "SET tcp_keepalives_count = 6",
)


def ensure_reachable(url: str, course_id: str) -> None:
    """Check that a gradebook on a server can be used, and that its tables exist.

    nbgrader makes the tables when it finds none, and fails where two find none at the same time.
    A file needs none of this. Both get the indexes that they lack, unless they can't be changed
    now: without them, grades are the same, but a large class takes long.

    Args:
        url: the gradebook's URL.
        course_id: nbgrader's name for the course.

    Raises:
        CourseError: when it cannot be used; the message holds no password.
    """
    if not is_shared(url):
        if is_there(url):
            with suppress(DBAPIError), open_engine(url).begin() as connection:
                _add_indexes(connection)
        return
    with _session(url) as session:
        session.execute(select(func.pg_advisory_lock(_key("tables"))))
        try:
            for name in (course_id, "default_course"):  # some of nbgrader's steps name no course
                Gradebook(url, name).close()
        except (DBAPIError, InvalidEntry) as error:
            raise CourseError(
                f"{described(url)} cannot be used: {database_message(error)}"
            ) from None
        with suppress(DBAPIError):
            _add_indexes(session)


def _add_indexes(connection: Connection) -> None:
    """Add the indexes that a gradebook lacks."""
    for index in INDEXES:
        index.create(connection, checkfirst=True)


class Claims:
    """Claims of a grader that runs alone: all submissions are its own."""

    def claim(self, student: str) -> bool:
        """Claim a submission; False while another grader has it."""
        return True

    def release(self, student: str) -> None:
        """Release the claim to a submission."""

    @contextmanager
    def entering(self, student: str) -> Iterator[None]:
        """Keep others from entering the same student into the gradebook, in any lesson."""
        yield

    def check(self) -> None:
        """Check that the claims still hold.

        Raises:
            CourseError: when the connection to the gradebook was lost, and the claims with it.
        """


class SharedClaims(Claims):
    """Claims that other graders see: locks of a session, which end with it and its grader.

    Args:
        session: an exclusive session with the gradebook's server.
        lesson: the lesson whose submissions are claimed.
    """

    def __init__(self, session: Connection, lesson: str) -> None:
        self._session, self._lesson = session, lesson
        self._lost = ""

    def claim(self, student: str) -> bool:
        """Claim a submission; False while another grader has it."""
        return self._ask(func.pg_try_advisory_lock(_key("submission", self._lesson, student)))

    def release(self, student: str) -> None:
        """Release the claim to a submission."""
        self._ask(func.pg_advisory_unlock(_key("submission", self._lesson, student)))

    @contextmanager
    def entering(self, student: str) -> Iterator[None]:
        """Keep others from entering the same student into the gradebook, in any lesson."""
        self._ask(func.pg_advisory_lock(_key("student", student)))
        try:
            yield
        finally:
            self._ask(func.pg_advisory_unlock(_key("student", student)))

    def check(self) -> None:
        """Check that the claims still hold."""
        self._ask(1)

    def _ask(self, question: Any) -> Any:
        if not self._lost:
            try:
                return self._session.scalar(select(question))
            except SQLAlchemyError as error:
                self._lost = database_message(error)
        raise CourseError(_GONE.format(why=self._lost))


@contextmanager
def shared_claims(url: str, lesson: str) -> Iterator[SharedClaims]:
    """Claim submissions of a lesson, as long as this lasts.

    Args:
        url: of a gradebook on a server.
        lesson: the lesson.

    Raises:
        CourseError: when the server doesn't answer, or stops answering.
    """
    with _session(url) as session:
        claims = SharedClaims(session, lesson)
        try:
            yield claims
        except SQLAlchemyError:
            claims.check()
            raise


def grades_fingerprint(url: str, lesson: str, student: str) -> str:
    """A fingerprint of the state of a submission's grades, from columns that only grading writes.

    Args:
        url: the gradebook's.
        lesson: the lesson.
        student: the student's id.
    """
    return _fingerprint(url, _written(), lesson=lesson, student=student)


def lesson_fingerprint(url: str, lesson: str, notebook: str) -> str:
    """A fingerprint of what the gradebook knows of a lesson's notebook: its cells, as they were
    released.

    Args:
        url: the gradebook's.
        lesson: the lesson.
        notebook: the notebook's name, without an ending.
    """
    return _fingerprint(url, _released(), lesson=lesson, notebook=notebook)


def _fingerprint(url: str, questions: Sequence[Select], **names: str) -> str:
    digest = hashlib.sha256()
    with open_engine(url).connect() as connection:
        for question in questions:
            rows = connection.execute(question, names)
            digest.update(repr([tuple(row) for row in rows]).encode())
    return digest.hexdigest()


@cache
def _released() -> tuple[Select, ...]:
    notebook = (
        select(Notebook.id)
        .join(Assignment, Notebook.assignment_id == Assignment.id)
        .where(Assignment.name == bindparam("lesson"), Notebook.name == bindparam("notebook"))
    )
    cells = with_polymorphic(BaseCell, [GradeCell, TaskCell])
    points = func.coalesce(cells.GradeCell.max_score, cells.TaskCell.max_score)
    versions: Any = (
        select(ReleasedVersion.assignment_id, ReleasedVersion.number)
        .join(Notebook, Notebook.assignment_id == ReleasedVersion.assignment_id)
        .where(Notebook.id.in_(notebook), ReleasedVersion.notebook == Notebook.name)
    )
    return (
        select(SourceCell.__table__)
        .where(SourceCell.notebook_id.in_(notebook))
        .order_by(SourceCell.id),
        select(cells.id, cells.name, cells.type, points)
        .where(cells.notebook_id.in_(notebook))
        .order_by(cells.id),
        versions.order_by(ReleasedVersion.number),
    )


@cache
def _written() -> tuple[Select, ...]:
    """Questions about what grading writes, made once: making one takes longer than asking it."""
    submissions = (
        select(SubmittedAssignment.id)
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .where(Assignment.name == bindparam("lesson"))
        .where(SubmittedAssignment.student_id == bindparam("student"))
    )
    notebooks = select(SubmittedNotebook.id).where(SubmittedNotebook.assignment_id.in_(submissions))
    written = (
        (SubmittedAssignment, "timestamp", SubmittedAssignment.id.in_(submissions)),
        (SubmittedNotebook, "late_submission_penalty", SubmittedNotebook.id.in_(notebooks)),
        (Grade, "auto_score", Grade.notebook_id.in_(notebooks)),
        (Comment, "auto_comment", Comment.notebook_id.in_(notebooks)),
    )
    return tuple(
        select(table.id, getattr(table, column)).where(chosen).order_by(table.id)
        for table, column, chosen in written
    )


@contextmanager
def _session(url: str) -> Iterator[Connection]:
    """A session with the server that outlives transactions, as do its locks."""
    try:
        session = open_engine(
            url, isolation_level="AUTOCOMMIT", pool_reset_on_return=None
        ).connect()
    except DBAPIError as error:
        raise CourseError(f"{described(url)} does not answer: {database_message(error)}") from None
    with session:
        for setting in _SETTINGS:
            session.execute(text(setting))
        yield session


def _key(*names: str) -> int:
    """A lock's number, of 64 bits: the same everywhere for the same names."""
    digest = hashlib.sha256("\0".join(("autograder", *names)).encode()).digest()
    return int.from_bytes(digest[:8], signed=True)
