"""Copying a gradebook from a file into the one that the configuration names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from nbgrader.api import (
    Base,
    Gradebook,
)
from sqlalchemy import Connection, Table, create_engine, delete, insert, inspect, select, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from autograder.errors import CourseError
from autograder.gradebook import schema  # noqa: F401 - its tables are part of every gradebook
from autograder.gradebook.engine import described, first_line, open_engine


def copy(source: Path, url: str, course_id: str) -> dict[str, int]:
    """Copy a gradebook from a file into an empty one, completely or not at all.

    Every row is read back and compared before the copy is kept.

    Args:
        source: an SQLite file of nbgrader's, which is not changed.
        url: the URL of the empty gradebook.
        course_id: nbgrader's name for the course.

    Returns:
        The number of rows per table.

    Raises:
        CourseError: when the target isn't empty, or a row doesn't fit.
    """
    Gradebook(url, course_id).close()  # makes the tables
    tables = Base.metadata.sorted_tables
    with _reading(source) as old, open_engine(url).begin() as new:
        full = [table.name for table in tables if _holds_grades(new, table)]
        if full:
            raise CourseError(
                f"{described(url)} is not empty: a gradebook is copied into one without "
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
                    raise CourseError(f"Nothing was copied: the copy of {table} differs.")
                copied[table.name] = len(rows)
        except (SQLAlchemyError, LookupError, ValueError) as error:
            where = f"table {table}" if table is not None else "its version"
            raise CourseError(
                f"Nothing was copied: {source}, {where}: {first_line(error)}"
            ) from None
    return copied


def _holds_grades(connection: Connection, table: Table) -> bool:
    """Whether a table holds more than what nbgrader enters when it makes it."""
    return table.name != "course" and connection.execute(select(table).limit(1)).first() is not None


def _check_versions(source: Path, old: Connection, new: Connection) -> None:
    """Check that both gradebooks have the tables of the same version of nbgrader."""
    version = text("SELECT version_num FROM alembic_version")
    if old.scalar(version) != new.scalar(version):
        raise CourseError(
            f"{source} was written by another version of nbgrader. Back it up, then run: "
            f"nbgrader db upgrade --db sqlite:///{source.resolve()}"
        )


def _rows(connection: Connection, table: Table) -> dict[str, Any]:
    """All rows of a table, by key; none if the gradebook was made by plain nbgrader and lacks our
    tables."""
    if table.name.startswith("autograder_") and not inspect(connection).has_table(table.name):
        return {}
    return {row.id: row for row in connection.execute(select(table))}


@contextmanager
def _reading(path: Path) -> Iterator[Connection]:
    """Open a gradebook in a file read-only."""
    url = f"sqlite:///file:{quote(str(path.resolve()))}?mode=ro&uri=true"
    try:
        connection = create_engine(url, poolclass=NullPool).connect()
    except DBAPIError as error:
        raise CourseError(f"{path} cannot be read: {first_line(error)}") from None
    with connection:
        yield connection
