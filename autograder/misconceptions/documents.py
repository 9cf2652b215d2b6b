"""What people get wrong about chunks and relative positions."""

from __future__ import annotations

from functools import partial

import numpy as np

from autograder.misconceptions.bank import Bank

bank = Bank("documents")

# --- overlapping_chunks --------------------------------------------------------------------------

_chunks = partial(bank.mistake, "overlapping_chunks", alone=True)

_chunks(
    "chunks_after_the_last",
    "A chunk begins wherever there are tokens left, even when the one before has reached the end: "
    "what would it add that was not read yet?",
    "max(len(tokens) - size + step, 1) if tokens else 0",
    "len(tokens)",
)
_chunks(
    "end_must_be_passed",
    "One chunk too many: the one before ends exactly where the text ends. Reaching the end is "
    "enough, it need not be passed.",
    "size + step, 1",
    "size + step + 1, 1",
)
_chunks(
    "side_by_side",
    "The overlap was not used: the chunks lie side by side.",
    "size - overlap",
    "size",
)
_chunks(
    "overlap_as_step",
    "The chunks begin as many tokens apart as they should share: how far is it from one beginning "
    "to the next?",
    "size - overlap",
    "overlap",
)
_chunks(
    "chunk_at_every_token",
    "A chunk begins at every token: how many tokens of a chunk are new?",
    "size - overlap",
    "1",
)
_chunks(
    "tokens_skipped",
    "The overlap was added to the step: the tokens between two chunks are never read.",
    "size - overlap",
    "size + overlap",
    "max(len(tokens) - size + step, 1) if tokens else 0",
    "len(tokens)",
)
_chunks(
    "reaching_into_the_next",
    "The chunks lie side by side and reach over into the next one: they are longer than they may "
    "be.",
    "size - overlap",
    "size",
    "start + size",
    "start + size + overlap",
)
_chunks(
    "reaching_into_the_one_before",
    "The chunks lie side by side and reach back into the one before: they are longer than they may "
    "be.",
    "size - overlap",
    "size",
    "tokens[start :",
    "tokens[max(start - overlap, 0) :",
)
_chunks(
    "whole_chunks_only",
    "Only whole chunks were kept: the end of the text is lost, and so is a short text.",
    "max(len(tokens) - size + step, 1) if tokens else 0",
    "len(tokens) - size + 1",
)
_chunks(
    "end_of_the_text_lost",
    "Tokens that fill no whole chunk were dropped: the last chunk may be shorter.",
    "size + step, 1",
    "size + 1, 1",
)
_chunks(
    "last_chunk_moved_back",
    "The last chunk was moved back until it was full: it begins where the others' step puts it and "
    "may be shorter.",
    "tokens[start :",
    "tokens[max(min(start, len(tokens) - size), 0) :",
)

for _name, _padding in {
    "last_chunk_filled_up": "",
    "last_chunk_filled_up_with_pad": "<pad>",
    "last_chunk_filled_up_with_capitals": "[PAD]",
}.items():
    _chunks(
        _name,
        "The last chunk was filled up: padding is the matter of a later step.",
        "tokens[start : start + size]",
        f"tokens[start : start + size] + ['{_padding}'] * (start + size - len(tokens))",
    )

_chunks(
    "short_text_lost",
    "A text that is no longer than the overlap came back without a chunk: it has tokens to read.",
    "max(len(tokens) - size + step, 1) if tokens else 0",
    "len(tokens) - overlap",
)
_chunks(
    "empty_chunk",
    "A text without tokens gave an empty chunk: what would a model read in it?",
    " if tokens else 0",
    "",
)
_chunks(
    "one_token_short",
    "Each chunk is one token too short: a slice ends before its second number.",
    "start + size",
    "start + size - 1",
)
_chunks(
    "chunks_joined",
    "The tokens of a chunk were joined to one text: a chunk is a list of tokens, as the text was.",
    "tokens[start : start + size]",
    "' '.join(tokens[start : start + size])",
)

# --- relative_position_index ---------------------------------------------------------------------

_index = partial(bank.mistake, "relative_position_index", alone=True)

