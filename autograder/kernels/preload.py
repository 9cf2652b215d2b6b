"""What a notebook's kernels will import, read from the notebook."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nbformat import NotebookNode

from autograder.cells import parse


def of_notebook(notebook: NotebookNode) -> tuple[tuple[str, ...], dict[str, str]]:
    """What to import before forking, and the environment for it.

    Args:
        notebook: the instructor's; nothing in it is executed.

    Returns:
        Modules, ``"module:name"`` for what is imported from one; and the variables to which the
        notebook assigns literal strings, as libraries read some when they are imported.
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
            yield from parse(cell.source).body


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
