"""Edits of a solution that a student's mistake may amount to, each with a sentence about it.

They come from the operators of mutation testing, and from others that depend on the values in the
solution when it runs: one value in place of another of its kind, a step more on an array of some
axes. A sentence says what happened instead, in the names of the key, and never quotes a line.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from autograder.judging.edits import Edit, reached
from autograder.judging.keys import IDEA, PART, SLIP, Cost, Key
from autograder.judging.operators import operators_for
from autograder.judging.solution_code import (
    Code,
    Kind,
    Said,
    changed,
    function_name,
    is_loaded,
    kind_of,
    parsed,
    recorded_calls,
)

_HELPER = 1
"""What is added to the rank of an edit of a function of another module, such as a softmax."""


_DIGITS = 8
"""Of some thousand candidates of an exercise, hardly ever two begin with the same."""


@dataclass(frozen=True)
class Candidate:
    """An edit that a mistake may amount to.

    Args:
        name: the exercise's function, and a number that depends on the edits: a new order, or other
            candidates, don't change it.
        edits: the edits.
        said: what they do: the end of "your results are as if ...".
        cost: its kind of cost, unless a teacher names another.
        rank: how far-fetched it is: the lowest of several that amount to the same is shown.
    """

    name: str
    edits: frozenset[Edit]
    said: Said
    cost: Cost
    rank: float

    @property
    def replaces_a_number(self) -> bool:
        """Whether another number stands in place of one: two may be equal by chance, such as twice
        the depth and the size of an axis."""
        return self.said.template.startswith(("{new} was used in place", "{old} was"))


@dataclass(frozen=True)
class _Change:
    """Nodes with their replacements, and what a ``Candidate`` has."""

    places: tuple[tuple[ast.AST, Any], ...]
    said: Said
    rank: float
    cost: Cost


def _change(
    node: ast.AST, new: Any, template: str, rank: float, cost: Cost = SLIP, /, **values: Any
) -> _Change:
    return _Change(((node, new),), Said(template, values), rank, cost)


_Rule = Callable[[Code, Any], Iterator[_Change]]


def candidates(key: Key) -> list[Candidate]:
    """The edits of a key's solution and of the functions that it calls, the likeliest first."""
    found: dict[frozenset[Edit], Candidate] = {}
    calls = recorded_calls(key)
    for function in reached(key.solution):
        if function not in calls:
            continue
        here = Code(function, calls[function], key)
        for change in _changes(here):
            if not all(here.stays_small(*place) for place in change.places):
                continue
            parts = [here.edits(*place) for place in change.places]
            edits = frozenset().union(*parts)
            if not all(parts) or _overlap(edits):
                continue
            own = function.__module__ == key.solution.__module__
            rank = change.rank + (0 if own else _HELPER)
            if edits not in found or rank < found[edits].rank:
                name = f"{key.exercise.function}-{_number(edits)}"
                cost = PART if _leaves_an_argument_out(here, change) else change.cost
                found[edits] = Candidate(name, edits, change.said, cost, rank)
    return sorted(found.values(), key=lambda one: one.rank)


def _leaves_an_argument_out(here: Code, change: _Change) -> bool:
    """Whether an argument of the solution isn't used any more, and nothing else in its place."""
    before = {part for old, _ in change.places for part in ast.walk(old)}
    now = {part for _, new in change.places if new for part in ast.walk(new)}
    old, after = ({x.id for x in parts if isinstance(x, ast.Name)} for parts in (before, now))
    kept = {name.id for name in here.loaded if name not in before}
    in_its_place = (after - old).intersection(here.names)
    lost = (old - after - kept).intersection(here.arguments)
    return here.is_solution and bool(lost) and not in_its_place


def _number(edits: frozenset[Edit]) -> str:
    return hashlib.sha256(repr(sorted(edits)).encode()).hexdigest()[:_DIGITS]


def _overlap(edits: frozenset[Edit]) -> bool:
    pairs = itertools.combinations(edits, 2)
    return any(one.stated != two.stated and one.overlaps(two) for one, two in pairs)


def _changes(here: Code) -> Iterator[_Change]:
    """All changes of a function, some of which can't be written, or fail."""
    if any(isinstance(node, ast.While) for node in ast.walk(here.definition)):
        return  # it might never end
    annotations = (here.definition.args, here.definition.returns)
    left_alone = {part for tree in annotations if tree for part in ast.walk(tree)}
    modules = {name for name, x in here.function.__globals__.items() if inspect.ismodule(x)}
    shared = operators_for(ast.Module([here.definition], []), frozenset(modules))
    for node in ast.walk(here.definition):
        if node in left_alone or node is here.definition:
            continue
        for operator, describe in _DESCRIBED.items():
            for replacement in shared[operator](node):
                yield from describe(here, node, replacement)
        for rule in _RULES:
            yield from rule(here, node)


# What the operators of mutation testing do, in words

_Described = Iterator[_Change]


def _drop_transpose(here: Code, node: Any, new: Any) -> _Described:
    yield _change(node, new, "no axes changed places in {owner}", 1, owner=here.owner(node))


def _swap_operands(here: Code, node: Any, new: Any) -> _Described:
    if isinstance(node, ast.BinOp):
        what = here.called(node)
        yield _change(node, new, "the two sides of {what} were swapped", 2, what=what)
    else:
        name = f"`{function_name(node)}`"
        yield _change(node, new, "two arguments of {function} were swapped", 2, function=name)


