"""The gradebook as a database: reached before anything is done, shared by graders, copied.

nbgrader opens its gradebook by URL wherever it needs it. Where that is a PostgreSQL server, several
graders can be at one class: each claims a submission before it touches it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from nbgrader.api import Base, Gradebook, InvalidEntry
from sqlalchemy import Connection, Table, create_engine, delete, func, insert, inspect, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from autograder.course_folder import CourseError
from autograder.grading import memory  # noqa: F401 - its tables are part of every gradebook

_SECONDS = "10"
"""How long a server may take to answer the first time."""

_GONE = (
    "The gradebook does not answer any more: {why}. What was recorded is kept. Run the same "
    "command again when it answers: it goes on where this one stopped."
)

# Who waits for a lock waits as long as it takes; a host that is switched off holds its locks for
# two minutes, not for two hours.
_SETTINGS = (
    "SET lock_timeout = 0",
    "SET statement_timeout = 0",
    "SET tcp_keepalives_idle = 60",
    "SET tcp_keepalives_interval = 10",
    "SET tcp_keepalives_count = 6",
)


def is_shared(url: str) -> bool:
    """Whether the gradebook is on a PostgreSQL server, which many may use at once.

    Raises:
        CourseError: when it is no database's URL.
    """
    return _parsed(url).get_backend_name() == "postgresql"


def reach(url: str, course_id: str) -> None:
    """See that a gradebook on a server can be used, and that its tables are there.

    nbgrader makes the tables when it finds none, and fails where two find none at the same time.
    A file needs none of this.

    Args:
        url: the gradebook's.
        course_id: nbgrader's name of the course.

    Raises:
        CourseError: when it cannot be used; the message holds no password.
    """
    if not is_shared(url):
        return
    with _session(url) as session:
        session.execute(select(func.pg_advisory_lock(_key("tables"))))
        try:
            for name in (course_id, "default_course"):  # some of nbgrader's steps name no course
                Gradebook(url, name).close()
        except (DBAPIError, InvalidEntry) as error:
            raise CourseError(f"{_named(url)} cannot be used: {_first_line(error)}") from None


class Claims:
    """Which submissions are this grader's, where nobody else grades: all of them."""

    def take(self, student: str) -> bool:
        """Claim a submission; False while another grader has it."""
        return True

    def release(self, student: str) -> None:
        """Leave a submission to others."""

    @contextmanager
    def entering(self, student: str) -> Iterator[None]:
        """Keep others from entering the same student into the gradebook, in whatever lesson."""
        yield

    def check(self) -> None:
        """See that the claims still hold.

        Raises:
            CourseError: when the connection to the gradebook was lost, and the claims with it.
        """


class SharedClaims(Claims):
    """Claims that other graders see: locks of a session, which end with it and its grader.

    Args:
        session: with the gradebook's server; of nobody else.
        lesson: whose submissions.
    """

    def __init__(self, session: Connection, lesson: str) -> None:
        self._session, self._lesson = session, lesson
        self._lost = ""

    def take(self, student: str) -> bool:
        """Claim a submission; False while another grader has it."""
        return self._ask(func.pg_try_advisory_lock(_key("submission", self._lesson, student)))

    def release(self, student: str) -> None:
        """Leave a submission to others."""
        self._ask(func.pg_advisory_unlock(_key("submission", self._lesson, student)))

    @contextmanager
    def entering(self, student: str) -> Iterator[None]:
        """Keep others from entering the same student into the gradebook, in whatever lesson."""
        self._ask(func.pg_advisory_lock(_key("student", student)))
        try:
            yield
        finally:
            self._ask(func.pg_advisory_unlock(_key("student", student)))

    def check(self) -> None:
        """See that the claims still hold."""
        self._ask(1)

    def _ask(self, question: Any) -> Any:
        if not self._lost:
            try:
                return self._session.scalar(select(question))
            except SQLAlchemyError as error:
                self._lost = _first_line(error)
        raise CourseError(_GONE.format(why=self._lost))


@contextmanager
def shared_claims(url: str, lesson: str) -> Iterator[SharedClaims]:
    """Claim submissions of a lesson, as long as this lasts.

    Args:
        url: of a gradebook on a server.
        lesson: the lesson.

    Raises:
        CourseError: when the server does not answer, or no more.
    """
    with _session(url) as session:
        claims = SharedClaims(session, lesson)
        try:
            yield claims
        except SQLAlchemyError:
            claims.check()
            raise