_index(
    "distance_reversed",
    "The distance was taken the other way round: it counts from the query to the key.",
    "distances(query_length, key_length)",
    "-distances(query_length, key_length)",
)
_index(
    "not_clipped",
    "Distances beyond the table were not clipped: they point outside its rows.",
    "np.clip(distance, -farthest, farthest)",
    "distance",
)
_index(
    "not_shifted",
    "The distances were not shifted: a row's number cannot be negative, and which distance is the "
    "first row's?",
    "clipped + farthest",
    "clipped",
)
_index(
    "shifted_too_far",
    "The shift is one too large: the least distance must get row 0.",
    "clipped + farthest",
    "clipped + max_length",
)
_index(
    "table_too_large",
    "One distance too many was kept in each direction: count the rows that this needs, from the "
    "least distance to the greatest.",
    "max_length - 1",
    "max_length",
)
_index(
    "bounds_too_wide",
    "The bounds for clipping are one too wide: the outermost rows do not exist.",
    "-farthest, farthest",
    "-max_length, max_length",
)
_index(
    "clipped_after_the_shift",
    "The distances were shifted before they were clipped: then the bounds must be shifted as well.",
    "distances(query_length, key_length)",
    "distances(query_length, key_length) + farthest",
    "clipped + farthest",
    "clipped",
)
_index(
    "clipped_on_one_side",
    "Keys far after the query were clipped, those far before it were not, or the reverse.",
    "-farthest, farthest",
    "None, farthest",
)
_index(
    "sign_lost",
    "The sign was lost: a key before the query is not where a key after it is.",
    "distances(query_length, key_length)",
    "np.abs(distances(query_length, key_length))",
    "clipped + farthest",
    "clipped",
)
_index(
    "sign_lost_and_shifted",
    "The sign was lost before the shift, and half of the table is never used: a key before the "
    "query is not where a key after it is.",
    "distances(query_length, key_length)",
    "np.abs(distances(query_length, key_length))",
)
_index(
    "axes_swapped",
    "The axes are swapped: each row belongs to a query, each column to a key.",
    "clipped + farthest",
    "clipped.T + farthest",
)
_index(
    "queries_for_keys",
    "The number of queries served for both axes: keys have a number of their own.",
    "distances(query_length, key_length)",
    "distances(query_length, query_length)",
)
_index(
    "floats",
    "The numbers are right but they are floats: rows of a table are looked up by integers.",
    '"entries": "integers"',
    '"entries": "floats"',
)

# --- relative_position_self_attention ------------------------------------------------------------

_layer = partial(bank.mistake, "relative_position_self_attention")

_INHERITED = "The index of the task before has this mistake, which the layer inherits: "


def _inherit(name: str, earlier: str, said: str, alone: bool = False) -> None:
    earlier = f"relative_position_index.{earlier}"
    solution = "relative_position_self_attention"
    bank.inherit(solution, name, _INHERITED + said, earlier, section=3, alone=alone)


for _name, _said in {
    "distance_reversed": "distances are taken from the key to the query.",
    "not_clipped": "far distances are not clipped.",
    "not_shifted": "distances are not shifted, and negative rows count from the table's end.",
}.items():
    _inherit(_name, _name, _said)

