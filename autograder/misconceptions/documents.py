"""What people get wrong about chunks and relative positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
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
    "A chunk begins at every token: how many tokens of a chunk are new?",
)
def chunk_at_every_token(tokens, size, overlap):
    return _cut(tokens, _starts(tokens, size, 1), size)


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


def _filled_up(name: str, padding: str) -> None:
    """Register one of the tokens that stand for padding."""

    def answer(tokens, size, overlap):
        chunks = overlapping_chunks(tokens, size, overlap)["chunks"]
        return {"chunks": [chunk + [padding] * (size - len(chunk)) for chunk in chunks]}

    answer.__name__ = name
    hint = "The last chunk was filled up: padding is the matter of a later step."
    bank.add("overlapping_chunks", hint)(answer)


_filled_up("last_chunk_filled_up", "")
_filled_up("last_chunk_filled_up_with_pad", "<pad>")
_filled_up("last_chunk_filled_up_with_capitals", "[PAD]")


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


@_index(
    "The distances were shifted before they were clipped: then the bounds must be shifted as well."
)
def clipped_after_the_shift(query_length, key_length, max_length):
    return _clipped(distances(query_length, key_length) + max_length - 1, max_length)


@_index("Keys far after the query were clipped, those far before it were not, or the reverse.")
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
    """The right sum: queries and keys (B, H, T, d), distances a (T, T, d) -> (B, H, T, T)."""
    query_term = np.einsum("bhid,ijd->bhij", query, a)
    key_term = np.einsum("bhjd,ijd->bhij", key, a)
    return query @ transposed(key) + query_term + key_term


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
    scale: Callable[[int, int], float] = lambda depth, heads: 1 / np.sqrt(depth),
    normalise: Callable[[np.ndarray, np.ndarray], np.ndarray] = _normalised,
    gather: Callable[..., np.ndarray] = lambda weights, value, a: weights @ value,
    merge: Callable[[np.ndarray], np.ndarray] = combine_heads,
    last: Callable[..., np.ndarray] = lambda heads, kernel, inputs: heads @ kernel,
) -> Outputs:
    """The right layer but for its parts: the index, the terms of a logit and what they are
    multiplied by, how logits become weights, what the weights sum up, how heads are combined, and
    what is made of them in the end."""
    query, key, value = (
        separate_heads(inputs @ kernel, num_heads)
        for kernel in (query_kernel, key_kernel, value_kernel)
    )
    time, depth = query.shape[-2:]
    # Keras counts negative rows from the end of a table, as NumPy does.
    a = distance_embedding[rows(time, time, max_length)]
    kept = np.ones((len(inputs), time), bool) if mask is None else mask
    logits = terms(query, key, a) * scale(depth, num_heads)
    weights = normalise(logits, kept[:, None, None, :])
    return {"output": last(merge(gather(weights, value, a)), output_kernel, inputs)}


_attention = bank.parts_of("relative_position_self_attention", _layer)

_INHERITED = "The index of the task before has this mistake, which the layer inherits: "
_attention(
    "distance_reversed",
    _INHERITED + "distances are taken from the key to the query.",
    section=3,
    rows=distance_reversed,
)
_attention(
    "not_clipped",
    _INHERITED + "far distances are not clipped.",
    section=3,
    rows=not_clipped,
)
_attention(
    "not_shifted",
    _INHERITED + "distances are not shifted, and negative rows count from the table's end.",
    section=3,
    rows=not_shifted,
)
_attention(
    "no_scaling",
    "The logits were not scaled: the root of the depth is missing.",
    scale=lambda depth, heads: 1.0,
)
_attention(
    "divided_by_depth",
    "The logits were divided by the depth itself, not by its root.",
    scale=lambda depth, heads: 1 / depth,
)
_attention(
    "scaled_by_hidden_size",
    "The logits were scaled by the root of hidden_size: inside a head, vectors have the depth of "
    "one head.",
    scale=lambda depth, heads: 1 / np.sqrt(depth * heads),
)


def _no_query_term(query: np.ndarray, key: np.ndarray, a: np.ndarray) -> np.ndarray:
    return _three_terms(query, key, a) - _three_terms(query, 0 * key, a)


def _no_key_term(query: np.ndarray, key: np.ndarray, a: np.ndarray) -> np.ndarray:
    return _three_terms(query, key, a) - _three_terms(0 * query, key, a)


_attention(
    "no_query_term",
    "The queries do not meet the distances: the term q·a is missing.",
    terms=_no_query_term,
)
_attention(
    "no_key_term",
    "The keys do not meet the distances: the term k·a is missing.",
    terms=_no_key_term,
)
_attention(
    "keys_at_the_query",
    "The term k·a took the key at the query's own position: its key is the one that the logit "
    "belongs to.",
    terms=lambda query, key, a: _no_key_term(query, key, a) + np.einsum("bhid,ijd->bhij", key, a),
)
_attention(
    "softmax_over_queries",
    "The softmax runs over the queries: for each query, the weights of the keys must sum to 1.",
    normalise=lambda logits, kept: softmax(np.where(kept, logits, -1e9), axis=-2),
)
_attention(
    "mask_ignored",
    "Padding still receives weight: the mask is not used, or hides the queries' axis instead of "
    "the keys'.",
    normalise=lambda logits, kept: softmax(logits),
)
_attention(
    "mask_inverted",
    "The mask is read the other way round: True is a token, False is padding.",
    normalise=lambda logits, kept: _normalised(logits, ~kept | kept.all()),
)
_attention(
    "mask_multiplied",
    "The mask makes the logits of padding 0, and the softmax gives a logit of 0 a weight.",
    normalise=lambda logits, kept: softmax(logits * kept),
)
_attention(
    "mask_after_softmax",
    "The mask comes after the softmax, so that the remaining weights no longer sum to 1.",
    normalise=lambda logits, kept: softmax(logits) * kept,
)
_attention(
    "no_output_projection",
    "The heads were combined but not projected: output_linear is missing.",
    last=lambda heads, kernel, inputs: heads,
)
_attention(
    "residual_inside",
    "The inputs were added to the output: the residual connection belongs around the layer.",
    last=lambda heads, kernel, inputs: heads @ kernel + inputs,
)


# Seldom beside another mistake: these are not paired, so that the answer sheet stays short.

_alone = partial(bank.add, "relative_position_self_attention")


@_alone(_INHERITED + "the shift is one too large.", section=3)
def shifted_too_far_inside(**inputs):
    return _layer(**inputs, rows=shifted_too_far)


@_alone(_INHERITED + "the sign of the distances is lost.", section=3)
def sign_lost_inside(**inputs):
    return _layer(**inputs, rows=sign_lost)


@_alone(_INHERITED + "the sign of the distances is lost before the shift.", section=3)
def sign_lost_and_shifted_inside(**inputs):
    return _layer(**inputs, rows=sign_lost_and_shifted)


@_alone(_INHERITED + "distances are clipped on one side only.", section=3)
def clipped_on_one_side_inside(**inputs):
    return _layer(**inputs, rows=clipped_on_one_side)


@_alone("Only q·k was scaled: the two terms with the distances belong to the logits as well.")
def distances_not_scaled(**inputs):
    def terms(query, key, a):
        return _three_terms(query, key, np.sqrt(query.shape[-1]) * a)

    return _layer(**inputs, terms=terms)


@_alone("Only the terms with the distances were scaled: q·k belongs to the logits as well.")
def dot_product_not_scaled(**inputs):
    def terms(query, key, a):
        return _three_terms(query, key, a) + (np.sqrt(query.shape[-1]) - 1) * query @ transposed(
            key
        )

    return _layer(**inputs, terms=terms)


def _dot_product(query: np.ndarray, key: np.ndarray, a: np.ndarray) -> np.ndarray:
    return _three_terms(query, key, 0 * a)


@_alone("The distances were not used: this is the attention of the lesson before.")
def no_distances(**inputs):
    return _layer(**inputs, terms=_dot_product)


@_alone("Queries and keys no longer meet each other: the term q·k is missing.")
def no_dot_product(**inputs):
    def terms(query, key, a):
        return _three_terms(query, key, a) - _dot_product(query, key, a)

    return _layer(**inputs, terms=terms)


@_alone(
    "The term k·a took the distance from the key to the query: all terms of a logit speak of the "
    "same distance."
)
def key_term_reversed(**inputs):
    def terms(query, key, a):
        return _no_key_term(query, key, a) + np.einsum("bhjd,jid->bhij", key, a)

    return _layer(**inputs, terms=terms)


@_alone("The queries met the distances in both terms: the second is for the keys.")
def query_twice(**inputs):
    return _layer(**inputs, terms=lambda query, key, a: _no_key_term(query, key, 2 * a))


@_alone("The three terms were averaged: they have to add up.")
def mean_of_terms(**inputs):
    return _layer(**inputs, terms=lambda query, key, a: _three_terms(query, key, a) / 3)


@_alone("The distances were subtracted from the logits: the three terms add up.")
def distances_subtracted(**inputs):
    return _layer(**inputs, terms=lambda query, key, a: _three_terms(query, key, -a))


@_alone("The logits themselves served as weights: a softmax is missing.")
def no_softmax(**inputs):
    return _layer(**inputs, normalise=lambda logits, kept: np.where(kept, logits, -1e9))


@_alone("The exponentials overflow for large logits: use a stable softmax.")
def unstable_softmax(**inputs):
    def normalise(logits, kept):
        # As float32 computes it.
        powers = np.exp(np.where(kept, logits, -1e9).astype(np.float32))
        return powers / powers.sum(axis=-1, keepdims=True)

    return _layer(**inputs, normalise=normalise)


@_alone(
    "Logits of padding become minus infinity, and a sample that is all padding has nothing left to "
    "divide by: use a large negative number."
)
def minus_infinity(**inputs):
    def normalise(logits, kept):
        return softmax(np.where(kept, logits, -np.inf))

    return _layer(**inputs, normalise=normalise)


@_alone("The distances were added to the values as well: here they only change the logits.")
def distances_in_values(**inputs):
    def gather(weights, value, a):
        return weights @ value + np.einsum("bhij,ijd->bhid", weights, a)

    return _layer(**inputs, gather=gather)


@_alone("The terms with the distances were added after the softmax: they belong to the logits.")
def distances_after_softmax(**inputs):
    def terms(query, key, a):
        return np.stack([_three_terms(query, key, a), _dot_product(query, key, a)])

    def normalise(logits, kept):
        complete, without = logits
        return _normalised(without, kept) + complete - without

    return _layer(**inputs, terms=terms, normalise=normalise)


@_alone(
    "The heads were combined by one reshape: the axes must move back to (batch, time, heads, "
    "depth) before it."
)
def combined_by_reshape(inputs, **rest):
    return _layer(inputs, **rest, merge=lambda heads: heads.reshape(inputs.shape))


@_alone("The values were not projected: value_linear is missing.")
def no_value_projection(value_kernel, **inputs):
    return _layer(value_kernel=np.eye(len(value_kernel)), **inputs)


@_alone("The weights met the keys in the place of the values.")
def keys_as_values(value_kernel, key_kernel, **inputs):
    return _layer(value_kernel=key_kernel, key_kernel=key_kernel, **inputs)


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
