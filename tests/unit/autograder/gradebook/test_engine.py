"""A gradebook that is opened again and again."""

import os
import sys
from collections import Counter
from pathlib import Path

import pytest
from nbgrader.api import Assignment, Gradebook
from sqlalchemy import event
from sqlalchemy.engine import Engine

from autograder.gradebook import engine


@pytest.fixture
def url(tmp_path, monkeypatch):
    """A gradebook's, with a lesson."""
    # nbgrader calls alembic by name when it makes one.
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    with Gradebook(url, "course") as gradebook:
        gradebook.add_assignment("lesson")
    return url


@pytest.fixture
def executed():
    """What is executed in any database, how often."""
    counted = Counter()

    def count(connection, cursor, statement, parameters, context, executemany):
        counted[statement] += 1

    event.listen(Engine, "before_cursor_execute", count)
    yield counted
    event.remove(Engine, "before_cursor_execute", count)


def open_and_look(url):
    with Gradebook(url, "course") as gradebook:
        return gradebook.find_assignment("lesson").name


def test_opening_quickly_asks_for_no_table_and_compiles_nothing_again(url, executed):
    quick = engine.quick(url)
    assert engine.quick(quick) == quick
    open_and_look(quick)
    compiled = len(engine._statements)
    executed.clear()
    assert open_and_look(quick) == "lesson"
    assert len(engine._statements) == compiled
    assert not [statement for statement in executed if "table" in statement.lower()]

    executed.clear()
    assert open_and_look(url) == "lesson"
    assert [statement for statement in executed if "table" in statement.lower()]


@pytest.mark.parametrize("address", [str, engine.quick])
def test_what_is_written_in_one_transaction_is_kept_together_or_not_at_all(url, address):
    def lessons():
        with Gradebook(url, "course") as gradebook:
            return sorted(name for (name,) in gradebook.db.query(Assignment.name))

    with pytest.raises(ZeroDivisionError), engine.one_transaction(address(url)) as joined:
        for name in ("first", "second"):
            with Gradebook(joined, "course") as gradebook:
                gradebook.add_assignment(name)
        assert lessons() == ["lesson"]
        _ = 1 / 0
    assert lessons() == ["lesson"]
    with engine.one_transaction(address(url)) as joined:
        for name in ("first", "second"):
            with Gradebook(joined, "course") as gradebook:
                gradebook.add_assignment(name)
    assert lessons() == ["first", "lesson", "second"]
