"""Read from a notebook what its kernels will import."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from importlib.machinery import PathFinder
from pathlib import Path

from nbformat import NotebookNode

from autograder.cells import parse_code


def without_those_in(folder: Path, modules: Iterable[str]) -> tuple[str, ...]:
    """Leave out modules that a kernel would find in its working folder first.

    Args:
        folder: the lesson's folder; nothing in it is executed.
        modules: the result of ``of_notebook``.
    """
    return tuple(name for name in modules if not lies_in(folder, name))


def lies_in(folder: Path, module: str) -> bool:
    """Whether a module, or its package, is in a folder."""
    found = PathFinder.find_spec(re.split("[.:]", module)[0], [str(folder)])
    return found is not None and found.loader is not None  # a folder of data has none


def of_notebook(notebook: NotebookNode) -> tuple[tuple[str, ...], dict[str, str]]:
    """The modules to import before forking, and their environment variables.

    Args:
        notebook: the instructor's; nothing in it is executed.

    Returns:
        Modules, with ``"module:name"`` for names that are imported from one; and the environment
        variables that the notebook sets to literal strings, because libraries read some of them
        when they are imported.
    """
    names: dict[str, None] = {}
    variables = {}
    for statement in _statements(notebook):
        if isinstance(statement, ast.Import):
            names |= {alias.name: None for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
            names |= {f"{statement.module}:{alias.name}": None for alias in statement.names}
        elif variable := _assigned_variable(statement):
            variables[variable[0]] = variable[1]
    return tuple(names), variables


def _statements(notebook: NotebookNode) -> Iterator[ast.stmt]:
    for cell in notebook.cells:
        if cell.cell_type == "code":
            yield from parse_code(cell.source).body


def _assigned_variable(statement: ast.stmt) -> tuple[str, str] | None:
    """The name and value in ``os.environ["NAME"] = "value"``."""
    match statement:
        case ast.Assign(
            targets=[
                ast.Subscript(
                    value=ast.Attribute(value=ast.Name(id="os"), attr="environ"),
                    slice=ast.Constant(value=str() as name),
                )
            ],
            value=ast.Constant(value=str() as value),
        ):
            return name, value
    return None
