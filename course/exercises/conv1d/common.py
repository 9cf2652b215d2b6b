"""What exercises about conv1d share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from selfcheck.aspects import describe, in_code, other_value
from selfcheck.exercise import Failure, Observation
from selfcheck.texts import say

Examine = Callable[[Observation], str]


# --- convolutions over words ---------------------------------------------------------------------


def a_number(output: str) -> Examine:
    """The output is the expected number, whatever its type."""

    def examine(observation: Observation) -> str:
        if isinstance(observation.received, Failure):
            return str(observation.received)
        value = observation.received.get(output)
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "fiu" or value.ndim:
            return say(
                "{output} is {seen}; expected a number",
                output=in_code(output),
                seen=describe(value),
            )
        expected = float(observation.expected.outputs[output])
        if abs(float(value) - expected) <= observation.expected.tolerance[output]:
            return ""
        return other_value(output, f"{float(value):.6g}", f"{expected:g}")

    return examine


def type_name(value: Any) -> str:
    """``"int"`` or ``"float"`` for a number of Python, NumPy or TensorFlow, else the class."""
    if isinstance(value, list | tuple | dict) or np.ndim(value):
        return type(value).__name__
    names = {"i": "int", "u": "int", "f": "float"}
    return names.get(np.asarray(value).dtype.kind, type(value).__name__)
