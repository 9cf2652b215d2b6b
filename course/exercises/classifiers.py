"""What exercises that build a classifier share: how the model is asked, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.weights import tensor
from selfcheck import Failure, Observation, WrongReturn
from selfcheck.aspects import absent, describe, numbers_agree
from selfcheck.texts import say

DISTRIBUTIONS = "distributions over the classes"
NO_DISTRIBUTIONS = "not distributions: some numbers are negative, or they don't sum to 1"
ONE_NUMBER = "one number for each text, not one for each class"
ROWS = DISTRIBUTIONS, NO_DISTRIBUTIONS, ONE_NUMBER
"""What rows may be."""

AXES = {
    "untrained": ("batch", "num_classes"),
    "probabilities": ("batch", "num_classes"),
    "parameters": ("count",),
    "rows": (),
}
"""The axes of the outputs that ``outputs_of`` returns."""


def outputs_of(
    model: Any, ids: np.ndarray, values: Mapping[str, np.ndarray]
) -> tuple[dict[str, Any], bool]:
    """Call a model as it is, and then with the case's weights.

    A model that has no place for these weights gets others.

    Args:
        model: what the student's function returned.
        ids: (batch, length).
        values: the weights, in order of creation; none of their names leads into a model.

    Returns:
        untrained, probabilities: (batch, num_classes), zeros instead of what comes out of the model
        as it is, and what comes out with weights;
        parameters: (1,), how many numbers are learned; rows: what the untrained rows are. And
        whether the case's weights fit.

    Raises:
        WrongReturn: when it is no model.
    """
    if not callable(model):
        raise WrongReturn(say("returned {value}; expected a model", value=describe(model)))
    given = tensor(ids)
    untrained = np.array(model(given))
    parameters = int(sum(np.prod(weight.shape) for weight in model.trainable_weights))
    fit = weights.assign_or_fill(model, values, ids)
    outputs = {
        # Nobody can know its numbers.
        "untrained": 0 * untrained,
        "probabilities": np.array(model(given)),
        "rows": kind_of_rows(untrained),
        "parameters": np.array([parameters]),
    }
    return outputs, fit


def probabilities_agree(observation: Observation) -> str:
    """The probabilities agree, and are those with the case's weights, which have their place in a
    model with as many parameters as asked for."""
    other = numbers_agree("parameters")(observation)
    if other and not isinstance(observation.received, Failure):
        return absent("probabilities")
    return numbers_agree("probabilities")(observation)


def kind_of_rows(rows: np.ndarray) -> str:
    """Whether an untrained model's rows, whose numbers nobody can know, are distributions."""
    if rows.ndim == 2 and rows.shape[1] == 1:
        return ONE_NUMBER
    are = (rows >= 0).all() and np.allclose(rows.sum(axis=-1), 1, atol=1e-4)
    return DISTRIBUTIONS if are else NO_DISTRIBUTIONS
