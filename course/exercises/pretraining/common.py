"""What exercises about pretraining share."""

from __future__ import annotations

from typing import Any

from selfcheck.aspects import describe
from selfcheck.exercise import WrongReturn
from selfcheck.texts import say


def one_output(output: Any) -> Any:
    """The returned value, if it's a single one.

    Raises:
        WrongReturn: for a tuple or a dictionary.
    """
    if isinstance(output, tuple | dict):
        value = describe(output)
        raise WrongReturn(say("returned {value}; expected one array", value=value))
    return output
