"""A change of a solution that was found becomes a known mistake: its entry in the key."""

from __future__ import annotations

import ast
import json
import keyword
import re
import stat
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import CourseError
from autograder.judging import keys, proof, solutions
from autograder.judging.candidates import Candidate
from autograder.judging.edits import EditError, texts_of
from autograder.judging.keys import IDEA, Cost, Key
from autograder.judging.marking import BY_CAUSE
from autograder.judging.mistakes import ComputedMistakes
from selfcheck import Failure
from selfcheck.verdicts import evaluate, observe

_WRAPPER = textwrap.TextWrapper(
    93,
    expand_tabs=False,
    replace_whitespace=False,
    drop_whitespace=False,
    break_long_words=False,
    break_on_hyphens=False,
)
"""Breaks a text into parts that are together the same text; quoted, each fits a line of 100."""

_CALLS = ("KEY.mistake(", "KEY.inherit(")
"""How the statements begin that add a known mistake."""

_OPEN = re.compile(r"""[^.?!:…"'”’»`)]["'”’»`)]*$""")
"""Matches a sentence that no sign ends, whether it's in quotes or brackets or not."""

_SEEDS = range(5)
"""The seeds of inputs on which a verdict must name the mistake."""


@dataclass(frozen=True)
class Entry:
    """What ``Key.mistake`` gets: name, hint, changes and kind of cost."""

    name: str
    hint: str
    changes: tuple[str, ...]
    cost: Cost

    def __str__(self) -> str:
        """As it's written in a key."""
        arguments = [*map(_literal, (self.name, self.hint, *self.changes))]
        if self.cost is not IDEA:  # the default
            arguments.append(f"cost={self.cost.name}")
        return "\n    ".join(["KEY.mistake(", *(f"{each}," for each in arguments)]) + "\n)"

    def add_to(self, key: Key) -> None:
        """Add the mistake to a key in memory."""
        key.mistake(self.name, self.hint, *self.changes, cost=self.cost)


def _literal(text: str) -> str:
    """A text as Python, in as many lines as it takes."""
    parts = [
        part
        for line in text.splitlines(keepends=True) or [""]
        for part in _WRAPPER.wrap(line) or [""]
    ]
    return "\n    ".join(
        repr(part) if '"' in part else json.dumps(part, ensure_ascii=False) for part in parts
    )


def entry_of(key: Key, found: Candidate, name: str, hint: str, cost: Cost | None) -> Entry:
    """The entry for a candidate.

    Args:
        key: the exercise's key, which doesn't change.
        found: the candidate.
        name: of the mistake.
        hint: one sentence.
        cost: its kind of cost; None for the candidate's own.

    Raises:
        CourseError: when the key's texts can't state the change, or the checks of known mistakes
            fail.
    """
    try:
        changes = texts_of(key.solution, found.edits)
    except EditError as error:
        raise CourseError(f"{error}: write a function for it, under @KEY.add.") from None
    entry = Entry(name, _sentence(hint), changes, cost or found.cost)
    if problem := next(_problems(key, entry), ""):
        raise CourseError(f"Nothing was written: {problem}.")
    return entry


def _sentence(hint: str) -> str:
    """A hint in one line, with a full stop if nothing else ends it."""
    text = " ".join(hint.split())
    return f"{text}." if _OPEN.search(text) else text


def _problems(key: Key, entry: Entry) -> Iterator[str]:
    """What a release, an audit or a verdict would find wrong with an entry."""
    name = entry.name
    taken = keyword.iskeyword(name) or name in ("none", *key.solution.__globals__)
    if taken or not name.isidentifier() or name.startswith("_"):
        yield f"{name!r} can't be a mistake's name: write a new one like summed_over_rows"
        return
    if not entry.hint:
        yield "the hint is empty"
        return
    alone, together = (Key(key.exercise, key.solution) for _ in range(2))
    together.mistakes += key.mistakes
    for each in (alone, together):
        entry.add_to(each)
    yield from proof.mistake_problems(together)
    yield from proof.mistake_problems(alone, proof.MISTAKE_SEEDS)
    for seed in _SEEDS:
        if (named := _named(together, seed)) != (name,):
            others = " and ".join(map(repr, named)) or "no known mistake"
            yield f"a verdict on its results names {others}"


def _named(key: Key, seed: int) -> tuple[str, ...]:
    """What the verdict names if an answer makes a key's last mistake."""
    known = ComputedMistakes(key, seed, BY_CAUSE)
    received = {
        case: Failure("ValueError", "") if outputs is None else outputs
        for case, outputs in known.single[-1].outputs.items()
    }
    expected = solutions.expected(key.exercise, key.solution, seed)
    return evaluate(key.exercise, observe(key.exercise, seed, received, expected), known).mistakes


def add(path: Path, entry: Entry) -> None:
    """Write an entry into the file of a key, below its other mistakes.

    Raises:
        CourseError: when the file is read-only or an installed package's, or doesn't import as keys
            do; the message has the entry.
    """
    line_end = "\r\n" if b"\r\n" in path.read_bytes() else "\n"
    lines = path.read_text("utf8").rstrip("\n").split("\n")
    statements = ast.parse("\n".join(lines)).body
    imports = [x for x in statements if isinstance(x, ast.ImportFrom) and x.module == keys.__name__]
    if {"site-packages", "dist-packages"} & {*path.parts}:
        raise CourseError(f"{path} is installed: nothing was written. In its source, add:\n{entry}")
    if not path.stat().st_mode & stat.S_IWUSR:  # root may write it all the same
        raise CourseError(f"{path} is read-only: nothing was written. Add:\n{entry}")
    if not imports:
        raise CourseError(f"{path} doesn't import from {keys.__name__}. Add:\n{entry}")
    ends = [x.end_lineno or 0 for x in statements if ast.unparse(x).startswith(_CALLS)]
    place = max(ends, default=len(lines))
    lines[place:place] = str(entry).split("\n")
    if entry.cost is not IDEA and entry.cost.name not in {x.name for y in imports for x in y.names}:
        first = imports[0]
        names = [*first.names, ast.alias(entry.cost.name)]
        first.names = sorted(names, key=lambda x: (not x.name.isupper(), x.name))
        lines[first.lineno - 1 : first.end_lineno] = [ast.unparse(first)]
    path.write_text("\n".join([*lines, ""]), "utf8", newline=line_end)