_layer(
    "no_scaling",
    "The logits were not scaled: the root of the depth is missing.",
    " / np.sqrt(depth)",
    "",
)
_layer(
    "divided_by_depth",
    "The logits were divided by the depth itself, not by its root.",
    "np.sqrt(depth)",
    "depth",
)
_layer(
    "scaled_by_hidden_size",
    "The logits were scaled by the root of hidden_size: inside a head, vectors have the depth of "
    "one head.",
    "np.sqrt(depth)",
    "np.sqrt(depth * num_heads)",
)
_layer(
    "no_query_term",
    "The queries do not meet the distances: the term q·a is missing.",
    " + query_term",
    "",
)
_layer(
    "no_key_term",
    "The keys do not meet the distances: the term k·a is missing.",
    # Not looked for together with the one above: without both terms, there are no distances.
    " + query_term + key_term",
    " + query_term",
)
_layer(
    "keys_at_the_query",
    "The term k·a took the key at the query's own position: its key is the one that the logit "
    "belongs to.",
    "+ key_term",
    '+ np.einsum("bhid,ijd->bhij", key, a)',
)
_layer(
    "softmax_over_queries",
    "The softmax runs over the queries: for each query, the weights of the keys must sum to 1.",
    "softmax(masked(logits, by_key))",
    "softmax(masked(logits, by_key), axis=-2)",
)
_layer(
    "mask_ignored",
    "Padding still receives weight: the mask is not used, or hides the queries' axis instead of "
    "the keys'.",
    "np.where(mask, logits, -1e9)",
    "logits",
)
_layer(
    "mask_inverted",
    "The mask is read the other way round: True is a token, False is padding.",
    "np.where(mask, logits, -1e9)",
    "np.where(mask, -1e9, logits)",
)
_layer(
    "mask_multiplied",
    "The mask makes the logits of padding 0, and the softmax gives a logit of 0 a weight.",
    "np.where(mask, logits, -1e9)",
    "logits * mask",
)
_layer(
    "mask_after_softmax",
    "The mask comes after the softmax, so that the remaining weights no longer sum to 1.",
    "np.where(mask, logits, -1e9)",
    "logits",
    "weights @ value",
    "(weights if mask is None else weights * by_key) @ value",
)
_layer(
    "no_output_projection",
    "The heads were combined but not projected: output_linear is missing.",
    "heads @ output_kernel",
    "heads",
)
_layer(
    "residual_inside",
    "The inputs were added to the output: the residual connection belongs around the layer.",
    '"output": ',
    '"output": inputs + ',
)
for _name, _said in {
    "shifted_too_far": "the shift is one too large.",
    "sign_lost": "the sign of the distances is lost.",
    "sign_lost_and_shifted": "the sign of the distances is lost before the shift.",
    "clipped_on_one_side": "distances are clipped on one side only.",
}.items():
    _inherit(f"{_name}_inside", _name, _said, alone=True)

_layer(
    "distances_not_scaled",
    "Only q·k was scaled: the two terms with the distances belong to the logits as well.",
    "(dot_product + query_term + key_term) / np.sqrt(depth)",
    "dot_product / np.sqrt(depth) + query_term + key_term",
    alone=True,
)
_layer(
    "dot_product_not_scaled",
    "Only the terms with the distances were scaled: q·k belongs to the logits as well.",
    "(dot_product + query_term + key_term)",
    "dot_product + (query_term + key_term)",
    alone=True,
)
_layer(
    "no_distances",
    "The distances were not used: this is the attention of the lesson before.",
    "dot_product + query_term + key_term",
    "dot_product",
    alone=True,
)
_layer(
    "no_dot_product",
    "Queries and keys no longer meet each other: the term q·k is missing.",
    "dot_product + query_term",
    "query_term",
    alone=True,
)
_layer(
    "key_term_reversed",
    "The term k·a took the distance from the key to the query: all terms of a logit speak of the "
    "same distance.",
    "bhjd,ijd->bhij",
    "bhjd,jid->bhij",
    alone=True,
)
_layer(
    "query_twice",
    "The queries met the distances in both terms: the second is for the keys.",
    "query_term + key_term",
    "query_term + query_term",
    alone=True,
)
_layer(
    "mean_of_terms",
    "The three terms were averaged: they have to add up.",
    "(dot_product + query_term + key_term)",
    "(dot_product + query_term + key_term) / 3",
    alone=True,
)
_layer(
    "distances_subtracted",
    "The distances were subtracted from the logits: the three terms add up.",
    "dot_product + query_term + key_term",
    "dot_product - query_term - key_term",
    alone=True,
)
_layer(
    "no_softmax",
    "The logits themselves served as weights: a softmax is missing.",
    "softmax(masked(logits, by_key))",
    "masked(logits, by_key)",
    alone=True,
)
_layer(
    "unstable_softmax",
    "The exponentials overflow for large logits: use a stable softmax.",
    # As float32 computes it.
    "logits - logits.max(axis=axis, keepdims=True)",
    "logits.astype(np.float32)",
    alone=True,
)
_layer(
    "minus_infinity",
    "Logits of padding become minus infinity, and a sample that is all padding has nothing left to "
    "divide by: use a large negative number.",
    "-1e9",
    "-np.inf",
    alone=True,
)
_layer(
    "distances_in_values",
    "The distances were added to the values as well: here they only change the logits.",
    "weights @ value",
    'weights @ value + np.einsum("bhij,ijd->bhid", weights, a)',
    alone=True,
)
_layer(
    "distances_after_softmax",
    "The terms with the distances were added after the softmax: they belong to the logits.",
    "dot_product + query_term + key_term",
    "dot_product",
    "weights @ value",
    "(weights + (query_term + key_term) / np.sqrt(depth)) @ value",
    alone=True,
)
_layer(
    "combined_by_reshape",
    "The heads were combined by one reshape: the axes must move back to (batch, time, heads, "
    "depth) before it.",
    "x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)",
    "x.reshape(batch, time, heads * depth)",
    alone=True,
)
_layer(
    "no_value_projection",
    "The values were not projected: value_linear is missing.",
    "inputs @ value_kernel",
    "inputs",
    alone=True,
)
_layer(
    "keys_as_values",
    "The weights met the keys in the place of the values.",
    "weights @ value",
    "weights @ key",
    alone=True,
)

