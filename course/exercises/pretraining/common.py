"""What exercises about pretraining share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from selfcheck.aspects import describe
from selfcheck.exercise import Case, WrongReturn
from selfcheck.texts import say

Inputs = Mapping[str, Any]


def some(holds: Callable[[Inputs], Any]) -> Callable[[Sequence[Case]], bool]:
    """Whether something holds of the inputs of at least one case."""
    return lambda cases: any(bool(holds(case.inputs)) for case in cases)


def among_others(holds: Callable[[Inputs], Any]) -> Callable[[Sequence[Case]], bool]:
    """Whether something holds of a case, and there are others beside it."""
    return lambda cases: len(cases) > 1 and some(holds)(cases)


def one_output(output: Any) -> Any:
    """The returned value, if it's a single one.

    Raises:
        WrongReturn: for a tuple or a dictionary.
    """
    if isinstance(output, tuple | dict):
        value = describe(output)
        raise WrongReturn(say("returned {value}; expected one array", value=value))
    return output