def copy(source: Path, url: str, course_id: str) -> dict[str, int]:
    """Copy a gradebook from a file into an empty one: all of it, or nothing.

    Every row is read back and compared before the copy is kept.

    Args:
        source: an SQLite file of nbgrader's, which is not changed.
        url: of the empty gradebook.
        course_id: nbgrader's name of the course.

    Returns:
        How many rows each table has.

    Raises:
        CourseError: when the other one is not empty, or a row does not fit.
    """
    Gradebook(url, course_id).close()  # makes the tables
    tables = Base.metadata.sorted_tables
    with _reading(source) as old, _engine(url).begin() as new:
        full = [table.name for table in tables if _holds_grades(new, table)]
        if full:
            raise CourseError(
                f"{_named(url)} is not empty: a gradebook is copied into one without "
                f"assignments and students, and there are rows in {', '.join(full)}."
            )
        table, copied = None, {}
        try:
            _check_versions(source, old, new)
            for table in reversed(tables):
                new.execute(delete(table))  # nbgrader enters the course itself
            for table in tables:
                rows = _rows(old, table)
                if rows:
                    new.execute(insert(table), [dict(row._mapping) for row in rows.values()])
                if _rows(new, table) != rows:
                    raise CourseError(f"Nothing was copied: {table} came out different.")
                copied[table.name] = len(rows)
        except (SQLAlchemyError, LookupError, ValueError) as error:
            where = f"table {table}" if table is not None else "its version"
            raise CourseError(
                f"Nothing was copied: {source}, {where}: {_first_line(error)}"
            ) from None
    return copied


def _holds_grades(connection: Connection, table: Table) -> bool:
    """Whether a table holds more than what nbgrader enters when it makes it."""
    return table.name != "course" and connection.execute(select(table).limit(1)).first() is not None


def _check_versions(source: Path, old: Connection, new: Connection) -> None:
    """See that both gradebooks have the tables of the same nbgrader."""
    version = text("SELECT version_num FROM alembic_version")
    if old.scalar(version) != new.scalar(version):
        raise CourseError(
            f"{source} is of another version of nbgrader. Keep a copy, then: "
            f"nbgrader db upgrade --db sqlite:///{source.resolve()}"
        )


def _rows(connection: Connection, table: Table) -> dict[str, Any]:
    """All rows of a table, by their key; none where nbgrader alone made the gradebook, which has
    no table of ours."""
    if not inspect(connection).has_table(table.name):
        return {}
    return {row.id: row for row in connection.execute(select(table))}


@contextmanager
def _reading(path: Path) -> Iterator[Connection]:
    """A gradebook in a file, which stays as it is."""
    url = f"sqlite:///file:{quote(str(path.resolve()))}?mode=ro&uri=true"
    try:
        connection = create_engine(url, poolclass=NullPool).connect()
    except DBAPIError as error:
        raise CourseError(f"{path} cannot be read: {_first_line(error)}") from None
    with connection:
        yield connection


@contextmanager
def _session(url: str) -> Iterator[Connection]:
    """A session with the server that outlasts transactions, as its locks do."""
    try:
        session = _engine(url, isolation_level="AUTOCOMMIT", pool_reset_on_return=None).connect()
    except DBAPIError as error:
        raise CourseError(f"{_named(url)} does not answer: {_first_line(error)}") from None
    with session:
        for setting in _SETTINGS:
            session.execute(text(setting))
        yield session


def _engine(url: str, **options: Any) -> Any:
    address = _parsed(url)
    if is_shared(url) and "connect_timeout" not in address.query:
        address = address.update_query_dict({"connect_timeout": _SECONDS})
    try:
        return create_engine(address, poolclass=NullPool, **options)
    except ImportError as error:
        raise CourseError(
            f"{_named(url)} needs a driver ({error}): pip install 'psycopg[binary]'"
        ) from None
    except ArgumentError as error:  # an unknown one
        raise CourseError(f"{_named(url)} cannot be used: {_first_line(error)}") from None


def _parsed(url: str) -> URL:
    """A URL's parts.

    Raises:
        CourseError: when it has none, or a password's @ made a wrong host of it; neither is shown.
    """
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):
        address = None
    if address is None or "@" in (address.host or ""):
        raise CourseError(
            "c.CourseDirectory.db_url in nbgrader_config.py cannot be read. It looks like "
            "postgresql+psycopg://user@host/database; in a password, @ is written %40 and / %2F."
        )
    return address


def _named(url: str) -> str:
    """What to call a gradebook in a message, without its password."""
    address = _parsed(url)
    place = address.host or address.query.get("host")
    return f"The gradebook ({address.database}{f' on {place}' if place else ''})"


def _key(*names: str) -> int:
    """A lock's number, of 64 bits, which the same names give everywhere."""
    digest = hashlib.sha256("\0".join(("autograder", *names)).encode()).digest()
    return int.from_bytes(digest[:8], signed=True)


def _first_line(error: Exception) -> str:
    """What the database says, without the statement that it was asked."""
    said = str(getattr(error, "orig", None) or error).strip().splitlines() or [""]
    return said[0][:300]
