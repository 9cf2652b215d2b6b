"""What ``documents.aggregate_chunk_predictions`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from selfcheck.aspects import describe, has_shapes, numbers_agree, rows_sum_to_one
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise, WrongReturn
from selfcheck.texts import say

# --- chunks to documents -------------------------------------------------------------------------


class AggregateChunkPredictions(Exercise):
    """One row of probabilities for each document: the mean of its chunks'."""

    name = "documents.aggregate_chunk_predictions"
    lesson = "05-long-documents"
    section = 5
    axes = {"predictions": ("documents", "classes")}
    aspects = (
        Aspect("predictions has the shape (documents, classes)", 10, ("plain",), has_shapes(axes)),
        Aspect("each row sums to 1", 10, ("plain",), rows_sum_to_one("predictions")),
        Aspect("each row is the mean of its chunks", 30, ("plain",), numbers_agree("predictions")),
        Aspect(
            "chunks come in any order, documents are sorted by number",
            20,
            ("unsorted",),
            numbers_agree("predictions"),
        ),
        Aspect("numbers may be missing", 20, ("gaps",), numbers_agree("predictions")),
        Aspect("a single document is one row", 10, ("one document",), numbers_agree("predictions")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Probabilities (chunks, classes) and the document (chunks,) that a chunk comes from."""
        random = random_state(seed)
        # With two classes, or by accident with three, a row of medians would sum to 1 as well.
        classes = int(random.choice([5, 7, 9]))
        # Documents of different lengths. One has a single chunk; two have more than two chunks, so
        # that their mean is neither the median nor halfway between two.
        chunks = [int(count) for count in random.permutation([1, 2, 3, 5])]
        spaced = np.cumsum(random.randint(2, 9, len(chunks)))
        in_order = np.repeat(np.arange(len(chunks)), chunks)
        ids = {
            "plain": in_order,
            "unsorted": _scattered(random, in_order),
            "gaps": np.repeat(spaced, chunks),
            "one document": np.repeat(int(random.randint(1, 100)), 3 + int(random.randint(4))),
        }
        return tuple(
            Case(
                name,
                {
                    "probabilities": _distributions(random, len(documents), classes),
                    "document_ids": documents,
                },
            )
            for name, documents in ids.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on NumPy arrays, as ``predict`` gives them."""
        predictions = obj(*case.inputs.values())
        if isinstance(predictions, Mapping):
            value = describe(predictions)
            raise WrongReturn(
                say("returned {value}; expected an array (documents, classes)", value=value)
            )
        return {"predictions": predictions}


def _scattered(random: np.random.RandomState, ids: np.ndarray) -> np.ndarray:
    """The ids in an order in which the largest comes first and no two neighbours are equal."""
    while True:
        mixed = random.permutation(ids)
        if mixed[0] == ids.max() and (mixed[1:] != mixed[:-1]).all():
            return mixed


def _distributions(random: np.random.RandomState, rows: int, classes: int) -> np.ndarray:
    """Rows of float32 probabilities that sum to 1."""
    powers = np.exp(random.standard_normal((rows, classes)))
    return (powers / powers.sum(axis=1, keepdims=True)).astype(np.float32)


EXERCISE = AggregateChunkPredictions()
