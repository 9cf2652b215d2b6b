"""A function of a solution as code: what its expressions are worth when it runs, and its edits."""

from __future__ import annotations

import ast
import copy
import difflib
import re
import sys
import types
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import FunctionType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from autograder.judging import solutions
from autograder.judging.edits import Edit, EditError, compiled, reached, source_of
from autograder.judging.keys import Key
from selfcheck.sheets import PUBLISHED_SEED

Node = TypeVar("Node", bound=ast.AST)

_CALLS = 8
"""The number of calls of a function whose values are looked at."""

_GROWTH, _SMALL = 2, 16
"""How many times as large a count may become, and what it may always be."""

_WORDS = re.compile(r"\w+|[^\w\s]")

_ATOMS = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.List)


@dataclass(frozen=True)
class Said:
    """A sentence in English, or a part of one.

    Args:
        template: what it says, whatever it's about.
        values: for the names in braces.
    """

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template.format(**self.values)


class Kind(NamedTuple):
    """What a value may be replaced with."""

    name: str
    ndim: int = 0


_NOTHING = Kind("")


def kind_of(value: Any) -> Kind:
    """The kind of a value."""
    if isinstance(value, bool | np.bool_):
        return Kind("truth")
    if isinstance(value, int | np.integer):
        return Kind("count")
    if isinstance(value, float | np.floating):
        return Kind("number")
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        name = "mask" if value.dtype.kind == "b" else "array"
        return Kind(name, value.ndim) if value.ndim else Kind("number")
    if isinstance(value, list | tuple):
        return Kind("list")
    return Kind("text") if isinstance(value, str) else _NOTHING


def recorded_calls(key: Key) -> dict[FunctionType, list[dict[str, Any]]]:
    """For each function that a solution calls, its variables at the end of some calls."""
    found: dict[FunctionType, list[dict[str, Any]]] = {}
    functions = {function.__code__: function for function in reached(key.solution)}

    def remember(frame: types.FrameType, event: str, _: object) -> None:
        function = functions.get(frame.f_code) if event == "return" else None
        if function and len(found.setdefault(function, [])) < _CALLS:
            found[function].append(dict(frame.f_locals))

    before = sys.getprofile()
    for case in solutions.cases(key.exercise, PUBLISHED_SEED).values():
        sys.setprofile(remember)
        try:
            solutions.outputs(key.solution, case.inputs)
        finally:
            sys.setprofile(before)
    return found


def parsed(text: str, **parts: ast.AST) -> ast.expr:
    """An expression, with others in place of some names."""

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return parts.get(node.id, node)

    return Put().visit(ast.parse(text, mode="eval")).body


def changed(node: Node, **fields: object) -> Node:
    """A copy of a node with other fields."""
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def function_name(node: ast.AST) -> str:
    """The last part of a called name, or ""."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def is_loaded(node: ast.AST) -> bool:
    """Whether it's an expression whose value is used."""
    return isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def _would_join(before: str, after: str) -> bool:
    """Whether two words would become one."""
    return bool(re.search(r"\w$", before) and re.match(r"\w", after))


