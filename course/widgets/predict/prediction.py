"""What lessons ask before their demonstrations: a file a topic, with what is right, and why."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

KINDS = ("choice", "number", "place", "curve")


@dataclass(frozen=True)
class Choice:
    """One possible guess, or a range of them.

    Args:
        label: what it says.
        explanation: why it is right, or what is wrong with it; Markdown, in which ``{name}`` stands
            for a number that the demonstration measured.
        right: whether it is the right one.
        upto: of a number: the choice is for guesses up to this, and above those before.
        places: of a place in an array: the (row, column) pairs that it is for; the last choice is
            for all others.
        points: of a curve: its heights, 0 to 1, at equal distances.
    """

    label: str
    explanation: str
    right: bool = False
    upto: float = math.inf
    places: tuple[tuple[int, int], ...] = ()
    points: tuple[float, ...] = ()


@dataclass(frozen=True)
class Prediction:
    """A question before a demonstration.

    Args:
        name: such as ``"attention.shuffled_tokens"``.
        question: Markdown.
        kind: one of ``KINDS``: one of several sentences, a number, a place in an array, or the
            shape of a curve.
        choices: of a number, in ascending order; exactly one is right.
        rows, columns: of the array, where a place is asked for.
        axes: of a curve: what is drawn to the right, and what upwards.
        share: whether the number is one, 0 to 1.
    """

    name: str
    question: str
    kind: str
    choices: tuple[Choice, ...]
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    axes: tuple[str, str] = ("", "")
    share: bool = False

    def chosen(self, guess: Any) -> Choice | None:
        """The choice that a guess falls under; None if it doesn't answer this question.

        Args:
            guess: a label, a number, or a (row, column) pair, as JSON holds it.
        """
        if self.kind == "number":
            if isinstance(guess, bool) or not isinstance(guess, int | float) or math.isnan(guess):
                return None
            if self.share and not 0 <= guess <= 1:
                return None
            return next(choice for choice in self.choices if guess <= choice.upto)
        if self.kind == "place":
            if not (isinstance(guess, list) and len(guess) == 2):
                return None
            if guess[0] not in range(len(self.rows)) or guess[1] not in range(len(self.columns)):
                return None
            found = (choice for choice in self.choices if tuple(guess) in choice.places)
            return next(found, self.choices[-1])
        return next((choice for choice in self.choices if choice.label == guess), None)

    def said(self, guess: Any) -> str:
        """A guess in words."""
        if self.kind == "number":
            return f"{guess:g}"
        if self.kind == "place":
            return f"{self.rows[guess[0]]} → {self.columns[guess[1]]}"
        return str(guess).rstrip(".")


def find_prediction(name: str) -> Prediction:
    """A prediction by its name.

    Args:
        name: topic and name, such as ``"attention.shuffled_tokens"``.

    Raises:
        ValueError: when there is none.
    """
    found = _all()
    if name not in found:
        raise ValueError(f"There is no prediction {name!r}. There are: {', '.join(found)}")
    return found[name]


@cache
def _all() -> Mapping[str, Prediction]:
    folder = Path(__file__).parent
    return {
        f"{path.stem}.{name}": _read(f"{path.stem}.{name}", entry)
        for path in sorted(folder.glob("*.toml"))
        for name, entry in tomllib.loads(path.read_text("utf8")).items()
    }


def _read(name: str, entry: Mapping[str, Any]) -> Prediction:
    choices = []
    for each in entry["choices"]:
        sequences = {
            "places": tuple(map(tuple, each.get("places", ()))),
            "points": tuple(each.get("points", ())),
        }
        choices.append(Choice(**{**each, **sequences}))
    texts = {key: tuple(entry[key]) for key in ("rows", "columns", "axes") if key in entry}
    share = entry.get("share", False)
    return Prediction(name, entry["question"], entry["kind"], tuple(choices), **texts, share=share)
