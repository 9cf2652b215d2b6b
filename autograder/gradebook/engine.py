"""SQLAlchemy's access to a gradebook: its URL, fast opening, and one transaction for many steps.

nbgrader opens its gradebook by URL wherever it needs it. Different behaviour is therefore requested
in the URL, by SQLAlchemy plugins.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine
from sqlalchemy.dialects import plugins
from sqlalchemy.engine import URL, CreateEnginePlugin, Engine, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool, StaticPool
from sqlalchemy.util import LRUCache

from autograder.errors import CourseError

_SECONDS = "10"
"""Seconds in which a server must answer the first time."""

# A server may be set up to say that it has committed before it has written anything down. A crash
# would then take the grades of a submission whose folder is in its place.
_DURABLE = (
    "SELECT set_config('synchronous_commit', 'on', true)"
    " WHERE current_setting('synchronous_commit') = 'off'"
)


def is_shared(url: str) -> bool:
    """Whether the gradebook is on a PostgreSQL server, which several can use at once.

    Raises:
        CourseError: when it isn't a database's URL.
    """
    return _parsed(url).get_backend_name() == "postgresql"


def is_there(url: str) -> bool:
    """Whether there is a gradebook: opening a missing one would create it."""
    return is_shared(url) or Path(_parsed(url).database or "").is_file()


def open_engine(url: str, **options: Any) -> Any:
    """SQLAlchemy's access to a gradebook.

    Raises:
        CourseError: when its driver is missing, or its address cannot be used.
    """
    address = _parsed(url)
    if is_shared(url) and "connect_timeout" not in address.query:
        address = address.update_query_dict({"connect_timeout": _SECONDS})
    try:
        return create_engine(address, poolclass=NullPool, **options)
    except ImportError as error:
        raise CourseError(
            f"{described(url)} needs a driver ({error}): pip install 'psycopg[binary]'"
        ) from None
    except ArgumentError as error:  # an unknown one
        raise CourseError(f"{described(url)} cannot be used: {database_message(error)}") from None


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


def described(url: str) -> str:
    """A gradebook's name for messages, without its password."""
    address = _parsed(url)
    place = address.host or address.query.get("host")
    return f"The gradebook ({address.database}{f' on {place}' if place else ''})"


@contextmanager
def one_transaction(url: str) -> Iterator[str]:
    """Commit everything that is written to a gradebook together at the end, or not at all.

    nbgrader's steps open the gradebook by its URL and commit after every cell. Under the URL that
    this gives them, they share one connection, and their commits are savepoints of its transaction.

    Args:
        url: the gradebook's.

    Returns:
        Another URL of the same gradebook, valid in this thread inside the ``with`` block.

    Raises:
        Exception: whatever is raised inside; then nothing is kept.
    """
    engine = open_engine(url)
    with engine.connect() as connection, connection.begin():
        if is_shared(url):
            connection.exec_driver_sql(_DURABLE)
        else:
            # Python's driver would begin before the first change, not before the first savepoint.
            connection.exec_driver_sql("BEGIN")
        name = f"{_JoinTransaction.__name__}-{id(connection)}"
        _open[name] = connection.connection.dbapi_connection
        try:
            yield _plugged(url, _PLUGIN, **{_PLUGIN: name})
        finally:
            del _open[name]


def quick(url: str) -> str:
    """A gradebook's URL with which opening it repeatedly is cheap.

    nbgrader opens the gradebook ten times for a submission. Each time it makes a new engine, which
    looks for every table and compiles every statement again. Under this URL, engines assume that
    the tables exist, and share the statements that they have compiled.

    Args:
        url: the URL of a gradebook that nbgrader has opened before, so that its tables exist.
    """
    return url if _QUICK in _parsed(url).query.get("plugin", ()) else _plugged(url, _QUICK)


def _plugged(url: str, plugin: str, **options: str) -> str:
    address = _parsed(url).update_query_dict({"plugin": plugin, **options}, append=True)
    return address.render_as_string(hide_password=False)


_QUICK = "quick_gradebook"
_statements: LRUCache[Any, Any] = LRUCache(500)
"""What was compiled, by dialect and statement."""


class _Quick(CreateEnginePlugin):
    """An engine that knows the tables, and shares compiled statements with others of its kind.

    Args:
        url: as ``quick`` gives it.
        kwargs: of ``create_engine``.
    """

    def __init__(self, url: URL, kwargs: dict[str, Any]) -> None:
        kwargs["execution_options"] = {"compiled_cache": _statements}

    def update_url(self, url: URL) -> URL:
        """The URL has nothing else of this plugin's."""
        return url

    def engine_created(self, engine: Engine) -> None:
        """Share compiled statements between engines."""
        dialect: Any = engine.dialect
        kind: Any = type(dialect)
        dialect.__class__ = _alike(kind)
        dialect.has_table = lambda *_, **__: True
        dialect.get_table_names = lambda *_, **__: ["course"]


@cache
def _alike(dialect: Any) -> Any:
    """A dialect whose instances are equal: SQLAlchemy caches compiled statements by instance."""

    def equal(one: object, other: object) -> bool:
        return type(one) is type(other)

    return type(
        dialect.__name__,
        (dialect,),
        {
            "__eq__": equal,
            "__hash__": lambda one: hash(type(one)),
            "supports_statement_cache": dialect.supports_statement_cache,  # isn't inherited
        },
    )


_PLUGIN = "join_transaction"
_open: dict[str, Any] = {}
"""The driver's connections with transactions that can be joined, by name."""


class _JoinTransaction(CreateEnginePlugin):
    """An engine that reuses one open connection and its transaction.

    Args:
        url: names the connection.
        kwargs: of ``create_engine``.
    """

    def __init__(self, url: URL, kwargs: dict[str, Any]) -> None:
        self._connection = _open[str(url.query[_PLUGIN])]
        self._begun = False
        kwargs |= {"poolclass": StaticPool, "creator": lambda: self._connection}

    def update_url(self, url: URL) -> URL:
        """The database's own URL."""
        return url.difference_update_query([_PLUGIN])

    def engine_created(self, engine: Engine) -> None:
        """Turn its transactions into savepoints; never close the connection."""
        dialect: Any = engine.dialect
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


plugins.register(_QUICK, __name__, _Quick.__name__)
plugins.register(_PLUGIN, __name__, _JoinTransaction.__name__)


def database_message(error: Exception) -> str:
    """The database's message, without the SQL statement."""
    said = str(getattr(error, "orig", None) or error).strip().splitlines() or [""]
    return said[0][:300]
