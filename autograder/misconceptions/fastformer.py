"""What people get wrong about additive pooling, Fastformer and the weighted F1 score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.misconceptions.bank import Bank
from autograder.reference.attention import softmax
from autograder.reference.fastformer import class_counts, fastformer, weighted_f1
from autograder.reference.transformer import masked_mean
from course.exercises.classifiers import DISTRIBUTIONS, NO_DISTRIBUTIONS

bank = Bank("fastformer")

# --- additive_pooling ----------------------------------------------------------------------------

Weigh = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Scores and which of them are kept -> weights."""


def _kept(scores: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    return np.broadcast_to(True if mask is None else mask, scores.shape)


def _right_weights(scores: np.ndarray, kept: np.ndarray, axis: int = -1) -> np.ndarray:
    """The right weights, but even and finite where nothing is kept, so that a variant differs by
    its own mistake alone."""
    return softmax(np.where(kept, scores, -1e9), axis=axis)


def _sigmoid(scores: np.ndarray, kept: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-np.where(kept, scores, -1e9)))


def _unstable(scores: np.ndarray, kept: np.ndarray, axis: int = -1) -> np.ndarray:
    """softmax without the shift, as float32 computes it."""
    powers = np.exp(np.where(kept, scores, -1e9).astype(np.float32))
    # A sample that is all padding has the sum 0, and its numbers are free.
    return powers / np.maximum(powers.sum(axis=axis, keepdims=True), 1e-30)


def _weighing(hint: str) -> Callable[[Weigh], Weigh]:
    """Register a pooling with other weights."""

    def register(weigh: Weigh) -> Weigh:
        def answer(x, scores, mask=None):
            return {"output": (weigh(scores, _kept(scores, mask))[..., None] * x).sum(axis=-2)}

        answer.__name__ = weigh.__name__
        bank.add("additive_pooling", hint)(answer)
        return weigh

    return register


@_weighing("The softmax runs over the batch: the weights of one text's tokens must sum to 1.")
def softmax_over_batch(scores, kept):
    return _right_weights(scores, kept, axis=0)


@_weighing(
    "The softmax runs over the second axis, which is time only while there are no heads: count "
    "from the end."
)
def softmax_over_axis_one(scores, kept):
    return _right_weights(scores, kept, axis=1)


@_weighing(
    "All weights are 1: the softmax runs over an axis of a single entry, after the scores got one "
    "more axis."
)
def weights_all_one(scores, kept):
    return _right_weights(scores[..., None], kept[..., None])[..., 0]


@_weighing("The scores themselves served as weights: a softmax is missing.")
def no_softmax(scores, kept):
    return scores * kept


@_weighing("A sigmoid weighs each token by itself: weights that are shared sum to 1.")
def sigmoid(scores, kept):
    return _sigmoid(scores, kept)


@_weighing("The exponentials were not divided by their sum.")
def not_normalised(scores, kept):
    return np.exp(np.where(kept, scores, -1e9).astype(np.float32))


@_weighing("The scores were divided by their plain sum: weights may not be negative.")
def shares_of_scores(scores, kept):
    return scores * kept / (scores * kept).sum(axis=-1, keepdims=True)


@_weighing("The exponentials overflow for large scores: use a stable softmax.")
def unstable_softmax(scores, kept):
    return _unstable(scores, kept)


@_weighing("The mask is not used: padding still receives weight.")
def mask_ignored(scores, kept):
    return softmax(scores)


@_weighing("The mask is read the other way round: True is a token, False is padding.")
def mask_inverted(scores, kept):
    return _right_weights(scores, ~kept | kept.all())


@_weighing("The mask makes the scores of padding 0, and the softmax gives a score of 0 a weight.")
def mask_multiplied(scores, kept):
    return softmax(scores * kept)


@_weighing(
    "The mask was added to the scores as ones and zeros: padding keeps most of its weight."
)  # fmt: skip
def mask_added(scores, kept):
    return softmax(scores + kept)


@_weighing(
    "The mask comes after the softmax, so that the remaining weights no longer sum to 1."
)  # fmt: skip
def mask_after_softmax(scores, kept):
    return softmax(scores) * kept


@_weighing(
    "Scores of padding become minus infinity, and a sample that is all padding has nothing left to "
    "divide by: use a large negative number."
)
def minus_infinity(scores, kept):
    return softmax(np.where(kept, scores, -np.inf))


