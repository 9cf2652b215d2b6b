"""What people get wrong about additive pooling, Fastformer and the weighted F1 score."""

from __future__ import annotations

from functools import partial

from autograder.misconceptions.bank import Bank
from course.exercises.classifiers import NO_DISTRIBUTIONS

bank = Bank("fastformer")

# --- additive_pooling ----------------------------------------------------------------------------

_pooling = partial(bank.mistake, "additive_pooling")

_pooling(
    "softmax_over_batch",
    "The softmax runs over the batch: the weights of one text's tokens must sum to 1.",
    "softmax(logits)",
    "softmax(logits, axis=0)",
)
_pooling(
    "softmax_over_axis_one",
    "The softmax runs over the second axis, which is time only while there are no heads: count "
    "from the end.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
)
_pooling(
    "no_softmax",
    "The scores themselves served as weights: a softmax is missing.",
    "softmax(logits)",
    "logits",
)
_pooling(
    "sigmoid",
    "A sigmoid weighs each token by itself: weights that are shared sum to 1.",
    "softmax(logits)",
    "1 / (1 + np.exp(-logits))",
)
_pooling(
    "not_normalised",
    "The exponentials were not divided by their sum.",
    "softmax(logits)",
    "np.exp(logits.astype(np.float32))",
)
_pooling(
    "mask_ignored",
    "The mask is not used: padding still receives weight.",
    "np.where(mask, logits, -1e9)",
    "logits",
)
_pooling(
    "mask_inverted",
    "The mask is read the other way round: True is a token, False is padding.",
    "np.where(mask, logits, -1e9)",
    "np.where(mask, -1e9, logits)",
)
_pooling(
    "mask_multiplied",
    "The mask makes the scores of padding 0, and the softmax gives a score of 0 a weight.",
    "np.where(mask, logits, -1e9)",
    "logits * mask",
)
_pooling(
    "mask_added",
    "The mask was added to the scores as ones and zeros: padding keeps most of its weight.",
    "np.where(mask, logits, -1e9)",
    "logits + mask",
)
_pooling(
    "mask_after_softmax",
    "The mask comes after the softmax, so that the remaining weights no longer sum to 1.",
    "np.where(mask, logits, -1e9)",
    "logits",
    "alpha[..., None]",
    "(alpha if mask is None else alpha * mask)[..., None]",
)
_pooling(
    "minus_infinity",
    "Scores of padding become minus infinity, and a sample that is all padding has nothing left to "
    "divide by: use a large negative number.",
    "-1e9",
    "-np.inf",
)
_pooling(
    "averaged",
    "The weighted tokens were averaged: the weights share out 1 already, so add them up.",
    "weighted.sum(axis=-2)",
    "weighted.mean(axis=-2)",
)
_pooling(
    "sum_over_axis_one",
    "The weights are right but the sum runs over the second axis, which is time only while there "
    "are no heads: count from the end.",
    "weighted.sum(axis=-2)",
    "weighted.sum(axis=1)",
)
_pooling(
    "not_summed",
    "The tokens are weighted but not added up: time must disappear.",
    "weighted.sum(axis=-2)",
    "weighted",
)
_pooling(
    "axis_kept",
    "Time is still there, as an axis of a single entry.",
    "weighted.sum(axis=-2)",
    "weighted.sum(axis=-2, keepdims=True)",
)
_pooling(
    "sum_over_features",
    "The sum runs over the features: it is the tokens that are added up.",
    "weighted.sum(axis=-2)",
    "weighted.sum(axis=-1)",
)
_pooling(
    "scaled_again",
    "The scores were scaled once more: whoever gives them to this function has done that.",
    "masked(scores, mask)",
    "masked(scores / np.sqrt(x.shape[-1]), mask)",
)

# Seldom beside another mistake: these are not paired, so that the answer sheet stays short.

_pooling_alone = partial(_pooling, alone=True)

