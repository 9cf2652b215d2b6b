"""Predicates for the ``INPUT_CLASSES`` of the keys: do these cases contain such an input?

An exercise's ``INPUT_CLASSES`` are the kinds of input that its task mentions or implies, each with
such a test. Every draw contains all of them, so that the seed only chooses values, and what a
mistake gets wrong doesn't depend on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from selfcheck.exercise import Case

Contain = Callable[[Sequence[Case]], bool]


def some(holds: Callable[[Mapping[str, Any]], Any]) -> Contain:
    """Whether something holds of the inputs of a case."""
    return lambda cases: any(bool(holds(case.inputs)) for case in cases)


def some_values(holds: Callable[..., Any]) -> Contain:
    """The same, of the values of the inputs in their order."""
    return some(lambda given: holds(*given.values()))


def some_mask(holds: Callable[[np.ndarray], Any]) -> Contain:
    """Whether something holds of the mask of a case that has one."""
    return some(lambda given: given["mask"] is not None and holds(given["mask"]))


def among_others(holds: Callable[[Mapping[str, Any]], Any]) -> Contain:
    """Whether something holds of the inputs of a case, and there are others beside it."""
    return lambda cases: len(cases) > 1 and some(holds)(cases)


def some_text(texts: Callable[[Mapping[str, Any]], Iterable[str]], *patterns: str) -> Contain:
    """Whether each pattern is found in a text of some case.

    Args:
        texts: gives those of a case's inputs.
        patterns: regular expressions.
    """

    def contain(cases: Sequence[Case]) -> bool:
        found = [text for case in cases for text in texts(case.inputs)]
        return all(any(re.search(pattern, text) for text in found) for pattern in patterns)

    return contain
