"""Mutation testing: solutions with one change, such as a student's slip.

The operators are those that matter for attention. If the judge gives full points to a changed
solution, it either misses the mistake, or the change makes no difference.
"""

from __future__ import annotations

import ast
import copy
import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.audit.operators import Replacement, operators_for
from autograder.cells import BEGIN_SOLUTION, END_SOLUTION


@dataclass(frozen=True)
class Mutant:
    """A changed solution.

    Args:
        operator: the kind of change, such as ``"drop_transpose"``.
        line: its line in the cell.
        before, after: the changed lines, without comments.
        source: the whole changed cell, without comments.
    """

    operator: str
    line: int
    before: str
    after: str
    source: str

    @property
    def name(self) -> str:
        """An identifier among the mutants of its cell, valid until these lines change."""
        return f"{self.operator}: {self.before} -> {self.after or 'nothing'}"


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
    for position, node in enumerate(ast.walk(tree)):
        line = getattr(node, "lineno", 0)
        if id(node) in left_alone or line not in solution:
            continue
        for operator, change in operators.items():
            for replacement in change(node):
                changed = _replaced(source, position, replacement)
                if changed is not None and changed != original:
                    lines = _changed_lines(original, changed)
                    found.setdefault(changed, Mutant(operator, line, *lines, changed))
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


class _Replace(ast.NodeTransformer):
    """Replaces a node with others, or removes it."""

    def __init__(self, target: ast.AST, replacement: Replacement) -> None:
        self._target, self._replacement = target, replacement

    def visit(self, node: ast.AST) -> Replacement:
        return self._replacement if node is self._target else self.generic_visit(node)


def _replaced(source: str, position: int, replacement: Replacement) -> str | None:
    """The code with one node replaced; None if nothing would be left to run."""
    tree = ast.parse(source)
    target = next(node for place, node in enumerate(ast.walk(tree)) if place == position)
    _Replace(target, copy.deepcopy(replacement)).visit(tree)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if body == []:
            body.append(ast.Pass())
    mutant = ast.unparse(ast.fix_missing_locations(tree))
    try:
        compile(mutant, "<mutant>", "exec")
    except SyntaxError:
        return None
    return mutant
