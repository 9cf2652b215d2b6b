"""Exercises of ``05-long-documents``: chunks, relative positions, putting chunks together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.aspects import (
    describe,
    equals,
    has_shapes,
    numbers_agree,
    rows_sum_to_one,
)
from course.exercises.attention import LARGE
from course.exercises.base import (
    Aspect,
    Case,
    Exercise,
    Failure,
    Observation,
    WrongReturn,
    different_lengths,
    length_mask,
    normal,
    random_state,
    tensor,
)
from course.exercises.preprocessing import WORDS
from course.texts import say

# --- documents to chunks -------------------------------------------------------------------------


def _read_chunks(observation: Observation) -> tuple[str, list[list[str]]]:
    """Return what is wrong, or "" and the chunks that came back."""
    if isinstance(observation.received, Failure):
        return str(observation.received), []
    chunks = observation.received["chunks"]
    if not isinstance(chunks, list):
        seen = describe(chunks)
        return say("chunks is {seen}; expected a list of lists of tokens", seen=seen), []
    for number, chunk in enumerate(chunks):
        if not isinstance(chunk, list):
            told = say(
                "chunk {number} is {seen}; expected a list of tokens",
                number=number,
                seen=describe(chunk),
            )
            return told, []
        if not all(isinstance(token, str) for token in chunk):
            told = say("chunk {number} holds something else than tokens of the text", number=number)
            return told, []
    return "", chunks


def _span(chunk: list[str]) -> str:
    """A chunk in a few words."""
    if not chunk:
        return say("empty")
    return say(
        "{count} tokens from {first} to {last}",
        count=len(chunk),
        first=repr(chunk[0]),
        last=repr(chunk[-1]),
    )


def _right_starts(observation: Observation) -> str:
    """Every chunk of the text is there and begins where it must, wherever it ends."""
    seen, chunks = _read_chunks(observation)
    if seen:
        return seen
    for number, right in enumerate(observation.expected.outputs["chunks"]):
        if number >= len(chunks):
            return say(
                "there is no chunk {number}; expected one that begins with {token}",
                number=number,
                token=repr(right[0]),
            )
        if chunks[number][:1] != right[:1]:
            return say(
                "chunk {number} is {seen}; expected it to begin at {token}",
                number=number,
                seen=_span(chunks[number]),
                token=repr(right[0]),
            )
    return ""


def _right_chunks(observation: Observation) -> str:
    """The chunks are the expected ones."""
    seen, chunks = _read_chunks(observation)
    if seen:
        return seen
    expected = observation.expected.outputs["chunks"]
    for number, (chunk, right) in enumerate(zip(chunks, expected, strict=False)):
        if chunk != right:
            return say(
                "chunk {number} is {seen}; expected {expected}",
                number=number,
                seen=_span(chunk),
                expected=_span(right),
            )
    if len(chunks) > len(expected):
        return say(
            "there is a chunk {number}, {seen}; expected {number} chunks",
            number=len(expected),
            seen=_span(chunks[len(expected)]),
        )
    if len(chunks) < len(expected):
        return say(
            "there is no chunk {number}; expected one of {expected}",
            number=len(chunks),
            expected=_span(expected[len(chunks)]),
        )
    return ""


class OverlappingChunks(Exercise):
    """A text as chunks of equal size of which neighbours share tokens."""

    name = "documents.overlapping_chunks"
    lesson = "05-long-documents"
    section = 2
    axes = {"chunks": ()}
    aspects = (
        Aspect("chunk k begins at token k·(size - overlap)", 30, ("whole chunks",), _right_starts),
        Aspect(
            "no chunk follows the one that reaches the end of the text",
            20,
            ("whole chunks",),
            _right_chunks,
        ),
        Aspect("the last chunk may be shorter", 20, ("shorter last chunk",), _right_chunks),
        Aspect(
            "the overlap may be nothing, or more than half a chunk",
            10,
            ("no overlap", "large overlap"),
            _right_chunks,
        ),
        Aspect(
            "a text no longer than a chunk is one chunk",
            10,
            ("short text", "less than the overlap", "one whole chunk", "one token apart"),
            _right_chunks,
        ),
        Aspect("a text without tokens has no chunks", 10, ("no tokens",), _right_chunks),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Tokens, the size of a chunk, and the overlap: mostly less than half the size."""
        random = random_state(seed)
        size = int(random.randint(9, 14))
        overlap = int(random.randint(3, (size + 1) // 2))
        large = int(random.randint(size // 2 + 1, size - 1))
        own = size - overlap  # tokens that a chunk does not share with the one before it
        more = [int(count) for count in random.randint(2, 5, 4)]
        # So few that a chunk after this last one would begin after the end of the text: chunks
        # too many are the matter of the other cases.
        rest = int(random.randint(1, own - overlap + 1))
        lengths = {
            "whole chunks": (size + more[0] * own, overlap),
            "shorter last chunk": (size + more[1] * own + rest, overlap),
            "no overlap": (min(more[2], 3) * size, 0),
            "large overlap": (size + more[3] * (size - large), large),
            "short text": (int(random.randint(own + 1, size)), overlap),
            "less than the overlap": (int(random.randint(1, overlap)), overlap),
            "one whole chunk": (size, overlap),
            "one token apart": (size, size - 1),
            "no tokens": (0, overlap),
        }
        order = random.permutation(len(WORDS))
        return tuple(
            Case(
                name,
                {
                    "tokens": [WORDS[int(index)] for index in order[:length]],
                    "size": size,
                    "overlap": shared,
                },
            )
            for name, (length, shared) in lengths.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a list of tokens; tuples serve as lists."""
        tokens, size, overlap = case.inputs.values()
        chunks = obj(list(tokens), size, overlap)
        if isinstance(chunks, list | tuple):
            chunks = [list(chunk) if isinstance(chunk, tuple) else chunk for chunk in chunks]
        return {"chunks": chunks}


# --- relative positions --------------------------------------------------------------------------

_NO_NUMBERS = "no numbers"
_KINDS = {"i": "integers", "u": "integers", "f": "floats"}

ENTRIES = (*dict.fromkeys(_KINDS.values()), _NO_NUMBERS)
"""What an array may consist of."""


def _entries(index: Any) -> str:
    """What an array consists of."""
    try:
        return _KINDS.get(np.asarray(index).dtype.kind, _NO_NUMBERS)
    except ValueError:  # lists of different lengths
        return _NO_NUMBERS


_index_shape = has_shapes({"index": ("queries", "keys")})


def _integers(observation: Observation) -> str:
    """The index has its shape and consists of integers."""
    return _index_shape(observation) or equals("entries", ours=ENTRIES)(observation)


class RelativePositionIndex(Exercise):
    """Which row of the table of distances belongs to a query and a key."""

    name = "documents.relative_position_index"
    lesson = "05-long-documents"
    section = 3
    axes = {"index": ("queries", "keys"), "entries": ()}
    aspects = (
        Aspect("index has the shape (queries, keys)", 10, ("more keys",), _index_shape),
        Aspect("the entries are integers", 10, ("more keys",), _integers),
        Aspect(
            "distances count from the query to the key, and the least is row 0",
            50,
            ("more keys", "more queries"),
            numbers_agree("index"),
        ),
        Aspect(
            "distances beyond the table get its first or last row",
            30,
            ("far apart", "table of one row"),
            numbers_agree("index"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Numbers of queries and keys, and the number of distances in one direction."""
        random = random_state(seed)
        few, many, longer = sorted(int(size) for size in random.permutation(np.arange(3, 13))[:3])
        far = [int(size) for size in random.permutation(np.arange(7, 12))[:2]]
        alone = [int(size) for size in random.permutation(np.arange(2, 9))[:2]]
        inputs = {
            "more keys": (few, many, longer),
            "far apart": (*far, int(random.randint(3, 6))),
            "more queries": (many, few, longer),
            "table of one row": (*alone, 1),
        }
        names = ("query_length", "key_length", "max_length")
        return tuple(
            Case(name, dict(zip(names, sizes, strict=True))) for name, sizes in inputs.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on three integers."""
        index = obj(*case.inputs.values())
        return {"index": index, "entries": _entries(index)}


class RelativePositionSelfAttention(Exercise):
    """A layer: multi-head self-attention whose logits know how far apart two tokens are."""

    name = "documents.relative_position_self_attention"
    lesson = "05-long-documents"
    section = 4
    builds = True
    axes = {"output": ("batch", "time", "hidden_size")}
    input_axes = {"inputs": ("batch", "time", "hidden_size")}
    aspects = (
        Aspect("output has the shape (batch, time, hidden_size)", 5, ("plain",), has_shapes(axes)),
        Aspect(
            "tokens that are all equal stay so, whatever their weights",
            10,
            ("equal tokens",),
            numbers_agree("output"),
        ),
        Aspect(
            "with a table of zeros it is multi-head self-attention",
            15,
            ("table of zeros",),
            numbers_agree("output"),
        ),
        Aspect(
            "queries meet the distances: q·a, scaled",
            15,
            ("keys of zeros",),
            numbers_agree("output"),
        ),
        Aspect(
            "keys meet the distances: k·a, scaled",
            15,
            ("queries of zeros",),
            numbers_agree("output"),
        ),
        Aspect("all three terms add up", 10, ("plain",), numbers_agree("output")),
        Aspect(
            "far distances share the first and the last row of the table",
            10,
            ("far apart",),
            numbers_agree("output"),
        ),
        Aspect("padded tokens are not attended to", 10, ("padding mask",), numbers_agree("output")),
        Aspect(
            "a fully padded sample stays finite and the others stay right",
            5,
            ("padded sample",),
            numbers_agree("output"),
        ),
        Aspect("large logits stay finite and right", 5, ("large logits",), numbers_agree("output")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Inputs (batch, time, hidden_size), kernels, a table (2·max_length - 1, depth), masks."""
        random = random_state(seed)
        batch, heads = (int(size) for size in random.permutation([2, 3]))
        time, depth = (int(size) for size in random.permutation([4, 7]))
        size, max_length = heads * depth, time + int(random.randint(1, 3))
        inputs: dict[str, Any] = {
            "inputs": normal(random, batch, time, size),
            "num_heads": heads,
            "max_length": max_length,
            "mask": None,
        }
        for name in ("query", "key", "value", "output"):
            # Entries of variance 1/size keep the projections at the scale of the inputs.
            inputs[f"{name}_kernel"] = normal(random, size, size) / np.float32(np.sqrt(size))
        table = normal(random, 2 * max_length - 1, depth)
        inputs["distance_embedding"] = table
        # No other axis has five entries.
        far = {"max_length": 3, "distance_embedding": normal(random, 5, depth)}
        equal, nothing = inputs["inputs"][:, :1], np.zeros((size, size), np.float32)
        lengths = different_lengths(random, batch, time)
        padding = length_mask(lengths, time)
        one_padded = length_mask([0, *lengths[1:]], time)
        return (
            Case("plain", inputs),
            Case("equal tokens", inputs | {"inputs": np.repeat(equal, time, axis=1)}),
            Case("table of zeros", inputs | {"distance_embedding": np.zeros_like(table)}),
            Case("keys of zeros", inputs | {"key_kernel": nothing}),
            Case("queries of zeros", inputs | {"query_kernel": nothing}),
            Case("far apart", inputs | far),
            Case("padding mask", inputs | {"mask": padding}, _padded_queries(padding, size)),
            Case("padded sample", inputs | {"mask": one_padded}, _padded_queries(one_padded, size)),
            Case("large logits", inputs | _large_logits(inputs, depth)),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the layer, give it the case's kernels (biases 0) and table, call it."""
        inputs = tensor(case.inputs["inputs"])
        layer = obj(inputs.shape[-1], case.inputs["num_heads"], case.inputs["max_length"])
        layer(inputs)
        kernels = {
            f"{role}_linear.kernel": case.inputs[f"{role}_kernel"]
            for role in ("query", "key", "value", "output")
        }
        table = {"distance_embedding.embeddings": case.inputs["distance_embedding"]}
        weights.assign(layer, kernels | table)
        mask = tensor(case.inputs["mask"])
        return {"output": layer(inputs) if mask is None else layer(inputs, mask=mask)}


def _large_logits(inputs: Mapping[str, Any], depth: int) -> dict[str, np.ndarray]:
    """Inputs that raise every logit by the product of ``LARGE``, before scaling.

    The first feature of every head's queries and keys has one value everywhere; that of the
    distances is 0, so that softmax does not change.
    """
    tokens, table = inputs["inputs"].copy(), inputs["distance_embedding"].copy()
    tokens[..., 0], table[:, 0] = 1.0, 0.0
    changed = {"inputs": tokens, "distance_embedding": table}
    for role, feature in zip(("query", "key"), LARGE, strict=True):
        kernel = inputs[f"{role}_kernel"].copy()
        kernel[:, ::depth] = 0.0
        kernel[0, ::depth] = feature
        changed[f"{role}_kernel"] = kernel
    return changed


def _padded_queries(mask: np.ndarray, size: int) -> dict[str, np.ndarray]:
    """Where right answers differ: what a padded token's own output is, nobody reads."""
    return {"output": np.repeat(~mask[:, :, None], size, axis=2)}


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
            "chunks come in any order, documents go by their numbers",
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
        # Documents of different length: one with a single chunk, others with more than two, for
        # which the mean is neither the median nor halfway between two.
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
        probabilities, documents = (values.copy() for values in case.inputs.values())
        predictions = obj(probabilities, documents)
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


EXERCISES = (
    OverlappingChunks(),
    RelativePositionIndex(),
    RelativePositionSelfAttention(),
    AggregateChunkPredictions(),
)