_pooling_alone(
    "weights_all_one",
    "All weights are 1: the softmax runs over an axis of a single entry, after the scores got one "
    "more axis.",
    "softmax(logits)",
    "np.ones_like(logits)",
)
_pooling_alone(
    "unstable_softmax",
    "The exponentials overflow for large scores: use a stable softmax.",
    # A sample that is all padding has some numbers: they are free, but have to be finite.
    "np.exp(logits - logits.max(axis=axis, keepdims=True))",
    "np.exp(np.maximum(logits, -80).astype(np.float32))",
)
_pooling_alone(
    "plain_mean",
    "The scores were not used: this is the plain mean of the tokens.",
    "masked(scores, mask)",
    "masked(0 * scores, mask)",
)
_pooling_alone(
    "signs_exchanged",
    "The signs of the scores are exchanged: a higher score means more weight.",
    "masked(scores, mask)",
    "masked(-scores, mask)",
)
_pooling_alone(
    "best_token",
    "Only the token with the highest score is left: a softmax gives the others some weight.",
    "softmax(logits)",
    "np.arange(logits.shape[-1]) == logits.argmax(axis=-1)[..., None]",
)
_pooling_alone(
    "shares_of_scores",
    "The scores were divided by their plain sum: weights may not be negative.",
    "np.where(mask, logits, -1e9)",
    "logits * mask",
    "softmax(logits)",
    "logits / logits.sum(axis=-1, keepdims=True)",
)
_pooling_alone(
    "axis_one",
    "Softmax and sum run over the second axis, which is time only while there are no heads: count "
    "from the end.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
    "weighted.sum(axis=-2)",
    "weighted.sum(axis=1)",
)

# --- fastformer ----------------------------------------------------------------------------------

_layer = partial(bank.mistake, "fastformer")
_layer_alone = partial(_layer, alone=True)

