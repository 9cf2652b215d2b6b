"""Solutions with one thing changed, as a slip of a student's would change it.

Mutation testing, with the operators that matter for attention: a judge that gives all points to a
changed solution either misses the mistake, or the change makes no difference.
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
        operator: what kind of change, such as ``"drop_transpose"``.
        line: of the cell, where it is.
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
        """What identifies it among the mutants of its cell, for as long as these lines stay."""
        return f"{self.operator}: {self.before} -> {self.after or 'nothing'}"


def mutants(source: str) -> list[Mutant]:
    """All mutants of a cell's solution, each different from the others.

    Args:
        source: Python, without magics. Where there are marks, the solution stands between them, and
            what is around it is given to students, who have no slips there.
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
    """The numbers of the lines between the marks; all where there are none."""
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
    """Docstrings, annotations and decorators: to change them changes no answer."""
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
    """The lines of one text that are not in the other, each way."""
    compared = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    gone, new = (
        "; ".join(line[1:].strip() for line in compared if line[0] == sign) for sign in "-+"
    )
    return gone, new


class _Replace(ast.NodeTransformer):
    """Puts other nodes in one's place, or nothing."""

    def __init__(self, target: ast.AST, replacement: Replacement) -> None:
        self._target, self._replacement = target, replacement

    def visit(self, node: ast.AST) -> Replacement:
        return self._replacement if node is self._target else self.generic_visit(node)


def _replaced(source: str, position: int, replacement: Replacement) -> str | None:
    """The code with one node replaced; None where nothing would be left to run."""
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
