"""A guess before a demonstration: asked for, kept, and answered when the result is there.

``ask`` comes before a demonstration and ``answer`` after it. A guess is kept in the user's data
folder, so it is there again when the notebook is opened another day. No guess is ever graded.
If a notebook runs unattended, ``ask`` prints the choices and ``answer`` shows the explanations,
folded; while a notebook is graded, both do nothing.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from html import escape
from typing import Any

from course.runtime import frontend, user_files
from course.widgets.predict.prediction import Choice, Prediction, find_prediction
from selfcheck.responses import GUESS_MIME

FILE = "guesses.json"
"""The file in which guesses are stored."""


def ask(name: str) -> None:
    """Ask for a guess, and keep it.

    Args:
        name: of the prediction.

    Raises:
        ValueError: when there is no such prediction.
    """
    prediction = find_prediction(name)
    if frontend.is_graded():
        return
    if not frontend.shows_widgets():
        _show(_on_paper(prediction))
        return
    from course.widgets.predict import controls

    _show(f"**Your guess first.** {prediction.question}{_sketches(prediction)}")
    controls.show(prediction, _guesses().get(name), lambda guessed: _keep(name, guessed))


def answer(name: str, **measured: float) -> None:
    """Say what is right, and what is wrong with the guess.

    Args:
        name: of the prediction.
        measured: numbers of this run, which the explanations mention.

    Raises:
        ValueError: when there is no such prediction, or its explanations mention other numbers.
    """
    prediction = find_prediction(name)
    _check_measured(prediction, measured)
    if frontend.is_graded():
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
    _show("\n\n".join(lines), {GUESS_MIME: {"name": name, "guess": guess, "right": choice.right}})


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
        found = user_files.read(FILE)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _keep(name: str, guess: Any) -> str:
    """Keep a guess; gives what to say about it."""
    try:
        user_files.write(FILE, {**_guesses(), name: guess})
    except OSError as error:
        return f"Your guess can't be kept ({error}). Write it down, and run the next cells."
    return "Kept. Now run the next cells."
