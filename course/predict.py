"""A guess before a demonstration: asked for, kept, and answered when the result is there.

``ask`` comes before a demonstration and ``answer`` after it. A guess is kept in the user's data
folder, so it is there again when the notebook is opened another day. No guess is ever graded.
Where nobody sits before the notebook, ``ask`` writes the choices down and ``answer`` gives the
explanations, folded; while a notebook is graded, both do nothing.
"""

from __future__ import annotations

import math
import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from course import front_end, kept
from selfcheck.guesses import MIME

FILE = "guesses.json"
"""Where guesses are kept."""

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
    """What is asked before a demonstration.

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


def ask(name: str) -> None:
    """Ask for a guess, and keep it.

    Args:
        name: of the prediction.

    Raises:
        ValueError: when there is no such prediction.
    """
    prediction = find(name)
    if front_end.is_graded():
        return
    if not front_end.shows_widgets():
        _show(_on_paper(prediction))
        return
    from course import guessing

    _show(f"**Your guess first.** {prediction.question}{_sketches(prediction)}")
    guessing.show(prediction, _guesses().get(name), lambda guess: _keep(name, guess))


def answer(name: str, **measured: float) -> None:
    """Say what is right, and what is wrong with the guess.

    Args:
        name: of the prediction.
        measured: numbers of this run, which the explanations mention.

    Raises:
        ValueError: when there is no such prediction, or its explanations mention other numbers.
    """
    prediction = find(name)
    _check_measured(prediction, measured)
    if front_end.is_graded():
        return
    guess = _guesses().get(name)
    choice = None if guess is None else prediction.chosen(guess)
    if choice is None:
        folded = "".join(_folded(each, measured) for each in prediction.choices)
        _show(f"**What did you expect?** {prediction.question}\n\n{folded}")
        return
    lines = [f"**You guessed: {prediction.said(guess)}.** {choice.explanation.format(**measured)}"]
    if not choice.right:
        right = next(each for each in prediction.choices if each.right)
        lines.append(f"**{right.label.rstrip('.')}:** {right.explanation.format(**measured)}")
    rest = [each for each in prediction.choices if each is not choice and not each.right]
    lines.append("".join(_folded(each, measured) for each in rest))
    _show("\n\n".join(lines), {MIME: {"name": name, "guess": guess, "right": choice.right}})


def find(name: str) -> Prediction:
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
    folder = Path(__file__).parent / "predictions"
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


def _check_measured(prediction: Prediction, measured: Mapping[str, float]) -> None:
    mentioned = {
        field
        for choice in prediction.choices
        for _, field, _, _ in string.Formatter().parse(choice.explanation)
        if field
    }
    if mentioned != measured.keys():
        raise ValueError(
            f"The explanations of {prediction.name} mention {sorted(mentioned)}. "
            f"Received: {sorted(measured)}"
        )


def _on_paper(prediction: Prediction) -> str:
    """The question and what can be answered, where nothing can be clicked."""
    said = f"**Your guess first.** {prediction.question}{_sketches(prediction)}"
    if prediction.kind == "choice":
        said += "\n\n" + "\n".join(f"- {choice.label}" for choice in prediction.choices)
    return f"{said}\n\n*Decide before you read on.*"


def _folded(choice: Choice, measured: Mapping[str, float]) -> str:
    explanation = choice.explanation.format(**measured)
    return f"<details><summary>{escape(choice.label)}</summary>\n\n{explanation}\n\n</details>\n"


_WIDTH, _HEIGHT, _EDGE = 120, 70, 8


def _sketches(prediction: Prediction) -> str:
    """The curves to choose from, side by side, as an SVG picture."""
    if prediction.kind != "curve":
        return ""
    panels = []
    for number, choice in enumerate(prediction.choices):
        step = (_WIDTH - 2 * _EDGE) / (len(choice.points) - 1)
        points = " ".join(
            f"{_EDGE + step * at:.0f},{_HEIGHT - _EDGE - (_HEIGHT - 2 * _EDGE) * point:.0f}"
            for at, point in enumerate(choice.points)
        )
        panels.append(
            f'<g transform="translate({number * (_WIDTH + 20)} 0)">'
            f'<path d="M{_EDGE} {_EDGE}V{_HEIGHT - _EDGE}H{_WIDTH - _EDGE}" fill="none" '
            f'stroke="#888"/><polyline points="{points}" fill="none" stroke="#1f77b4" '
            f'stroke-width="2.5"/><text x="{_WIDTH / 2}" y="{_HEIGHT + 10}" fill="currentColor" '
            f'font-size="12" text-anchor="middle">{escape(choice.label)}</text></g>'
        )
    across, up = prediction.axes
    width = len(panels) * (_WIDTH + 20) - 20
    labels = ", ".join(choice.label for choice in prediction.choices)
    return (
        f'\n\n<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" '
        f'height="{_HEIGHT + 16}" viewBox="0 0 {width} {_HEIGHT + 16}" '
        'style="max-width: 100%; height: auto">'
        f"<title>Curves of {escape(up)} against {escape(across)}: {escape(labels)}</title>"
        f"{''.join(panels)}</svg>\n\n*{up} against {across}*"
    )


def _show(markdown: str, more: Mapping[str, Any] | None = None) -> None:
    from IPython.display import display

    display({"text/markdown": markdown, "text/plain": markdown, **(more or {})}, raw=True)


def _guesses() -> Mapping[str, Any]:
    try:
        found = kept.read(FILE)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _keep(name: str, guess: Any) -> str:
    """Keep a guess; gives what to say about it."""
    try:
        kept.write(FILE, {**_guesses(), name: guess})
    except OSError as error:
        return f"Your guess can't be kept ({error}). Write it down, and run the next cells."
    return "Kept. Now run the next cells."
