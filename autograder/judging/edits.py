"""Mistakes as edits of a solution's source.

An edit has no position: its text must occur exactly once in the solution or in the functions that
it calls. Edits that don't overlap can be combined. All callers of an edited function call the
edited version.
"""

from __future__ import annotations
import __future__

import ast
import inspect
import itertools
import re
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeGuard

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_NAME = re.compile(r"\b[^\W\d]")


class EditError(ValueError):
    """An edit applies nowhere, or in more than one place."""


@dataclass(frozen=True, order=True)
class Edit:
    """A change of one function.

    Args:
        module, function: the function whose source it changes.
        start, stop: the range of characters to replace.
        new: the replacement; it may also use the names of its home.
        home: the module of the solution whose mistake it is.
        stated: the range of the text that the mistake states.
    """

    module: str
    function: str
    start: int
    stop: int
    new: str
    home: str
    stated: tuple[int, int]

    def changes(self, function: FunctionType) -> bool:
        """Whether it's an edit of a function."""
        return (self.module, self.function) == (function.__module__, function.__name__)

    def overlaps(self, other: Edit) -> bool:
        """Whether both change the same characters, or begin to at the same place. What replaces the
        same text are ways to do one thing."""
        here, there = (self.module, self.function), (other.module, other.function)
        return here == there and (
            self.stated == other.stated
            or self.start == other.start
            or (self.start < other.stop and other.start < self.stop)
        )


def find_edit(solution: FunctionType, old: str, new: str) -> Edit:
    """Find a text in a solution or in the functions that it calls.

    Args:
        solution: the function to start with.
        old: the text, which must occur once, outside of docstrings.
        new: its replacement.

    Raises:
        EditError: when it doesn't occur, or more than once.
    """
    home = solution.__module__
    before, after, changed = _narrowed(old, new)
    found = [
        Edit(
            function.__module__,
            function.__name__,
            start + before,
            start + len(old) - after,
            changed,
            home,
            (start, start + len(old)),
        )
        for function in reached(solution)
        for start in _places(source_of(function), old)
    ]
    if len(found) != 1:
        raise EditError(
            f"{old!r} must occur once in {solution.__name__}, but occurs {len(found)} times"
        )
    return found[0]


def _narrowed(old: str, new: str) -> tuple[int, int, str]:
    """Trim a replacement to the whole words that it changes, so that it overlaps fewer others.

    Returns:
        The lengths of the common beginning and of the common end, and the new text between them.
    """
    words, others = _WORDS.findall(old), _WORDS.findall(new)
    begin = _common(words, others)
    end = _common(words[begin:][::-1], others[begin:][::-1])
    before = len("".join(words[:begin]))
    after = len("".join(words[len(words) - end :]))
    return before, after, new[before : len(new) - after]


