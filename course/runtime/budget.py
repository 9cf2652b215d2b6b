"""How much work a run may do: a lesson at full size, or a smoke run that takes seconds."""

from __future__ import annotations

import os
from typing import TypeVar

from course.runtime.frontend import is_graded

Size = TypeVar("Size")

VARIABLE = "COURSE_BUDGET"
"""``full`` or ``smoke``. Without it a notebook is run in full, but for grading and validating."""


def is_smoke() -> bool:
    """Whether this run only proves that everything works.

    Raises:
        ValueError: when the variable has another value.
    """
    # Nothing graded depends on a trained model, so running it shouldn't require one.
    default = "smoke" if is_graded() else "full"
    budget = os.environ.get(VARIABLE, default)
    if budget not in ("smoke", "full"):
        raise ValueError(f"{VARIABLE} is {budget!r}; expected 'smoke' or 'full'")
    return budget == "smoke"


def choose(*, full: Size, smoke: Size) -> Size:
    """Pick the value for this run.

    Args:
        full: for a run whose numbers count.
        smoke: for a run that takes seconds.

    Example:
        >>> epochs = choose(full=10, smoke=1)
    """
    return smoke if is_smoke() else full
