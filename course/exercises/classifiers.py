"""What exercises that build a classifier share: how the model is asked, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.weights import WrongWeights, tensor
from selfcheck import WrongReturn
from selfcheck.aspects import describe
from selfcheck.texts import say

DISTRIBUTIONS = "distributions over the classes"
NO_DISTRIBUTIONS = "not distributions: some numbers are negative, or they don't sum to 1"
ONE_NUMBER = "one number for each text, not one for each class"
THE_SAME = "the same for every text"
_ROUNDING = 1e-6
ROWS = DISTRIBUTIONS, NO_DISTRIBUTIONS, ONE_NUMBER, THE_SAME
"""What rows may be."""

AXES = {
    "untrained": ("batch", "num_classes"),
    "probabilities": ("batch", "num_classes"),
    "parameters": ("count",),
    "rows": (),
}
"""The axes of what ``outputs_of`` returns."""


def outputs_of(model: Any, ids: np.ndarray, values: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Call a model as it is, and then with the case's weights.

    A model that has no place for these weights is judged without them.

    Args:
        model: what the student's function returned.
        ids: (batch, length).
        values: the weights, in order of creation; none of their names leads into a model.

    Returns:
        untrained, probabilities: (batch, num_classes), zeros instead of what comes out without the
        case's weights, and what comes out with them;
        parameters: (1,), how many numbers are learned; rows: what the untrained rows are, also
        whether they are the same for every text if the case's weights don't fit.

    Raises:
        WrongReturn: when it is no model.
    """
    if not callable(model):
        raise WrongReturn(say("returned {value}; expected a model", value=describe(model)))
    given = tensor(ids)
    untrained = np.array(model(given))
    parameters = int(sum(np.prod(weight.shape) for weight in model.trainable_weights))
    outputs = {
        # Nobody can know its numbers.
        "untrained": 0 * untrained,
        "rows": kind_of_rows(untrained),
        "parameters": np.array([parameters]),
    }
    try:
        weights.assign(model, values)
        outputs["probabilities"] = model(given)
    except WrongWeights:
        # Nothing else tells whether it reads the texts.
        texts_differ = np.ptp(ids, axis=0).any()
        if texts_differ and untrained.ndim and (np.ptp(untrained, axis=0) < _ROUNDING).all():
            outputs["rows"] = THE_SAME
    return outputs


def kind_of_rows(rows: np.ndarray) -> str:
    """Whether an untrained model's rows, whose numbers nobody can know, are distributions."""
    if rows.ndim == 2 and rows.shape[1] == 1:
        return ONE_NUMBER
    are = (rows >= 0).all() and np.allclose(rows.sum(axis=-1), 1, atol=1e-4)
    return DISTRIBUTIONS if are else NO_DISTRIBUTIONS
