"""What people get wrong about chunks and relative positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any

import numpy as np

from autograder.misconceptions.bank import Bank
from autograder.reference.attention import combine_heads, separate_heads, softmax, transposed
from autograder.reference.documents import (
    aggregate_chunk_predictions,
    distances,
    overlapping_chunks,
)

bank = Bank("documents")

Outputs = Mapping[str, Any]

# --- overlapping_chunks --------------------------------------------------------------------------


def _cut(tokens: list[str], starts: range, size: int) -> Outputs:
    return {"chunks": [tokens[start : start + size] for start in starts]}


def _starts(tokens: list[str], size: int, step: int) -> range:
    """Where chunks begin when the next one begins a step later, up to the end of the text."""
    return range(0, max(len(tokens) - size + step, 1) if tokens else 0, step)


@bank.add(
    "overlapping_chunks",
    "A chunk begins wherever there are tokens left, even when the one before has reached the end: "
    "what would it add that was not read yet?",
)
def chunks_after_the_last(tokens, size, overlap):
    return _cut(tokens, range(0, len(tokens), size - overlap), size)


@bank.add(
    "overlapping_chunks",
    "One chunk too many: the one before ends exactly where the text ends. Reaching the end is "
    "enough, it need not be passed.",
)
def end_must_be_passed(tokens, size, overlap):
    step = size - overlap
    return _cut(
        tokens, range(0, max(len(tokens) - size + step + 1, 1) if tokens else 0, step), size
    )


@bank.add(
    "overlapping_chunks",
    "The overlap was not used: the chunks lie side by side.",
)
def side_by_side(tokens, size, overlap):
    return _cut(tokens, _starts(tokens, size, size), size)


@bank.add(
    "overlapping_chunks",
    "The chunks begin as many tokens apart as they should share: how far is it from one beginning "
    "to the next?",
)
def overlap_as_step(tokens, size, overlap):
    return _cut(tokens, _starts(tokens, size, overlap), size)


@bank.add(
    "overlapping_chunks",
    "The overlap was added to the step: the tokens between two chunks are never read.",
)
def tokens_skipped(tokens, size, overlap):
    return _cut(tokens, range(0, len(tokens), size + overlap), size)


@bank.add(
    "overlapping_chunks",
    "The chunks lie side by side and reach over into the next one: they are longer than they may "
    "be.",
)
def reaching_into_the_next(tokens, size, overlap):
    return _cut(tokens, range(0, len(tokens), size), size + overlap)


@bank.add(
    "overlapping_chunks",
    "The chunks lie side by side and reach back into the one before: they are longer than they may "
    "be.",
)
def reaching_into_the_one_before(tokens, size, overlap):
    starts = range(0, len(tokens), size)
    return {"chunks": [tokens[max(start - overlap, 0) : start + size] for start in starts]}


@bank.add(
    "overlapping_chunks",
    "Only whole chunks were kept: the end of the text is lost, and so is a short text.",
)
def whole_chunks_only(tokens, size, overlap):
    return _cut(tokens, range(0, len(tokens) - size + 1, size - overlap), size)


@bank.add(
    "overlapping_chunks",
    "Tokens that fill no whole chunk were dropped: the last chunk may be shorter.",
)
def end_of_the_text_lost(tokens, size, overlap):
    stop = max(len(tokens) - size + 1, 1) if tokens else 0
    return _cut(tokens, range(0, stop, size - overlap), size)


@bank.add(
    "overlapping_chunks",
    "The last chunk was moved back until it was full: it begins where the others' step puts it and "
    "may be shorter.",
)
def last_chunk_moved_back(tokens, size, overlap):
    chunks = overlapping_chunks(tokens, size, overlap)["chunks"]
    return {"chunks": [*chunks[:-1], tokens[-size:]] if chunks else []}


@bank.add(
    "overlapping_chunks",
    "The last chunk was filled up: padding is the matter of a later step.",
)
def last_chunk_filled_up(tokens, size, overlap):
    chunks = overlapping_chunks(tokens, size, overlap)["chunks"]
    return {"chunks": [chunk + [""] * (size - len(chunk)) for chunk in chunks]}


@bank.add(
    "overlapping_chunks",
    "A text that is no longer than the overlap came back without a chunk: it has tokens to read.",
)
def short_text_lost(tokens, size, overlap):
    return _cut(tokens, range(0, len(tokens) - overlap, size - overlap), size)


@bank.add(
    "overlapping_chunks",
    "A text without tokens gave an empty chunk: what would a model read in it?",
)
def empty_chunk(tokens, size, overlap):
    return {"chunks": overlapping_chunks(tokens, size, overlap)["chunks"] or [[]]}


@bank.add(
    "overlapping_chunks",
    "Each chunk is one token too short: a slice ends before its second number.",
)
def one_token_short(tokens, size, overlap):
    return _cut(tokens, _starts(tokens, size, size - overlap), size - 1)


@bank.add(
    "overlapping_chunks",
    "The tokens of a chunk were joined to one text: a chunk is a list of tokens, as the text was.",
)
def chunks_joined(tokens, size, overlap):
    chunks = overlapping_chunks(tokens, size, overlap)["chunks"]
    return {"chunks": [" ".join(chunk) for chunk in chunks]}


# --- relative_position_index ---------------------------------------------------------------------

Index = Callable[[int, int, int], np.ndarray]


def _clipped(distance: np.ndarray, max_length: int) -> np.ndarray:
    return np.clip(distance, 1 - max_length, max_length - 1)


def _index(hint: str) -> Callable[[Index], Index]:
    """Register what computes an index."""

    def register(variant: Index) -> Index:
        def answer(query_length, key_length, max_length):
            return {"index": variant(query_length, key_length, max_length), "entries": "integers"}

        answer.__name__ = variant.__name__
        bank.add("relative_position_index", hint)(answer)
        return variant

    return register


@_index("The distance was taken the other way round: it counts from the query to the key.")
def distance_reversed(query_length, key_length, max_length):
    return _clipped(-distances(query_length, key_length), max_length) + max_length - 1


@_index("Distances beyond the table were not clipped: they point outside its rows.")
def not_clipped(query_length, key_length, max_length):
    return distances(query_length, key_length) + max_length - 1


@_index(
    "The distances were not shifted: a row's number cannot be negative, and which distance is the "
    "first row's?"
)
def not_shifted(query_length, key_length, max_length):
    return _clipped(distances(query_length, key_length), max_length)


@_index("The shift is one too large: the least distance must get row 0.")
def shifted_too_far(query_length, key_length, max_length):
    return _clipped(distances(query_length, key_length), max_length) + max_length


@_index(
    "One distance too many was kept in each direction: count the rows that this needs, from the "
    "least distance to the greatest."
)
def table_too_large(query_length, key_length, max_length):
    distance = np.clip(distances(query_length, key_length), -max_length, max_length)
    return distance + max_length


@_index("The bounds for clipping are one too wide: the outermost rows do not exist.")
def bounds_too_wide(query_length, key_length, max_length):
    distance = np.clip(distances(query_length, key_length), -max_length, max_length)
    return distance + max_length - 1


@_index("The distances were shifted before they were clipped: then the bounds are shifted as well.")
def clipped_after_the_shift(query_length, key_length, max_length):
    return _clipped(distances(query_length, key_length) + max_length - 1, max_length)


@_index("Keys far behind the query were clipped, those far before it were not, or the reverse.")
def clipped_on_one_side(query_length, key_length, max_length):
    return np.minimum(distances(query_length, key_length), max_length - 1) + max_length - 1


@_index("The sign was lost: a key before the query is not where a key after it is.")
def sign_lost(query_length, key_length, max_length):
    return np.minimum(np.abs(distances(query_length, key_length)), max_length - 1)


@_index(
    "The sign was lost before the shift, and half of the table is never used: a key before the "
    "query is not where a key after it is."
)
def sign_lost_and_shifted(query_length, key_length, max_length):
    return sign_lost(query_length, key_length, max_length) + max_length - 1


@_index("The axes are swapped: each row belongs to a query, each column to a key.")
def axes_swapped(query_length, key_length, max_length):
    return (_clipped(distances(query_length, key_length), max_length) + max_length - 1).T


@_index("The number of queries served for both axes: keys have a number of their own.")
def queries_for_keys(query_length, key_length, max_length):
    return _clipped(distances(query_length, query_length), max_length) + max_length - 1


@bank.add(
    "relative_position_index",
    "The numbers are right but they are floats: rows of a table are looked up by integers.",
)
def floats(query_length, key_length, max_length):
    index = _clipped(distances(query_length, key_length), max_length) + max_length - 1
    return {"index": index, "entries": "floats"}


# --- relative_position_self_attention ------------------------------------------------------------


def _rows(query_length: int, key_length: int, max_length: int) -> np.ndarray:
    """The right index."""
    return _clipped(distances(query_length, key_length), max_length) + max_length - 1


def _three_terms(query: np.ndarray, key: np.ndarray, a: np.ndarray) -> np.ndarray:
    """The right logits: queries and keys (B, H, T, d), distances a (T, T, d) -> (B, H, T, T)."""
    query_term = np.einsum("bhid,ijd->bhij", query, a)
    key_term = np.einsum("bhjd,ijd->bhij", key, a)
    return (query @ transposed(key) + query_term + key_term) / np.sqrt(query.shape[-1])


def _normalised(logits: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """The right weights, but even and finite where nothing is kept, so that a variant differs by
    its own mistake alone."""
    return softmax(np.where(kept, logits, -1e9))


def _layer(
    inputs: np.ndarray,
    num_heads: int,
    max_length: int,
    query_kernel: np.ndarray,
    key_kernel: np.ndarray,
    value_kernel: np.ndarray,
    output_kernel: np.ndarray,
    distance_embedding: np.ndarray,
    mask: np.ndarray | None = None,
    *,
    rows: Index = _rows,
    terms: Callable[..., np.ndarray] = _three_terms,
    normalise: Callable[[np.ndarray, np.ndarray], np.ndarray] = _normalised,
    gather: Callable[..., np.ndarray] = lambda weights, value, a: weights @ value,
) -> Outputs:
    """The right layer but for one of its parts."""
    query, key, value = (
        separate_heads(inputs @ kernel, num_heads)
        for kernel in (query_kernel, key_kernel, value_kernel)
    )
    time = inputs.shape[1]
    # Keras counts negative rows from the end of a table, as NumPy does.
    a = distance_embedding[rows(time, time, max_length)]
    kept = np.ones((len(inputs), time), bool) if mask is None else mask
    weights = normalise(terms(query, key, a), kept[:, None, None, :])
    return {"output": combine_heads(gather(weights, value, a)) @ output_kernel}


def _with(hint: str, name: str, **parts: Callable) -> None:
    """Register a layer that is right but for the given parts."""

    def layer(**inputs):
        return _layer(**inputs, **parts)

    layer.__name__ = name
    bank.add("relative_position_self_attention", hint)(layer)


_INHERITED = "The index of the task before has this mistake, which the layer inherits: "
_with(
    _INHERITED + "distances are taken from the key to the query.",
    "distance_reversed",
    rows=distance_reversed,
)
_with(_INHERITED + "far distances are not clipped.", "not_clipped", rows=not_clipped)
_with(
    _INHERITED + "distances are not shifted, and negative rows count from the table's end.",
    "not_shifted",
    rows=not_shifted,
)
_with(_INHERITED + "the shift is one too large.", "shifted_too_far", rows=shifted_too_far)
_with(_INHERITED + "the sign of the distances is lost.", "sign_lost", rows=sign_lost)
_with(
    _INHERITED + "the sign of the distances is lost before the shift.",
    "sign_lost_and_shifted",
    rows=sign_lost_and_shifted,
)


def _terms(name: str, hint: str) -> Callable[[Callable], Callable]:
    """Register a layer with other logits."""

    def register(terms: Callable) -> Callable:
        _with(hint, name, terms=terms)
        return terms

    return register


@_terms("no_scaling", "The logits were not scaled: the root of the depth is missing.")
def _unscaled(query, key, a):
    return _three_terms(query, key, a) * np.sqrt(query.shape[-1])


@_terms("divided_by_depth", "The logits were divided by the depth itself, not by its root.")
def _divided_by_depth(query, key, a):
    return _three_terms(query, key, a) / np.sqrt(query.shape[-1])


@_terms(
    "scaled_by_hidden_size",
    "The logits were scaled by the root of hidden_size: inside a head, vectors have the depth of "
    "one head.",
)
def _scaled_by_hidden_size(query, key, a):
    return _three_terms(query, key, a) / np.sqrt(query.shape[1])


@_terms(
    "distances_not_scaled",
    "Only q·k was scaled: the two terms with the distances belong to the logits as well.",
)
def _distances_not_scaled(query, key, a):
    root = np.sqrt(query.shape[-1])
    return _three_terms(query, key, root * a)


@_terms("no_query_term", "The queries do not meet the distances: the term q·a is missing.")
def _no_query_term(query, key, a):
    return _three_terms(query, key, a) - _three_terms(query, 0 * key, a)


@_terms("no_key_term", "The keys do not meet the distances: the term k·a is missing.")
def _no_key_term(query, key, a):
    return _three_terms(query, key, a) - _three_terms(0 * query, key, a)


@_terms("no_distances", "The distances were not used: this is the attention of the lesson before.")
def _no_distances(query, key, a):
    return _three_terms(query, key, 0 * a)


@_terms("no_dot_product", "Queries and keys no longer meet each other: the term q·k is missing.")
def _no_dot_product(query, key, a):
    return _three_terms(query, 0 * key, a) + _three_terms(0 * query, key, a)


@_terms(
    "keys_at_the_query",
    "The term k·a took the key at the query's own position: its key is the one that the logit "
    "belongs to.",
)
def _keys_at_the_query(query, key, a):
    other = np.einsum("bhid,ijd->bhij", key, a) / np.sqrt(query.shape[-1])
    return _no_key_term(query, key, a) + other


@_terms(
    "key_term_reversed",
    "The term k·a took the distance from the key to the query: all terms of a logit speak of the "
    "same distance.",
)
def _key_term_reversed(query, key, a):
    other = np.einsum("bhjd,jid->bhij", key, a) / np.sqrt(query.shape[-1])
    return _no_key_term(query, key, a) + other


@_terms(
    "query_twice",
    "The queries met the distances in both terms: the second is for the keys.",
)
def _query_twice(query, key, a):
    return _no_key_term(query, key, 2 * a)


@_terms("mean_of_terms", "The three terms were averaged: they add up.")
def _mean_of_terms(query, key, a):
    return _three_terms(query, key, a) / 3


def _softmax_over_queries(logits: np.ndarray, kept: np.ndarray) -> np.ndarray:
    return softmax(np.where(kept, logits, -1e9), axis=-2)


def _unstable(logits: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """softmax without the shift, as float32 computes it."""
    powers = np.exp(np.where(kept, logits, -1e9).astype(np.float32))
    return powers / powers.sum(axis=-1, keepdims=True)


_with(
    "The softmax runs over the queries: for each query, the weights of the keys must sum to 1.",
    "softmax_over_queries",
    normalise=_softmax_over_queries,
)
_with(
    "The logits themselves served as weights: a softmax is missing.",
    "no_softmax",
    normalise=lambda logits, kept: np.where(kept, logits, -1e9),
)
_with("The exponentials overflow for large logits: use a stable softmax.", "unstable_softmax",
      normalise=_unstable)  # fmt: skip
_with(
    "The padding mask is not used: padding still receives weight.",
    "mask_ignored",
    normalise=lambda logits, kept: softmax(logits),
)
_with(
    "The mask is read the other way round: True is a token, False is padding.",
    "mask_inverted",
    normalise=lambda logits, kept: _normalised(logits, ~kept | kept.all()),
)
_with(
    "The mask makes the logits of padding 0, and the softmax gives a logit of 0 a weight.",
    "mask_multiplied",
    normalise=lambda logits, kept: softmax(logits * kept),
)
_with(
    "The mask comes after the softmax, so that the remaining weights no longer sum to 1.",
    "mask_after_softmax",
    normalise=lambda logits, kept: softmax(logits) * kept,
)
_with(
    "Logits of padding become minus infinity, and a sample that is all padding has nothing left to "
    "divide by: use a large negative number.",
    "minus_infinity",
    normalise=lambda logits, kept: softmax(np.where(kept, logits, -np.inf)),
)
_with(
    "The mask hides the queries' axis: it is the keys that must not be attended to.",
    "mask_on_queries",
    normalise=lambda logits, kept: _normalised(logits, np.swapaxes(kept, -1, -2)),
)
_with(
    "The distances were added to the values as well: here they only change the logits.",
    "distances_in_values",
    gather=lambda weights, value, a: weights @ value + np.einsum("bhij,ijd->bhid", weights, a),
)


@bank.add(
    "relative_position_self_attention",
    "The terms with the distances were added after the softmax: they belong to the logits.",
)
def distances_after_softmax(**inputs):
    added = []

    def terms(query, key, a):
        added.append(_three_terms(query, key, a) - _no_distances(query, key, a))
        return _no_distances(query, key, a)

    def normalise(logits, kept):
        return _normalised(logits, kept) + added[0]

    return _layer(**inputs, terms=terms, normalise=normalise)


@bank.add(
    "relative_position_self_attention",
    "The heads were combined but not projected: output_linear is missing.",
)
def no_output_projection(output_kernel, **inputs):
    return _layer(output_kernel=np.eye(len(output_kernel)), **inputs)


@bank.add(
    "relative_position_self_attention",
    "The values were not projected: value_linear is missing.",
)
def no_value_projection(value_kernel, **inputs):
    return _layer(value_kernel=np.eye(len(value_kernel)), **inputs)


@bank.add(
    "relative_position_self_attention",
    "The weights met the keys in the place of the values.",
)
def keys_as_values(value_kernel, key_kernel, **inputs):
    return _layer(value_kernel=key_kernel, key_kernel=key_kernel, **inputs)


@bank.add(
    "relative_position_self_attention",
    "The inputs were added to the output: the residual connection belongs around the layer.",
)
def residual_inside(inputs, **rest):
    return {"output": _layer(inputs, **rest)["output"] + inputs}


# --- aggregate_chunk_predictions -----------------------------------------------------------------


def _each_document(
    probabilities: np.ndarray,
    document_ids: np.ndarray,
    combine: Callable[[np.ndarray], np.ndarray],
) -> Outputs:
    """The right answer but for how the chunks of a document are combined."""
    rows = [
        combine(probabilities[document_ids == document]) for document in np.unique(document_ids)
    ]
    return {"predictions": np.stack(rows)}


def _pairwise(chunks: np.ndarray) -> np.ndarray:
    mean = chunks[0]
    for chunk in chunks[1:]:
        mean = (mean + chunk) / 2
    return mean


def _share_of_votes(chunks: np.ndarray) -> np.ndarray:
    return np.eye(chunks.shape[1])[chunks.argmax(axis=1)].mean(axis=0)


def _product(chunks: np.ndarray) -> np.ndarray:
    product = chunks.prod(axis=0)
    return product / product.sum()


def _combined(name: str, hint: str, combine: Callable[[np.ndarray], np.ndarray]) -> None:
    """Register another way to combine the chunks of a document."""

    def answer(probabilities, document_ids):
        return _each_document(probabilities, document_ids, combine)

    answer.__name__ = name
    bank.add("aggregate_chunk_predictions", hint)(answer)


_combined(
    "sums",
    "The chunks of a document were added up but not divided by their number: long documents get "
    "more than 1 in all.",
    lambda chunks: chunks.sum(axis=0),
)
_combined(
    "largest",
    "The largest probability of a class was taken over the chunks: then the classes no longer sum "
    "to 1.",
    lambda chunks: chunks.max(axis=0),
)
_combined(
    "median",
    "The median of the chunks was taken: the mean is asked.",
    lambda chunks: np.median(chunks, axis=0),
)
_combined(
    "votes",
    "Each chunk voted for one class: how sure it was is lost.",
    _share_of_votes,
)
_combined(
    "product",
    "The probabilities of the chunks were multiplied: the mean is asked.",
    _product,
)
_combined(
    "averaged_in_pairs",
    "Each new chunk was averaged with the mean so far, so that the last one counts half: all "
    "chunks count alike.",
    _pairwise,
)
_combined("first_chunk_only", "Only a document's first chunk was used.", lambda chunks: chunks[0])
_combined(
    "last_chunk_only",
    "Only a document's last chunk was used: each one overwrites the one before.",
    lambda chunks: chunks[-1],
)
_combined(
    "averaged_over_classes",
    "The mean ran over the classes as well: a document keeps one probability for each of them.",
    lambda chunks: chunks.mean(),
)
_combined(
    "classes_returned",
    "The likeliest class came back: the probabilities themselves are asked.",
    lambda chunks: chunks.mean(axis=0).argmax(),
)


@bank.add(
    "aggregate_chunk_predictions",
    "The documents came back in the order in which they first appear: their numbers must ascend.",
)
def order_of_appearance(probabilities, document_ids):
    first = np.sort(np.unique(document_ids, return_index=True)[1])
    rows = [probabilities[document_ids == document_ids[chunk]].mean(axis=0) for chunk in first]
    return {"predictions": np.stack(rows)}


@bank.add(
    "aggregate_chunk_predictions",
    "Only neighbouring chunks were put together: those of one document may be far apart.",
)
def neighbours_only(probabilities, document_ids):
    rows, chunk = [], 0
    for _, run in groupby(document_ids):
        length = len(list(run))
        rows.append(probabilities[chunk : chunk + length].mean(axis=0))
        chunk += length
    return {"predictions": np.stack(rows)}


@bank.add(
    "aggregate_chunk_predictions",
    "Numbers that no chunk has got a row as well: only the documents that are there have one.",
)
def rows_for_missing_documents(probabilities, document_ids):
    totals = np.zeros((document_ids.max() + 1, probabilities.shape[1]))
    np.add.at(totals, document_ids, probabilities)
    chunks = np.bincount(document_ids)
    return {"predictions": totals / np.maximum(chunks, 1)[:, None]}


@bank.add(
    "aggregate_chunk_predictions",
    "A document's number served as its row: numbers may be missing, so that rows run out.",
)
def numbers_as_rows(probabilities, document_ids):
    totals = np.zeros((len(np.unique(document_ids)), probabilities.shape[1]))
    np.add.at(totals, document_ids, probabilities)
    return {"predictions": totals / np.bincount(document_ids)[:, None]}


@bank.add(
    "aggregate_chunk_predictions",
    "Numbers were looked for from 0 upwards, as many as there are documents: numbers may be "
    "missing, and these rows are a mean of nothing.",
)
def numbers_from_zero(probabilities, document_ids):
    rows = []
    for document in range(len(np.unique(document_ids))):
        chunks = probabilities[document_ids == document]
        rows.append(chunks.sum(axis=0) / len(chunks))
    return {"predictions": np.stack(rows)}


@bank.add(
    "aggregate_chunk_predictions",
    "Each document's sum was divided by the mean number of chunks: each has a number of its own.",
)
def equal_numbers_of_chunks(probabilities, document_ids):
    right = aggregate_chunk_predictions(probabilities, document_ids)["predictions"]
    chunks = np.unique(document_ids, return_counts=True)[1]
    return {"predictions": right * (chunks / chunks.mean())[:, None]}