def _common(words: Sequence[str], others: Sequence[str]) -> int:
    """The number of words with which both sequences begin."""
    pairs = zip(words, others, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def texts_of(solution: FunctionType, edits: frozenset[Edit]) -> tuple[str, ...]:
    """Texts that occur once, each followed by its replacement: with them, ``find_edit`` makes the
    same of a solution as some edits do.

    Args:
        solution: the function that ``find_edit`` starts with.
        edits: edits of it, or of functions that it calls.

    Raises:
        EditError: when there are no such texts.
    """
    functions = list(reached(solution))
    texts: list[str] = []
    for function in functions:
        here = {edit for edit in edits if edit.changes(function)}
        for stated in sorted({edit.stated for edit in here}):
            same = frozenset(edit for edit in here if edit.stated == stated)
            texts += _texts(function, stated, same, [source_of(each) for each in functions])
    pairs = zip(texts[::2], texts[1::2], strict=True)
    found = frozenset(find_edit(solution, old, new) for old, new in pairs)
    if not all(_same(source_with(x, found), source_with(x, edits)) for x in functions):
        raise EditError(f"texts of {solution.__name__} can't state this change")
    return tuple(texts)


def _texts(
    function: FunctionType, stated: tuple[int, int], edits: frozenset[Edit], sources: Sequence[str]
) -> tuple[str, str]:
    """The shortest expression or statement around a range that occurs once in some sources, with
    a name in it if there is one, and what edits of that range make of it."""
    source = source_of(function)
    nodes = list(ast.walk(ast.parse(source)))
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    parts = (ast.get_source_segment(source, node) for node in nodes if node not in called)
    for text in sorted(filter(None, parts), key=lambda part: (not _NAME.search(part), len(part))):
        start, stop = (begin := source.find(text)), begin + len(text)
        around = start <= stated[0] and stated[1] <= stop
        if around and sum(1 for each in sources for _ in _places(each, text)) == 1:
            changed = source_with(function, edits)
            new = changed[start : stop + len(changed) - len(source)]
            # Without spaces and brackets that nobody would write, if the rest needs none.
            tidy = _unparsed(new) if _unparsed(text) == text else new
            return text, tidy if _same(source[:start] + tidy + source[stop:], changed) else new
    raise EditError(f"no part of {function.__name__} around this change occurs only once")


def _unparsed(text: str) -> str:
    """A text as Python would write it; "" if it isn't an expression or a statement."""
    try:
        return ast.unparse(ast.parse(text))
    except SyntaxError:
        return ""


def _same(source: str, other: str) -> bool:
    """Whether two texts are the same code."""
    try:
        return ast.dump(ast.parse(source)) == ast.dump(ast.parse(other))
    except SyntaxError:
        return False


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
    """Call a solution with some edits, which must not overlap.

    Args:
        solution: a function of a solution module, which isn't changed.
        edits: edits of it, or of functions that it calls.
        inputs, named: its arguments.
    """
    assert isinstance(solution, FunctionType)
    return _edited(solution, edits)(*inputs, **named)


def edited(solution: FunctionType, edits: frozenset[Edit]) -> FunctionType:
    """A solution with some edits, which must not overlap."""
    return _PatchedModules(edits).space(sys.modules[solution.__module__])[solution.__name__]


_edited = cache(edited)


class _PatchedModules:
    """The solution modules, after some edits."""

    def __init__(self, edits: frozenset[Edit]) -> None:
        self._all = edits
        self._modules = {edit.module for edit in edits}
        self._edits: dict[tuple[str, str], frozenset[Edit]] = {}
        for place in {(edit.module, edit.function) for edit in edits}:
            here = (edit for edit in edits if (edit.module, edit.function) == place)
            self._edits[place] = frozenset(here)
        self._spaces: dict[str, dict[str, Any]] = {}

    def space(self, module: ModuleType) -> dict[str, Any]:
        """A module's namespace; if an edit reaches it, a copy, in which functions use it that an
        edit reaches."""
        if self._modules.isdisjoint(_modules_used(module.__name__)):
            return vars(module)
        if module.__name__ in self._spaces:
            return self._spaces[module.__name__]
        homes = {edit.home for edit in self._all if edit.module == module.__name__}
        names = self._spaces[module.__name__] = {}
        for place in (*sorted(homes), module.__name__):
            names.update(vars(sys.modules[place]))
        for name, value, called in _functions(module):
            if self._edits.keys().isdisjoint(called):
                continue
            if value.__module__ == module.__name__:
                names[name] = self._function(value, names)
            else:
                names[name] = self.space(sys.modules[value.__module__])[value.__name__]
        return names

    def _function(self, function: FunctionType, names: dict[str, Any]) -> FunctionType:
        edits = self._edits.get((function.__module__, function.__name__))
        code = compiled(function, edits) if edits else function.__code__
        made = FunctionType(code, names, function.__name__, function.__defaults__)
        made.__kwdefaults__ = function.__kwdefaults__
        return made


@cache
def _modules_used(name: str) -> frozenset[str]:
    """A module, and the modules of its package whose functions it uses, directly or not."""
    waiting, used = [name], {name}
    while waiting:
        values = vars(sys.modules[waiting.pop()]).values()
        of = {each.__module__ for each in values if isinstance(each, FunctionType)}
        new = {each for each in of - used if _package(each) == _package(name)}
        used |= new
        waiting += new
    return frozenset(used)


@cache
def _functions(
    module: ModuleType,
) -> list[tuple[str, FunctionType, frozenset[tuple[str, str]]]]:
    """The functions in a module that are of its package, by their names there, each with all that
    it reaches, by module and name."""
    return [
        (
            used_as,
            value,
            frozenset((each.__module__, each.__name__) for each in reached(value)),
        )
        for used_as, value in vars(module).items()
        if isinstance(value, FunctionType)
        and _package(value.__module__) == _package(module.__name__)
    ]


@lru_cache(maxsize=10_000)
def compiled(function: FunctionType, edits: frozenset[Edit]) -> CodeType:
    """A function's code with some edits.

    Raises:
        EditError: when it no longer parses.
    """
    source = source_with(function, edits)
    label = f"<{function.__name__} with a mistake>"
    try:
        with warnings.catch_warnings(action="ignore", category=SyntaxWarning):
            module = compile(
                source, label, "exec", __future__.annotations.compiler_flag, dont_inherit=True
            )
    except SyntaxError as error:
        raise EditError(f"{function.__name__} no longer parses: {error}") from None
    codes = (constant for constant in module.co_consts if isinstance(constant, CodeType))
    return next(code for code in codes if code.co_name == function.__name__)


def source_with(function: FunctionType, edits: frozenset[Edit]) -> str:
    """A function's source, without its docstring, after those of some edits that change it."""
    source = source_of(function)
    for edit in sorted((edit for edit in edits if edit.changes(function)), reverse=True):
        source = source[: edit.start] + edit.new + source[edit.stop :]
    return source


@cache
def source_of(function: FunctionType) -> str:
    """A function's source as written, without its docstring."""
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
    """The global names that code may use, including nested functions."""
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
