"""The operators of mutation testing: from a node of the syntax tree to its replacements."""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeGuard, TypeVar

Replacement = ast.AST | list[ast.stmt] | None
"""A node, several statements, or nothing."""

Operator = Callable[[ast.AST], Iterator[Replacement]]

Node = TypeVar("Node", bound=ast.AST)


class _WholeNumber(ast.Constant):
    """The type of what ``_is_number`` accepts; a tree has none of these."""

    value: int


def operators_for(tree: ast.Module, modules: frozenset[str] = frozenset()) -> dict[str, Operator]:
    """The operators for the nodes of a cell, by name.

    Args:
        tree: the cell.
        modules: names of modules that it doesn't import itself.
    """
    names = _Names.of(tree)
    return _OPERATORS | replace(names, modules=names.modules | modules).operators


_AXES = (ast.Constant, ast.UnaryOp, ast.Tuple, ast.List, ast.Starred)
_TRANSPOSING = ("transpose", "swapaxes", "moveaxis", "matrix_transpose", "permute_dims")
_PAIRS = (
    *(("mean", "sum"), ("reduce_mean", "reduce_sum"), ("max", "min"), ("argmax", "argmin")),
    *(("maximum", "minimum"), ("sin", "cos"), ("softmax", "sigmoid"), ("sqrt", "square")),
    *(("exp", "log"), ("zeros", "ones"), ("floor", "ceil"), ("lower", "upper")),
)
_OTHER_TYPES = {"float32": "int32", "int32": "float32", "float64": "int64", "int64": "float64",
                "bool": "float32", "float": "int", "int": "float"}  # fmt: skip
_OTHER_WORDS = {"valid": "same", "same": "valid", "relu": "tanh", "tanh": "relu",
                "softmax": "sigmoid", "sigmoid": "softmax", " ": "", "": " "}  # fmt: skip
_OTHERS = dict(_PAIRS) | {second: first for first, second in _PAIRS}
_SWAPPED_OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
                      ast.FloorDiv: ast.Mod, ast.Mod: ast.FloorDiv}  # fmt: skip
_SWAPPED_COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
                        ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot,
                        ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}  # fmt: skip


def _called(node: ast.AST) -> str:
    """The last part of a called name, or ""."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def _with(node: Node, **changed: object) -> Node:
    other = copy.copy(node)
    for name, value in changed.items():
        setattr(other, name, value)
    return other


def _drop_transpose(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Call) and _called(node) in _TRANSPOSING:
        # A method gets the axes; a module's function gets the array before them.
        of_array = not node.args or isinstance(node.args[0], _AXES)
        if of_array and isinstance(node.func, ast.Attribute):
            yield node.func.value
        else:
            yield from node.args[:1]
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield node.value


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
    if isinstance(node, ast.Call) and not any(isinstance(arg, ast.Starred) for arg in node.args):
        for place in range(len(node.args) - 1):
            args = list(node.args)
            args[place : place + 2] = args[place + 1], args[place]
            yield _with(node, args=args)


def _off_by_one(node: ast.AST) -> Iterator[ast.AST]:
    if _is_number(node):
        yield from (_with(node, value=node.value + step) for step in (1, -1))
    if isinstance(node, ast.Call) and _called(node) == "range":
        *start, stop = node.args[:2]
        yield _with(node, args=[*start, _one(ast.Sub, stop), *node.args[2:]])
        yield _with(node, args=[_one(ast.Add, *(start or [ast.Constant(0)])), stop, *node.args[2:]])
    if isinstance(node, ast.Slice) and node.upper and not _is_number(node.upper):
        yield from (_with(node, upper=_one(step, node.upper)) for step in (ast.Add, ast.Sub))


def _one(step: type[ast.operator], value: ast.expr) -> ast.expr:
    """One more than a value, or one less."""
    return ast.BinOp(value, step(), ast.Constant(1))


def _drop_mask(node: ast.AST) -> Iterator[ast.AST | None]:
    if isinstance(node, ast.Call) and _called(node) == "where" and len(node.args) == 3:
        yield node.args[1]
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
    if isinstance(node, ast.If | ast.IfExp) and not isinstance(node.test, ast.Compare):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))


def _other_function(node: ast.AST) -> Iterator[ast.AST]:
    name = _called(node)
    if isinstance(node, ast.Call) and name in _OTHERS:
        func = node.func
        other = {"attr" if isinstance(func, ast.Attribute) else "id": _OTHERS[name]}
        yield _with(node, func=_with(func, **other))


def _other_constant(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield _with(node, value=not node.value)
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        yield _with(node, value=node.value * 2)
    if isinstance(node, ast.Constant) and node.value in _OTHER_WORDS:
        yield _with(node, value=_OTHER_WORDS[node.value])


def _other_type(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Attribute) and node.attr in _OTHER_TYPES:
        yield _with(node, attr=_OTHER_TYPES[node.attr])
    if isinstance(node, ast.Name) and node.id in _OTHER_TYPES:
        yield _with(node, id=_OTHER_TYPES[node.id])
    if isinstance(node, ast.Constant) and node.value in _OTHER_TYPES:
        yield _with(node, value=_OTHER_TYPES[node.value])


def _drop_default(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef) and node.args.defaults:
        yield _with(node, args=_with(node.args, defaults=node.args.defaults[1:]))


def _change_argument(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Make ``total = first + second`` change ``first`` in place, if it's mutable."""
    if (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.BinOp)
        and isinstance(node.value.left, ast.Name)
    ):
        target = ast.Name(node.value.left.id, ast.Store())
        in_place = ast.AugAssign(target, node.value.op, node.value.right)
        yield [in_place, _with(node, value=node.value.left)]