@_weighing("The weighted tokens were averaged: the weights share out 1 already, so add them up.")
def averaged(scores, kept):
    return _right_weights(scores, kept) / scores.shape[-1]


@_weighing("The scores were not used: this is the plain mean of the tokens.")
def plain_mean(scores, kept):
    return _right_weights(0 * scores, kept)


@_weighing("Only the token with the highest score is left: a softmax gives the others some weight.")
def best_token(scores, kept):
    best = np.where(kept, scores, -1e9).argmax(axis=-1)
    return np.arange(scores.shape[-1]) == best[..., None]


@_weighing("The signs of the scores are exchanged: a higher score means more weight.")
def signs_exchanged(scores, kept):
    return _right_weights(-scores, kept)


@bank.add(
    "additive_pooling",
    "The scores were scaled once more: whoever gives them to this function has done that.",
)
def scaled_again(x, scores, mask=None):
    weights = _right_weights(scores / np.sqrt(x.shape[-1]), _kept(scores, mask))
    return {"output": (weights[..., None] * x).sum(axis=-2)}


@bank.add(
    "additive_pooling",
    "The weights are right but the sum runs over the second axis, which is time only while there "
    "are no heads: count from the end.",
)
def sum_over_axis_one(x, scores, mask=None):
    return {"output": (_right_weights(scores, _kept(scores, mask))[..., None] * x).sum(axis=1)}


@bank.add(
    "additive_pooling",
    "Softmax and sum run over the second axis, which is time only while there are no heads: count "
    "from the end.",
)
def axis_one(x, scores, mask=None):
    weights = _right_weights(scores, _kept(scores, mask), axis=1)
    return {"output": (weights[..., None] * x).sum(axis=1)}


@bank.add("additive_pooling", "The tokens are weighted but not added up: time must disappear.")
def not_summed(x, scores, mask=None):
    return {"output": _right_weights(scores, _kept(scores, mask))[..., None] * x}


@bank.add("additive_pooling", "Time is still there, as an axis of a single entry.")
def axis_kept(x, scores, mask=None):
    weights = _right_weights(scores, _kept(scores, mask))[..., None]
    return {"output": (weights * x).sum(axis=-2, keepdims=True)}


@bank.add("additive_pooling", "The sum runs over the features: it is the tokens that are added up.")
def sum_over_features(x, scores, mask=None):
    return {"output": (_right_weights(scores, _kept(scores, mask))[..., None] * x).sum(axis=-1)}


# --- fastformer ----------------------------------------------------------------------------------


