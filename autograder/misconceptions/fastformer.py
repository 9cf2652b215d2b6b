"""What people get wrong about additive pooling, Fastformer and the weighted F1 score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from autograder.misconceptions.bank import Bank
from autograder.reference.attention import combine_heads, separate_heads, softmax
from autograder.reference.fastformer import class_counts, weighted_f1
from autograder.reference.transformer import masked_mean
from course.exercises.classifiers import DISTRIBUTIONS, NO_DISTRIBUTIONS

bank = Bank("fastformer")

Outputs = Mapping[str, Any]

# --- additive_pooling ----------------------------------------------------------------------------


def _hidden(scores: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Scores with a very negative number where they are not kept: finite for padded samples, so
    that a variant differs from the reference by its own mistake alone."""
    return np.where(kept, scores, -1e9)


def _summed(weights: np.ndarray, x: np.ndarray) -> np.ndarray:
    return (weights[..., None] * x).sum(axis=-2)


def _pool(
    x: np.ndarray,
    scores: np.ndarray,
    mask: np.ndarray | None = None,
    *,
    scale: Callable[[int], float] = lambda depth: 1.0,
    hide: Callable[[np.ndarray, np.ndarray], np.ndarray] = _hidden,
    normalise: Callable[[np.ndarray], np.ndarray] = softmax,
    after: Callable[[np.ndarray, np.ndarray], np.ndarray] = lambda weights, kept: weights,
    total: Callable[[np.ndarray, np.ndarray], np.ndarray] = _summed,
) -> Outputs:
    """The right pooling but for its parts: what scores are multiplied by, how the mask hides them,
    what makes weights of them, what the mask does to weights, and how tokens are summed."""
    kept = np.broadcast_to(True if mask is None else mask, scores.shape)
    weights = after(normalise(hide(scores * scale(x.shape[-1]), kept)), kept)
    return {"output": total(weights, x)}


_pooling = bank.parts_of("additive_pooling", _pool)


def _unmasked(scores: np.ndarray, kept: np.ndarray) -> np.ndarray:
    return scores


def _multiplied(scores: np.ndarray, kept: np.ndarray) -> np.ndarray:
    return scores * kept


def _unshifted(scores: np.ndarray) -> np.ndarray:
    """softmax without the shift, as float32 computes it."""
    powers = np.exp(scores.astype(np.float32))
    # A sample that is all padding has the sum 0, and its numbers are free.
    return powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-30)


_pooling(
    "softmax_over_batch",
    "The softmax runs over the batch: the weights of one text's tokens must sum to 1.",
    normalise=lambda scores: softmax(scores, axis=0),
)
_pooling(
    "softmax_over_axis_one",
    "The softmax runs over the second axis, which is time only while there are no heads: count "
    "from the end.",
    normalise=lambda scores: softmax(scores, axis=1),
)
_pooling(
    "no_softmax",
    "The scores themselves served as weights: a softmax is missing.",
    normalise=lambda scores: scores,
)
_pooling(
    "sigmoid",
    "A sigmoid weighs each token by itself: weights that are shared sum to 1.",
    normalise=lambda scores: 1 / (1 + np.exp(-scores)),
)
_pooling(
    "not_normalised",
    "The exponentials were not divided by their sum.",
    normalise=lambda scores: np.exp(scores.astype(np.float32)),
)
_pooling(
    "mask_ignored",
    "The mask is not used: padding still receives weight.",
    hide=_unmasked,
)
_pooling(
    "mask_inverted",
    "The mask is read the other way round: True is a token, False is padding.",
    hide=lambda scores, kept: _hidden(scores, ~kept | kept.all()),
)
_pooling(
    "mask_multiplied",
    "The mask makes the scores of padding 0, and the softmax gives a score of 0 a weight.",
    hide=_multiplied,
)
_pooling(
    "mask_added",
    "The mask was added to the scores as ones and zeros: padding keeps most of its weight.",
    hide=lambda scores, kept: scores + kept,
)
_pooling(
    "mask_after_softmax",
    "The mask comes after the softmax, so that the remaining weights no longer sum to 1.",
    hide=_unmasked,
    after=_multiplied,
)
_pooling(
    "minus_infinity",
    "Scores of padding become minus infinity, and a sample that is all padding has nothing left to "
    "divide by: use a large negative number.",
    hide=lambda scores, kept: np.where(kept, scores, -np.inf),
)
_pooling(
    "averaged",
    "The weighted tokens were averaged: the weights share out 1 already, so add them up.",
    total=lambda weights, x: _summed(weights, x) / x.shape[-2],
)
_pooling(
    "sum_over_axis_one",
    "The weights are right but the sum runs over the second axis, which is time only while there "
    "are no heads: count from the end.",
    total=lambda weights, x: (weights[..., None] * x).sum(axis=1),
)
_pooling(
    "not_summed",
    "The tokens are weighted but not added up: time must disappear.",
    total=lambda weights, x: weights[..., None] * x,
)
_pooling(
    "axis_kept",
    "Time is still there, as an axis of a single entry.",
    total=lambda weights, x: _summed(weights, x)[..., None, :],
)
_pooling(
    "sum_over_features",
    "The sum runs over the features: it is the tokens that are added up.",
    total=lambda weights, x: (weights[..., None] * x).sum(axis=-1),
)
_pooling(
    "scaled_again",
    "The scores were scaled once more: whoever gives them to this function has done that.",
    scale=lambda depth: 1 / np.sqrt(depth),
)