# --- aggregate_chunk_predictions -----------------------------------------------------------------

_aggregated = partial(bank.mistake, "aggregate_chunk_predictions", alone=True)

_aggregated(
    "sums",
    "The chunks of a document were added up but not divided by their number: long documents get "
    "more than 1 in all.",
    " / len(chunks)",
    "",
)
_aggregated(
    "largest",
    "The largest probability of a class was taken over the chunks: then the classes no longer sum "
    "to 1.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.max(axis=0)",
)
_aggregated(
    "median",
    "The median of the chunks was taken: the mean is asked.",
    "chunks.sum(axis=0) / len(chunks)",
    "np.median(chunks, axis=0)",
)
_aggregated(
    "votes",
    "Each chunk voted for one class: how sure it was is lost.",
    "chunks.sum(axis=0)",
    "np.eye(chunks.shape[1])[chunks.argmax(axis=1)].sum(axis=0)",
)
_aggregated(
    "product",
    "The probabilities of the chunks were multiplied: the mean is asked.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.prod(axis=0) / chunks.prod(axis=0).sum()",
)


@bank.add(
    "aggregate_chunk_predictions",
    "Each new chunk was averaged with the mean so far, so that the last one counts half: all "
    "chunks count alike.",
)
def averaged_in_pairs(probabilities, document_ids):
    means = {}
    for document, chunk in zip(document_ids, probabilities, strict=True):
        means[document] = (means.get(document, chunk) + chunk) / 2
    return {"predictions": np.stack([means[document] for document in sorted(means)])}


_aggregated(
    "first_chunk_only",
    "Only a document's first chunk was used.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks[0]",
)
_aggregated(
    "last_chunk_only",
    "Only a document's last chunk was used: each one overwrites the one before.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks[-1]",
)
_aggregated(
    "averaged_over_classes",
    "The mean ran over the classes as well: a document keeps one probability for each of them.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.mean()",
)
_aggregated(
    "classes_returned",
    "The likeliest class came back: the probabilities themselves are asked.",
    "chunks.sum(axis=0) / len(chunks)",
    "chunks.sum(axis=0).argmax()",
)
_aggregated(
    "order_of_appearance",
    "The documents came back in the order in which they first appear: their numbers must ascend.",
    "np.unique(document_ids)",
    "dict.fromkeys(document_ids)",
)
_aggregated(
    "neighbours_only",
    "Only neighbouring chunks were put together: those of one document may be far apart.",
    # Each run of equal numbers becomes a document.
    "rows = []",
    "rows, document_ids = [], np.cumsum(np.diff(document_ids, prepend=document_ids[0]) != 0)",
)
_aggregated(
    "rows_for_missing_documents",
    "Numbers that no chunk has got a row as well: only the documents that are there have one.",
    "np.unique(document_ids)",
    "range(document_ids.max() + 1)",
    "len(chunks)",
    "max(len(chunks), 1)",
)
_aggregated(
    "numbers_as_rows",
    "A document's number served as its row: numbers may be missing, so that rows run out.",
    "rows = []",
    "rows = [None] * len(np.unique(document_ids))",
    "rows.append(chunks.sum(axis=0) / len(chunks))",
    "rows[document] = chunks.sum(axis=0) / len(chunks)",
)
_aggregated(
    "numbers_from_zero",
    "Numbers were looked for from 0 upwards, as many as there are documents: numbers may be "
    "missing, and these rows are a mean of nothing.",
    "np.unique(document_ids)",
    "range(len(np.unique(document_ids)))",
)
_aggregated(
    "equal_numbers_of_chunks",
    "Each document's sum was divided by the mean number of chunks: each has a number of its own.",
    "len(chunks)",
    "(len(document_ids) / len(np.unique(document_ids)))",
)