def _off_by_one(here: Code, node: Any, new: Any) -> _Described:
    owner = here.owner(node)
    if isinstance(node, ast.Constant):
        values = {"new": f"`{new.value}`", "old": here.called(node), "owner": owner}
        yield _change(node, new, "{new} was used in place of {old} in {owner}", 2, **values)
    elif isinstance(node, ast.Call):
        yield _change(node, new, "the range in {owner} was one shorter", 2, owner=owner)
    elif isinstance(new.upper.op, ast.Add):
        yield _change(node, new, "a slice in {owner} ended one later", 2, owner=owner)
    else:
        yield _change(node, new, "a slice in {owner} ended one earlier", 2, owner=owner)


_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}


def _other_operator(here: Code, node: Any, new: Any) -> _Described:
    if isinstance(node, ast.BinOp):
        signs = {"new": f"`{_SIGNS[type(new.op)]}`", "old": f"`{_SIGNS[type(node.op)]}`"}
        owner = here.owner(node)
        yield _change(
            node, new, "{new} stood in place of {old} in {owner}", 2, owner=owner, **signs
        )
    elif isinstance(node.op, ast.USub):
        index = isinstance(here.parents[node][0], ast.Subscript | ast.keyword | ast.Call)
        template = "the minus sign before {what} was missing"
        yield _change(node, new, template, 3 if index else 1, what=here.called(new))
    else:
        yield _change(node, new, "{what} was not inverted", 1, what=here.called(new))


def _other_comparison(here: Code, node: Any, new: Any) -> _Described:
    template = (
        "a comparison in {owner} was different"
        if isinstance(node, ast.Compare)
        else "conditions in {owner} were combined differently"
        if isinstance(node, ast.BoolOp)
        else "a condition in {owner} was the wrong way round"
    )
    yield _change(node, new, template, 3, owner=here.owner(node))


def _other_function(here: Code, node: Any, new: Any) -> _Described:
    names = {"new": f"`{function_name(new)}`", "old": f"`{function_name(node)}`"}
    yield _change(node, new, "{new} was used in place of {old}", 1, **names)


def _drop_keyword(here: Code, node: Any, new: Any) -> _Described:
    names = {"function": f"`{function_name(here.parents[node][0])}`", "name": f"`{node.arg}`"}
    yield _change(node, new, "{function} was called without {name}", 1, **names)


def _drop_index(here: Code, node: Any, new: Any) -> _Described:
    what, owner = here.called(new), here.owner(node)
    yield _change(node, new, "all of {what} was used in {owner}", 2, what=what, owner=owner)


def _drop_statement(here: Code, node: Any, new: Any) -> _Described:
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    if isinstance(target, ast.Name) and isinstance(node, ast.Assign | ast.AugAssign):
        name = f"`{target.id}`"
        yield _change(node, new, "a step that changes {name} was missing", 1, PART, name=name)


def _other_type(here: Code, node: Any, new: Any) -> _Described:
    values = {"owner": here.owner(node), "type": f"`{ast.unparse(new)}`"}
    yield _change(node, new, "the numbers in {owner} were of the type {type}", 2, **values)


def _drop_call(here: Code, node: Any, new: Any) -> _Described:
    values = {"function": f"`{function_name(node)}`", "owner": here.owner(node)}
    yield _change(node, new, "{function} was left out in {owner}", 1, PART, **values)


_DESCRIBED: dict[str, Callable[[Code, Any, Any], _Described]] = {
    "drop transpose": _drop_transpose,
    "swap operands": _swap_operands,
    "off by one": _off_by_one,
    "other operator": _other_operator,
    "other comparison": _other_comparison,
    "other function": _other_function,
    "drop keyword": _drop_keyword,
    "drop index": _drop_index,
    "drop statement": _drop_statement,
    "other type": _other_type,
    "drop call": _drop_call,
}
"""The other operators are variants of the rules below."""


# One value in place of another


def _another_value(here: Code, node: Any) -> Iterator[_Change]:
    """A variable, a size or a small number in place of a value of its kind."""
    kind = here.kind(node)
    if not kind.name:
        return
    whole = here.is_whole(node) or not isinstance(node, ast.Name)
    template = "{new} was used in place of {old}" + ("" if whole else " in {owner}")
    values = {"old": here.called(node), **({} if whole else {"owner": here.owner(node)})}
    for new, name in _others(here, node, kind):
        yield _change(node, new, template, 2, new=name, **values)
    if kind.name in ("count", "number") and not isinstance(node, ast.Constant):
        for text in ("0", "1", "2"):
            yield _change(node, parsed(text), template, 2.6, new=f"`{text}`", **values)


def _others(here: Code, node: ast.AST, kind: Kind) -> Iterator[tuple[ast.expr, Said | str]]:
    """Other values of a kind, each with its name."""
    counts = kind.name in ("count", "number")
    for name in here.names:
        first = here.first(name)
        called = f"`{name}`"
        same = kind_of(first) == kind or (counts and kind_of(first).name == "count")
        if same and not (isinstance(node, ast.Name) and node.id == name):
            yield ast.Name(name, ast.Load()), called
        if kind.name == "count" and isinstance(first, np.ndarray):
            for axis in (*range(first.ndim), *range(-min(first.ndim, 2), 0)):
                size = Said("the size of axis {axis} of {array}", {"axis": axis, "array": called})
                yield parsed(f"{name}.shape[{axis}]"), size
            if first.dtype.kind in "iu" and first.ndim:
                yield parsed(f"{name}.min()"), Said("the smallest of {array}", {"array": called})
                yield parsed(f"{name}.max()"), Said("the largest of {array}", {"array": called})
        if kind.name == "count" and isinstance(first, list | str):
            yield parsed(f"len({name})"), Said("the length of {list}", {"list": called})


