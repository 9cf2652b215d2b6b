"""Solutions with one thing changed, as a slip of a student's would change it.

Mutation testing, with the operators that matter for attention: a judge that gives all points to a
changed solution either misses the mistake, or the change makes no difference.
"""

from __future__ import annotations

import ast
import copy
import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

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
        source: Python, without magics; the solution stands between its marks. What is around it
            is given to students, who have no slips there.
    """
    tree = ast.parse(source)
    original = ast.unparse(tree)
    left_alone = {id(node) for part in _never_executed(tree) for node in ast.walk(part)}
    solution = _solution_lines(source)
    found: dict[str, Mutant] = {}
    for position, node in enumerate(ast.walk(tree)):
        if id(node) in left_alone or getattr(node, "lineno", 0) not in solution:
            continue
        for operator, change in _OPERATORS.items():
            for replacement in change(node):
                changed = _replaced(source, position, replacement)
                if changed not in (None, original):
                    lines = _changed_lines(original, changed)
                    found.setdefault(changed, Mutant(operator, node.lineno, *lines, changed))
    return list(found.values())


def _solution_lines(source: str) -> set[int]:
    """The numbers of the lines between the marks."""
    inside, found = False, set()
    for number, line in enumerate(source.splitlines(), 1):
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
    return tuple(
        "; ".join(line[1:].strip() for line in compared if line[0] == sign) for sign in "-+"
    )


class _Replace(ast.NodeTransformer):
    """Puts one node in another's place, or nothing."""

    def __init__(self, target: ast.AST, replacement: ast.AST | None) -> None:
        self._target, self._replacement = target, replacement

    def visit(self, node: ast.AST) -> ast.AST | None:
        return self._replacement if node is self._target else self.generic_visit(node)


def _replaced(source: str, position: int, replacement: ast.AST | None) -> str | None:
    """The code with one node replaced; None where nothing would be left to run."""
    tree = ast.parse(source)
    target = next(node for place, node in enumerate(ast.walk(tree)) if place == position)
    changed = _Replace(target, copy.deepcopy(replacement)).visit(tree)
    for node in ast.walk(changed):
        if getattr(node, "body", None) == []:
            node.body = [ast.Pass()]
    mutant = ast.unparse(ast.fix_missing_locations(changed))
    try:
        compile(mutant, "<mutant>", "exec")
    except SyntaxError:
        return None
    return mutant


# --- operators: from a node to what may stand in its place ----------------------------------------

_AXES = (ast.Constant, ast.UnaryOp, ast.Tuple, ast.List, ast.Starred)
_TRANSPOSING = ("transpose", "swapaxes", "moveaxis", "matrix_transpose", "permute_dims")
_OF_TWO = ("matmul", "dot", "tensordot", "subtract", "divide", "power")
_PAIRS = (
    *(("mean", "sum"), ("reduce_mean", "reduce_sum"), ("max", "min"), ("argmax", "argmin")),
    *(("maximum", "minimum"), ("sin", "cos"), ("softmax", "sigmoid"), ("sqrt", "square")),
    *(("exp", "log"), ("zeros", "ones"), ("floor", "ceil"), ("lower", "upper")),
)
_OTHERS = dict(_PAIRS) | {second: first for first, second in _PAIRS}
_SWAPPED_OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
                      ast.FloorDiv: ast.Mod, ast.Mod: ast.FloorDiv}  # fmt: skip
_SWAPPED_COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
                        ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot,
                        ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}  # fmt: skip


