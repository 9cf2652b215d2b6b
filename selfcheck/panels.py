"""The picture next to a verdict: the received and the expected array."""

from __future__ import annotations

import base64
import importlib.util
import io
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

import numpy as np

from selfcheck.aspects import absolute_errors, numbers
from selfcheck.exercise import Exercise, Failure, Observation, axis_names
from selfcheck.texts import say

_DPI = 80
"""CSS pixels per inch."""

_MOST = 24
"""Maximum number of rows or columns that stay legible."""


@dataclass(frozen=True)
class Comparison:
    """A matrix from the first wrong output.

    Args:
        where: the output, the case, and which matrix of the output, in words.
        axes: the labels of rows and columns.
        received, expected: (rows, columns); expected is NaN where any finite number is right.
        wrong: boolean (rows, columns), where they differ by more than rounding.
    """

    where: str
    axes: tuple[str, str]
    received: np.ndarray
    expected: np.ndarray
    wrong: np.ndarray


def first_wrong_matrix(exercise: Exercise, seen: Mapping[str, Observation]) -> Comparison | None:
    """Find a matrix to show.

    Args:
        exercise: names the axes.
        seen: observations by case name.

    Returns:
        The matrix with the most wrong entries, from the last wrong output of the first wrong case:
        outputs are listed from results to causes. None if it isn't an array of the expected shape,
        or doesn't have two axes that fit a picture.
    """
    for name, observation in seen.items():
        if isinstance(observation.received, Failure):
            return None
        for output, expected in reversed(list(observation.expected.outputs.items())):
            if not isinstance(expected, np.ndarray) or output not in observation.received:
                continue
            error = absolute_errors(observation, output, observation.received[output])
            if error is None:
                return None
            wrong = error > observation.expected.tolerance[output]
            if wrong.any():
                received = numbers(observation.received[output])
                assert received is not None  # else there were no errors
                known = np.where(observation.free(output), np.nan, expected)
                return _matrix(exercise, name, output, received, known, wrong)
    return None


def _matrix(
    exercise: Exercise,
    case: str,
    output: str,
    received: np.ndarray,
    expected: np.ndarray,
    wrong: np.ndarray,
) -> Comparison | None:
    if expected.ndim < 2 or max(expected.shape[-2:]) > _MOST:
        return None
    axes = axis_names(exercise.axes[output], expected.ndim)
    counts = wrong.sum(axis=(-2, -1))
    place = np.unravel_index(int(counts.argmax()), counts.shape)
    at = "".join(f", {name} {int(n)}" for name, n in zip(axes[:-2], place, strict=True))
    where = say("{output} in the case “{case}”{place}", output=output, case=say(case), place=at)
    rows, columns = axes[-2:]
    return Comparison(where, (rows, columns), received[place], expected[place], wrong[place])


def picture(comparison: Comparison) -> str:
    """Draw a comparison as an HTML image with embedded data; "" without matplotlib."""
    # matplotlib is slow to import, and most checks draw nothing.
    if importlib.util.find_spec("matplotlib") is None:
        return ""
    from selfcheck.heat_maps import received_and_expected

    figure = received_and_expected(
        comparison.received,
        comparison.expected,
        comparison.wrong,
        axis_labels=comparison.axes,
        title=comparison.where,
    )
    file = io.BytesIO()
    # Twice the resolution, so that it's sharp on high-density screens.
    figure.savefig(file, format="png", dpi=2 * _DPI)
    width = round(figure.get_figwidth() * _DPI)
    data = base64.b64encode(file.getvalue()).decode()
    words = say(
        "Heat maps of {what}, received and expected: {count} of {total} numbers differ.",
        what=comparison.where,
        count=int(comparison.wrong.sum()),
        total=comparison.wrong.size,
    )
    source = f"data:image/png;base64,{data}"
    return f'<img style="max-width:100%" width="{width}" alt="{escape(words)}" src="{source}">'