# Seldom beside another mistake: these are not paired, so that the answer sheet stays short.


@bank.add(
    "additive_pooling",
    "All weights are 1: the softmax runs over an axis of a single entry, after the scores got one "
    "more axis.",
)
def weights_all_one(x, scores, mask=None):
    return _pool(x, scores, mask, normalise=lambda scores: softmax(scores[..., None])[..., 0])


@bank.add(
    "additive_pooling",
    "The exponentials overflow for large scores: use a stable softmax.",
)
def unstable_softmax(x, scores, mask=None):
    return _pool(x, scores, mask, normalise=_unshifted)


@bank.add("additive_pooling", "The scores were not used: this is the plain mean of the tokens.")
def plain_mean(x, scores, mask=None):
    return _pool(x, 0 * scores, mask)


@bank.add(
    "additive_pooling", "The signs of the scores are exchanged: a higher score means more weight."
)
def signs_exchanged(x, scores, mask=None):
    return _pool(x, -scores, mask)


@bank.add(
    "additive_pooling",
    "Only the token with the highest score is left: a softmax gives the others some weight.",
)
def best_token(x, scores, mask=None):
    def normalise(scores):
        return np.arange(scores.shape[-1]) == scores.argmax(axis=-1)[..., None]

    return _pool(x, scores, mask, normalise=normalise)


@bank.add(
    "additive_pooling",
    "The scores were divided by their plain sum: weights may not be negative.",
)
def shares_of_scores(x, scores, mask=None):
    def normalise(scores):
        return scores / scores.sum(axis=-1, keepdims=True)

    return _pool(x, scores, mask, hide=_multiplied, normalise=normalise)


@bank.add(
    "additive_pooling",
    "Softmax and sum run over the second axis, which is time only while there are no heads: count "
    "from the end.",
)
def axis_one(x, scores, mask=None):
    def total(weights, x):
        return (weights[..., None] * x).sum(axis=1)

    return _pool(x, scores, mask, normalise=partial(softmax, axis=1), total=total)


# --- fastformer ----------------------------------------------------------------------------------

Pool = Callable[..., Outputs]


def _both(part: Any) -> tuple[Any, Any]:
    """The same in both poolings."""
    return part, part


def _projected(u: np.ndarray, q: np.ndarray, inputs: np.ndarray, project: Callable) -> np.ndarray:
    """The right output."""
    return project(u) + q


