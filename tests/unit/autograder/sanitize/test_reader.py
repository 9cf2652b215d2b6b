"""Notebooks as editors, platforms and converters leave them: their answers are read."""

import json

import pytest

from autograder.cells import grade_id
from autograder.sanitize.reader import NotANotebook, parse_notebook
from tests.support.every_kind import ANSWERS, Released


def as_json(notebook, encoding="utf-8"):
    return json.dumps(notebook, ensure_ascii=False, indent=1).encode(encoding)


def in_windows_encoding(notebook):
    """Its one letter beyond ASCII is none in UTF-8."""
    notebook["cells"][0]["source"] = "# Größe"
    return as_json(notebook, "cp1252")


def with_line_ends(end):
    def written(notebook):
        for cell in notebook["cells"]:
            cell["source"] = cell["source"].replace("\n", end)
        return as_json(notebook).replace(b"\n", end.encode())

    return written


def with_outputs(outputs):
    def written(notebook):
        for cell in notebook["cells"]:
            cell["outputs"] = outputs
        return as_json(notebook)

    return written


def with_parts(**parts):
    def written(notebook):
        for cell in notebook["cells"]:
            cell |= parts
        return as_json(notebook)

    return written


def without(*parts):
    def written(notebook):
        for part in parts:
            notebook.pop(part, None)
            for cell in notebook["cells"]:
                if part != "metadata":
                    cell.pop(part, None)
        return as_json(notebook)

    return written


def without_metadata_of_other_cells(notebook):
    for cell in notebook["cells"]:
        if "nbgrader" not in cell["metadata"]:
            del cell["metadata"]
    return as_json(notebook)


def with_deep_metadata(notebook):
    for part in (notebook, *notebook["cells"]):
        part["metadata"]["deep"] = "DEEP"
    return as_json(notebook).replace(b'"DEEP"', b"[" * 800 + b"]" * 800)


def with_text_in_lines(notebook):
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)
    return as_json(notebook)


def of_format_3(notebook):
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["input"] = cell.pop("source")
    sheets = [{"cells": notebook.pop("cells"), "metadata": {}}]
    return as_json(notebook | {"worksheets": sheets, "nbformat": 3, "nbformat_minor": 0})


def with_what_is_no_cell(notebook):
    notebook["cells"][2:2] = [None, "text", []]
    return as_json(notebook)


WRITTEN = {
    "as-released": as_json,
    "bom": lambda notebook: as_json(notebook, "utf-8-sig"),
    "utf-16": lambda notebook: as_json(notebook, "utf-16"),
    "utf-16-be": lambda notebook: as_json(notebook, "utf-16-be"),
    "utf-32": lambda notebook: as_json(notebook, "utf-32"),
    "windows-1252": in_windows_encoding,
    "crlf": with_line_ends("\r\n"),
    "cr": with_line_ends("\r"),
    "outputs-text": with_outputs("hello"),
    "outputs-null": with_outputs(None),
    "outputs-mixed": with_outputs(["hello", None, {"output_type": 3}, {}, [[]]]),
    "outputs-object": with_outputs({"0": {"output_type": "stream"}}),
    "attachments-null": with_parts(attachments=None),
    "attachments-odd": with_parts(attachments={"picture.png": None}),
    "counts-odd": with_parts(execution_count="12", trusted=True, prompt_number=[]),
    "no-format": without("nbformat", "nbformat_minor"),
    "no-metadata": without("metadata"),
    "no-outputs-no-ids": without("outputs", "execution_count", "id"),
    "no-cell-metadata": without_metadata_of_other_cells,
    "format-none": lambda notebook: as_json(notebook | {"nbformat": None, "metadata": None}),
    "format-text": lambda notebook: as_json(notebook | {"nbformat": "4", "nbformat_minor": "x"}),
    "format-99": lambda notebook: as_json(notebook | {"nbformat": 99}),
    "format-3": of_format_3,
    "deep": with_deep_metadata,
    "lines": with_text_in_lines,
    "no-cells": with_what_is_no_cell,
}
"""By student, who writes the right answers: how the file comes to be written."""


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    return Released(tmp_path_factory.mktemp("course"))


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_whatever_wrote_a_notebook_its_answers_are_read(released, written):
    notebook = json.loads(json.dumps(released.answered()))
    repaired, repairs = released.repair(written(notebook))
    released.assert_is_the_lesson(repaired)
    answers = {grade_id(cell): cell.source for cell in repaired.cells}
    assert {name: answers[name] for name in ANSWERS} == ANSWERS
    told = {
        in_windows_encoding: [
            "it isn't in UTF-8 and was read as Windows-1252: letters may be wrong"
        ],
        with_what_is_no_cell: [
            f"entry {n} of the notebook isn't a cell: dropped" for n in (3, 4, 5)
        ],
    }
    assert repairs == told.get(written, [])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is empty"),
        (b" \n", "it is empty"),
        (
            b'{"cells": [\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> theirs\n]}',
            "it has the markers of a merge conflict",
        ),
        (b'{"cells": [\r\n<<<<<<< a\r\n1\r\n=======\r\n>>>>>>> b\r\n', "a merge conflict"),
        (b"\xff\xfe{", "it isn't JSON"),
        (b"<html>\xe4</html>", "it isn't JSON"),
        (b"[" * 99_999, "nested too deeply"),
        (b"[]", "no list of cells"),
        (b'{"cells": {}}', "no list of cells"),
        (b'{"cells": [1, "x", [], null]}', "its list of cells has no valid cell"),
        (b'{"worksheets": []}', "no list of cells"),
        (b'{"cells": [' + b"[]," * 1_000_001, "more than 1,000,000 lists"),
    ],
)
def test_what_is_no_notebook_is_refused_with_its_reason(content, reason):
    with pytest.raises(NotANotebook, match=reason):
        parse_notebook(content, [])
