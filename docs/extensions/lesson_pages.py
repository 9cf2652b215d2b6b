"""A lesson as a page: computed with the solutions, shown as students get it.

A page is a file such as ``docs/lessons/03-attention.lesson`` that holds the lesson's name;
``nb_custom_formats`` in ``conf.py`` has it read here.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from subprocess import DEVNULL

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from autograder.cells import is_solution
from autograder.course_folder import CourseFolder
from autograder.release.generate import leaks_into
from course.runtime import budget

ROOT = Path(__file__).parents[2]

_DATA = {
    "ag_news": "AG News (Zhang et al., 2015)",
    "imdb": "IMDB's reviews (Maas et al., 2011)",
    "news_category": "News Category (Misra, 2022)",
}
"""What lessons load, with its source."""

_PUBLISHED = "published"
_RUNS = {
    _PUBLISHED: (
        "The pictures and numbers are those of a run in full on the published texts: {data}."
    ),
    "full": (
        "The pictures and numbers are those of a run in full on the course's built-in samples, "
        "texts from a grammar written for this course: they say nothing about published data."
    ),
    "smoke": (
        "The pictures and numbers are those of a smoke run on the course's built-in samples: "
        "whatever is trained was trained for a few steps, and its numbers mean nothing."
    ),
}
_NOTE = """:::{{note}}
The tasks stand here as students get them. What the cells below a task show was computed with the
course's own answers, which are not published. {run} It was run on {day}; where numbers are drawn,
the seed is the one in the cell.
:::"""
_LEFT_OUT = "# here stands what answers a task of another lesson"


def read(text: str, cache: str) -> NotebookNode:
    """The notebook of a lesson's page, with outputs and without solutions.

    Args:
        text: of the page's file: the lesson's name.
        cache: a folder for what was executed. It holds solutions; a lesson is executed again
            when its code, a package that it imports or the budget changes.

    Raises:
        ValueError: when a solution shows in the page.
        nbclient.exceptions.CellExecutionError: when a cell fails.
    """
    lesson, course = text.strip(), CourseFolder(ROOT)
    shown = nbformat.read(course.release(lesson), as_version=4)
    sources = {name: nbformat.read(course.source(name), as_version=4) for name in course.lessons()}
    done = _executed(lesson, shown, sources[lesson], Path(cache))
    code = [line for cell in shown.cells for line in cell.source.splitlines()]
    told = set(_told(code, sources.values()))
    for cell, executed in zip(shown.cells, done.cells, strict=True):
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = executed.outputs, executed.execution_count
            cell.source = _without(told, cell.source)
            _describe(cell)
            _without_home(cell)
    if leaks := list(_told(nbformat.writes(shown).splitlines(), sources.values())):
        raise ValueError(f"the page of {lesson} would tell solutions: {leaks}")
    run = _RUNS[_run(sources[lesson])].format(data=_listed(_data(sources[lesson])))
    shown.cells.insert(1, new_markdown_cell(_NOTE.format(run=run, day=done.metadata["day"])))
    shown.metadata["mystnb"] = {"execution_mode": "off"}
    shown.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    return shown


def _told(lines: list[str], sources: Iterable[NotebookNode]) -> Iterator[str]:
    """Lines of solutions, of whatever lesson: the later ones show what earlier ones asked for."""
    for source in sources:
        yield from (leak.removeprefix(": ") for leak in leaks_into(source, lines, ""))


def _without(told: set[str], code: str) -> str:
    """The code, with a remark in place of lines that are not to be told."""
    kept: list[str] = []
    for line in code.splitlines():
        bare = line.strip()
        shown = line.replace(bare, _LEFT_OUT) if bare in told else line
        if bare not in told or kept[-1:] != [shown]:
            kept.append(shown)
    return "\n".join(kept)


def _executed(lesson: str, shown: NotebookNode, source: NotebookNode, cache: Path) -> NotebookNode:
    """The students' lesson, its tasks answered, with what its cells put out and the day of it."""
    notebook, run = _answered(shown, source), _run(source)
    fingerprint = _fingerprint(notebook)
    path = cache / f"{lesson}-{run}.ipynb"
    if path.is_file():
        kept = nbformat.read(path, as_version=4)
        if kept.metadata.get("fingerprint") == fingerprint:
            return _with_outputs(notebook, kept)
    with tempfile.TemporaryDirectory(prefix="lesson-") as folder:
        NotebookClient(
            notebook, timeout=None, kernel_name="python3", resources={"metadata": {"path": folder}}
        ).execute(env=os.environ | _environment(cache, run), stderr=DEVNULL)
    now = datetime.now(UTC)
    notebook.metadata |= {"fingerprint": fingerprint, "day": f"{now.day} {now:%B %Y}"}
    cache.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
    return notebook


def _with_outputs(notebook: NotebookNode, kept: NotebookNode) -> NotebookNode:
    """A lesson with what its cells put out earlier: its text may have changed since."""
    earlier = {cell.id: cell for cell in kept.cells if cell.cell_type == "code"}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = earlier[cell.id].outputs
            cell.execution_count = earlier[cell.id].execution_count
    notebook.metadata |= kept.metadata
    return notebook


def _run(source: NotebookNode) -> str:
    """How a lesson is run: on the published texts if ``COURSE_DATA`` names a folder of them."""
    if budget.is_smoke():
        return "smoke"
    return _PUBLISHED if os.environ.get("COURSE_DATA") and _data(source) else "full"


def _data(source: NotebookNode) -> list[str]:
    """The data sets that a lesson loads, as a reader knows them."""
    code = "".join(cell.source for cell in source.cells if cell.cell_type == "code")
    return [title for name, title in _DATA.items() if f'"{name}"' in code]


def _listed(titles: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(titles[:-1]), *titles[-1:])))


def _answered(shown: NotebookNode, source: NotebookNode) -> NotebookNode:
    """The students' notebook with the solutions in it, and without the hidden tests."""
    solved = {cell.id: cell for cell in source.cells}
    notebook = nbformat.from_dict(shown)
    for cell in notebook.cells:
        cell.metadata.pop("tags", None)  # no error is expected where everything is answered
        if is_solution(cell):
            cell.source = solved[cell.id].source
    return notebook


def _environment(cache: Path, run: str) -> dict[str, str]:
    return {
        "COURSE_SOURCE": "real" if run == _PUBLISHED else "sample",
        "COURSE_RESULTS": str((cache / f"results-{run}").resolve()),
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }


def _fingerprint(notebook: NotebookNode) -> str:
    """Changes with all that decides about the outputs: the text doesn't."""
    code = [(cell.id, cell.source) for cell in notebook.cells if cell.cell_type == "code"]
    digest = hashlib.sha256(json.dumps(code).encode())
    digest.update(f"{version('keras')} {version('matplotlib')}".encode())
    imported = (
        path for package in ("course", "selfcheck") for path in ROOT.glob(f"{package}/**/*.py")
    )
    for path in (*sorted(imported), Path(__file__)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _without_home(cell: NotebookNode) -> None:
    """Replace the home folder of whoever built the page in printed paths."""
    for output in cell.outputs:
        if "text" in output:
            output["text"] = output["text"].replace(str(Path.home()), "~")


def _describe(cell: NotebookNode) -> None:
    """What a figure says of itself becomes the alternative text of its image."""
    told = (
        output.get("metadata", {}).get(kind, {})
        for output in cell.outputs
        for kind in ("image/png", "image/svg+xml")
    )
    if texts := [words["alt"] for words in told if "alt" in words]:
        cell.metadata["mystnb"] = {"image": {"alt": " ".join(texts)}}
