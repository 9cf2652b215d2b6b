"""What grading takes from the instructor's copy of a notebook, and from no other."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from autograder.cells import calls, is_demonstration, lines
from autograder.kernels import preload


@dataclass(frozen=True)
class Source:
    """One notebook of ``source/``.

    Args:
        modules: what it imports, for the process that forks kernels.
        variables: what it sets in the environment for these imports.
        demonstrations: the lines of the cells that no answer needs.
        exercises: the names of those that its cells check or grade.
    """

    modules: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    demonstrations: frozenset[tuple[str, ...]] = frozenset()
    exercises: frozenset[str] = frozenset()


def read_source(path: Path) -> Source:
    """Read a notebook of ``source/``, once as long as it does not change.

    Returns:
        An empty one where there is no such file.
    """
    return _read(path, path.stat().st_mtime_ns) if path.is_file() else Source()


@functools.lru_cache(maxsize=64)
def _read(path: Path, changed: int) -> Source:
    notebook = nbformat.read(path, as_version=4)
    marked = frozenset(lines(cell.source) for cell in notebook.cells if is_demonstration(cell))
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    asked = (calls(cell, function) for cell in code for function in ("check", "grade"))
    exercises = frozenset(itertools.chain.from_iterable(asked))
    return Source(*preload.of_notebook(notebook), marked, exercises)
