"""What a lesson's notebook says about its exercises: solution cells, graded cells, hidden lines."""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

BEGIN_HIDDEN, END_HIDDEN = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
BEGIN_SOLUTION, END_SOLUTION = "### BEGIN SOLUTION", "### END SOLUTION"

DEMONSTRATION = "demonstration"
"""The tag of cells that only train or plot for the reader; grading skips them."""

ReleasedAnswers = Mapping[str, Set[tuple[str, ...]]]
"""By the id of an answer cell, its lines in every released version."""


def grade_id(cell: NotebookNode) -> str | None:
    """The cell's name in the gradebook, or None."""
    return cell.metadata.get("nbgrader", {}).get("grade_id")


def lines(source: str) -> tuple[str, ...]:
    """The lines of a text, ignoring differences that editors make at the ends of lines and text.

    Example:
        >>> lines("a = 1 \\r\\n\\r\\nb\\n") == lines("a = 1\\n\\nb")
        True
    """
    return tuple(line.rstrip() for line in source.strip().splitlines())


def title(cell: str) -> str:
    """A graded cell's name for people, with or without its notebook's name before it.

    Example:
        >>> title("test_average_attention")
        'average attention'
    """
    return cell.replace("/test_", "/").removeprefix("test_").replace("_", " ")


def is_autograded(cell: NotebookNode) -> bool:
    """Whether code in this locked cell earns points."""
    metadata = cell.metadata.get("nbgrader", {})
    return cell.cell_type == "code" and bool(metadata.get("grade")) and not metadata.get("solution")


def is_manually_graded(cell: NotebookNode) -> bool:
    """Whether a person grades what a student writes here."""
    metadata = cell.metadata.get("nbgrader", {})
    return bool(metadata.get("grade")) and bool(metadata.get("solution"))


def is_solution(cell: NotebookNode) -> bool:
    """Whether students answer in this cell."""
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))


def is_protected(cell: NotebookNode) -> bool:
    """Whether grading restores this cell or takes a student's answer from it."""
    metadata = cell.metadata.get("nbgrader", {})
    return any(metadata.get(role) for role in ("locked", "grade", "solution"))


def is_demonstration(cell: NotebookNode) -> bool:
    """Whether the source says that no answer and no check needs this code cell."""
    return cell.cell_type == "code" and DEMONSTRATION in cell.metadata.get("tags", [])


def graded_exercise(cell: NotebookNode) -> str | None:
    """The exercise whose outputs this graded cell hands over, or None if it has its own tests."""
    names = calls(cell, "grade") if is_autograded(cell) else []
    return names[0] if names else None


def calls(cell: NotebookNode, function: str) -> list[str]:
    """The exercises that calls of ``check`` or ``grade`` name in a literal string.

    Exercises are named "topic.name"; other arguments belong to another course's helper of the same
    name. A cell with magics isn't Python and names none.
    """
    try:
        tree = ast.parse(cell.source)
    except SyntaxError:
        return []
    return [
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == function
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
        and len(parts := node.args[0].value.split(".")) == 2
        and all(map(str.isidentifier, parts))
    ]


def syntax_error(source: str) -> SyntaxError | None:
    """Why Python can't parse a code cell; None if it can, or if the cell has magics."""
    try:
        ast.parse(TransformerManager().transform_cell(source))
    except SyntaxError as error:
        return None if source.lstrip().startswith("%%") else error
    return None


def parse_code(source: str) -> ast.Module:
    """A code cell as IPython reads it, magics turned into calls; empty if it isn't Python."""
    try:
        return ast.parse(TransformerManager().transform_cell(source))
    except SyntaxError:
        return ast.Module([], [])


def defined_names(source: str) -> set[str]:
    """The names that a cell's code assigns anywhere."""
    names = set()
    for node in ast.walk(parse_code(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    return names


_MAGIC = re.compile(r"^([ \t]*)[%!].*$", re.MULTILINE)


def global_names(source: str) -> set[str]:
    """The names that a cell's code assigns for other cells.

    Unlike ``parse_code``, it takes linear time, so that it's safe with untrusted code.
    """
    names: set[str] = set()
    waiting: list[ast.AST] = []
    for text in (source, _MAGIC.sub(r"\1pass", source)):
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            waiting = [*ast.parse(text).body]
            break
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif not isinstance(node, ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return names


def imported_names(source: str) -> Iterator[tuple[str, str]]:
    """What a cell's code imports from modules: the module, and the name here."""
    for node in ast.walk(parse_code(source)):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield node.module, alias.asname or alias.name


def needed_names(source: str) -> set[str]:
    """The names that a cell's code, or what it defines, uses and doesn't define."""
    try:
        waiting = [symtable.symtable(ast.unparse(parse_code(source)), "cell", "exec")]
    except SyntaxError:  # such as a return outside of a function
        return set()
    names = set()
    while waiting:
        table = waiting.pop()
        waiting += table.get_children()
        outermost = table.get_type() == "module"
        names |= {
            each.get_name()
            for each in table.get_symbols()
            if each.is_referenced() and (each.is_global() or outermost)
        }
    return names


def without_solutions(source: str) -> str:
    """A cell's code as students get it: each solution is a stub."""
    kept, inside = [], False
    for line in source.splitlines():
        if line.strip() == BEGIN_SOLUTION:
            kept.append(line[: len(line) - len(line.lstrip())] + "raise NotImplementedError()")
            inside = True
        elif line.strip() == END_SOLUTION:
            inside = False
        elif not inside:
            kept.append(line)
    return "\n".join(kept)


def region(source: str, begin: str, end: str) -> Iterator[str]:
    """The lines between the solution's comments, without these."""
    inside = False
    for line in source.splitlines():
        if line.strip() in (begin, end):
            inside = line.strip() == begin
        elif inside:
            yield line
