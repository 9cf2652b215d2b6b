"""What grading a submission gave: one record, which everything later reads.

A graded notebook carries its record in its metadata. So a grade and the notebook that it's for are
one file, which is replaced in one step, nothing that a student hands in or writes can take the
record's place, and nbgrader's own tools carry it along.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from nbformat import NotebookNode
from nbformat.v4.rwbase import strip_transient

from selfcheck.verdicts import Verdict

METADATA = "autograder"
"""The key in a graded notebook's metadata for its record."""

VERSION = 1
"""Of the record's format."""

RESULT = "autograder_result"
"""The key in nbgrader's resources for a ``NotebookResult``, to which each step adds."""


@dataclass(frozen=True)
class Judgement:
    """What the judge said about a cell, and all that it takes to judge it again.

    Args:
        exercise: what the cell asks about.
        verdict: the judge's.
        seed: of the inputs.
        inputs: their fingerprint.
        decided_by: the fingerprint of what decided the points: shares, right outputs and costs.
        responses: what the cell handed over; none where it handed over nothing or too much.
    """

    exercise: str
    verdict: Verdict
    seed: int
    inputs: str = ""
    decided_by: str = ""
    responses: tuple[Any, ...] = ()


@dataclass(frozen=True)
class CellResult:
    """One graded cell.

    Args:
        cell: its grade_id.
        maximum: the maximum points when it was graded.
        by_hand: whether only a person grades it.
        failure: how tests of its own failed, else "".
        judged: what the judge said; None where it had no say.
    """

    cell: str
    maximum: float
    by_hand: bool = False
    failure: str = ""
    judged: Judgement | None = None


@dataclass(frozen=True)
class NotebookResult:
    """One notebook of a submission.

    Args:
        cells: its graded cells, in order.
        file_digest: of the file that was graded.
        handed_in: the fingerprint of what a student wrote in it.
        python: the version of Python that it was written with, as it says; "" where it doesn't.
        repairs: what had to be put right before it could be graded.
        lesson_changes: how today's lesson differs from the one that was handed out.
        unanswered: whether the student changed no answer cell.
        seconds: what each phase of grading took, and the kernel's ``cpu``.
    """

    cells: tuple[CellResult, ...] = ()
    file_digest: str = ""
    handed_in: str = ""
    python: str = ""
    repairs: tuple[str, ...] = ()
    lesson_changes: tuple[str, ...] = ()
    unanswered: bool = False
    seconds: Mapping[str, float] = field(default_factory=dict)

    def cell(self, name: str) -> CellResult | None:
        """The result of a cell by its grade_id; None where there is none."""
        return next((each for each in self.cells if each.cell == name), None)

    def write(self, notebook: NotebookNode) -> None:
        """Put the record into a notebook."""
        notebook.metadata[METADATA] = {"version": VERSION, **_plain(self)}

    @classmethod
    def read(cls, notebook: NotebookNode) -> NotebookResult | None:
        """Read what ``write`` put there; None where there is no record.

        Raises:
            ValueError: when it has another format.
        """
        record = notebook.metadata.get(METADATA)
        if record is None:
            return None
        try:
            values = dict(record)
            if values.pop("version") != VERSION:
                raise ValueError("another version")
            cells = tuple(map(_cell, values.pop("cells")))
            return cls(cells, **{name: _tuple(value) for name, value in values.items()})
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"its record cannot be read: {error}") from None


def notebook_text(notebook: NotebookNode) -> str:
    """A graded notebook as text, on a line for its cells, one for its metadata and one each for the
    rest, as nbformat sorts them: with more line breaks, encoding takes Python ten times as long."""
    parts = sorted(strip_transient(notebook).items())
    lines = (f"{json.dumps(name)}: {json.dumps(part, ensure_ascii=False)}" for name, part in parts)
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def read_metadata(text: str) -> Any:
    """The metadata in a notebook's file, without parsing its cells where they can be told apart.

    Raises:
        ValueError: when the file isn't JSON.
    """
    # In what we write, and in what nbformat writes, only a notebook's own parts begin like this,
    # and its metadata come after its cells.
    start = text.rfind('\n "metadata": {')
    if start > 0:
        with suppress(ValueError):  # written by something else
            return json.loads("{" + text[start:])["metadata"]
    return json.loads(text).get("metadata", {})


def _plain(value: Any) -> Any:
    """A record as JSON. ``asdict`` would also copy the responses, value by value."""
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    return list(map(_plain, value)) if isinstance(value, tuple) else value


def _cell(values: Mapping[str, Any]) -> CellResult:
    judged = values["judged"] and _judgement(values["judged"])
    return CellResult(**{**values, "judged": judged})


def _judgement(values: Mapping[str, Any]) -> Judgement:
    read = {
        "verdict": Verdict.from_json(values["verdict"]),
        "responses": tuple(values["responses"]),
    }
    return Judgement(**{**values, **read})


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
