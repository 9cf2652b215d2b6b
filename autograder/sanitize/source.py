"""Data that grading only takes from the instructor's copy of a notebook."""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.cells import calls, defined_names, imported_names, is_demonstration, lines
from autograder.kernels import preload

_ASK = frozenset(("check", "grade"))
"""The functions that ask for an exercise."""


@dataclass(frozen=True)
class LessonSource:
    """One notebook of ``source/``.

    Args:
        modules: the modules that it imports, for the process that forks kernels.
        variables: environment variables that it sets for these imports.
        demonstrations: the lines of cells that no answer needs.
        exercises: the names of the exercises that its cells check or grade.
        helpers: which of ``check`` and ``grade`` it defines itself, or imports from a local module.
        kernel: the name of its kernel.
    """

    modules: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    demonstrations: frozenset[tuple[str, ...]] = frozenset()
    exercises: frozenset[str] = frozenset()
    helpers: frozenset[str] = frozenset()
    kernel: str = "python3"


def read_source(path: Path) -> LessonSource:
    """Read a notebook of ``source/``; the result is cached until it or a file next to it changes.

    Returns:
        An empty one if there is no such file.
    """
    if not path.is_file():
        return LessonSource()
    beside = tuple(sorted(os.listdir(path.parent)))  # noqa: PTH208 - names alone
    return _read(path, path.stat().st_mtime_ns, beside)


@functools.lru_cache(maxsize=64)
def _read(path: Path, changed: int, beside: tuple[str, ...]) -> LessonSource:
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    helpers = _helpers(code, path.parent)
    asked = (calls(cell, name) for cell in code for name in _ASK - helpers)
    modules, variables = preload.of_notebook(notebook)
    return LessonSource(
        preload.without_those_in(path.parent, modules),
        variables,
        frozenset(lines(cell.source) for cell in notebook.cells if is_demonstration(cell)),
        frozenset(itertools.chain.from_iterable(asked)),
        helpers,
        notebook.metadata.get("kernelspec", {}).get("name", "python3"),
    )


def _helpers(code: Sequence[NotebookNode], folder: Path) -> frozenset[str]:
    given = set().union(*(defined_names(cell.source) for cell in code)) & _ASK
    imported = itertools.chain.from_iterable(imported_names(cell.source) for cell in code)
    installed = {name for module, name in imported if not preload.lies_in(folder, module)}
    return frozenset(given - installed)