def _swap_returns(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        yield _with(node, value=_with(node.value, elts=node.value.elts[::-1]))


def _drop_index(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value


def _is_number(node: ast.AST) -> TypeGuard[_WholeNumber]:
    """Whether it's an int and not a bool."""
    return isinstance(node, ast.Constant) and type(node.value) is int


@dataclass(frozen=True)
class _Names:
    """What a cell's names refer to, and the operators that depend on it.

    Args:
        modules: names that are imported.
        made_of: by variable, the variables that its value is calculated from.
        arguments: by argument, the next one of the same function.
        returns: by loop, the ``return`` after it.
    """

    modules: frozenset[str]
    made_of: dict[str, list[str]]
    arguments: dict[str, str]
    returns: dict[int, ast.Return]

    @classmethod
    def of(cls, tree: ast.Module) -> _Names:
        modules: set[str] = set()
        made_of: dict[str, list[str]] = {}
        arguments: dict[str, str] = {}
        returns: dict[int, ast.Return] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                modules |= {(name.asname or name.name).split(".")[0] for name in node.names}
            if isinstance(node, ast.FunctionDef):
                names = [arg.arg for arg in node.args.args if arg.arg != "self"]
                arguments |= dict(zip(names, names[1:] + names[:1], strict=True))
                made_of |= {name: [] for name in names}
                for statement, following in itertools.pairwise(node.body):
                    if isinstance(statement, ast.For) and isinstance(following, ast.Return):
                        returns[id(statement)] = following
        # Breadth first, a name isn't always seen before the names that are calculated from it.
        assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
        targets = [
            (node.targets[0].id, node.value)
            for node in assigned
            if isinstance(node.targets[0], ast.Name)
        ]
        known = {name for name, _ in targets} | arguments.keys()
        for name, value in targets:
            read = [part.id for part in ast.walk(value) if isinstance(part, ast.Name)]
            made_of.setdefault(name, []).extend(each for each in read if each in known)
        return cls(frozenset(modules), made_of, arguments, returns)

    @property
    def operators(self) -> dict[str, Operator]:
        return {
            "drop call": self._drop_call,
            "stale variable": self._stale_variable,
            "other argument": self._other_argument,
            "early return": self._early_return,
        }

    def _drop_call(self, node: ast.AST) -> Iterator[ast.AST]:
        if not isinstance(node, ast.Call) or _called(node) in _TRANSPOSING:
            return
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        root = next((part.id for part in ast.walk(node.func) if isinstance(part, ast.Name)), "")
        if owner is not None and root not in (self.modules | {"self"}):
            yield owner
        elif node.args and not isinstance(node.args[0], ast.Starred):
            yield node.args[0]

    def _stale_variable(self, node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            for name in dict.fromkeys(self.made_of.get(node.id, [])):
                if name != node.id:
                    yield _with(node, id=name)

    def _other_argument(self, node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            other = self.arguments.get(node.id, node.id)
            if other != node.id:
                yield _with(node, id=other)

    def _early_return(self, node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.For) and id(node) in self.returns:
            yield _with(node, body=[*node.body, copy.deepcopy(self.returns[id(node)])])


_OPERATORS: dict[str, Operator] = {
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
    "drop default": _drop_default,
    "other type": _other_type,
    "change argument": _change_argument,
}
