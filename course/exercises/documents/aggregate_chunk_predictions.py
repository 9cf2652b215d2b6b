"""What ``documents.aggregate_chunk_predictions`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from selfcheck.aspects import describe, equals, has_shapes, numbers_agree, rows_sum_to_one
from selfcheck.exercise import Aspect, Case, Exercise, Observation, WrongReturn
from selfcheck.sampling import random_state
from selfcheck.texts import say

# --- chunks to documents -------------------------------------------------------------------------


_CHANGES = ("unchanged", "changed")
"""What the call may have done to its arguments."""

_shape = has_shapes({"predictions": ("documents", "classes")})


def _unchanged(observation: Observation) -> str:
    """There are predictions, and the arguments are as they were."""
    return _shape(observation) or equals("arguments", ours=_CHANGES)(observation)


class AggregateChunkPredictions(Exercise):
    """One row of probabilities for each document: the mean of its chunks'."""

    name = "documents.aggregate_chunk_predictions"
    lesson = "05-long-documents"
    section = 5
    axes = {"predictions": ("documents", "classes"), "arguments": ()}
    translatable_outputs = _CHANGES
    aspects = (
        Aspect("predictions has the shape (documents, classes)", 10, ("plain",), _shape),
        Aspect(
            "no probability is negative, and each row sums to 1",
            10,
            ("plain",),
            rows_sum_to_one("predictions"),
        ),
        Aspect("each row is the mean of its chunks", 30, ("plain",), numbers_agree("predictions")),
        Aspect(
            "chunks come in any order, documents are sorted by number",
            20,
            ("unsorted",),
            numbers_agree("predictions"),
        ),
        Aspect("numbers may be missing", 15, ("gaps",), numbers_agree("predictions")),
        Aspect(
            "a single document is one row",
            10,
            ("one document", "one chunk", "another chunk"),
            numbers_agree("predictions"),
        ),
        Aspect(
            "predictions has the right shape, and the inputs are not changed",
            5,
            ("plain", "unsorted", "gaps"),
            _unchanged,
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Probabilities (chunks, classes) and the document (chunks,) that a chunk comes from."""
        random = random_state(seed)
        # With two classes, or by accident with three, a row of medians would sum to 1 as well.
        classes = int(random.choice([5, 7, 9]))
        # Documents of different lengths. One has a single chunk; two have more than two chunks, so
        # that their mean is neither the median nor halfway between two.
        chunks = [int(count) for count in random.permutation([1, 2, 3, 5])]
        # Sorted as text, the second one comes first; in a set of Python's, whose places are
        # remainders by 8, the last one does. In one byte, it would be less than the third one.
        spaced = [random.choice(numbers) for numbers in ((2, 5, 7), (11, 14, 19), (42, 67, 99))]
        spaced.append(random.choice((288, 544, 800)))
        in_order = np.repeat(np.arange(len(chunks)), chunks)
        ids = {
            "plain": in_order,
            "unsorted": _scattered(random, in_order),
            "gaps": np.repeat(spaced, chunks),
            "one document": np.repeat(int(random.randint(1, 100)), 16 + int(random.randint(3))),
            "one chunk": np.array([int(random.randint(1, 100))]),
        }
        given = {
            name: _distributions(random, len(documents), 2 if name == "one document" else classes)
            for name, documents in ids.items()
        }
        plain, (one,) = given["plain"], given["one chunk"]
        longest, shorter = (np.flatnonzero(in_order == chunks.index(many)) for many in (5, 3))
        plain[longest[0]] = plain[longest[-1]]
        plain[shorter[1]] = 1 / classes
        given["one document"][1] = 1 / 2
        # What is kept of this chunk is known in the next case, which has it backwards.
        if one[0] < one[-1]:
            one[[0, -1]] = one[[-1, 0]]
        ids["another chunk"], given["another chunk"] = ids["one chunk"], one[None, ::-1].copy()
        first = "one chunk", "another chunk"
        return tuple(
            Case(name, {"probabilities": given[name], "document_ids": ids[name]})
            for name in dict.fromkeys((*first, *ids))
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on NumPy arrays, as ``predict`` gives them."""
        given = [value.copy() for value in case.inputs.values()]
        predictions = obj(*given)
        if isinstance(predictions, Mapping):
            value = describe(predictions)
            raise WrongReturn(
                say("returned {value}; expected an array (documents, classes)", value=value)
            )
        same = all(map(np.array_equal, given, case.inputs.values()))
        return {"predictions": predictions, "arguments": _CHANGES[not same]}


def _scattered(random: np.random.RandomState, ids: np.ndarray) -> np.ndarray:
    """The ids in an order in which the largest comes first and no two neighbours are equal."""
    while True:
        mixed = random.permutation(ids)
        if mixed[0] == ids.max() and (mixed[1:] != mixed[:-1]).all():
            return mixed


def _distributions(random: np.random.RandomState, rows: int, classes: int) -> np.ndarray:
    """Rows of float32 probabilities that sum to 1; the last class is never the most likely one, so
    that an answer that counts votes has to say how many classes there are."""
    powers = np.exp(random.standard_normal((rows, classes)))
    last = powers[:, -1] == powers.max(axis=1)
    powers[last] = powers[last, ::-1]
    return (powers / powers.sum(axis=1, keepdims=True)).astype(np.float32)


EXERCISE = AggregateChunkPredictions()
