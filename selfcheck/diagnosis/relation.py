"""A fact about wrong outputs, and helpers that this package's modules share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from selfcheck.aspects import absolute_errors, identical, in_code
from selfcheck.exercise import Observation
from selfcheck.texts import say


@dataclass(frozen=True)
class Relation:
    """A fact about wrong outputs.

    Args:
        name: the name of its kind, in snake case, such as ``"proportional"``.
        hint: the sentence for the student; "" if the finding says it all. It's true of one case,
            and begins with a lower-case letter if it follows the case's name.
        complete: whether the right output is complete in a different form, so that the work is
            done.
    """

    name: str
    hint: str
    complete: bool = False


def is_right(output: str, value: Any, observation: Observation) -> bool:
    """Whether a value is the expected one, up to rounding and places where any number is right."""
    expected = observation.expected.outputs[output]
    if not isinstance(expected, np.ndarray):
        return identical(value, expected)
    error = absolute_errors(observation, output, value)
    return error is not None and bool((error <= observation.expected.tolerance[output]).all())


def one_off(output: str, difference: float, tolerance: float = 0.0) -> Relation | None:
    """One more, or one less, than expected."""
    if abs(abs(difference) - 1) > tolerance:
        return None
    if difference > 0:
        hint = say("{output} is one more than expected.", output=in_code(output))
    else:
        hint = say("{output} is one less than expected.", output=in_code(output))
    return Relation("off_by_one", hint)
