"""The only reader of submitted notebooks, so that whatever is collected can be graded.

Editors, platforms and converters write much that nbformat refuses and grading never uses: outputs,
the format's number, deeply nested metadata. All of it is ignored, so that it can't make a notebook
unreadable.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import nbformat
from nbformat import NotebookNode, v4

MOST_VALUES = 1_000_000
"""Maximum number of lists and dictionaries in a notebook: each costs the grading process a few
microseconds and half a kilobyte."""

MOST_CELLS = 5_000
"""Maximum number of cells in a notebook: each costs the grading process half a millisecond."""

_KINDS = {"code": "code", "markdown": "markdown", "raw": "raw"}
_KINDS |= {"heading": "markdown"}  # before nbformat 4
_DEEPEST = 5
_LINE_END = re.compile("\r\n?|\n")
_CONFLICT = re.compile(rb"^<{7} .*^={7}\s*$.*^>{7} ", re.MULTILINE | re.DOTALL)


class NotANotebook(ValueError):
    """A submitted file can't be read as a notebook; the message says why."""


def parse_notebook(content: bytes, repairs: list[str]) -> NotebookNode:
    """Read a notebook, whatever program wrote it.

    Args:
        content: the file's content, in any encoding and with any line endings that editors write.
        repairs: a line is added for everything that had to be dropped or replaced, except what an
            editor adds.

    Returns:
        A notebook of format 4, without outputs. Its cells are of the types that notebooks have, and
        their texts can be encoded and have lines that end with ``\\n``. Metadata may be anything,
        but not deep; nothing is nested in nbgrader's. A cell may lack an id.

    Raises:
        NotANotebook: when it has no list of cells, none in it, or too many.
    """
    notebook = _parsed(content, repairs)
    entries = _cells(notebook)
    if len(entries) > MOST_CELLS:
        raise NotANotebook(f"it has {len(entries):,} cells; the maximum is {MOST_CELLS:,}")
    if entries and not any(isinstance(entry, dict) for entry in entries):
        raise NotANotebook("its list of cells has no valid cell")
    cells = []
    for number, entry in enumerate(entries, start=1):
        if isinstance(entry, dict):
            cells.append(_cell(number, entry, repairs))
        else:
            repairs.append(f"entry {number} of the notebook isn't a cell: dropped")
    metadata, minor = _trimmed(notebook.get("metadata")), notebook.get("nbformat_minor")
    return nbformat.from_dict(
        {
            "cells": cells,
            "metadata": metadata if isinstance(metadata, dict) else {},
            "nbformat": v4.nbformat,
            # Before its fifth minor version, cells had no ids.
            "nbformat_minor": minor if type(minor) is int and 0 <= minor < 5 else v4.nbformat_minor,
        }
    )


def cells_in(content: bytes, repairs: list[str]) -> list[Any]:
    """The entries of a notebook's list of cells: any JSON.

    Args:
        content: the file's content.
        repairs: a line is added if letters may have been misread.

    Raises:
        NotANotebook: when it has no such list, or is too large or too deeply nested.
    """
    return _cells(_parsed(content, repairs))


def _parsed(content: bytes, repairs: list[str]) -> Any:
    if has_too_many_values(content):
        raise NotANotebook(f"it has more than {MOST_VALUES:,} lists and dictionaries")
    try:
        # In a separate thread with an empty stack: otherwise, the allowed depth would depend on the
        # caller's stack.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(json.loads, _decoded(content, repairs)).result()
    except RecursionError:
        raise NotANotebook("its values are nested too deeply") from None
    except ValueError as error:
        raise NotANotebook(_why_not_json(content) or f"it isn't JSON: {error}") from None


def _why_not_json(content: bytes) -> str:
    """Why a file isn't JSON, in words that its owner understands, or ""."""
    if not content.strip():
        return "it is empty"
    if _CONFLICT.search(content):
        return (
            "it has the markers of a merge conflict (<<<<<<<, =======, >>>>>>>): keep one of the "
            "two "
            "versions between them, and remove the markers"
        )
    return ""