class Code:
    """A function of a solution.

    Args:
        function: the function.
        calls: its variables at the end of some calls.
        key: the key whose solution calls it.
    """

    def __init__(self, function: FunctionType, calls: list[dict[str, Any]], key: Key) -> None:
        self.function, self.calls, self.key = function, calls, key
        self._source = source_of(function)
        (definition,) = ast.parse(self._source).body
        assert isinstance(definition, ast.FunctionDef)
        self.definition = definition
        self.parents: dict[ast.AST, tuple[ast.AST, str]] = {}
        for node in ast.walk(definition):
            for name, value in ast.iter_fields(node):
                for part in value if isinstance(value, list) else [value]:
                    if isinstance(part, ast.AST):
                        self.parents[part] = (node, name)
        self._lines = self._source.splitlines(keepends=True)
        self._spaces = [{**function.__globals__, **call} for call in calls]
        self._values: dict[ast.AST, list[Any]] = {}
        self.names = sorted({name for call in calls for name in call})
        self.arguments = [argument.arg for argument in definition.args.args]
        names = [node for node in ast.walk(definition) if isinstance(node, ast.Name)]
        self.loaded = [x for x in names if x.id in self.arguments and is_loaded(x)]

    @property
    def is_solution(self) -> bool:
        """Whether it's the solution itself, and not a function that it calls."""
        return self.function is self.key.solution

    # Edits

    def edits(self, node: ast.AST, replacement: Any) -> frozenset[Edit]:
        """The edits that replace a node; none if that changes nothing, or can't be written."""
        while isinstance(node, ast.keyword | ast.Slice | ast.comprehension | ast.Starred) or (
            isinstance(node, ast.Tuple) and isinstance(self.parents[node][0], ast.Subscript)
        ):
            parent, name = self.parents[node]
            value = getattr(parent, name)
            if isinstance(value, list):
                parts = [replacement if each is node else each for each in value]
                replacement = [part for part in parts if part is not None]
            replacement, node = changed(parent, **{name: replacement}), parent
        start, stop = self._place(node)
        new = self._written(node, replacement)
        edits = frozenset(self._differences(start, self._source[start:stop], new))
        try:
            compiled(self.function, edits)
        except EditError:
            return frozenset()
        return edits

    def _place(self, node: Any) -> tuple[int, int]:
        return (
            self._offset(node.lineno, node.col_offset),
            self._offset(node.end_lineno, node.end_col_offset),
        )

    def _offset(self, line: int, column: int) -> int:
        before = self._lines[: line - 1]
        return sum(map(len, before)) + len(self._lines[line - 1].encode()[:column].decode())

    def _written(self, node: ast.AST, replacement: Any) -> str:
        if isinstance(node, ast.stmt):
            parts = replacement if isinstance(replacement, list) else [replacement]
            texts = [
                ast.unparse(ast.fix_missing_locations(part)) if part else "pass" for part in parts
            ]
            return "\n".join(texts).replace("\n", "\n" + " " * node.col_offset)
        new = ast.unparse(ast.fix_missing_locations(replacement))
        # In brackets, what a call is made of can be edited as well.
        whole = isinstance(node, ast.Call) and not isinstance(replacement, ast.Name | ast.Constant)
        return f"({new})" if whole or not isinstance(replacement, _ATOMS) else new

    def _differences(self, start: int, old: str, new: str) -> Iterator[Edit]:
        """The edits between two texts: the words that differ."""
        ours, theirs = (list(_WORDS.finditer(text)) for text in (old, new))
        matcher = difflib.SequenceMatcher(
            None, [word[0] for word in ours], [word[0] for word in theirs], autojunk=False
        )
        if "\n" in new:
            yield self._edit(start, start + len(old), new, (start, start + len(old)))
            return
        for tag, begin, end, first, last in matcher.get_opcodes():
            if tag == "equal":
                continue
            text = new[theirs[first].start() : theirs[last - 1].end()] if first < last else ""
            if begin < end:
                place = ours[begin].start(), ours[end - 1].end()
            else:
                place = (ours[begin - 1].end() if begin else 0,) * 2
            text = " " * _would_join(old[: place[0]], text) + text
            text += " " * _would_join(text, old[place[1] :])
            stated = start, start + len(old)
            yield self._edit(start + place[0], start + place[1], text, stated)

    def _edit(self, start: int, stop: int, new: str, stated: tuple[int, int]) -> Edit:
        function, home = self.function, self.key.solution.__module__
        return Edit(function.__module__, function.__name__, start, stop, new, home, stated)

    # Values

    def values(self, node: ast.AST) -> list[Any]:
        """The values of an expression in the recorded calls; None where there is none."""
        if node not in self._values:
            try:
                expression = ast.fix_missing_locations(ast.Expression(node))  # type: ignore[arg-type]
                code = compile(expression, "<expression>", "eval")
            except (SyntaxError, TypeError, ValueError):
                self._values[node] = []
            else:
                loops = list(self._loops_around(node))
                self._values[node] = [self._value(code, loops, names) for names in self._spaces]
        return self._values[node]

    def _value(
        self, code: types.CodeType, loops: Iterable[tuple[str, ast.expr]], names: dict[str, Any]
    ) -> Any:
        names = dict(names) if loops else names
        try:
            with np.errstate(all="ignore"):
                for target, iterated in loops:
                    items = eval(compile(ast.Expression(iterated), "<items>", "eval"), names)  # noqa: S307
                    names[target] = next(iter(items))
                return eval(code, names)  # noqa: S307 - the solution's own code
        except Exception:
            return None

    def _loops_around(self, node: ast.AST) -> Iterable[tuple[str, ast.expr]]:
        """The variables of the comprehensions that an expression is in, the outermost first."""
        found: list[tuple[str, ast.expr]] = []
        while node in self.parents:
            node, _ = self.parents[node]
            if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp):
                found[:0] = [
                    (loop.target.id, loop.iter)
                    for loop in node.generators
                    if isinstance(loop.target, ast.Name)
                ]
        return found

    def kind(self, node: ast.AST) -> Kind:
        """The kind of an expression's values: of the first one that isn't None."""
        if not is_loaded(node):
            return _NOTHING
        return next((kind_of(x) for x in self.values(node) if x is not None), _NOTHING)

    def shape(self, node: ast.AST) -> tuple[int, ...] | None:
        """The shape of an expression's first value, if it's an array."""
        return getattr(next(iter(self.values(node)), None), "shape", None)

    def first(self, name: str) -> Any:
        """The first value of a variable that isn't None."""
        return next((call[name] for call in self.calls if call.get(name) is not None), None)

    @cached_property
    def sometimes_none(self) -> list[str]:
        """The variables that are None in some calls."""
        missing = {name for call in self.calls for name in call if call[name] is None}
        return [name for name in self.names if name in missing and self.first(name) is not None]

    def axes(self, node: ast.AST) -> list[int]:
        """The axes of an array: counted from the front, and from the end if their number varies."""
        counts = {value.ndim for value in self.values(node) if isinstance(value, np.ndarray)}
        if not counts:
            return []
        return [*range(max(counts)), *(range(-min(counts), 0) if len(counts) > 1 else ())]

    def stays_small(self, node: ast.AST, new: Any) -> bool:
        """Whether a count isn't replaced by a much larger one, with which arrays could become huge:
        of some, the size is an exponent."""
        if self.kind(node).name != "count" or not isinstance(new, ast.expr):
            return True
        self.parents.setdefault(new, self.parents[node])
        pairs = zip(self.values(node), self.values(new), strict=False)
        return not any(
            isinstance(before, int | np.integer)
            and isinstance(after, int | float | np.number)
            and after > max(_GROWTH * before, _SMALL)
            for before, after in pairs
        )

    # Places

    def is_output(self, node: ast.AST) -> bool:
        """Whether an expression is one of the outputs."""
        parent, name = self.parents.get(node, (None, ""))
        return isinstance(parent, ast.Dict) and name == "values" and bool(self._title(parent, node))

    def _title(self, outputs: ast.Dict, node: ast.AST) -> str:
        title = outputs.keys[outputs.values.index(node)]  # type: ignore[arg-type]
        known = isinstance(title, ast.Constant) and title.value in self.key.exercise.axes
        return str(title.value) if known else ""  # type: ignore[union-attr]

    def is_whole(self, node: ast.AST) -> bool:
        """Whether an expression is all that is returned, or assigned."""
        parent, name = self.parents.get(node, (None, ""))
        assigned = isinstance(parent, ast.Assign) and name == "value"
        return self.is_output(node) or assigned or isinstance(parent, ast.Return)

    def is_step(self, node: ast.AST) -> bool:
        """Whether an expression is a variable, or in the solution a step of a calculation."""
        if isinstance(node, ast.Name):
            return is_loaded(node) and node.id not in self._used_once
        if isinstance(node, ast.Subscript):
            return self.is_whole(node)
        if not self.is_solution or not isinstance(node, ast.BinOp | ast.Call):
            return False
        return self.is_whole(node) or isinstance(self.parents[node][0], ast.BinOp | ast.Call)

    @cached_property
    def _used_once(self) -> frozenset[str]:
        """Variables that are used only once: what is done to them can be done to what they get."""
        names = [node for node in ast.walk(self.definition) if isinstance(node, ast.Name)]
        used = Counter(node.id for node in names if is_loaded(node))
        return frozenset(node.id for node in names if not is_loaded(node) and used[node.id] == 1)

    # Words

    def owner(self, node: ast.AST) -> str:
        """Where an expression is: what it's assigned to, or the output or function that it's in."""
        while node in self.parents:
            parent, _ = self.parents[node]
            if isinstance(parent, ast.Assign):
                names = [x.id for x in ast.walk(parent.targets[0]) if isinstance(x, ast.Name)]
                return ", ".join(f"`{name}`" for name in names)
            if self.is_output(node):
                assert isinstance(parent, ast.Dict)
                return f"`{self._title(parent, node)}`"
            node = parent
        return f"`{self.function.__name__}`"

    def called(self, node: ast.AST) -> Said | str:
        """A name for an expression, which doesn't say how it's calculated."""
        owner = self.owner(node)
        if self.is_whole(node):
            return owner
        match node:
            case ast.Name():
                return f"`{node.id}`"
            case ast.Constant() if node in self.parents:
                start, stop = self._place(node)
                return f"`{self._source[start:stop]}`"
            case ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
                return f"`{ast.unparse(node)}`"
            case ast.Call(func=ast.Name("len"), args=[ast.Name(name)]):
                return Said("the length of {list}", {"list": f"`{name}`"})
            case ast.Call():
                values = {"function": f"`{function_name(node)}`", "owner": owner}
                return Said("the result of {function} in {owner}", values)
            case ast.BinOp():
                return Said(_NOUNS.get(type(node.op), "the value in {owner}"), {"owner": owner})
            case ast.Subscript(value=ast.Attribute(attr="shape")):
                return Said("a size in {owner}", {"owner": owner})
            case ast.Subscript():
                return Said("the part of {whole}", {"whole": self.called(node.value)})
            case ast.Attribute():
                return f"`{node.attr}`"
            case ast.UnaryOp():
                return self.called(node.operand)
        return Said("the value in {owner}", {"owner": owner})


_NOUNS: dict[type[ast.operator], str] = {
    ast.Add: "the sum in {owner}",
    ast.Sub: "the difference in {owner}",
    ast.Mult: "the product in {owner}",
    ast.MatMult: "the matrix product in {owner}",
    ast.Div: "the quotient in {owner}",
    ast.FloorDiv: "the quotient in {owner}",
    ast.Mod: "the remainder in {owner}",
    ast.Pow: "the power in {owner}",
}