def _called(node: ast.AST) -> str:
    """The last name of what is called, or ""."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def _with(node: ast.AST, **changed: object) -> ast.AST:
    other = copy.copy(node)
    for name, value in changed.items():
        setattr(other, name, value)
    return other


def _drop_transpose(node: ast.AST) -> Iterator[ast.AST]:
    if _called(node) in _TRANSPOSING:
        # A method is told the axes; a module's function is told the array before them.
        of_array = not node.args or isinstance(node.args[0], _AXES)
        if of_array and isinstance(node.func, ast.Attribute):
            yield node.func.value
        else:
            yield from node.args[:1]
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield node.value
    for keyword in getattr(node, "keywords", []):
        if keyword.arg in ("transpose_a", "transpose_b"):
            yield _with(node, keywords=[other for other in node.keywords if other is not keyword])


def _change_axis(node: ast.AST) -> Iterator[ast.AST]:
    if not isinstance(node, ast.keyword) or node.arg not in ("axis", "axes"):
        return
    for step in (1, -1):
        numbers = [part for part in ast.walk(node.value) if _is_number(part)]
        for place in range(len(numbers)):
            value = copy.deepcopy(node.value)
            number = [part for part in ast.walk(value) if _is_number(part)][place]
            number.value += step
            yield _with(node, value=value)


def _drop_scale(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.Mult):
        yield node.left
        if isinstance(node.op, ast.Mult):
            yield node.right


def _swap_operands(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.BinOp) and isinstance(
        node.op, ast.Sub | ast.Div | ast.MatMult | ast.Pow | ast.FloorDiv | ast.Mod
    ):
        yield _with(node, left=node.right, right=node.left)
    if _called(node) in _OF_TWO and len(node.args) > 1:
        yield _with(node, args=[node.args[1], node.args[0], *node.args[2:]])


def _off_by_one(node: ast.AST) -> Iterator[ast.AST]:
    if _is_number(node):
        yield from (_with(node, value=node.value + step) for step in (1, -1))


def _drop_mask(node: ast.AST) -> Iterator[ast.AST | None]:
    if _called(node) == "where" and len(node.args) == 3:
        yield node.args[1]
        yield _with(node, args=[node.args[0], node.args[2], node.args[1]])
    if isinstance(node, ast.keyword) and "mask" in (node.arg or ""):
        yield None
    if isinstance(node, ast.If | ast.IfExp) and "mask" in ast.unparse(node.test):
        if isinstance(node, ast.IfExp):
            yield from (node.body, node.orelse)
        else:
            yield None


def _drop_keyword(node: ast.AST) -> Iterator[None]:
    if isinstance(node, ast.keyword) and node.arg:
        yield None


def _drop_statement(node: ast.AST) -> Iterator[None]:
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.If | ast.For):
        yield None


def _other_operator(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.BinOp) and type(node.op) in _SWAPPED_OPERATORS:
        yield _with(node, op=_SWAPPED_OPERATORS[type(node.op)]())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not | ast.Invert):
        yield node.operand


def _other_comparison(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _SWAPPED_COMPARISONS:
        yield _with(node, ops=[_SWAPPED_COMPARISONS[type(node.ops[0])](), *node.ops[1:]])
    if isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())


def _other_function(node: ast.AST) -> Iterator[ast.AST]:
    name = _called(node)
    if name in _OTHERS:
        func = node.func
        other = {"attr" if isinstance(func, ast.Attribute) else "id": _OTHERS[name]}
        yield _with(node, func=_with(func, **other))


def _other_constant(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield _with(node, value=not node.value)
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        yield _with(node, value=node.value * 2)


def _swap_returns(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        yield _with(node, value=_with(node.value, elts=node.value.elts[::-1]))


def _drop_index(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value


def _is_number(node: ast.AST) -> bool:
    """Whether it is a whole number; True is none."""
    return isinstance(node, ast.Constant) and type(node.value) is int


_OPERATORS: dict[str, Callable[[ast.AST], Iterator[ast.AST | None]]] = {
    "drop transpose": _drop_transpose,
    "change axis": _change_axis,
    "drop scale": _drop_scale,
    "swap operands": _swap_operands,
    "drop mask": _drop_mask,
    "swap returns": _swap_returns,
    "off by one": _off_by_one,
    "other operator": _other_operator,
    "other comparison": _other_comparison,
    "other function": _other_function,
    "other constant": _other_constant,
    "drop keyword": _drop_keyword,
    "drop index": _drop_index,
    "drop statement": _drop_statement,
}