def _by_root(depth: int, heads: int) -> float:
    """The right scale of the scores."""
    return 1 / np.sqrt(depth)


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
    scales: tuple[Callable, Callable] = _both(_by_root),
    pools: tuple[Pool, Pool] = _both(_pool),
    heads: tuple[Callable, Callable] = (separate_heads, combine_heads),
    share: Callable[[np.ndarray], np.ndarray] = lambda scores: scores,
    scored: Callable[..., np.ndarray] = lambda inputs, q: q,
    meet: Callable[..., np.ndarray] = lambda pooled, q, k: pooled * k,
    key_scored: Callable[..., np.ndarray] = lambda p, k: p,
    key_pooled: Callable[..., np.ndarray] = lambda p, k: p,
    gather: Callable[..., np.ndarray] = lambda pooled, query, v, k, p: pooled * v,
    finish: Callable[..., np.ndarray] = _projected,
) -> Outputs:
    """The right layer but for its parts: what scores are multiplied by, both poolings, how heads
    are separated and combined and which scores they get, what is scored, what is pooled, what
    meets what, and what is made of it in the end."""
    q, k, v = (inputs @ kernel for kernel in (query_kernel, key_kernel, value_kernel))
    depth = q.shape[-1] // num_heads
    by_head = None if mask is None else mask[:, None, :]
    separate, combine = heads

    def pooled(place: int, x: np.ndarray, basis: np.ndarray, kernel: np.ndarray) -> np.ndarray:
        scores = np.swapaxes(basis @ kernel, 1, 2) * scales[place](depth, num_heads)
        output = pools[place](separate(x, num_heads), share(scores), by_head)["output"]
        return combine(output[:, :, None, :])

    query = pooled(0, q, scored(inputs, q), query_score_kernel)
    p = meet(query, q, k)
    key = pooled(1, key_pooled(p, k), key_scored(p, k), key_score_kernel)
    u = gather(key, query, v, k, p)
    output = finish(u, q, inputs, lambda x: x @ output_kernel + output_bias)
    left = finish(u, q, inputs, lambda x: 0 * x)
    return {"attended": output - left, "queries": left}


_attention = bank.parts_of("fastformer", _layer)
_alone = bank.parts_of("fastformer", _layer, paired=False)

_attention(
    "no_scaling",
    "The scores were not scaled: the root of the depth of one head is missing.",
    scales=_both(lambda depth, heads: 1.0),
)
_attention(
    "scaled_by_hidden_size",
    "The scores were scaled by the root of all features: inside a head, vectors have the depth of "
    "one head.",
    scales=_both(lambda depth, heads: 1 / np.sqrt(depth * heads)),
)
_alone(
    "only_query_scores_scaled",
    "The scores of the second pooling were not scaled: both poolings divide by the same root.",
    scales=(_by_root, lambda depth, heads: 1.0),
)
_alone(
    "only_key_scores_scaled",
    "The scores of the first pooling were not scaled: both poolings divide by the same root.",
    scales=(lambda depth, heads: 1.0, _by_root),
)
_alone(
    "scaled_by_heads",
    "The scores were scaled by the root of the number of heads: it is their depth that counts.",
    scales=_both(lambda depth, heads: 1 / np.sqrt(heads)),
)
_alone(
    "divided_by_depth",
    "The scores were divided by the depth of a head itself, not by its root; or by the root twice, "
    "here and in the pooling.",
    scales=_both(lambda depth, heads: 1 / depth),
)
_alone(
    "multiplied_by_root",
    "The scores were multiplied by the root of the depth, not divided by it.",
    scales=_both(lambda depth, heads: np.sqrt(depth)),
)

_POOLINGS = {known.name: known.variant for known in bank.of("fastformer.additive_pooling")}

_attention(
    "softmax_over_heads",
    "The softmax runs over the heads: in each head, the weights of the tokens must sum to 1.",
    pools=_both(_POOLINGS["softmax_over_axis_one"]),
)
_attention(
    "mask_in_query_pooling_only",
    "The global key is pooled from padding as well: both poolings need the mask.",
    pools=(_pool, _POOLINGS["mask_ignored"]),
)
_alone(
    "mask_in_key_pooling_only",
    "The global query is pooled from padding as well: both poolings need the mask.",
    pools=(_POOLINGS["mask_ignored"], _pool),
)