def _by_head(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Right pooling: tokens (B, T, H·d) and weights (B, T, H) -> (B, 1, H·d)."""
    depth = x.shape[-1] // weights.shape[-1]
    return (np.repeat(weights, depth, axis=-1) * x).sum(axis=1, keepdims=True)


def _over_time(scores: np.ndarray, kept: np.ndarray) -> np.ndarray:
    return _right_weights(scores, kept, axis=1)


def _by_root(scores: np.ndarray, depth: int) -> np.ndarray:
    """Right scaling."""
    return scores / np.sqrt(depth)


def _multiplied(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return one * other


def _projected(u: np.ndarray, q: np.ndarray, inputs: np.ndarray, project: Callable) -> np.ndarray:
    """Right output."""
    return project(u) + q


def _layer(
    inputs: np.ndarray,
    num_heads: int,
    query_kernel: np.ndarray,
    key_kernel: np.ndarray,
    value_kernel: np.ndarray,
    query_score_kernel: np.ndarray,
    key_score_kernel: np.ndarray,
    output_kernel: np.ndarray,
    output_bias: np.ndarray,
    mask: np.ndarray | None = None,
    *,
    scales: tuple[Callable, Callable] = (_by_root, _by_root),
    weigh: tuple[Weigh, Weigh] = (_over_time, _over_time),
    pool: Callable[[np.ndarray, np.ndarray], np.ndarray] = _by_head,
    scored: Callable[..., tuple] = lambda inputs, q: q,
    meet: Callable[..., np.ndarray] = lambda pooled, q, k: pooled * k,
    key_scored: Callable[..., np.ndarray] = lambda p, k: p,
    key_pooled: Callable[..., np.ndarray] = lambda p, k: p,
    gather: Callable[..., np.ndarray] = lambda pooled, query, v, k, p: pooled * v,
    finish: Callable[..., np.ndarray] = _projected,
) -> dict[str, np.ndarray]:
    """The right layer but for some of its parts."""
    q, k, v = (inputs @ kernel for kernel in (query_kernel, key_kernel, value_kernel))
    depth = q.shape[-1] // num_heads
    kept = np.ones(inputs.shape[:2], bool) if mask is None else mask

    def pooled(place, x, basis, kernel):
        scores = scales[place](basis @ kernel, depth)
        return pool(x, weigh[place](scores, np.broadcast_to(kept[:, :, None], scores.shape)))

    query = pooled(0, q, scored(inputs, q), query_score_kernel)
    p = meet(query, q, k)
    key = pooled(1, key_pooled(p, k), key_scored(p, k), key_score_kernel)
    u = gather(key, query, v, k, p)
    output = finish(u, q, inputs, lambda x: x @ output_kernel + output_bias)
    left = finish(u, q, inputs, lambda x: 0 * x)
    return {"attended": output - left, "queries": left}


def _with(name: str, hint: str, **parts: Any) -> None:
    """Register a layer that is right but for the given parts."""

    def layer(**inputs):
        return _layer(**inputs, **parts)

    layer.__name__ = name
    bank.add("fastformer", hint)(layer)


def _both(part: Callable) -> tuple[Callable, Callable]:
    """The same in both poolings."""
    return part, part


def _unscaled(scores: np.ndarray, depth: int) -> np.ndarray:
    return scores


_with(
    "no_scaling",
    "The scores were not scaled: the root of the depth of one head is missing.",
    scales=_both(_unscaled),
)
_with(
    "only_query_scores_scaled",
    "The scores of the second pooling were not scaled: both poolings divide by the same root.",
    scales=(_by_root, _unscaled),
)
_with(
    "only_key_scores_scaled",
    "The scores of the first pooling were not scaled: both poolings divide by the same root.",
    scales=(_unscaled, _by_root),
)
_with(
    "scaled_by_hidden_size",
    "The scores were scaled by the root of all features: inside a head, vectors have the depth of "
    "one head.",
    scales=_both(lambda scores, depth: scores / np.sqrt(depth * scores.shape[-1])),
)
_with(
    "scaled_by_heads",
    "The scores were scaled by the root of the number of heads: it is their depth that counts.",
    scales=_both(lambda scores, depth: scores / np.sqrt(scores.shape[-1])),
)
_with(
    "divided_by_depth",
    "The scores were divided by the depth of a head itself, not by its root.",
    scales=_both(lambda scores, depth: scores / depth),
)
_with(
    "multiplied_by_root",
    "The scores were multiplied by the root of the depth, not divided by it.",
    scales=_both(lambda scores, depth: scores * np.sqrt(depth)),
)


def _softmax_over_heads(scores: np.ndarray, kept: np.ndarray) -> np.ndarray:
    return _right_weights(scores, kept, axis=2)


_with(
    "softmax_over_heads",
    "The softmax runs over the heads: in each head, the weights of the tokens must sum to 1.",
    weigh=_both(_softmax_over_heads),
)
_with(
    "weights_all_one",
    "All weights are 1, the tokens were merely added up: the softmax runs over an axis of a single "
    "entry.",
    weigh=_both(lambda scores, kept: np.where(kept, 1.0, 1.0)),
)
_with(
    "sigmoid",
    "A sigmoid weighs each token by itself: weights that are shared sum to 1.",
    weigh=_both(_sigmoid),
)
_with(
    "no_softmax",
    "The scores themselves served as weights: a softmax is missing.",
    weigh=_both(lambda scores, kept: scores * kept),
)
_with(
    "scores_not_used",
    "The global query and the global key are plain means: the scores are not used.",
    weigh=_both(lambda scores, kept: _over_time(0 * scores, kept)),
)
_with(
    "unstable_softmax",
    "The exponentials overflow for large scores: use a stable softmax.",
    weigh=_both(lambda scores, kept: _unstable(scores, kept, axis=1)),
)


def _mask_ignored(scores: np.ndarray, kept: np.ndarray) -> np.ndarray:
    return softmax(scores, axis=1)


_with(
    "mask_ignored",
    "The padding mask is not used: padding still receives weight in both poolings.",
    weigh=_both(_mask_ignored),
)
_with(
    "mask_in_query_pooling_only",
    "The global key is pooled from padding as well: both poolings need the mask.",
    weigh=(_over_time, _mask_ignored),
)
_with(
    "mask_in_key_pooling_only",
    "The global query is pooled from padding as well: both poolings need the mask.",
    weigh=(_mask_ignored, _over_time),
)
_with(
    "mask_inverted",
    "The mask is read the other way round: True is a token, False is padding.",
    weigh=_both(lambda scores, kept: _over_time(scores, ~kept | kept.all())),
)
_with(
    "mask_multiplied",
    "The mask makes the scores of padding 0, and the softmax gives a score of 0 a weight.",
    weigh=_both(lambda scores, kept: softmax(scores * kept, axis=1)),
)
_with(
    "mask_after_softmax",
    "The mask comes after the softmax, so that the remaining weights no longer sum to 1.",
    weigh=_both(lambda scores, kept: softmax(scores, axis=1) * kept),
)
_with(
    "minus_infinity",
    "Scores of padding become minus infinity, and a sample that is all padding has nothing left to "
    "divide by: use a large negative number.",
    weigh=_both(lambda scores, kept: softmax(np.where(kept, scores, -np.inf), axis=1)),
)


def _first_head_for_all(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return _by_head(x, weights[..., :1])


def _mean_of_heads(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return _by_head(x, weights.mean(axis=-1, keepdims=True))


def _interleaved(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    depth = x.shape[-1] // weights.shape[-1]
    return (np.tile(weights, depth) * x).sum(axis=1, keepdims=True)


def _reshaped(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    batch, time, heads = weights.shape
    split = x.reshape(batch, heads, time, -1)
    pooled = (np.swapaxes(weights, 1, 2)[..., None] * split).sum(axis=2)
    return pooled.reshape(batch, 1, -1)


_with(
    "first_head_for_all",
    "One set of weights serves all heads: each head pools its own features by its own scores.",
    pool=_first_head_for_all,
)
_with(
    "weights_averaged_over_heads",
    "The heads' weights were averaged: each head pools its own features by its own scores.",
    pool=_mean_of_heads,
)
_with(
    "heads_interleaved",
    "The features of the heads are interleaved: a head is a run of neighbouring columns.",
    pool=_interleaved,
)
_with(
    "heads_reshaped",
    "A reshape alone moves tokens into heads where features belong: split the last axis first, "
    "then exchange axes.",
    pool=_reshaped,
)
_with(
    "pooled_tokens_averaged",
    "The weighted tokens were averaged: the weights share out 1 already, so add them up.",
    pool=lambda x, weights: _by_head(x, weights) / x.shape[1],
)

_with(
    "scores_of_the_inputs",
    "The scores of the first pooling come from the inputs: the queries are scored.",
    scored=lambda inputs, q: inputs,
)
_with(
    "key_scores_of_the_keys",
    "The scores of the second pooling come from the keys: what is pooled there is their product "
    "with the global query.",
    key_scored=lambda p, k: k,
)
_with(
    "keys_pooled",
    "The second pooling takes the keys: it is their product with the global query that is pooled.",
    key_pooled=lambda p, k: k,
)
_with(
    "global_key_without_the_query",
    "The global key is pooled from the keys alone, and the global query has no effect.",
    key_pooled=lambda p, k: k,
    key_scored=lambda p, k: k,
)
_with(
    "own_queries",
    "Each key met its own token's query: it should meet the global one.",
    meet=lambda pooled, q, k: q * k,
)
_with(
    "global_query_added",
    "The global query was added to the keys: the two are multiplied, feature by feature.",
    meet=lambda pooled, q, k: pooled + k,
)
_with(
    "global_key_added",
    "The global key was added to the values: the two are multiplied, feature by feature.",
    gather=lambda pooled, query, v, k, p: pooled + v,
)
_with(
    "sums_for_products",
    "The global query and the global key were added where they are multiplied.",
    meet=lambda pooled, q, k: pooled + k,
    gather=lambda pooled, query, v, k, p: pooled + v,
)
_with(
    "values_not_used",
    "The values have no effect: it is them that the global key should meet, not the keys again.",
    gather=lambda pooled, query, v, k, p: pooled * k,
)
_with(
    "products_for_values",
    "The values have no effect: it is them that the global key should meet, not the products with "
    "the global query.",
    gather=lambda pooled, query, v, k, p: pooled * p,
)
_with(
    "global_key_not_used",
    "The global key has no effect: it is the one that the values should meet, not the products it "
    "is pooled from.",
    gather=lambda pooled, query, v, k, p: p * v,
)
_with(
    "global_query_for_key",
    "The values meet the global query: it is the global key that they should meet.",
    gather=lambda pooled, query, v, k, p: query * v,
)
_with(
    "global_key_alone",
    "The global key goes into output_linear by itself: it has to meet the values first.",
    gather=lambda pooled, query, v, k, p: pooled + 0 * v,
)

_with(
    "no_queries_added",
    "The queries are not added to the output.",
    finish=lambda u, q, inputs, project: project(u),
)
_with(
    "queries_added_twice",
    "The queries are added twice.",
    finish=lambda u, q, inputs, project: project(u) + 2 * q,
)
_with(
    "queries_projected",
    "The queries were added before output_linear: they belong to its output.",
    finish=lambda u, q, inputs, project: project(u + q),
)
_with(
    "inputs_added",
    "The inputs were added, not the queries; the connection past the whole layer comes later, in "
    "the model.",
    finish=lambda u, q, inputs, project: project(u) + inputs,
)
_with(
    "inputs_added_as_well",
    "The inputs were added beside the queries; the connection past the whole layer comes later, in "
    "the model.",
    finish=lambda u, q, inputs, project: project(u) + q + inputs,
)
_with(
    "queries_multiplied",
    "The queries were multiplied with the output: they are added.",
    finish=lambda u, q, inputs, project: project(u) * q,
)
_with(
    "no_output_linear",
    "The layer output_linear is not used.",
    finish=lambda u, q, inputs, project: u + q,
)


@bank.add(
    "fastformer",
    "The two layers of scores are exchanged: query_score belongs to the queries.",
)
def scores_exchanged(query_score_kernel, key_score_kernel, **inputs):
    return _layer(
        **inputs, query_score_kernel=key_score_kernel, key_score_kernel=query_score_kernel
    )


@bank.add("fastformer", "Keys and values are exchanged: the global query meets the keys.")
def keys_and_values_exchanged(key_kernel, value_kernel, **inputs):
    return _layer(**inputs, key_kernel=value_kernel, value_kernel=key_kernel)


# --- build_fastformer_classifier -----------------------------------------------------------------

Block = Callable[[np.ndarray, np.ndarray | None], np.ndarray]


def _residual(x: np.ndarray, mask: np.ndarray, blocks: list[Block]) -> np.ndarray:
    """Right layers on top of each other."""
    for block in blocks:
        x = x + block(x, mask)
    return x


def _root(vocabulary_size: int, size: int, heads: int) -> float:
    """The right scale of the embeddings."""
    return np.sqrt(size)


def _classifier(
    ids: np.ndarray,
    num_heads: int,
    num_layers: int,
    table: np.ndarray,
    class_kernel: np.ndarray,
    class_bias: np.ndarray,
    *,
    scale: Callable[[int, int, int], float] = _root,
    stack: Callable[..., np.ndarray] = _residual,
    pool: Callable[[np.ndarray, np.ndarray], np.ndarray] = masked_mean,
    last: Callable[[np.ndarray], np.ndarray] = softmax,
    more: Callable[[int, int, int], int] = lambda num_layers, length, size: 0,
    **layers: np.ndarray,
) -> dict[str, Any]:
    """The right classifier but for some of its parts; ``more`` are weights it should not have."""

    def block(number: int) -> Block:
        own = {name: stack[number] for name, stack in layers.items()}
        return lambda x, mask: sum(fastformer(x, num_heads, mask=mask, **own).values())

    mask = ids != 0
    x = table[ids] * scale(*table.shape, num_heads)
    x = stack(x, mask, [block(number) for number in range(num_layers)])
    rows = last(pool(x, mask) @ class_kernel + class_bias)
    learned = sum(array.size for array in (table, class_kernel, class_bias, *layers.values()))
    learned += more(num_layers, ids.shape[1], table.shape[1])
    return {
        "untrained": rows,
        "probabilities": rows,
        "parameters": np.array([float(learned)]),
        "rows": DISTRIBUTIONS if last is softmax else NO_DISTRIBUTIONS,
    }


def _model(name: str, hint: str, **parts: Callable) -> None:
    """Register a classifier that is right but for the given parts."""

    def model(**inputs):
        return _classifier(**inputs, **parts)

    model.__name__ = name
    bank.add("build_fastformer_classifier", hint)(model)


_model(
    "no_embedding_scale",
    "The embeddings go into the first layer as they are: they are to be multiplied first.",
    scale=lambda vocabulary_size, size, heads: 1.0,
)
_model(
    "embeddings_divided",
    "The embeddings are divided by the root of hidden: they are to be multiplied by it.",
    scale=lambda vocabulary_size, size, heads: 1 / np.sqrt(size),
)
_model(
    "scaled_by_hidden",
    "The embeddings are multiplied by hidden itself, not by its root.",
    scale=lambda vocabulary_size, size, heads: float(size),
)
_model(
    "scaled_by_depth",
    "The embeddings are multiplied by the root of size_per_head: a whole embedding has the "
    "features of all heads.",
    scale=lambda vocabulary_size, size, heads: np.sqrt(size / heads),
)
_model(
    "scaled_by_vocabulary",
    "The embeddings are multiplied by the root of the vocabulary's size: it is their own length "
    "that counts.",
    scale=lambda vocabulary_size, size, heads: np.sqrt(vocabulary_size),
)


def _plain(x: np.ndarray, mask: np.ndarray | None, blocks: list[Block]) -> np.ndarray:
    for block in blocks:
        x = block(x, mask)
    return x


def _past_all(x: np.ndarray, mask: np.ndarray, blocks: list[Block]) -> np.ndarray:
    return x + _plain(x, mask, blocks)


def _embeddings_again(x: np.ndarray, mask: np.ndarray, blocks: list[Block]) -> np.ndarray:
    embeddings = x
    for block in blocks:
        x = embeddings + block(x, mask)
    return x


def _side_by_side(x: np.ndarray, mask: np.ndarray, blocks: list[Block]) -> np.ndarray:
    return x + sum(block(x, mask) for block in blocks)


def _first_masked(x: np.ndarray, mask: np.ndarray, blocks: list[Block]) -> np.ndarray:
    return _residual(_residual(x, mask, blocks[:1]), None, blocks[1:])


def _unmasked(x: np.ndarray, mask: np.ndarray, blocks: list[Block]) -> np.ndarray:
    return _residual(x, None, blocks)


def _inverted(x: np.ndarray, mask: np.ndarray, blocks: list[Block]) -> np.ndarray:
    return _residual(x, ~mask | mask.all(axis=1, keepdims=True), blocks)


_model(
    "no_residual",
    "There are no residual connections: a layer's input is to be added to its output.",
    stack=_plain,
)
_model(
    "one_residual_past_all_layers",
    "One residual connection leads past all layers together: each layer needs its own.",
    stack=_past_all,
)
_model(
    "embeddings_added_each_time",
    "The embeddings were added after each layer: a residual connection adds what went into that "
    "layer.",
    stack=_embeddings_again,
)
_model(
    "layers_side_by_side",
    "All layers read the embeddings: each reads what the one before has made of them.",
    stack=_side_by_side,
)
_model(
    "mask_in_first_layer_only",
    "Only the first layer gets the mask: the others pool padding as well.",
    stack=_first_masked,
)
_model(
    "layers_without_mask",
    "The layers get no mask: their global queries and keys contain padding.",
    stack=_unmasked,
)
_model(
    "mask_inverted_in_layers",
    "The layers get a mask that is True for padding: True is a token.",
    stack=_inverted,
)


def _over_all(x: np.ndarray, mask: np.ndarray) -> np.ndarray:
    return x.mean(axis=1)


def _kept_of_all(x: np.ndarray, mask: np.ndarray) -> np.ndarray:
    return _over_all(x * mask[:, :, None], mask)


def _largest(x: np.ndarray, mask: np.ndarray) -> np.ndarray:
    return x.max(axis=1)


_model(
    "mean_over_padding",
    "The mean counts padding as well: the pooling layer takes a mask, too.",
    pool=_over_all,
)
_model(
    "no_mask_at_all",
    "No mask is used: padding is pooled in the layers, and averaged after them.",
    stack=_unmasked,
    pool=_over_all,
)
_model(
    "mean_over_max_length",
    "Padding was set to 0 but still counted: divide by the number of words.",
    pool=_kept_of_all,
)
_model(
    "sum_of_tokens",
    "The tokens were added up: a mean does not grow with the length of a text.",
    pool=lambda x, mask: (x * mask[:, :, None]).sum(axis=1),
)
_model(
    "largest_of_words",
    "The largest value of each feature is taken, not the mean.",
    pool=lambda x, mask: _largest(np.where(mask[:, :, None], x, -np.inf), mask),
)
_model(
    "largest_with_padding",
    "The largest value of each feature is taken, not the mean, and padding is looked at as well.",
    pool=_largest,
)
_model(
    "first_token",
    "The first token alone is read: the mean is taken over all words.",
    pool=lambda x, mask: x[:, 0],
)
_model(
    "no_softmax",
    "The last layer has no softmax: its rows do not sum to 1.",
    last=lambda logits: logits,
)
_model(
    "sigmoids",
    "The last layer has a sigmoid for each class; classes that exclude each other need a softmax.",
    last=lambda logits: 1 / (1 + np.exp(-logits)),
)
_model(
    "positions_added",
    "There is a table of positions: this model has none.",
    more=lambda num_layers, length, size: length * size,
)


_OF_A_LAYER = ("query_", "key_", "value_", "output_")


def _not_filled(outputs: dict[str, Any]) -> dict[str, Any]:
    """What comes back of a model that has no place for a case's weights."""
    return {output: values for output, values in outputs.items() if output != "probabilities"}


def _with_layers(name: str, hint: str, built: Callable[[int], int]) -> None:
    """Register a model whose layers' weights are those of another number of layers."""

    def model(**inputs):
        asked = inputs["num_layers"]
        stacks = [inputs[part] for part in inputs if part.startswith(_OF_A_LAYER)]
        surplus = (built(asked) - asked) * sum(stack[0].size for stack in stacks)
        outputs = _classifier(**inputs, more=lambda num_layers, length, size: surplus)
        return _not_filled(outputs) if surplus else outputs

    model.__name__ = name
    bank.add("build_fastformer_classifier", hint)(model)


_with_layers(
    "weights_of_one_layer",
    "The model has the weights of one Fastformer layer, whatever num_layers says: every layer "
    "needs weights of its own.",
    lambda num_layers: 1,
)
_with_layers(
    "two_layers_always",
    "There are two Fastformer layers, whatever num_layers says.",
    lambda num_layers: 2,
)
_with_layers(
    "one_layer_too_few",
    "There is one Fastformer layer less than num_layers: where does the count begin?",
    lambda num_layers: num_layers - 1,
)
_with_layers(
    "one_layer_too_many",
    "There is one Fastformer layer more than num_layers: where does the count end?",
    lambda num_layers: num_layers + 1,
)


@bank.add(
    "build_fastformer_classifier",
    "There is a layer normalisation beside each Fastformer layer: this model has none.",
)
def layer_normalisation(**inputs):
    norms = _classifier(**inputs, more=lambda num_layers, length, size: 2 * num_layers * size)
    return _not_filled(norms)


# --- weighted_f1 ---------------------------------------------------------------------------------


def _average(scores: np.ndarray, weights: np.ndarray) -> dict[str, np.ndarray]:
    return {"score": np.array((scores * weights).sum() / weights.sum())}


def _f1(hits: np.ndarray, true: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    return hits / (0.5 * (true + predicted))


def _share(hits: np.ndarray, of: np.ndarray) -> np.ndarray:
    """Precision or recall; 0 where there is nothing."""
    return hits / np.maximum(of, 1)


def _occurs(y_true: np.ndarray, y_pred: np.ndarray) -> np.ndarray:
    """Which of the classes are true of a sample."""
    return class_counts(y_true, y_pred)[1] > 0


@bank.add("weighted_f1", "Every class counts alike: rare classes should count less.")
def macro(y_true, y_pred):
    scores = _f1(*class_counts(y_true, y_pred))
    return _average(scores, np.ones_like(scores))


@bank.add(
    "weighted_f1",
    "This is the accuracy, which is what the weighted mean of the recalls comes to, and the F1 of "
    "all classes together: average the F1 of each class.",
)
def accuracy(y_true, y_pred):
    return {"score": np.array((y_true == y_pred).mean())}


@bank.add("weighted_f1", "Only the precision is averaged: F1 takes the recall as well.")
def precision_only(y_true, y_pred):
    hits, true, predicted = class_counts(y_true, y_pred)
    return _average(_share(hits, predicted), true)


@bank.add(
    "weighted_f1",
    "The weights are how often a class was predicted, or the arguments are exchanged: it is how "
    "often a class is true that counts.",
)
def weighted_by_predictions(y_true, y_pred):
    hits, true, predicted = class_counts(y_true, y_pred)
    return _average(_f1(hits, true, predicted), predicted)


@bank.add("weighted_f1", "The scores are weighted by the hits: all true samples of a class count.")
def weighted_by_hits(y_true, y_pred):
    hits, true, predicted = class_counts(y_true, y_pred)
    return _average(_f1(hits, true, predicted), hits)


@bank.add(
    "weighted_f1",
    "Precision and recall were averaged over the classes first: the F1 of each class comes before "
    "the average.",
)
def f1_of_averages(y_true, y_pred):
    hits, true, predicted = class_counts(y_true, y_pred)
    precision = _average(_share(hits, predicted), true)["score"]
    recall = _average(_share(hits, true), true)["score"]
    return {"score": np.array(2 * precision * recall / (precision + recall))}


@bank.add(
    "weighted_f1",
    "Precision and recall were averaged as usual: F1 is their harmonic mean.",
)
def arithmetic_mean(y_true, y_pred):
    hits, true, predicted = class_counts(y_true, y_pred)
    return _average((_share(hits, predicted) + _share(hits, true)) / 2, true)


@bank.add("weighted_f1", "Half of F1 came out: the harmonic mean of two numbers has a factor.")
def factor_missing(y_true, y_pred):
    return {"score": np.array(weighted_f1(y_true, y_pred)["score"] / 2)}


@bank.add(
    "weighted_f1",
    "Hits were divided by hits, misses and false alarms: F1 counts the hits twice.",
)
def jaccard(y_true, y_pred):
    hits, true, predicted = class_counts(y_true, y_pred)
    return _average(hits / (true + predicted - hits), true)


@bank.add("weighted_f1", "The scores of the classes were added up: weights must sum to 1.")
def sum_over_classes(y_true, y_pred):
    return {"score": np.array(_f1(*class_counts(y_true, y_pred)).sum())}


@bank.add("weighted_f1", "The weighted scores were not divided by the number of samples.")
def not_divided(y_true, y_pred):
    return {"score": np.array(weighted_f1(y_true, y_pred)["score"] * len(y_true))}


@bank.add("weighted_f1", "The score is in per cent: F1 lies between 0 and 1.")
def per_cent(y_true, y_pred):
    return {"score": np.array(100 * weighted_f1(y_true, y_pred)["score"])}


@bank.add(
    "weighted_f1",
    "A class that is never predicted gives 0 divided by 0: its precision has to be caught.",
)
def nan_for_a_class_never_predicted(y_true, y_pred):
    occurs = _occurs(y_true, y_pred)
    hits, true, predicted = (counts[occurs] for counts in class_counts(y_true, y_pred))
    precision, recall = hits / predicted, hits / true
    return _average(2 * precision * recall / (precision + recall), true)


@bank.add(
    "weighted_f1",
    "Classes that are never predicted or never true give 0 divided by 0, which has to be caught.",
)
def nan_for_absent_classes(y_true, y_pred):
    known = np.arange(max(y_true.max(), y_pred.max()) + 1)[:, None]
    hits = ((y_true == known) & (y_pred == known)).sum(axis=1)
    true, predicted = (y_true == known).sum(axis=1), (y_pred == known).sum(axis=1)
    precision, recall = hits / predicted, hits / true
    return _average(2 * precision * recall / (precision + recall), true)


@bank.add(
    "weighted_f1",
    "Classes that are never predicted were left out: they have the score 0 and keep their weight.",
)
def unpredicted_left_out(y_true, y_pred):
    hits, true, predicted = class_counts(y_true, y_pred)
    return _average(_f1(hits, true, predicted), true * (predicted > 0))


@bank.add(
    "weighted_f1",
    "The classes were counted from 0: they may have any numbers, and some may be missing.",
)
def classes_counted_from_zero(y_true, y_pred):
    known = np.arange(len(np.union1d(y_true, y_pred)))[:, None]
    hits = ((y_true == known) & (y_pred == known)).sum(axis=1)
    true, predicted = (y_true == known).sum(axis=1), (y_pred == known).sum(axis=1)
    shares = true / len(y_true)
    return {"score": np.array((_f1(hits, true, np.maximum(predicted, 1)) * shares).sum())}


@bank.add(
    "weighted_f1",
    "The most frequent class alone is scored: all classes are averaged.",
)
def most_frequent_class(y_true, y_pred):
    hits, true, predicted = class_counts(y_true, y_pred)
    return {"score": np.array(_f1(hits, true, predicted)[true.argmax()])}


@bank.add("weighted_f1", "There is a score for each class: they still have to be averaged.")
def a_score_for_each_class(y_true, y_pred):
    return {"score": _f1(*class_counts(y_true, y_pred))}