def _another_constant(here: Code, node: Any) -> Iterator[_Change]:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, float):
        return
    values = {"old": here.called(node), "owner": here.owner(node)}
    for text in ("1.0", "0.0"):
        template = "{new} was used in place of {old} in {owner}"
        yield _change(node, parsed(text), template, 2, new=f"`{text}`", **values)
    if node.value > 1e5:
        yield _change(
            node, parsed("np.inf"), "infinity was used in place of {old}", 1, old=values["old"]
        )
        for text in ("100.0", "1e4"):
            template = "the number {old} in {owner} was much smaller"
            yield _change(node, parsed(text), template, 2, **values)


def _more_or_less(here: Code, node: Any) -> Iterator[_Change]:
    """A little more or less, or something else added."""
    kind, old = here.kind(node), here.called(node)
    if kind.name == "count":
        if not isinstance(node, ast.Constant):
            yield _change(node, parsed("x + 1", x=node), "1 was added to {old}", 2, old=old)
            yield _change(node, parsed("x - 1", x=node), "1 was subtracted from {old}", 2, old=old)
        for other, name in _others(here, node, kind):
            if isinstance(other, ast.Name):
                for template, text in _ADDED.items():
                    new = parsed(text, x=node, y=other)
                    yield _change(node, new, template, 2.6, old=old, other=name)
    # A number that is calculated from sizes is too easily equal to another one.
    if kind.name == "count" or (kind.name and here.is_output(node)):
        for template, text in _FACTORS.items():
            yield _change(node, parsed(text, x=node), template, 2, old=old)


_ADDED = {
    "{other} was added to {old}": "x + y",
    "{other} was subtracted from {old}": "x - y",
    "{other} was subtracted from {old}, down to 0": "max(x - y, 0)",
}
_FACTORS = {
    "{old} was doubled": "x * 2",
    "{old} was halved": "x / 2",
    "{old} was halved and rounded down": "x // 2",
}


# Operations and calls

_LEFT_OUT = {
    ast.Div: "{kept} was not divided",
    ast.FloorDiv: "{kept} was not divided",
    ast.Mult: "{kept} was not multiplied",
    ast.MatMult: "{left} was not applied",
    ast.Add: "{left} was not added",
    ast.Sub: "{left} was not subtracted",
    ast.Mod: "no remainder was taken of {kept}",
    ast.Pow: "{kept} was not raised to a power",
}


def _one_side(here: Code, node: Any) -> Iterator[_Change]:
    """Only one side of an operation, or the operation on a part of the other."""
    if not isinstance(node, ast.BinOp) or type(node.op) not in _LEFT_OUT:
        return
    both = isinstance(node.op, ast.Mult | ast.MatMult | ast.Add | ast.Sub)
    for kept, left in ((node.left, node.right), (node.right, node.left))[: 1 + both]:
        a_part = isinstance(node.op, ast.Add | ast.Sub | ast.MatMult)
        cost = PART if a_part and not isinstance(left, ast.Constant) else SLIP
        template = _LEFT_OUT[type(node.op)]
        values = {"kept": here.called(kept), "left": here.called(left)}
        if isinstance(kept if "{kept}" in template else left, ast.Name | ast.Constant):
            template, values = (
                "{done} in {owner}",
                {
                    "done": Said(template, values),
                    "owner": here.owner(node),
                },
            )
        yield _change(node, kept, template, 1, cost, **values)
    inner = node.left
    if not isinstance(inner, ast.BinOp):
        return
    names = {"one": here.called(inner.right), "two": here.called(node.right)}
    yield _change(node, inner.left, "neither {one} nor {two} was applied", 2, PART, **names)
    if isinstance(node.op, ast.Mult | ast.Div) and isinstance(inner.op, ast.Add | ast.Sub):
        terms: list[ast.expr] = [inner.left, inner.right]
        while isinstance(terms[0], ast.BinOp) and isinstance(terms[0].op, ast.Add):
            terms[:1] = [terms[0].left, terms[0].right]
        owner = here.owner(node)
        last = changed(inner, right=changed(node, left=inner.right))
        yield _change(node, last, "only the last term in {owner} was scaled", 1, owner=owner)
        first: ast.expr = changed(node, left=terms[0])
        for term in terms[1:]:
            first = ast.BinOp(first, inner.op if term is terms[-1] else ast.Add(), term)
        yield _change(node, first, "only the first term in {owner} was scaled", 1, owner=owner)