_BOTH_POOLINGS = "Both poolings have the same mistake: "
_SAID_OF_BOTH_POOLINGS = {
    "mask_ignored": "they do not use the mask, and padding receives weight.",
    "mask_inverted": "they read the mask the other way round; True is a token.",
    "mask_multiplied": "the scores of padding become 0, which a softmax gives some weight.",
    "mask_after_softmax": "the mask comes after the softmax, and the rest no longer sums to 1.",
}
_SAID_OF_BOTH_POOLINGS_ALONE = {
    "weights_all_one": "all weights are 1, as the softmax runs over an axis of a single entry.",
    "softmax_over_batch": "the softmax runs over the batch.",
    "no_softmax": "the scores themselves serve as weights, without a softmax.",
    "sigmoid": "a sigmoid weighs each token by itself, so that the weights do not sum to 1.",
    "plain_mean": "they do not use the scores, and what they return are plain means.",
    "signs_exchanged": "a higher score means less weight.",
    "unstable_softmax": "the exponentials overflow for large scores.",
    "mask_added": "the mask is added to the scores as ones and zeros.",
    "minus_infinity": "scores of padding become minus infinity, and a sample that is all padding "
    "has nothing left to divide by.",
    "averaged": "the weighted tokens are averaged, though the weights share out 1 already.",
}
for _register, _said in (
    (_attention, _SAID_OF_BOTH_POOLINGS),
    (_alone, _SAID_OF_BOTH_POOLINGS_ALONE),
):
    for _name, _mistake in _said.items():
        _register(_name, _BOTH_POOLINGS + _mistake, section=2, pools=_both(_POOLINGS[_name]))


def _mean_of_heads(scores: np.ndarray) -> np.ndarray:
    return softmax(scores).mean(axis=1, keepdims=True)