_layer(
    "no_scaling",
    "The scores were not scaled: the root of the depth of one head is missing.",
    "/ np.sqrt(heads.shape[-1])",
    "",
)
_layer(
    "scaled_by_hidden_size",
    "The scores were scaled by the root of all features: inside a head, vectors have the depth of "
    "one head.",
    "np.sqrt(heads.shape[-1])",
    "np.sqrt(x.shape[-1])",
)
_layer_alone(
    "only_query_scores_scaled",
    "The scores of the second pooling were not scaled: both poolings divide by the same root.",
    "products @ key_score_kernel",
    "products @ key_score_kernel * np.sqrt(products.shape[-1] / num_heads)",
)
_layer_alone(
    "only_key_scores_scaled",
    "The scores of the first pooling were not scaled: both poolings divide by the same root.",
    "queries @ query_score_kernel",
    "queries @ query_score_kernel * np.sqrt(queries.shape[-1] / num_heads)",
)
_layer_alone(
    "scaled_by_heads",
    "The scores were scaled by the root of the number of heads: it is their depth that counts.",
    "np.sqrt(heads.shape[-1])",
    "np.sqrt(num_heads)",
)
_layer_alone(
    "divided_by_depth",
    "The scores were divided by the depth of a head itself, not by its root; or by the root twice, "
    "here and in the pooling.",
    "np.sqrt(heads.shape[-1])",
    "heads.shape[-1]",
)
_layer_alone(
    "multiplied_by_root",
    "The scores were multiplied by the root of the depth, not divided by it.",
    "/ np.sqrt(heads.shape[-1])",
    "* np.sqrt(heads.shape[-1])",
)
_layer(
    "softmax_over_heads",
    "The softmax runs over the heads: in each head, the weights of the tokens must sum to 1.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
)
_layer(
    "mask_in_query_pooling_only",
    "The global key is pooled from padding as well: both poolings need the mask.",
    "key_score_kernel, num_heads, mask",
    "key_score_kernel, num_heads, None",
)
_layer_alone(
    "mask_in_key_pooling_only",
    "The global query is pooled from padding as well: both poolings need the mask.",
    "query_score_kernel, num_heads, mask",
    "query_score_kernel, num_heads, None",
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
# What is not finite is left by zeros in output_linear, too.
_NOT_FINITE = ("unstable_softmax", "minus_infinity")
_LEFT = ('"queries": queries', '"queries": 0 * weighted_values + queries')
for _alone, _said in ((False, _SAID_OF_BOTH_POOLINGS), (True, _SAID_OF_BOTH_POOLINGS_ALONE)):
    for _name, _mistake in _said.items():
        bank.inherit(
            "fastformer",
            _name,
            _BOTH_POOLINGS + _mistake,
            f"additive_pooling.{_name}",
            *(_LEFT if _name in _NOT_FINITE else ()),
            section=2,
            alone=_alone,
        )

_layer(
    "first_head_for_all",
    "One set of weights serves all heads: each head pools its own features by its own scores.",
    "np.swapaxes(scores, 1, 2)",
    "np.swapaxes(scores, 1, 2)[:, :1]",
)
_layer_alone(
    "weights_averaged_over_heads",
    "The heads' weights were averaged: each head pools its own features by its own scores.",
    "softmax(logits)",
    "softmax(logits).mean(axis=1, keepdims=True)",
)
_layer_alone(
    "heads_interleaved",
    "The features of the heads are interleaved: a head is a run of neighbouring columns.",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "x.reshape(batch, time, size // num_heads, num_heads).transpose(0, 3, 1, 2)",
    "x.transpose(0, 2, 1, 3)",
    "x.transpose(0, 2, 3, 1)",
)
_layer_alone(
    "heads_reshaped",
    "A reshape alone moves tokens into heads where features belong: split the last axis first, "
    "then exchange axes.",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "x.reshape(batch, num_heads, time, size // num_heads)",
)
_layer_alone(
    "scores_of_the_inputs",
    "The scores of the first pooling come from the inputs: the queries are scored.",
    "queries @ query_score_kernel",
    "inputs @ query_score_kernel",
)
_layer(
    "key_scores_of_the_keys",
    "The scores of the second pooling come from the keys: what is pooled there is their product "
    "with the global query.",
    "products @",
    "keys @",
)
_layer(
    "keys_pooled",
    "The second pooling takes the keys: it is their product with the global query that is pooled.",
    "pool_by_head(products",
    "pool_by_head(keys",
)
_layer_alone(
    "global_key_without_the_query",
    "The global key is pooled from the keys alone, and the global query has no effect.",
    "pool_by_head(products, products @",
    "pool_by_head(keys, keys @",
)
_layer_alone(
    "own_queries",
    "Each key met its own token's query: it should meet the global one.",
    "global_query * keys",
    "queries * keys",
)
_layer_alone(
    "global_query_added",
    "The global query was added to the keys: the two are to be multiplied, feature by feature.",
    "global_query * keys",
    "global_query + keys",
)
_layer_alone(
    "global_key_added",
    "The global key was added to the values: the two are multiplied, feature by feature.",
    "global_key * values",
    "global_key + values",
)
_layer(
    "sums_for_products",
    "The global query and the global key were added where they are to be multiplied.",
    "global_query * keys",
    "global_query + keys",
    "global_key * values",
    "global_key + values",
)
_layer_alone(
    "values_not_used",
    "The values have no effect: it is them that the global key should meet, not the keys again.",
    "global_key * values",
    "global_key * keys",
)
_layer_alone(
    "products_for_values",
    "The values have no effect: it is them that the global key should meet, not the products with "
    "the global query.",
    "global_key * values",
    "global_key * products",
)
_layer_alone(
    "global_key_not_used",
    "The global key has no effect: it is the one that the values should meet, not the products it "
    "is pooled from.",
    "global_key * values",
    "products * values",
)
_layer_alone(
    "global_query_for_key",
    "The values meet the global query: it is the global key that they should meet.",
    "global_key * values",
    "global_query * values",
)
_layer_alone(
    "global_key_alone",
    "The global key goes into output_linear by itself: it has to meet the values first.",
    "global_key * values",
    "global_key + 0 * values",
)
_layer(
    "no_queries_added",
    "The queries are not added to the output.",
    '"queries": queries',
    '"queries": 0 * queries',
)
_layer_alone(
    "queries_added_twice",
    "The queries are added twice.",
    '"queries": queries',
    '"queries": 2 * queries',
)
_layer(
    "queries_projected",
    "The queries were added before output_linear: they belong to its output.",
    "weighted_values @ output_kernel",
    "(weighted_values + queries) @ output_kernel",
    '"queries": queries',
    '"queries": 0 * queries',
)
_layer(
    "inputs_added",
    "The inputs were added, not the queries; the connection past the whole layer comes later, in "
    "the model.",
    '"queries": queries',
    '"queries": 0 * queries + inputs',
)
_layer_alone(
    "inputs_added_as_well",
    "The inputs were added beside the queries; the connection past the whole layer comes later, in "
    "the model.",
    '"queries": queries',
    '"queries": queries + inputs',
)
_layer_alone(
    "queries_multiplied",
    "The queries were multiplied with the output: they are to be added.",
    '"attended": attended, "queries": queries',
    '"attended": attended * queries, "queries": 0 * queries',
)
_layer_alone(
    "no_output_linear",
    "The layer output_linear is not used.",
    '"attended": attended, "queries": queries',
    '"attended": 0 * attended, "queries": weighted_values + queries',
)
_layer_alone(
    "keys_added",
    "The keys were added to the output: it is the queries that are added.",
    '"queries": queries',
    '"queries": keys',
)
_layer_alone(
    "values_added",
    "The values were added to the output: it is the queries that are added.",
    '"queries": queries',
    '"queries": values',
)
_layer_alone(
    "combined_by_reshape",
    "The heads were combined by one reshape: the axes must move back to (batch, time, heads, "
    "features) before it.",
    "weighted_values @ output_kernel",
    "separate_heads(weighted_values, num_heads).reshape(values.shape) @ output_kernel",
)
_layer_alone(
    "query_score_twice",
    "Both poolings take their scores from query_score: key_score is unused.",
    "products @ key_score_kernel",
    "products @ query_score_kernel",
)
_layer_alone(
    "scores_exchanged",
    "The two layers of scores are exchanged: query_score belongs to the queries.",
    "queries @ query_score_kernel",
    "queries @ key_score_kernel",
    "products @ key_score_kernel",
    "products @ query_score_kernel",
)
_layer_alone(
    "keys_and_values_exchanged",
    "Keys and values are exchanged: the global query has to meet the keys.",
    "queries, keys, values =",
    "queries, values, keys =",
)

# --- build_fastformer_classifier -----------------------------------------------------------------

_model = partial(bank.mistake, "build_fastformer_classifier")
_model_alone = partial(_model, alone=True)

_OTHER_ROWS = ('"rows": DISTRIBUTIONS', f'"rows": {NO_DISTRIBUTIONS!r}')
# A model that has no place for a case's weights gives no probabilities with them.
_NO_PLACE = ('"probabilities": probabilities,', "")

_model(
    "no_embedding_scale",
    "The embeddings go into the first layer as they are: they are to be multiplied first.",
    "* np.sqrt(table.shape[1])",
    "",
)
_model_alone(
    "embeddings_divided",
    "The embeddings are divided by the root of hidden: they are to be multiplied by it.",
    "* np.sqrt(table.shape[1])",
    "/ np.sqrt(table.shape[1])",
)
_model_alone(
    "scaled_by_hidden",
    "The embeddings are multiplied by hidden itself, not by its root.",
    "np.sqrt(table.shape[1])",
    "table.shape[1]",
)
_model_alone(
    "scaled_by_depth",
    "The embeddings are multiplied by the root of size_per_head: a whole embedding has the "
    "features of all heads.",
    "np.sqrt(table.shape[1])",
    "np.sqrt(table.shape[1] / num_heads)",
)
_model_alone(
    "scaled_by_vocabulary",
    "The embeddings are multiplied by the root of the vocabulary's size: it is their own length "
    "that counts.",
    "np.sqrt(table.shape[1])",
    "np.sqrt(table.shape[0])",
)
_model(
    "no_residual",
    "There are no residual connections: a layer's input is to be added to its output.",
    "x + sum(",
    "sum(",
)
_model_alone(
    "one_residual_past_all_layers",
    "One residual connection leads past all layers together: each layer needs its own.",
    "x + sum(",
    "sum(",
    "masked_mean(x, mask)",
    "masked_mean(embedded + x, mask)",
)
_model_alone(
    "embeddings_added_each_time",
    "The embeddings were added after each layer: a residual connection adds what went into that "
    "layer.",
    "x + sum(",
    "embedded + sum(",
)
_model_alone(
    "layers_side_by_side",
    "All layers read the embeddings: each has to read what the one before has made of them.",
    "fastformer(x,",
    "fastformer(embedded,",
)
_model_alone(
    "mask_in_first_layer_only",
    "Only the first layer gets the mask: the others pool padding as well.",
    "mask=mask",
    "mask=None if number else mask",
)
_model_alone(
    "layers_without_mask",
    "The layers' global queries and keys contain padding: the layers get or use no mask.",
    "mask=mask",
    "mask=None",
)
_model_alone(
    "mask_inverted_in_layers",
    "The layers get a mask that is True for padding, or read it so: True is a token.",
    "mask=mask",
    "mask=~mask",
)
_model(
    "mean_over_padding",
    "The mean counts padding as well: the pooling layer takes a mask, too.",
    "masked_mean(x, mask)",
    "x.mean(axis=1)",
)
_model_alone(
    "no_mask_at_all",
    "No mask is used: padding is pooled in the layers, and averaged after them.",
    "mask=mask",
    "mask=None",
    "masked_mean(x, mask)",
    "x.mean(axis=1)",
)
_model_alone(
    "mean_over_max_length",
    "Padding was set to 0 but still counted: divide by the number of words.",
    "masked_mean(x, mask)",
    "(x * mask[:, :, None]).mean(axis=1)",
)
_model(
    "sum_of_tokens",
    "The tokens were added up: a mean does not grow with the length of a text.",
    "masked_mean(x, mask)",
    "(x * mask[:, :, None]).sum(axis=1)",
)
_model_alone(
    "largest_of_words",
    "The largest value of each feature is taken, not the mean.",
    "masked_mean(x, mask)",
    "np.where(mask[:, :, None], x, -np.inf).max(axis=1)",
)
_model_alone(
    "largest_with_padding",
    "The largest value of each feature is taken, not the mean, and padding is looked at as well.",
    "masked_mean(x, mask)",
    "x.max(axis=1)",
)
_model_alone(
    "first_token",
    "The first token alone is read: the mean is taken over all words.",
    "masked_mean(x, mask)",
    "x[:, 0]",
)
_model(
    "no_softmax",
    "The last layer has no softmax: its rows do not sum to 1.",
    "softmax(pooled @ class_kernel + class_bias)",
    "pooled @ class_kernel + class_bias",
    *_OTHER_ROWS,
)
_model_alone(
    "sigmoids",
    "The last layer has a sigmoid for each class; classes that exclude each other need a softmax.",
    "softmax(pooled @ class_kernel + class_bias)",
    "1 / (1 + np.exp(-(pooled @ class_kernel + class_bias)))",
    *_OTHER_ROWS,
)
_model_alone(
    "positions_added",
    "There is a table of positions: this model is to have none.",
    "*layers.values()",
    "*layers.values(), np.empty((ids.shape[1], table.shape[1]))",
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
for _alone, _said in ((False, _SAID_OF_THE_LAYER), (True, _SAID_OF_THE_LAYER_ALONE)):
    for _name, _mistake in _said.items():
        bank.inherit(
            "build_fastformer_classifier",
            f"{_name}_in_the_layers",  # some are mistakes of the model itself as well
            _INHERITED + _mistake,
            f"fastformer.{_name}",
            section=3,
            alone=_alone,
        )

_model_alone(
    "weights_of_one_layer",
    "The model has the weights of one Fastformer layer, whatever num_layers says: every layer "
    "needs weights of its own.",
    "*layers.values()",
    "*(stack[:1] for stack in layers.values())",
    *_NO_PLACE,
)
_model_alone(
    "two_layers_always",
    "There are two Fastformer layers, whatever num_layers says.",
    "*layers.values()",
    "*(stack[:2] for stack in layers.values())",
    '"probabilities": probabilities,',
    '**({"probabilities": probabilities} if num_layers == 2 else {}),',
)
_model_alone(
    "one_layer_too_few",
    "There is one Fastformer layer less than num_layers: where does the count begin?",
    "*layers.values()",
    "*(stack[1:] for stack in layers.values())",
    *_NO_PLACE,
)
_model_alone(
    "one_layer_too_many",
    "There is one Fastformer layer more than num_layers: where does the count end?",
    "*layers.values()",
    "*layers.values(), *(stack[:1] for stack in layers.values())",
    *_NO_PLACE,
)
_model_alone(
    "layer_normalisation",
    "There is a layer normalisation beside each Fastformer layer: this model is to have none.",
    "*layers.values()",
    "*layers.values(), np.empty((num_layers, 2, table.shape[1]))",
    *_NO_PLACE,
)

# --- weighted_f1 ---------------------------------------------------------------------------------

_f1 = partial(bank.mistake, "weighted_f1", alone=True)

_PRECISION, _RECALL = "hits / np.maximum(predicted, 1)", "hits / np.maximum(true, 1)"
# The harmonic mean of precision and recall, where 0 divided by 0 is not caught.
_HARMONIC = "2 * (hits / predicted) * (hits / true) / (hits / predicted + hits / true)"

_f1(
    "macro",
    "Every class counts alike: rare classes should count less.",
    ", weights=true",
    "",
)
_f1(
    "accuracy",
    "This is the accuracy, which is what the weighted mean of the recalls comes to, and the F1 of "
    "all classes together: average the F1 of each class.",
    "np.average(f1, weights=true)",
    "(y_true == y_pred).mean()",
)
_f1(
    "precision_only",
    "Only the precision is averaged: F1 takes the recall as well.",
    "2 * hits / (true + predicted)",
    _PRECISION,
)
_f1(
    "weighted_by_predictions",
    "The weights are how often a class was predicted, or the arguments are exchanged: it is how "
    "often a class is true that counts.",
    "weights=true",
    "weights=predicted",
)
_f1(
    "weighted_by_hits",
    "The scores are weighted by the hits: all true samples of a class count.",
    "weights=true",
    "weights=hits",
)
_f1(
    "f1_of_averages",
    "Precision and recall were averaged over the classes first: the F1 of each class comes before "
    "the average.",
    "f1 = 2 * hits / (true + predicted)",
    f"p, r = (np.average(x, weights=true) for x in ({_PRECISION}, {_RECALL}))",
    "np.average(f1, weights=true)",
    "2 * p * r / (p + r)",
)
_f1(
    "arithmetic_mean",
    "Precision and recall were averaged as usual: F1 is their harmonic mean.",
    "2 * hits / (true + predicted)",
    f"({_PRECISION} + {_RECALL}) / 2",
)
_f1(
    "factor_missing",
    "Half of F1 came out: the harmonic mean of two numbers has a factor.",
    "2 * hits",
    "hits",
)
_f1(
    "jaccard",
    "Hits were divided by hits, misses and false alarms: F1 counts the hits twice.",
    "2 * hits / (true + predicted)",
    "hits / (true + predicted - hits)",
)
_f1(
    "sum_over_classes",
    "The scores of the classes were added up: weights must sum to 1.",
    "np.average(f1, weights=true)",
    "f1.sum()",
)
_f1(
    "not_divided",
    "The weighted scores were not divided by the number of samples.",
    "np.average(f1, weights=true)",
    "(f1 * true).sum()",
)
_f1(
    "divided_by_classes",
    "The weighted scores were divided by the number of classes: weights must sum to 1.",
    "np.average(f1, weights=true)",
    "(f1 * true).sum() / (true > 0).sum()",
)
_f1(
    "macro_recall",
    "Only the recall is averaged, and every class counts alike.",
    "np.average(f1, weights=true)",
    "(hits[true > 0] / true[true > 0]).mean()",
)
_f1(
    "per_cent",
    "The score is in per cent: F1 lies between 0 and 1.",
    "np.average(f1, weights=true)",
    "100 * np.average(f1, weights=true)",
)
_f1(
    "nan_for_a_class_never_predicted",
    "A class that is never predicted gives 0 divided by 0: its precision has to be caught.",
    "np.union1d(y_true, y_pred)",
    "np.unique(y_true)",
    "2 * hits / (true + predicted)",
    _HARMONIC,
)
_f1(
    "nan_for_absent_classes",
    "Classes that are never predicted or never true give 0 divided by 0, which has to be caught.",
    "np.union1d(y_true, y_pred)",
    "np.arange(max(y_true.max(), y_pred.max()) + 1)",
    "2 * hits / (true + predicted)",
    _HARMONIC,
)
_f1(
    "unpredicted_left_out",
    "Classes that are never predicted were left out: they have the score 0 and keep their weight.",
    "weights=true",
    "weights=true * (predicted > 0)",
)
_f1(
    "classes_counted_from_zero",
    "The classes were counted from 0: they may have any numbers, and some may be missing.",
    "np.union1d(y_true, y_pred)",
    "np.arange(len(np.union1d(y_true, y_pred)))",
    "(true + predicted)",
    "np.maximum(true + predicted, 1)",
    "np.average(f1, weights=true)",
    "(f1 * true).sum() / len(y_true)",
)
_f1(
    "most_frequent_class",
    "The most frequent class alone is scored: all classes are averaged.",
    "np.average(f1, weights=true)",
    "f1[true.argmax()]",
)
_f1(
    "a_score_for_each_class",
    "There is a score for each class: they still have to be averaged.",
    "np.average(f1, weights=true)",
    "f1",
)