def _scaled_elsewhere(here: Code, node: Any) -> Iterator[_Change]:
    """A factor or divisor of something else."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult | ast.Div):
        return
    if here.kind(node.right).name not in ("count", "number"):
        return
    inside = set(ast.walk(node))
    for other in ast.walk(here.definition):
        if other in inside or not isinstance(other, ast.Name | ast.Call | ast.BinOp):
            continue
        if here.kind(other).name == "array" and node not in ast.walk(other):
            places = (node, node.left), (other, changed(node, left=other))
            values = {"array": here.called(other), "old": here.owner(node)}
            yield _Change(places, Said("{array} was scaled, and not {old}", values), 2, SLIP)


def _call(here: Code, node: Any) -> Iterator[_Change]:
    """A call twice, only at times, or of another function."""
    if not isinstance(node, ast.Call):
        return
    name = f"`{function_name(node)}`"
    if function_name(node) in _REDUCING and isinstance(node.func, ast.Attribute):
        for other in _REDUCING:
            new = changed(node, func=changed(node.func, attr=other))
            names = {"new": f"`{other}`", "old": name}
            yield _change(node, new, "{new} was used in place of {old}", 1, **names)
    kind = here.kind(node)
    if not node.args or not kind.name or kind != here.kind(node.args[0]):
        return
    argument = node.args[0]
    twice = changed(node, args=[node, *node.args[1:]])
    yield _change(node, twice, "{function} was applied twice", 1, function=name)
    for other in here.sometimes_none:
        parts = {"x": argument, "y": node, "n": ast.Name(other, ast.Load())}
        names = {"function": name, "name": f"`{other}`"}
        without = "{function} was left out where no {name} is given"
        yield _change(node, parsed("x if n is None else y", **parts), without, 2, **names)
        given = "{function} was left out where {name} is given"
        yield _change(node, parsed("y if n is None else x", **parts), given, 2, **names)
    if kind.name == "array":
        for template, text in _FUNCTIONS.items():
            yield _change(node, parsed(text, x=argument), template, 2, IDEA, function=name)


_REDUCING = ("sum", "mean", "max", "min", "prod")

_FUNCTIONS = {
    "a sigmoid was used in place of {function}": "1 / (1 + np.exp(-x))",
    "a tanh was used in place of {function}": "np.tanh(x)",
    "numbers were divided by their sum in place of {function}": "x / x.sum(axis=-1, keepdims=True)",
    "the absolute values were used in place of {function}": "np.abs(x)",
    "equal shares were used in place of {function}": "np.full(x.shape, 1 / x.shape[-1])",
}


def _axis(here: Code, node: Any) -> Iterator[_Change]:
    """Another axis for a call that has one, also by default."""
    if not isinstance(node, ast.Call):
        return
    given = next((each for each in node.keywords if each.arg == "axis"), None)
    if given:
        old = ast.unparse(given.value)
    else:
        function = here.function.__globals__.get(function_name(node))
        if not isinstance(function, FunctionType) or not isinstance(node.func, ast.Name):
            return
        parameter = inspect.signature(function).parameters.get("axis")
        if parameter is None:
            return
        old = str(parameter.default)
    array = node.args[0] if node.args else getattr(node.func, "value", node)
    ndim = here.kind(array).ndim or 3
    others = [keyword for keyword in node.keywords if keyword is not given]
    name = f"`{function_name(node)}`"
    for axis in range(-ndim, ndim):
        new = changed(node, keywords=[*others, ast.keyword("axis", parsed(str(axis)))])
        rank = 1 + 0.1 * (str(axis)[0] == "-") if old[0] != "-" else 1 + 0.1 * (axis >= 0)
        template = "{function} ran over axis {new} instead of {old}"
        if str(axis) != old:
            yield _change(node, new, template, rank, function=name, new=axis, old=old)
    new = changed(node, keywords=[*others, ast.keyword("axis", ast.Constant(None))])
    yield _change(node, new, "{function} ran over all axes at once", 1, function=name)


def _limits(here: Code, node: Any) -> Iterator[_Change]:
    """One of two limits is missing."""
    if function_name(node) == "clip" and len(node.args) == 3:
        values, lower, upper = node.args
        owner = here.owner(node)
        for template, new in (
            (
                "the lower limit in {owner} was missing",
                parsed("np.minimum(x, y)", x=values, y=upper),
            ),
            (
                "the upper limit in {owner} was missing",
                parsed("np.maximum(x, y)", x=values, y=lower),
            ),
        ):
            yield _change(node, new, template, 1, owner=owner)


def _subscripts(here: Code, node: Any) -> Iterator[_Change]:
    """Another letter in the subscripts of an einsum."""
    if function_name(node) != "einsum" or not isinstance(node.args[0], ast.Constant):
        return
    inputs, arrow, output = str(node.args[0].value).partition("->")
    for place, letter in enumerate(inputs):
        for other in sorted(set(inputs) - {letter, ","}) if letter != "," and arrow else ():
            text = f"{inputs[:place]}{other}{inputs[place + 1 :]}->{output}"
            template = "one letter in the subscripts of `einsum` in {owner} was different"
            owner = here.owner(node)
            yield _change(node.args[0], ast.Constant(text), template, 2.6, owner=owner)


# Steps more, and axes

_STEPS: dict[tuple[str, ...], dict[str, str]] = {
    ("count", "number", "array"): {
        "the sign of {old} was reversed": "-x",
        "the absolute value of {old} was taken": "np.abs(x)",
    },
    ("number", "array"): {
        "{old} was squared": "x ** 2",
        "the root of {old} was taken": "np.sqrt(x)",
        "the logarithm of {old} was taken": "np.log(x)",
        "the exponential of {old} was taken": "np.exp(x)",
        "a tanh was applied to {old}": "np.tanh(x)",
        "a sigmoid was applied to {old}": "1 / (1 + np.exp(-x))",
        "negative numbers in {old} became 0": "np.maximum(x, 0)",
        "{old} was rounded": "np.round(x)",
        "{old} was cut to whole numbers": "np.trunc(x)",
    },
    ("array", "mask"): {
        "all axes of size 1 were removed from {old}": "np.squeeze(x)",
        "all axes of {old} were reversed": "x.T",
    },
    ("list", "vector"): {
        "{old} was sorted": "sorted(x)",
        "{old} was reversed": "x[::-1]",
        "what occurs again in {old} was left out": "list(dict.fromkeys(x))",
        "only the first item of {old} was used": "x[:1]",
        "only the last item of {old} was used": "x[-1:]",
        "the first item of {old} was left out": "x[1:]",
        "the last item of {old} was left out": "x[:-1]",
        "the lists in {old} were run together": "[item for part in x for item in part]",
        "the items of {old} were joined": "' '.join(x)",
        "the first item was used in place of {old}": "x[0]",
        "the last item was used in place of {old}": "x[-1]",
    },
}
"""By kinds, what may also be done to a value."""

_REDUCTIONS = {
    "{old} was added up over axis {axis}": "x.sum(axis={axis})",
    "the mean of {old} over axis {axis} was taken": "x.mean(axis={axis})",
    "the largest of {old} over axis {axis} was taken": "x.max(axis={axis})",
    "the smallest of {old} over axis {axis} was taken": "x.min(axis={axis})",
    "the median of {old} over axis {axis} was taken": "np.median(x, axis={axis})",
    "{old} was multiplied over axis {axis}": "x.prod(axis={axis})",
    "the geometric mean of {old} over axis {axis} was taken": (
        "np.exp(np.log(x).mean(axis={axis}))"
    ),
    "the place of the largest of {old} along axis {axis} was used": "x.argmax(axis={axis})",
    "only the first of {old} along axis {axis} was used": "np.take(x, 0, axis={axis})",
    "only the last of {old} along axis {axis} was used": "np.take(x, -1, axis={axis})",
}
_ALONG = {
    "{old} was reversed along axis {axis}": "np.flip(x, axis={axis})",
    "{old} was sorted along axis {axis}": "np.sort(x, axis={axis})",
    "{old} was made to sum to 1 along axis {axis}": "x / x.sum(axis={axis}, keepdims=True)",
    "a softmax over axis {axis} was applied to {old}": (
        "np.exp(x - x.max(axis={axis}, keepdims=True)) / "
        "np.exp(x - x.max(axis={axis}, keepdims=True)).sum(axis={axis}, keepdims=True)"
    ),
    "the first of {old} along axis {axis} was used for all": (
        "np.repeat(np.take(x, [0], axis={axis}), x.shape[{axis}], axis={axis})"
    ),
    "the mean of {old} along axis {axis} was used for all": (
        "np.broadcast_to(x.mean(axis={axis}, keepdims=True), x.shape)"
    ),
    "the largest of {old} along axis {axis} became 1, and all others 0": (
        "(x == x.max(axis={axis}, keepdims=True)) * 1.0"
    ),
    "what occurs again in {old} along axis {axis} was left out": "np.unique(x, axis={axis})",
    "{old} was scaled to length 1 along axis {axis}": (
        "x / np.sqrt((x ** 2).sum(axis={axis}, keepdims=True))"
    ),
    "{old} had an axis of size 1 more, at {axis}": "np.expand_dims(x, {axis})",
}
"""What may be done along an axis of an array."""


def _another_step(here: Code, node: Any) -> Iterator[_Change]:
    """A step that a value also goes through."""
    kind = here.kind(node)
    listed = kind.name == "list" or kind == Kind("array", 1)
    for kinds, steps in _STEPS.items():
        if "vector" in kinds:
            if not listed:
                continue
        elif kind.name not in kinds or not here.is_step(node):
            continue
        for template, text in steps.items():
            yield _change(node, parsed(text, x=node), template, 2.6, old=here.called(node))


def _along_an_axis(here: Code, node: Any) -> Iterator[_Change]:
    """A step along an axis, or two axes that change places."""
    if not here.is_step(node) or here.kind(node).name not in ("array", "mask"):
        return
    old, ndim = here.called(node), here.kind(node).ndim
    for axis in here.axes(node):
        for template, text in (_REDUCTIONS | _ALONG).items():
            new = parsed(text.format(axis=axis), x=node)
            if not template.endswith("for all"):
                yield _change(node, new, template, 2.6, old=old, axis=axis)
            elif here.is_solution:
                # Its own numbers make no difference then.
                given = isinstance(node, ast.Name) and node.id in here.arguments
                cost = PART if given else SLIP
                yield _change(node, new, template, 4, cost, old=old, axis=axis)
    for one, two in itertools.combinations(range(ndim), 2):
        order = ", ".join(f"x.shape[{_swapped(axis, one, two)}]" for axis in range(ndim))
        for template, text, rank in (
            ("axes {one} and {two} of {old} changed places", f"np.swapaxes(x, {one}, {two})", 2),
            (
                "{old} was reshaped, with the sizes of axes {one} and {two} swapped",
                f"x.reshape({order})",
                2.6,
            ),
        ):
            yield _change(node, parsed(text, x=node), template, rank, old=old, one=one, two=two)


def _swapped(axis: int, one: int, two: int) -> int:
    return {one: two, two: one}.get(axis, axis)


def _reduced(here: Code, node: Any) -> Iterator[_Change]:
    """A reduction of an array in a calculation, in place of all of it."""
    kind = here.kind(node)
    if not isinstance(node, ast.BinOp) or kind.name != "array":
        return
    for name in sorted({part.id for part in ast.walk(node) if isinstance(part, ast.Name)}):
        array = ast.Name(name, ast.Load())
        if kind_of(here.first(name)) == Kind("array", kind.ndim + 1):
            for axis, (template, text) in itertools.product(
                range(kind.ndim + 1), _REDUCTIONS.items()
            ):
                new = parsed(text.format(axis=axis), x=array)
                yield _change(node, new, template, 2, old=f"`{name}`", axis=axis)


def _arranged(here: Code, node: Any) -> Iterator[_Change]:
    """Other orders of the axes of a transpose, or of the sizes of a reshape; only a reshape."""
    name = function_name(node)
    if name not in ("transpose", "reshape") or not isinstance(node.func, ast.Attribute):
        return
    args, owner = node.args, here.owner(node)
    inner: Any = node.func.value
    if any(isinstance(arg, ast.Starred) for arg in args):
        return
    template = {
        "transpose": "the order of the axes in {owner} was ({order})",
        "reshape": "the sizes in {owner} were in the order ({order})",
    }[name]
    for order in itertools.permutations(args) if 2 <= len(args) <= 4 else ():
        new = changed(node, args=list(order))
        yield _change(node, new, template, 2, owner=owner, order=_in_order(order))
    if name == "transpose":
        new = changed(node, args=[])
        yield _change(node, new, "all axes were reversed in {owner}", 1.5, owner=owner)
    root: Any = inner
    while function_name(root) in {"transpose", "reshape"} - {name}:
        root = root.func.value
    if root is not inner or name == "transpose":
        new = parsed("x.reshape(y.shape)", x=root, y=node)
        only = "{array} was only reshaped in {owner}, and no axes changed places"
        yield _change(node, new, only, 1, array=here.called(root), owner=owner)
    if name == "transpose" and function_name(inner) == "reshape" and len(args) == len(inner.args):
        yield from _both_arranged(here, node, inner)


def _both_arranged(here: Code, node: ast.Call, inner: ast.Call) -> Iterator[_Change]:
    """Other orders of sizes and axes that end in the right shape."""
    assert isinstance(node.func, ast.Attribute) and isinstance(inner.func, ast.Attribute)
    orders = itertools.permutations(inner.args), itertools.permutations(node.args)
    for sizes, axes in itertools.product(*orders) if len(node.args) <= 4 else ():
        func = changed(node.func, value=changed(inner, args=list(sizes)))
        new = changed(node, func=func, args=list(axes))
        if here.shape(new) == here.shape(node):
            template = "{array} was reshaped to ({sizes}), and its axes put in the order ({order})"
            words = {"sizes": _in_order(sizes), "order": _in_order(axes)}
            array = here.called(inner.func.value)
            yield _change(node, new, template, 2, array=array, **words)


def _in_order(args: Sequence[ast.expr]) -> str:
    return ", ".join(
        ast.unparse(arg) if isinstance(arg, ast.Name | ast.Constant) else "..." for arg in args
    )


def _index(here: Code, node: Any) -> Iterator[_Change]:
    """An index with its places in another order, or one of them missing."""
    if not isinstance(node, ast.Subscript) or not is_loaded(node):
        return
    array = here.called(node.value)
    if isinstance(node.slice, ast.Tuple):
        parts = node.slice.elts
        for order in itertools.permutations(parts):
            new = changed(node, slice=changed(node.slice, elts=list(order)))
            yield _change(
                node, new, "the axes in the index of {array} were in another order", 2, array=array
            )
        for place in range(len(parts)):
            rest = parts[:place] + parts[place + 1 :]
            new = changed(node, slice=changed(node.slice, elts=rest))
            yield _change(node, new, "an axis was missing in the index of {array}", 2, array=array)
    first = parsed("x[:1]", x=node)
    yield _change(node, first, "only the first of {array} was used for all", 2.6, array=array)


def _distinct(here: Code, node: Any) -> Iterator[_Change]:
    """Another order of distinct items, or some more or fewer of them."""
    if function_name(node) in ("unique", "sorted", "set") and node.args:
        for template, text in _DISTINCT.items():
            new = parsed(text, x=node.args[0])
            yield _change(node, new, template, 2, items=here.called(node.args[0]))


_DISTINCT = {
    "{items} were taken in the order in which they appear": "list(dict.fromkeys(x))",
    "{items} were sorted as text": "sorted(set(np.asarray(x).tolist()), key=str)",
    "{items} were taken in the order of a set": "list(set(np.asarray(x).tolist()))",
    "every number up to the largest of {items} was taken": "range(np.max(x) + 1)",
    "0 was left out of {items}": "[item for item in np.unique(x) if item]",
    "{items} were taken in descending order": "sorted(set(np.asarray(x).tolist()), reverse=True)",
}


# Masks and conditions


def _masking(here: Code, node: Any) -> Iterator[_Change]:
    """What may be done with a mask instead."""
    if function_name(node) != "where" or len(node.args) != 3:
        return
    mask, shown, hidden = node.args
    for template, text, rank, cost in _MASKING:
        new = parsed(text, mask=mask, shown=shown, hidden=hidden)
        yield _change(node, new, template, rank, cost, mask=here.called(mask))


_MASKING = (
    ("{mask} was not applied", "shown", 1, PART),
    ("{mask} was taken to be false everywhere", "hidden", 2.6, PART),
    ("{mask} was read the wrong way round", "np.where(mask, hidden, shown)", 1, SLIP),
    ("what {mask} hides became 0", "shown * mask", 1, IDEA),
    ("{mask} was added", "shown + mask", 2, IDEA),
    ("zeros were hidden as well", "np.where(mask & (shown != 0), shown, hidden)", 2, SLIP),
    (
        "what {mask} hides got the lowest value of all",
        "np.where(mask, shown, shown.min())",
        2,
        SLIP,
    ),
)


def _masked_later(here: Code, node: Any) -> Iterator[_Change]:
    """A mask that is applied to what comes after."""
    if not isinstance(node, ast.Call) or len(node.args) != 2:
        return
    array, mask = node.args
    if here.kind(mask).name != "mask" or not isinstance(mask, ast.Name):
        return
    statement: ast.AST = node
    while not isinstance(statement, ast.stmt):
        statement, _ = here.parents[statement]
    assigned = [x.id for x in ast.walk(statement) if isinstance(x, ast.Name) and not is_loaded(x)]
    for later in ast.walk(here.definition):
        if not isinstance(later, ast.Name) or later.lineno <= node.lineno:
            continue
        if later.id in assigned or here.kind(later) != here.kind(array):
            continue
        for template, text in _LATER.items():
            new = parsed(f"(x if m is None else {text})", x=later, m=mask)
            values = {"mask": f"`{mask.id}`", "array": f"`{later.id}`"}
            yield _Change(((node, array), (later, new)), Said(template, values), 2, SLIP)


_LATER = {
    "{mask} was only applied to {array}": "x * m",
    "{mask} was only applied to {array}, which was then made to sum to 1": (
        "x * m / ((x * m).sum(axis=-1, keepdims=True) + 1e-9)"
    ),
    "{mask} was only applied to {array}, which was then divided by its sum": (
        "x * m / (x * m).sum(axis=-1, keepdims=True)"
    ),
}


def _other_mask(here: Code, node: Any) -> Iterator[_Change]:
    """Rows of zeros, or later places, are taken for hidden."""
    kind = here.kind(node)
    if kind.name not in ("array", "mask") or isinstance(node, ast.Constant):
        return
    for name in here.names:
        array = ast.Name(name, ast.Load())
        shapes = zip(here.values(node), here.values(array), strict=False)
        pairs = [
            (x.shape, y.shape)
            for x, y in shapes
            if isinstance(x, np.ndarray) and isinstance(y, np.ndarray)
        ]
        if not pairs or not all(rows[:-1] == shape for shape, rows in pairs):
            continue
        values = {"array": f"`{name}`", "old": here.called(node)}
        if kind.name == "array":
            new = parsed("np.where(a.any(axis=-1), x, -1e9)", a=array, x=node)
            yield _change(node, new, "rows of zeros in {array} were hidden in {old}", 2, **values)
        elif isinstance(node, ast.Name) and node.id in here.sometimes_none:
            yield from _filled_mask(here, node, array, values)
    shape = here.shape(node) or ()
    if kind.name == "array" and len(shape) > 1 and shape[-1] == shape[-2]:
        new = parsed("np.where(np.tri(*x.shape[-2:], dtype=bool), x, -1e9)", x=node)
        template = "each row of {old} only saw places up to its own"
        yield _change(node, new, template, 2.6, IDEA, old=here.called(node))


def _filled_mask(
    here: Code, mask: ast.Name, array: ast.Name, values: dict[str, Any]
) -> Iterator[_Change]:
    """Rows of zeros are hidden if no mask is given, or always."""
    parent, _ = here.parents[mask]
    branch, _ = here.parents.get(parent, (None, ""))
    if not isinstance(parent, ast.Subscript) or not isinstance(branch, ast.IfExp):
        return
    for template, text in (
        (
            "rows of zeros in {array} were hidden where no {old} is given",
            "(a.any(axis=-1) if m is None else m)",
        ),
        (
            "rows of zeros in {array} were always hidden",
            "(a.any(axis=-1) & (True if m is None else m))",
        ),
    ):
        new = changed(parent, value=parsed(text, a=array, m=mask))
        yield _change(branch, new, template, 2, **values)


def _branches(here: Code, node: Any) -> Iterator[_Change]:
    """One branch of a condition is always taken."""
    if not isinstance(node, ast.IfExp):
        return
    asked = [part for part in ast.walk(node.test) if isinstance(part, ast.Name)]
    name = f"`{asked[0].id}`" if asked else here.owner(node)
    yield _change(node, node.body, "it made no difference what {name} is", 2.1, PART, name=name)
    yield _change(node, node.orelse, "there was no special case for {name}", 2, name=name)


def _under_a_condition(here: Code, node: Any) -> Iterator[_Change]:
    """Another word comes back for some inputs. That calls with some inputs fail is never searched:
    what they have in common is seldom why."""
    if here.is_output(node) and here.kind(node).name == "text":
        for word in here.key.exercise.translatable_outputs:
            values = {"output": here.owner(node), "word": Said(word)}
            yield _change(node, ast.Constant(word), "{output} was: {word}", 1, **values)
            for rank, condition, said in _conditions(here):
                new = ast.IfExp(condition, ast.Constant(word), node)
                template = "{output} was: {word}, whenever {condition}"
                yield _change(node, new, template, rank, condition=said, **values)


def _conditions(here: Code) -> Iterator[tuple[float, ast.expr, Said]]:
    """Conditions on the arguments, each with a rank."""
    counts: dict[str, str] = {}
    for name in here.arguments:
        said = {"name": f"`{name}`"}
        first = here.first(name)
        if name in here.sometimes_none:
            yield 1, parsed(f"{name} is None"), Said("no {name} is given", said)
            yield 1, parsed(f"{name} is not None"), Said("{name} is given", said)
        if isinstance(first, np.ndarray):
            yield from _conditions_on_an_array(here, name)
        if isinstance(first, list | str):
            yield 1, parsed(f"not {name}"), Said("{name} is empty", said)
            yield 2, parsed(f"len({name}) > 0"), Said("{name} isn't empty", said)
            counts[f"len({name})"] = f"`len({name})`"
        if kind_of(first).name == "count":
            counts[name] = f"`{name}`"
    for one, two in itertools.permutations(counts, 2):
        pair = {"one": counts[one], "two": counts[two]}
        yield 2, parsed(f"{one} > {two}"), Said("{one} is larger than {two}", pair)


def _conditions_on_an_array(here: Code, name: str) -> Iterator[tuple[float, ast.expr, Said]]:
    array = ast.Name(name, ast.Load())
    said = {"name": f"`{name}`"}
    counts = sorted({x.ndim for x in here.values(array) if isinstance(x, np.ndarray)})
    for count in counts:
        there = parsed(f"{name} is not None and {name}.ndim == {count}")
        yield 2, there, Said("{name} has {count} axes", {**said, "count": count})
    for axis in range(counts[0]):
        there = parsed(f"{name} is not None and {name}.shape[{axis}] == 1")
        yield 2.6, there, Said("{name} has one entry along axis {axis}", {**said, "axis": axis})
    if counts == [1]:
        for template, text in (
            ("{name} isn't in order", f"len({name}) > 1 and ({name}[1:] < {name}[:-1]).any()"),
            ("something occurs again in {name}", f"len(np.unique({name})) < len({name})"),
            ("the smallest of {name} isn't 0", f"{name}.min() != 0"),
        ):
            yield 2, parsed(text), Said(template, said)


# What is returned and assigned


def _outputs(here: Code, node: Any) -> Iterator[_Change]:
    """Two outputs are swapped; another value is returned, or none."""
    if isinstance(node, ast.Dict):
        outputs = [value for value in node.values if here.is_output(value)]
        for one, two in itertools.combinations(outputs, 2):
            names = {"one": here.owner(one), "two": here.owner(two)}
            said = Said("{one} and {two} were swapped", names)
            yield _Change(((one, two), (two, one)), said, 1, SLIP)
    if not here.is_output(node):
        return
    output = here.owner(node)
    yield _change(node, ast.Constant(None), "{output} was not returned", 1, PART, output=output)
    for name in here.names:
        if isinstance(here.first(name), np.ndarray | list):
            values = {"name": f"`{name}`", "output": output}
            new = ast.Name(name, ast.Load())
            yield _change(node, new, "{name} was returned as {output}", 1, **values)
    in_loops = {
        part
        for loop in ast.walk(here.definition)
        if isinstance(loop, ast.For)
        for part in ast.walk(loop)
    }
    for part in ast.walk(here.definition):
        computed = isinstance(part, ast.BinOp | ast.Call) and part not in in_loops | {node}
        if computed and here.shape(part) is not None:
            parts = {"part": here.called(part), "output": output}
            yield _change(node, part, "{part} was returned as {output}", 2, **parts)


def _made_of_an_argument(here: Code, node: Any) -> Iterator[_Change]:
    """What else may be made of an array that is given."""
    if not here.is_output(node) or not here.is_solution:
        return
    output = here.owner(node)
    for name in here.arguments:
        array, kind = ast.Name(name, ast.Load()), kind_of(here.first(name))
        if kind.name != "array" or kind.ndim < 3:
            continue
        for axis, (template, text) in itertools.product(range(kind.ndim), _REDUCTIONS.items()):
            done = Said(template, {"old": f"`{name}`", "axis": axis})
            new = parsed(text.format(axis=axis), x=array)
            yield _change(
                node, new, "{done}, and returned as {output}", 2, done=done, output=output
            )
        for axis, other in itertools.product(range(kind.ndim), repeat=2):
            values = {"array": f"`{name}`", "axis": axis, "other": other}
            joined = f"np.concatenate(list(np.moveaxis(x, {axis}, 0)), axis={other})"
            template = "the parts of {array} along axis {axis} were joined along axis {other}"
            yield _change(node, parsed(joined, x=array), template, 2.6, **values)
            for count in (
                each for each in here.arguments if kind_of(here.first(each)).name == "count"
            ):
                for template, text in _SPLIT.items():
                    new = parsed(
                        text.format(axis=axis, other=other), x=array, n=ast.Name(count, ast.Load())
                    )
                    yield _change(node, new, template, 2.6, count=f"`{count}`", **values)


_SPLIT = {
    "{array} was split into {count} parts along axis {axis}, joined along axis {other}": (
        "np.concatenate(np.split(x, n, axis={axis}), axis={other})"
    ),
    "{array} was split into {count} parts along axis {axis}, stacked along axis {other}": (
        "np.stack(np.split(x, n, axis={axis}), axis={other})"
    ),
}


def _added(here: Code, node: Any) -> Iterator[_Change]:
    """Another array of the same shape is added."""
    shape = here.shape(node) if here.is_whole(node) and here.kind(node).name == "array" else None
    for name in here.names if shape else ():
        other = ast.Name(name, ast.Load())
        if here.shape(other) == shape and not (isinstance(node, ast.Name) and node.id == name):
            values = {"name": f"`{name}`", "old": here.called(node)}
            new = parsed("x + y", x=node, y=other)
            yield _change(node, new, "{name} was added to {old}", 2.6, **values)


def _inlined(here: Code, node: Any) -> Iterator[_Change]:
    """A step is left out of what is returned, and not of what's calculated from it."""
    if not isinstance(node, ast.Name) or not here.is_output(node):
        return
    definitions = {
        each.targets[0].id: each.value
        for each in here.definition.body
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)
    }
    whole: ast.expr = node
    for _ in definitions:
        whole = parsed(ast.unparse(whole), **definitions)
    text = ast.unparse(whole)
    for call in ast.walk(whole):
        if isinstance(call, ast.Call) and len(call.args) > 1:
            new = parsed(text.replace(ast.unparse(call), f"({ast.unparse(call.args[0])})"))
            values = {"function": f"`{function_name(call)}`", "output": here.owner(node)}
            yield _change(node, new, "{function} was only left out in {output}", 2, **values)


def _assigned_in_another_order(here: Code, node: Any) -> Iterator[_Change]:
    """Two of several names that are assigned at once are swapped."""
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Tuple):
        return
    names = [each for each in node.targets[0].elts if isinstance(each, ast.Name)]
    for one, two in itertools.combinations(names, 2):
        swap = {one: two, two: one}
        elts = [swap.get(each, each) for each in node.targets[0].elts]  # type: ignore[call-overload]
        new = changed(node, targets=[changed(node.targets[0], elts=elts)])
        said = {"one": f"`{one.id}`", "two": f"`{two.id}`"}
        yield _change(node, new, "{one} and {two} were swapped", 1, **said)


_RULES: Sequence[_Rule] = (
    _another_value,
    _another_constant,
    _more_or_less,
    _one_side,
    _scaled_elsewhere,
    _call,
    _axis,
    _limits,
    _subscripts,
    _another_step,
    _along_an_axis,
    _reduced,
    _arranged,
    _index,
    _distinct,
    _masking,
    _masked_later,
    _other_mask,
    _branches,
    _under_a_condition,
    _outputs,
    _made_of_an_argument,
    _added,
    _inlined,
    _assigned_in_another_order,
)