def _interleaved(x: np.ndarray, num_heads: int) -> np.ndarray:
    batch, time, size = x.shape
    return x.reshape(batch, time, size // num_heads, num_heads).transpose(0, 3, 1, 2)


def _interleaved_merge(x: np.ndarray) -> np.ndarray:
    batch, heads, time, depth = x.shape
    return x.transpose(0, 2, 3, 1).reshape(batch, time, heads * depth)


def _reshaped(x: np.ndarray, num_heads: int) -> np.ndarray:
    batch, time, size = x.shape
    return x.reshape(batch, num_heads, time, size // num_heads)


_attention(
    "first_head_for_all",
    "One set of weights serves all heads: each head pools its own features by its own scores.",
    share=lambda scores: scores[:, :1],
)
_alone(
    "weights_averaged_over_heads",
    "The heads' weights were averaged: each head pools its own features by its own scores.",
    pools=_both(partial(_pool, normalise=_mean_of_heads)),
)
_alone(
    "heads_interleaved",
    "The features of the heads are interleaved: a head is a run of neighbouring columns.",
    heads=(_interleaved, _interleaved_merge),
)
_alone(
    "heads_reshaped",
    "A reshape alone moves tokens into heads where features belong: split the last axis first, "
    "then exchange axes.",
    heads=(_reshaped, combine_heads),
)

_alone(
    "scores_of_the_inputs",
    "The scores of the first pooling come from the inputs: the queries are scored.",
    scored=lambda inputs, q: inputs,
)
_attention(
    "key_scores_of_the_keys",
    "The scores of the second pooling come from the keys: what is pooled there is their product "
    "with the global query.",
    key_scored=lambda p, k: k,
)
_attention(
    "keys_pooled",
    "The second pooling takes the keys: it is their product with the global query that is pooled.",
    key_pooled=lambda p, k: k,
)
_alone(
    "global_key_without_the_query",
    "The global key is pooled from the keys alone, and the global query has no effect.",
    key_pooled=lambda p, k: k,
    key_scored=lambda p, k: k,
)
_alone(
    "own_queries",
    "Each key met its own token's query: it should meet the global one.",
    meet=lambda pooled, q, k: q * k,
)
_alone(
    "global_query_added",
    "The global query was added to the keys: the two are to be multiplied, feature by feature.",
    meet=lambda pooled, q, k: pooled + k,
)
_alone(
    "global_key_added",
    "The global key was added to the values: the two are multiplied, feature by feature.",
    gather=lambda pooled, query, v, k, p: pooled + v,
)
_attention(
    "sums_for_products",
    "The global query and the global key were added where they are to be multiplied.",
    meet=lambda pooled, q, k: pooled + k,
    gather=lambda pooled, query, v, k, p: pooled + v,
)
_alone(
    "values_not_used",
    "The values have no effect: it is them that the global key should meet, not the keys again.",
    gather=lambda pooled, query, v, k, p: pooled * k,
)
_alone(
    "products_for_values",
    "The values have no effect: it is them that the global key should meet, not the products with "
    "the global query.",
    gather=lambda pooled, query, v, k, p: pooled * p,
)
_alone(
    "global_key_not_used",
    "The global key has no effect: it is the one that the values should meet, not the products it "
    "is pooled from.",
    gather=lambda pooled, query, v, k, p: p * v,
)
_alone(
    "global_query_for_key",
    "The values meet the global query: it is the global key that they should meet.",
    gather=lambda pooled, query, v, k, p: query * v,
)
_alone(
    "global_key_alone",
    "The global key goes into output_linear by itself: it has to meet the values first.",
    gather=lambda pooled, query, v, k, p: pooled + 0 * v,
)

_attention(
    "no_queries_added",
    "The queries are not added to the output.",
    finish=lambda u, q, inputs, project: project(u),
)
_alone(
    "queries_added_twice",
    "The queries are added twice.",
    finish=lambda u, q, inputs, project: project(u) + 2 * q,
)
_attention(
    "queries_projected",
    "The queries were added before output_linear: they belong to its output.",
    finish=lambda u, q, inputs, project: project(u + q),
)
_attention(
    "inputs_added",
    "The inputs were added, not the queries; the connection past the whole layer comes later, in "
    "the model.",
    finish=lambda u, q, inputs, project: project(u) + inputs,
)
_alone(
    "inputs_added_as_well",
    "The inputs were added beside the queries; the connection past the whole layer comes later, in "
    "the model.",
    finish=lambda u, q, inputs, project: project(u) + q + inputs,
)
_alone(
    "queries_multiplied",
    "The queries were multiplied with the output: they are to be added.",
    finish=lambda u, q, inputs, project: project(u) * q,
)
_alone(
    "no_output_linear",
    "The layer output_linear is not used.",
    finish=lambda u, q, inputs, project: u + q,
)


@bank.add("fastformer", "The keys were added to the output: it is the queries that are added.")
def keys_added(inputs, key_kernel, **rest):
    outputs = _layer(inputs, key_kernel=key_kernel, **rest)
    return {**outputs, "queries": inputs @ key_kernel}


@bank.add("fastformer", "The values were added to the output: it is the queries that are added.")
def values_added(inputs, value_kernel, **rest):
    outputs = _layer(inputs, value_kernel=value_kernel, **rest)
    return {**outputs, "queries": inputs @ value_kernel}


@bank.add(
    "fastformer",
    "The heads were combined by one reshape: the axes must move back to (batch, time, heads, "
    "features) before it.",
)
def combined_by_reshape(num_heads, **inputs):
    def gather(pooled, query, v, k, p):
        return separate_heads(pooled * v, num_heads).reshape(v.shape)

    return _layer(num_heads=num_heads, gather=gather, **inputs)


@bank.add("fastformer", "Both poolings take their scores from query_score: key_score is unused.")
def query_score_twice(query_score_kernel, key_score_kernel, **inputs):
    return _layer(
        query_score_kernel=query_score_kernel, key_score_kernel=query_score_kernel, **inputs
    )


@bank.add(
    "fastformer",
    "The two layers of scores are exchanged: query_score belongs to the queries.",
)
def scores_exchanged(query_score_kernel, key_score_kernel, **inputs):
    return _layer(
        **inputs, query_score_kernel=key_score_kernel, key_score_kernel=query_score_kernel
    )


@bank.add("fastformer", "Keys and values are exchanged: the global query has to meet the keys.")
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
    layer: Callable[..., Outputs] = _layer,
    stack: Callable[..., np.ndarray] = _residual,
    pool: Callable[[np.ndarray, np.ndarray], np.ndarray] = masked_mean,
    last: Callable[[np.ndarray], np.ndarray] = softmax,
    more: Callable[[int, int, int], int] = lambda num_layers, length, size: 0,
    **layers: np.ndarray,
) -> Outputs:
    """The right classifier but for its parts: what embeddings are multiplied by, the layer, how
    layers are stacked, how tokens are pooled, what makes probabilities of the last layer's outputs,
    and how many weights it has that it should not have."""

    def block(number: int) -> Block:
        own = {name: stack[number] for name, stack in layers.items()}
        return lambda x, mask: sum(layer(x, num_heads, mask=mask, **own).values())

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


_model = bank.parts_of("build_fastformer_classifier", _classifier)
_model_alone = bank.parts_of("build_fastformer_classifier", _classifier, paired=False)

_model(
    "no_embedding_scale",
    "The embeddings go into the first layer as they are: they are to be multiplied first.",
    scale=lambda vocabulary_size, size, heads: 1.0,
)
_model_alone(
    "embeddings_divided",
    "The embeddings are divided by the root of hidden: they are to be multiplied by it.",
    scale=lambda vocabulary_size, size, heads: 1 / np.sqrt(size),
)
_model_alone(
    "scaled_by_hidden",
    "The embeddings are multiplied by hidden itself, not by its root.",
    scale=lambda vocabulary_size, size, heads: float(size),
)
_model_alone(
    "scaled_by_depth",
    "The embeddings are multiplied by the root of size_per_head: a whole embedding has the "
    "features of all heads.",
    scale=lambda vocabulary_size, size, heads: np.sqrt(size / heads),
)
_model_alone(
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
    return _residual(x, ~mask, blocks)


_model(
    "no_residual",
    "There are no residual connections: a layer's input is to be added to its output.",
    stack=_plain,
)
_model_alone(
    "one_residual_past_all_layers",
    "One residual connection leads past all layers together: each layer needs its own.",
    stack=_past_all,
)
_model_alone(
    "embeddings_added_each_time",
    "The embeddings were added after each layer: a residual connection adds what went into that "
    "layer.",
    stack=_embeddings_again,
)
_model_alone(
    "layers_side_by_side",
    "All layers read the embeddings: each has to read what the one before has made of them.",
    stack=_side_by_side,
)
_model_alone(
    "mask_in_first_layer_only",
    "Only the first layer gets the mask: the others pool padding as well.",
    stack=_first_masked,
)
_model_alone(
    "layers_without_mask",
    "The layers' global queries and keys contain padding: the layers get or use no mask.",
    stack=_unmasked,
)
_model_alone(
    "mask_inverted_in_layers",
    "The layers get a mask that is True for padding, or read it so: True is a token.",
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
_model_alone(
    "no_mask_at_all",
    "No mask is used: padding is pooled in the layers, and averaged after them.",
    stack=_unmasked,
    pool=_over_all,
)
_model_alone(
    "mean_over_max_length",
    "Padding was set to 0 but still counted: divide by the number of words.",
    pool=_kept_of_all,
)
_model(
    "sum_of_tokens",
    "The tokens were added up: a mean does not grow with the length of a text.",
    pool=lambda x, mask: (x * mask[:, :, None]).sum(axis=1),
)
_model_alone(
    "largest_of_words",
    "The largest value of each feature is taken, not the mean.",
    pool=lambda x, mask: _largest(np.where(mask[:, :, None], x, -np.inf), mask),
)
_model_alone(
    "largest_with_padding",
    "The largest value of each feature is taken, not the mean, and padding is looked at as well.",
    pool=_largest,
)
_model_alone(
    "first_token",
    "The first token alone is read: the mean is taken over all words.",
    pool=lambda x, mask: x[:, 0],
)
_model(
    "no_softmax",
    "The last layer has no softmax: its rows do not sum to 1.",
    last=lambda logits: logits,
)
_model_alone(
    "sigmoids",
    "The last layer has a sigmoid for each class; classes that exclude each other need a softmax.",
    last=lambda logits: 1 / (1 + np.exp(-logits)),
)
_model_alone(
    "positions_added",
    "There is a table of positions: this model is to have none.",
    more=lambda num_layers, length, size: length * size,
)


_INHERITED = "Fastformer itself has the mistake of the task before: "
_SAID_OF_THE_LAYER = {
    "no_scaling": "the scores are not scaled.",
    "scaled_by_hidden_size": "the scores are scaled by the root of all features.",
    "softmax_over_heads": "the softmax runs over the heads.",
    "weights_all_one": "all weights of a pooling are 1.",
    "mask_in_query_pooling_only": "the global key is pooled from padding as well.",
    "mask_multiplied": "its masks make the scores of padding 0.",
    "mask_after_softmax": "its masks come after the softmax.",
    "first_head_for_all": "one set of weights serves all heads.",
    "global_key_without_the_query": "the global query has no effect.",
    "sums_for_products": "the global query and the global key are added, not multiplied.",
    "no_queries_added": "the queries are not added.",
    "queries_projected": "the queries are added before output_linear.",
    "inputs_added": "the inputs are added in the place of the queries.",
}
_SAID_OF_THE_LAYER_ALONE = {
    "mask_in_key_pooling_only": "the global query is pooled from padding as well.",
    "mask_added": "its masks are added to the scores as ones and zeros.",
    "divided_by_depth": "the scores are divided by the depth, or by its root twice.",
    "softmax_over_batch": "the softmax runs over the batch.",
    "no_softmax": "the scores themselves serve as weights.",
    "sigmoid": "a sigmoid weighs each token by itself.",
    "plain_mean": "the scores are not used.",
    "averaged": "the weighted tokens are averaged.",
    "heads_interleaved": "the features of the heads are interleaved.",
    "heads_reshaped": "a reshape alone separates the heads.",
    "key_scores_of_the_keys": "the second pooling scores the keys.",
    "keys_pooled": "the second pooling takes the keys.",
    "global_query_for_key": "the values meet the global query.",
    "inputs_added_as_well": "the inputs are added beside the queries.",
    "no_output_linear": "output_linear is not used.",
}
_LAYERS = {known.name: known.variant for known in bank.of("fastformer.fastformer")}
for _register, _said in (
    (_model, _SAID_OF_THE_LAYER),
    (_model_alone, _SAID_OF_THE_LAYER_ALONE),
):
    for _name, _mistake in _said.items():
        # Some mistakes are the model's own as well.
        _own = f"{_name}_in_the_layers"
        _register(_own, _INHERITED + _mistake, section=3, layer=_LAYERS[_name])


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
    "There is a layer normalisation beside each Fastformer layer: this model is to have none.",
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


@bank.add(
    "weighted_f1",
    "The weighted scores were divided by the number of classes: weights must sum to 1.",
)
def divided_by_classes(y_true, y_pred):
    score = weighted_f1(y_true, y_pred)["score"] * len(y_true)
    return {"score": np.array(score / len(np.unique(y_true)))}


@bank.add("weighted_f1", "Only the recall is averaged, and every class counts alike.")
def macro_recall(y_true, y_pred):
    hits, true, _ = class_counts(y_true, y_pred)
    occurs = true > 0
    return _average(_share(hits, true)[occurs], np.ones(occurs.sum()))


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
