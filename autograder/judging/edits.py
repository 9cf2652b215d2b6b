"""Mistakes as edits of a solution's source: what a text is replaced by, and what comes of it.

An edit names no place: its text stands exactly once in the solution or in what that calls. Edits
that do not overlap combine. Whatever else calls an edited function calls the edited one.
"""

from __future__ import annotations
import __future__

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeGuard


class EditError(ValueError):
    """An edit that applies nowhere, or in more places than one."""


@dataclass(frozen=True, order=True)
class Edit:
    """A change of one function.

    Args:
        module, function: whose source it changes.
        start, stop: which characters of the source are replaced.
        new: by what; it may use the names of its home as well.
        home: the module of the solution whose mistake it is.
    """

    module: str
    function: str
    start: int
    stop: int
    new: str
    home: str

    def overlaps(self, other: Edit) -> bool:
        """Whether both change the same characters."""
        here, there = (self.module, self.function), (other.module, other.function)
        return here == there and self.start < other.stop and other.start < self.stop


def find(solution: FunctionType, old: str, new: str) -> Edit:
    """Where a text stands in a solution or in what that calls.

    Args:
        solution: the function to begin with.
        old: stands there once, outside of the documentation.
        new: what takes its place.

    Raises:
        EditError: when it stands nowhere, or more than once.
    """
    home = solution.__module__
    found = [
        Edit(function.__module__, function.__name__, start, start + len(old), new, home)
        for function in reached(solution)
        for start in _places(_source(function), old)
    ]
    if len(found) != 1:
        raise EditError(f"{old!r} stands {len(found)} times in {solution.__name__}, not once")
    return found[0]


def reached(solution: FunctionType) -> Iterator[FunctionType]:
    """A solution, and the functions of solution modules that it calls, directly or not."""
    waiting, seen = [solution], {solution}
    while waiting:
        function = waiting.pop(0)
        yield function
        for name in _names(function.__code__):
            called = function.__globals__.get(name)
            if _is_solution(called, solution) and called not in seen:
                seen.add(called)
                waiting.append(called)


def run(
    solution: Callable[..., Any], edits: frozenset[Edit], /, *inputs: Any, **named: Any
) -> Mapping[str, Any]:
    """Call a solution as it is after some edits that do not overlap.

    Args:
        solution: a function of a solution module; it stays as it is.
        edits: of it, or of what it calls.
        inputs, named: its arguments.
    """
    assert isinstance(solution, FunctionType)
    return _edited(solution, edits)(*inputs, **named)


@cache
def _edited(solution: FunctionType, edits: frozenset[Edit]) -> FunctionType:
    return _World(edits).space(sys.modules[solution.__module__])[solution.__name__]


class _World:
    """The solution modules, after some edits."""

    def __init__(self, edits: frozenset[Edit]) -> None:
        self._all = edits
        self._edits: dict[tuple[str, str], frozenset[Edit]] = {}
        for place in {(edit.module, edit.function) for edit in edits}:
            here = (edit for edit in edits if (edit.module, edit.function) == place)
            self._edits[place] = frozenset(here)
        self._spaces: dict[str, dict[str, Any]] = {}

    def space(self, module: ModuleType) -> dict[str, Any]:
        """A module's names, with functions that see these names."""
        if module.__name__ in self._spaces:
            return self._spaces[module.__name__]
        homes = {edit.home for edit in self._all if edit.module == module.__name__}
        names = self._spaces[module.__name__] = {}
        for place in (*sorted(homes), module.__name__):
            names.update(vars(sys.modules[place]))
        for name, value in vars(module).items():
            if not isinstance(value, FunctionType):
                continue
            if value.__module__ == module.__name__:
                names[name] = self._function(value, names)
            elif _package(value.__module__) == _package(module.__name__):
                names[name] = self.space(sys.modules[value.__module__])[value.__name__]
        return names

    def _function(self, function: FunctionType, names: dict[str, Any]) -> FunctionType:
        edits = self._edits.get((function.__module__, function.__name__))
        code = _compiled(function, edits) if edits else function.__code__
        made = FunctionType(code, names, function.__name__, function.__defaults__)
        made.__kwdefaults__ = function.__kwdefaults__
        return made


@cache
def _compiled(function: FunctionType, edits: frozenset[Edit]) -> CodeType:
    source = _source(function)
    for edit in sorted(edits, reverse=True):
        source = source[: edit.start] + edit.new + source[edit.stop :]
    label = f"<{function.__name__} with a mistake>"
    try:
        module = compile(
            source, label, "exec", __future__.annotations.compiler_flag, dont_inherit=True
        )
    except SyntaxError as error:
        raise EditError(f"{function.__name__} cannot be read any more: {error}") from None
    codes = (constant for constant in module.co_consts if isinstance(constant, CodeType))
    return next(code for code in codes if code.co_name == function.__name__)


@cache
def _source(function: FunctionType) -> str:
    """A function's source as it is written, without its documentation."""
    source = textwrap.dedent(inspect.getsource(function))
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.FunctionDef)
    if ast.get_docstring(definition) is None:
        return source
    written = definition.body[0]
    assert written.end_lineno is not None  # it was parsed
    lines = source.splitlines(keepends=True)
    return "".join(lines[: written.lineno - 1] + lines[written.end_lineno :])


def _places(text: str, part: str) -> Iterator[int]:
    start = text.find(part)
    while start >= 0:
        yield start
        start = text.find(part, start + 1)


def _names(code: CodeType) -> Iterator[str]:
    """The global names that code may use, also in functions inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_solution(value: Any, solution: FunctionType) -> TypeGuard[FunctionType]:
    return isinstance(value, FunctionType) and _package(value.__module__) == _package(
        solution.__module__
    )


def _package(name: str) -> str:
    return name.partition(".")[0]
