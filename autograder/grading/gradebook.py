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

from nbgrader.api import (
    Assignment,
    Base,
    Comment,
    Grade,
    Gradebook,
    InvalidEntry,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import Connection, Table, create_engine, delete, func, insert, inspect, select, text
from sqlalchemy.dialects import plugins
from sqlalchemy.engine import URL, CreateEnginePlugin, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.pool import NullPool, StaticPool

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


@contextmanager
def one_transaction(url: str, *, keep: bool = True) -> Iterator[str]:
    """Have whatever is written to a gradebook kept together at the end, or not at all.

    nbgrader's steps open the gradebook by its URL and commit after every cell. Under the URL that
    this gives them, they share one connection, and their commits are savepoints of its transaction.

    Args:
        url: the gradebook's.
        keep: False for steps that are wanted for something else than what they write.

    Returns:
        Another URL of the same gradebook, for as long as this lasts and for this thread.

    Raises:
        Exception: what is raised inside; then nothing is kept.
    """
    engine = _engine(url)
    with engine.connect() as connection, connection.begin() as transaction:
        if not is_shared(url):
            # Python's driver would begin before the first change, not before the first savepoint.
            connection.exec_driver_sql("BEGIN")
        name = f"{_JoinTransaction.__name__}-{id(connection)}"
        _open[name] = connection.connection.dbapi_connection
        joined = _parsed(url).update_query_dict({"plugin": _PLUGIN, _PLUGIN: name}, append=True)
        try:
            yield joined.render_as_string(hide_password=False)
        finally:
            del _open[name]
        if not keep:
            transaction.rollback()


_PLUGIN = "join_transaction"
_open: dict[str, Any] = {}
"""The driver's connections with transactions that can be joined, by name."""


class _JoinTransaction(CreateEnginePlugin):
    """An engine whose every connection is one that is open already, with its transaction.

    Args:
        url: names the connection.
        kwargs: of ``create_engine``.
    """

    def __init__(self, url: URL, kwargs: dict[str, Any]) -> None:
        self._connection = _open[url.query[_PLUGIN]]
        self._begun = False
        kwargs |= {"poolclass": StaticPool, "creator": lambda: self._connection}

    def update_url(self, url: URL) -> URL:
        """The database's own URL."""
        return url.difference_update_query([_PLUGIN])

    def engine_created(self, engine: Engine) -> None:
        """Turn its transactions into savepoints; never close the connection."""
        dialect = engine.dialect
        dialect.do_begin = self._begin
        dialect.do_commit = lambda _: self._end("RELEASE SAVEPOINT")
        dialect.do_rollback = lambda _: self._end("ROLLBACK TO SAVEPOINT")
        dialect.do_close = dialect.do_terminate = lambda _: None

    def _begin(self, _: Any) -> None:
        self._execute("SAVEPOINT")
        self._begun = True

    def _end(self, how: str) -> None:
        if self._begun:  # a pool also rolls back what nobody began
            self._begun = False
            self._execute(how)

    def _execute(self, statement: str) -> None:
        cursor = self._connection.cursor()
        cursor.execute(f"{statement} {_PLUGIN}")
        cursor.close()


plugins.register(_PLUGIN, __name__, _JoinTransaction.__name__)


def fingerprint(url: str, lesson: str, student: str) -> str:
    """Tells states of a submission's grades apart, by what grading alone writes in its rows.

    Args:
        url: the gradebook's.
        lesson: the lesson.
        student: whose submission.
    """
    submissions = (
        select(SubmittedAssignment.id)
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .where(Assignment.name == lesson, SubmittedAssignment.student_id == student)
    )
    notebooks = select(SubmittedNotebook.id).where(SubmittedNotebook.assignment_id.in_(submissions))
    written = (
        (SubmittedAssignment, "timestamp", SubmittedAssignment.id.in_(submissions)),
        (SubmittedNotebook, "late_submission_penalty", SubmittedNotebook.id.in_(notebooks)),
        (Grade, "auto_score", Grade.notebook_id.in_(notebooks)),
        (Comment, "auto_comment", Comment.notebook_id.in_(notebooks)),
    )
    digest = hashlib.sha256()
    engine = _engine(url)
    with engine.connect() as connection:
        for table, column, chosen in written:
            question = select(table.id, getattr(table, column)).where(chosen).order_by(table.id)
            digest.update(repr([tuple(row) for row in connection.execute(question)]).encode())
    return digest.hexdigest()


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
    if table.name.startswith("autograder_") and not inspect(connection).has_table(table.name):
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
