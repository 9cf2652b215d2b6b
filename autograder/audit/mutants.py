"""Mutation testing: solutions with one change, such as a student's slip.

The operators are those that matter for attention. If the judge gives full points to a changed
solution, it either misses the mistake, or the change makes no difference.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from autograder.cells import BEGIN_SOLUTION, END_SOLUTION
from autograder.judging.operators import Replacement, operators_for


@dataclass(frozen=True)
class Mutant:
    """A changed solution.

    Args:
        operator: the kind of change, such as ``"drop_transpose"``.
        line: its line in the cell.
        original: the whole cell, without comments.
        source: the whole changed cell, without comments.
    """

    operator: str
    line: int
    original: str
    source: str

    @cached_property
    def name(self) -> str:
        """An identifier among the mutants of its cell, valid until the changed lines change."""
        before, after = _changed_lines(self.original, self.source)
        return f"{self.operator}: {before} -> {after or 'nothing'}"


def mutants(source: str) -> list[Mutant]:
    """All mutants of a cell's solution, each different from the others.

    Args:
        source: Python, without magics. If it has solution comments, only the code between them is
            mutated, because students get the rest.
    """
    tree = ast.parse(source)
    original = ast.unparse(tree)
    left_alone = {id(node) for part in _never_executed(tree) for node in ast.walk(part)}
    solution = _solution_lines(source)
    found: dict[str, Mutant] = {}
    operators = operators_for(tree)
    parents = _parents(tree)
    for node in list(ast.walk(tree)):
        line = getattr(node, "lineno", 0)
        if id(node) in left_alone or line not in solution:
            continue
        for operator, change in operators.items():
            for replacement in change(node):
                changed = _replaced(tree, node, *parents[id(node)], replacement)
                if changed not in found and changed != original and _compiles(changed):
                    found[changed] = Mutant(operator, line, original, changed)
    return list(found.values())


def _solution_lines(source: str) -> set[int]:
    """The numbers of the lines between the solution comments; all if there are none."""
    inside, found = False, set()
    lines = source.splitlines()
    if not any(line.strip() == BEGIN_SOLUTION for line in lines):
        return set(range(1, len(lines) + 1))
    for number, line in enumerate(lines, 1):
        if line.strip() in (BEGIN_SOLUTION, END_SOLUTION):
            inside = line.strip() == BEGIN_SOLUTION
        elif inside:
            found.add(number)
    return found


def _never_executed(tree: ast.Module) -> Iterator[ast.AST]:
    """Docstrings, annotations and decorators, which don't affect answers."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from node.decorator_list
            if ast.get_docstring(node) is not None:
                yield node.body[0]
        if isinstance(node, ast.FunctionDef) and node.returns:
            yield node.returns
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            yield node.annotation


def _changed_lines(before: str, after: str) -> tuple[str, str]:
    """The lines of each text that aren't in the other."""
    compared = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    gone, new = (
        "; ".join(line[1:].strip() for line in compared if line[0] == sign) for sign in "-+"
    )
    return gone, new


def _parents(tree: ast.AST) -> dict[int, tuple[ast.AST, str]]:
    """By a node's id, its parent and the attribute of that which it's in."""
    return {
        id(part): (node, field)
        for node in ast.walk(tree)
        for field, value in ast.iter_fields(node)
        for part in (value if isinstance(value, list) else [value])
    }


def _replaced(
    tree: ast.Module, node: ast.AST, parent: ast.AST, field: str, replacement: Replacement
) -> str:
    """The code with one node replaced; the tree itself is restored.

    Parsing the code for every change would take several times as long.
    """
    before = getattr(parent, field)
    after: object = replacement
    if isinstance(before, list):
        place = next(place for place, each in enumerate(before) if each is node)
        new = replacement if isinstance(replacement, list) else [replacement]
        after = [*before[:place], *filter(None, new), *before[place + 1 :]]
        if field == "body" and not after:
            after = [ast.Pass()]
    setattr(parent, field, after)
    try:
        return ast.unparse(tree)
    finally:
        setattr(parent, field, before)


def _compiles(source: str) -> bool:
    try:
        compile(source, "<mutant>", "exec")
    except SyntaxError:
        return False
    return True