def _cells(notebook: Any) -> list[Any]:
    match notebook:
        case {"cells": list(cells)}:
            return cells
        case {"worksheets": [{"cells": list(cells)}, *_]}:  # before nbformat 4
            return cells
    raise NotANotebook("it has no list of cells")


def stated_name(cell: NotebookNode) -> str | None:
    """The ``grade_id`` in the metadata of a cell from ``parse_notebook``, or None."""
    nbgrader_metadata = cell.metadata.get("nbgrader")
    name = nbgrader_metadata.get("grade_id") if isinstance(nbgrader_metadata, dict) else None
    return name if isinstance(name, str) else None


def has_too_many_values(content: bytes) -> bool:
    """Whether a notebook would take too much memory."""
    return content.count(b"{") + content.count(b"[") > MOST_VALUES


def _decoded(content: bytes, repairs: list[str]) -> str:
    encoding = json.detect_encoding(content)
    try:
        return content.decode(encoding, "surrogatepass")
    except UnicodeDecodeError:
        if not encoding.startswith("utf-8"):
            raise
        repairs.append("it isn't in UTF-8 and was read as Windows-1252: letters may be wrong")
        return content.decode("cp1252", "replace")


def _cell(number: int, entry: Mapping[str, Any], repairs: list[str]) -> dict[str, Any]:
    stated = entry.get("cell_type")
    kind = _KINDS.get(stated) if isinstance(stated, str) else None
    if kind is None:
        repairs.append(f"cell {number} has an unknown type: kept as raw text")
        kind = "raw"
    source = entry.get("source", entry.get("input", ""))  # "input" before nbformat 4
    parts = source if isinstance(source, list) else [source]
    text = "".join(_encodable(part) for part in parts if isinstance(part, str))
    if text != "".join(map(str, parts)):
        repairs.append(f"cell {number} contains something that isn't text: replaced")
    metadata = _trimmed(entry.get("metadata"))
    metadata = metadata if isinstance(metadata, dict) else {}
    if "nbgrader" in metadata:
        metadata["nbgrader"] = _plain_metadata(metadata["nbgrader"])
    if not isinstance(metadata.get("tags", []), list | str):
        del metadata["tags"]
    source = "\n".join(_LINE_END.split(text))
    cell: dict[str, Any] = {"cell_type": kind, "source": source, "metadata": metadata}
    if isinstance(entry.get("id"), str):
        cell["id"] = entry["id"]
    if kind == "code":
        cell |= {"outputs": [], "execution_count": None}
    if attachments := _attachments(entry.get("attachments")):
        cell["attachments"] = attachments
    return cell


def _trimmed(value: Any, depth: int = _DEEPEST) -> Any:
    """A value without parts that are nested deeper than any editor writes."""
    if isinstance(value, str):
        return _encodable(value)
    if isinstance(value, list):
        return [_trimmed(each, depth - 1) for each in value] if depth else []
    if isinstance(value, dict):
        items = value.items() if depth else ()
        return {_encodable(key): _trimmed(each, depth - 1) for key, each in items}
    return value


def _plain_metadata(nbgrader_metadata: Any) -> Any:
    """A cell's nbgrader metadata without nested values, which nbgrader never writes."""
    if isinstance(nbgrader_metadata, dict):
        return {key: _plain(value) for key, value in nbgrader_metadata.items()}
    return "" if isinstance(nbgrader_metadata, list) else nbgrader_metadata


def _plain(value: Any) -> Any:
    return None if isinstance(value, dict | list) else value


def _attachments(attachments: Any) -> dict[str, dict[str, str]]:
    """Attachments whose data are text, such as a picture's base64."""
    kept = {}
    for name, bundle in attachments.items() if isinstance(attachments, dict) else ():
        if isinstance(bundle, dict) and all(isinstance(data, str) for data in bundle.values()):
            kept[_encodable(name)] = {_encodable(x): _encodable(bundle[x]) for x in bundle}
    return kept


def _encodable(text: str) -> str:
    """Replace lone surrogates, which are valid in JSON but not in files and checksums."""
    return text.encode("utf8", "replace").decode("utf8")
