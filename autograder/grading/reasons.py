"""Why an answer earned less than it could, if an error in a cell is the cause."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from typing import Any

from nbformat import NotebookNode

from autograder.cells import defined_names, grade_id
from autograder.execution.notebook_client import ENDED, ENDED_HERE, missing_names
from autograder.execution.outputs import clean
from selfcheck.responses import printable
from selfcheck.texts import say
from selfcheck.verdicts import Verdict

_LONGEST_LINE = 60

# Also if a cell can't be parsed.
_DEFINITION = re.compile(r"^(?:async\s+)?(?:def|class)\s+(\w+)", re.MULTILINE)


def why_nothing(cell: NotebookNode, notebook: NotebookNode, function: str, python: str) -> str:
    """Why a graded cell left no response.

    Args:
        cell: the graded cell, executed.
        notebook: its notebook.
        function: the name of the cell that answers.
        python: the version that the notebook was written with, or "".
    """
    errors = errors_in(cell)
    if not errors:
        return say("nothing to judge: the cell returned no answer")
    error = errors[-1]
    ended = printable(error["evalue"])[:500]
    if error["ename"] == ENDED_HERE:
        return say("nothing to judge: {ended}, in this cell", ended=ended)
    if error["ename"] == ENDED:
        return say("nothing to judge: {ended}, in this cell or before it", ended=ended)
    if error["ename"] == "CellTimeoutError":
        return say("nothing to judge: the cell reached its time limit")
    answers = [each for each in notebook.cells if grade_id(each) == function]
    stopped = [each for answer in answers for each in errors_in(answer)]
    if error["ename"] == "NameError" and stopped:
        if stopped[0]["ename"] == "CellTimeoutError":
            return say("nothing to judge: the answer's own cell reached its time limit")
        reason = say(
            "nothing to judge: the answer's own cell stopped with {error}",
            error=in_words(stopped[0]),
        )
        return f"{reason}{_versions(stopped[0], python)}"
    reason = say("nothing to judge: the cell stopped with {error}", error=in_words(error))
    if error["ename"] != "NameError":
        return reason
    magic = next((line for each in answers for line in [_magic(each)] if line), "")
    if magic:
        asked = say(
            "under `{magic}`, a cell defines nothing for other cells: remove that line", magic=magic
        )
    else:
        asked = say("is it defined under the name that the task asks for?")
    return f"{reason} ({asked})"


def with_cause(verdict: Verdict, notebook: NotebookNode) -> Verdict:
    """Add to a verdict which cell should have defined the missing names, if that cell stopped.

    Args:
        verdict: the judge's.
        notebook: executed.
    """
    seen = (finding.seen for finding in verdict.findings if not finding.passed)
    missing = missing_names(verdict.reason or " ".join(seen))
    cause = next(causes(missing, notebook), "")
    if not cause or verdict.percent == 100:
        return verdict
    if verdict.reason:
        return replace(verdict, reason=f"{verdict.reason}. {cause}")
    return replace(verdict, fact=" ".join(filter(None, (cause, verdict.fact))))


def causes(missing: Set[str], notebook: NotebookNode) -> Iterator[str]:
    """Why names are missing: each cell that should have defined one, and stopped.

    Args:
        missing: the names.
        notebook: executed.
    """
    for cell in notebook.cells if missing else ():
        if not (errors := errors_in(cell)):
            continue  # parsing it takes milliseconds
        defined = {*defined_names(cell.source), *_DEFINITION.findall(cell.source)}
        for name in sorted(defined & missing):
            said = in_words(errors[0])
            line = next(filter(None, map(str.strip, cell.source.splitlines())), "")
            line = printable(line.replace("`", ""))[:_LONGEST_LINE]
            yield say(
                "`{name}` is missing because the cell that begins with `{line}` stopped with "
                "{error}",
                name=name,
                line=line,
                error=said,
            )


def errors_in(cell: NotebookNode) -> list[dict[str, Any]]:
    """The errors among a cell's outputs, cleaned.

    Args:
        cell: of any type.
    """
    outputs = clean(cell.get("outputs", []))
    return [output for output in outputs if output["output_type"] == "error"]


def left_out_cells(notebook: NotebookNode) -> Iterator[str]:
    """The cells that ended their kernel and were left out when the others ran again."""
    for number, cell in enumerate(notebook.cells, start=1):
        for error in errors_in(cell):
            if error["ename"] == ENDED_HERE:
                yield printable(f"cell {number} was skipped: {error['evalue']}")[:200]


def _magic(cell: NotebookNode) -> str:
    """The magic that changes how IPython runs a whole cell, such as ``%%writefile``, or ""."""
    found = re.match(r"\s*(%%\w+)", cell.source)
    return found[1] if found else ""


def _versions(error: Mapping[str, Any], theirs: str) -> str:
    """A remark on Python's versions, if the notebook was written with a different one."""
    ours = platform.python_version()
    is_of_syntax = error["ename"] in ("SyntaxError", "IndentationError", "TabError")
    if not is_of_syntax or not theirs or theirs.split(".")[:2] == ours.split(".")[:2]:
        return ""
    said = say(
        "graded with Python {ours}; the notebook was written with Python {theirs}",
        ours=ours,
        theirs=theirs,
    )
    return f" ({said})"


# IPython names a cell's file after its process's number and a hash.
_IN_A_CELL = re.compile(r" \((?:\d+\.py|<[^<>]*>), line (\d+)\)$")


def in_words(error: Mapping[str, Any]) -> str:
    """An exception as a student reads it."""
    said = printable(f"{error['ename']}: {error['evalue']}")[:500]
    if place := _IN_A_CELL.search(said):
        return say(
            "{error}, line {line} of the cell", error=said[: place.start()], line=place.group(1)
        )
    return said
