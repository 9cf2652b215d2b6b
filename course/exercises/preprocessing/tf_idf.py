"""What ``preprocessing.tf_idf`` asks for, and what is judged."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.preprocessing.common import Documents, dense, remembers_nothing
from selfcheck.aspects import as_array, comparable, has_shapes, in_code
from selfcheck.exercise import Aspect, Case, Observation
from selfcheck.texts import say

_AXES = {"weights": ("documents", "vocabulary")}


def _rows_of_length_one(observation: Observation) -> str:
    """The squares of each row sum to 1."""
    seen = comparable(_AXES)(observation)
    if seen:
        return seen
    for row, weights in enumerate(as_array(observation.received["weights"]).astype(np.float64)):
        squares = float(weights @ weights)
        if not abs(squares - 1) < 1e-5:
            return say(
                "the squares in row {row} of `weights` sum to {sum}; expected 1",
                row=row,
                sum=f"{squares:.4g}",
            )
    return ""


def _right_proportions(observation: Observation) -> str:
    """The weights of each row stand to each other as they should, whatever the row's length."""
    seen = comparable(_AXES)(observation)
    if seen:
        return seen
    weights = as_array(observation.received["weights"]).astype(np.float64)
    # The factor that brings a row nearest to the expected one.
    factors = np.einsum("ij,ij->i", weights, observation.expected.outputs["weights"])
    scaled = [row / factor if factor else row for row, factor in zip(weights, factors, strict=True)]
    return _weights_finding(observation, np.stack(scaled), say("`weights` (ignoring row lengths)"))


def _right_weights(observation: Observation) -> str:
    """All weights are right."""
    seen = comparable(_AXES)(observation)
    if seen:
        return seen
    weights = as_array(observation.received["weights"]).astype(np.float64)
    return _weights_finding(observation, weights, in_code("weights"))


def _weights_finding(observation: Observation, weights: np.ndarray, what: str) -> str:
    """The first wrong weight. The largest error would do as well, but many are equally large."""
    expected = observation.expected.outputs["weights"]
    wrong = np.argwhere(~(np.abs(weights - expected) <= observation.expected.tolerance["weights"]))
    if not wrong.size:
        return ""
    row, column = wrong[0]
    return say(
        "{what} has {weight} at [{row}, {column}]; expected {expected}",
        what=what,
        weight=f"{weights[row, column]:.4g}",
        row=row,
        column=column,
        expected=f"{expected[row, column]:.4g}",
    )


class TfIdf(Documents):
    """TF-IDF as scikit-learn defines it: smoothed, rows of length 1."""

    name = "preprocessing.tf_idf"
    section = 8
    axes = {**_AXES, "remembered": ()}
    aspects = (
        Aspect(
            "weights has the shape (documents, vocabulary)",
            10,
            ("plain", "one document"),
            has_shapes(_AXES),
        ),
        Aspect(
            "the words in a document have the right relative weights",
            30,
            ("plain", "words inside others", "equal documents"),
            remembers_nothing(_right_proportions),
        ),
        Aspect("each row has length 1", 15, ("plain",), _rows_of_length_one),
        Aspect("repeated words get more weight", 15, ("repeated",), _right_weights),
        Aspect(
            "a word in all documents keeps some weight",
            10,
            ("word in all documents", "one document"),
            _right_weights,
        ),
        Aspect(
            "short, hyphenated and capitalised tokens are counted unchanged",
            10,
            ("unusual tokens",),
            _right_weights,
        ),
        Aspect("an empty document is a row of zeros", 10, ("empty document",), _right_weights),
    )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a list of lists of tokens."""
        if case.name != "empty document":
            return super().call(obj, case)
        with warnings.catch_warnings():
            # Numbers that NumPy leaves uninitialised are the row's zeros only by chance.
            warnings.filterwarnings("error", "'where' used without 'out'")
            return super().call(obj, case)

    def _outputs(self, result: Any) -> Mapping[str, Any]:
        return {"weights": dense(result)}


EXERCISE = TfIdf()
