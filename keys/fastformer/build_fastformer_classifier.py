"""The key of ``fastformer.build_fastformer_classifier``."""

from __future__ import annotations

from functools import partial

import numpy as np

from autograder.judging.keys import Key
from course.exercises.classifiers import DISTRIBUTIONS, NO_DISTRIBUTIONS
from course.exercises.fastformer.build_fastformer_classifier import EXERCISE
from keys.attention.common import softmax
from keys.fastformer.fastformer import KEY as FASTFORMER
from keys.fastformer.fastformer import fastformer
from keys.transformer.common import masked_mean


def build_fastformer_classifier(
    ids: np.ndarray,
    num_heads: int,
    num_layers: int,
    table: np.ndarray,
    class_kernel: np.ndarray,
    class_bias: np.ndarray,
    **layers: np.ndarray,
) -> dict[str, np.ndarray]:
    """Embeddings times √hidden, layers with residual connections, mean, class probabilities.

    Args:
        ids: (batch, max_length); 0 is padding.
        num_heads: H.
        num_layers: how many Fastformer layers.
        table: (vocabulary_size, hidden).
        class_kernel, class_bias: (hidden, num_classes), (num_classes,).
        layers: the weights that ``fastformer`` takes, with the layer as a further first axis.

    Returns:
        untrained, probabilities: (batch, num_classes); parameters: (1,), how many numbers are
        learned; rows: what the rows are.

    Reference for the scale of the embeddings: Vaswani et al., "Attention Is All You Need" (2017),
    section 3.4.
    """
    mask = ids != 0
    embedded = table[ids] * np.sqrt(table.shape[1])
    x = embedded
    for number in range(num_layers):
        own = {name: stack[number] for name, stack in layers.items()}
        x = x + sum(fastformer(x, num_heads, mask=mask, **own).values())
    pooled = masked_mean(x, mask)
    probabilities = softmax(pooled @ class_kernel + class_bias)
    arrays = (table, class_kernel, class_bias, *layers.values())
    return {
        "untrained": probabilities,
        "probabilities": probabilities,
        "parameters": np.array([float(sum(array.size for array in arrays))]),
        "rows": DISTRIBUTIONS,
    }


KEY = Key(EXERCISE, build_fastformer_classifier)

_model_alone = partial(KEY.mistake, alone=True)

_OTHER_ROWS = ('"rows": DISTRIBUTIONS', f'"rows": {NO_DISTRIBUTIONS!r}')
# A model that has no place for a case's weights gives no probabilities with them.
_NO_PLACE = ('"probabilities": probabilities,', "")

KEY.mistake(
    "no_embedding_scale",
    "The embeddings go into the first layer unscaled: they have to be multiplied first.",
    "* np.sqrt(table.shape[1])",
    "",
)
_model_alone(
    "embeddings_divided",
    "The embeddings are divided by the square root of the hidden size: they should be "
    "multiplied by it.",
    "* np.sqrt(table.shape[1])",
    "/ np.sqrt(table.shape[1])",
)
_model_alone(
    "scaled_by_hidden",
    "The embeddings are multiplied by the hidden size itself, not by its square root.",
    "np.sqrt(table.shape[1])",
    "table.shape[1]",
)
_model_alone(
    "scaled_by_depth",
    "The embeddings are multiplied by the square root of size_per_head: a whole embedding has "
    "the features of all heads.",
    "np.sqrt(table.shape[1])",
    "np.sqrt(table.shape[1] / num_heads)",
)
_model_alone(
    "scaled_by_vocabulary",
    "The embeddings are multiplied by the square root of the vocabulary size: it's their own "
    "length that counts.",
    "np.sqrt(table.shape[1])",
    "np.sqrt(table.shape[0])",
)
KEY.mistake(
    "no_residual",
    "There are no residual connections: a layer's input should be added to its output.",
    "x + sum(",
    "sum(",
)
_model_alone(
    "one_residual_past_all_layers",
    "A single residual connection skips all the layers at once: each layer needs its own.",
    "x + sum(",
    "sum(",
    "masked_mean(x, mask)",
    "masked_mean(embedded + x, mask)",
)
_model_alone(
    "embeddings_added_each_time",
    "The embeddings were added after each layer: a residual connection adds that layer's input.",
    "x + sum(",
    "embedded + sum(",
)
_model_alone(
    "layers_side_by_side",
    "All layers read the embeddings: each one should read what the previous one made of them.",
    "fastformer(x,",
    "fastformer(embedded,",
)
_model_alone(
    "mask_in_first_layer_only",
    "Only the first layer gets the mask: the other layers pool padding as well.",
    "mask=mask",
    "mask=None if number else mask",
)
_model_alone(
    "layers_without_mask",
    "The layers' global queries and keys contain padding: the layers don't get a mask, or "
    "don't use it.",
    "mask=mask",
    "mask=None",
)
_model_alone(
    "mask_inverted_in_layers",
    "The layers get a mask that's True for padding, or read it that way: True is a token.",
    "mask=mask",
    "mask=~mask",
)
KEY.mistake(
    "mean_over_padding",
    "The mean counts padding as well: the pooling layer takes a mask, too.",
    "masked_mean(x, mask)",
    "x.mean(axis=1)",
)
_model_alone(
    "no_mask_at_all",
    "No mask is used: padding is pooled in the layers and averaged afterwards.",
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
KEY.mistake(
    "sum_of_tokens",
    "The tokens were added up: a mean doesn't grow with the length of the text.",
    "masked_mean(x, mask)",
    "(x * mask[:, :, None]).sum(axis=1)",
)
_model_alone(
    "largest_of_words",
    "You took the largest value of each feature, not the mean.",
    "masked_mean(x, mask)",
    "np.where(mask[:, :, None], x, -np.inf).max(axis=1)",
)
_model_alone(
    "largest_with_padding",
    "You took the largest value of each feature, not the mean, and padding counts as well.",
    "masked_mean(x, mask)",
    "x.max(axis=1)",
)
_model_alone(
    "first_token",
    "Only the first token is read: take the mean over all words.",
    "masked_mean(x, mask)",
    "x[:, 0]",
)
KEY.mistake(
    "no_softmax",
    "The last layer has no softmax: its rows don't sum to 1.",
    "softmax(pooled @ class_kernel + class_bias)",
    "pooled @ class_kernel + class_bias",
    *_OTHER_ROWS,
)
_model_alone(
    "sigmoids",
    "The last layer has a sigmoid for each class; mutually exclusive classes need a softmax.",
    "softmax(pooled @ class_kernel + class_bias)",
    "1 / (1 + np.exp(-(pooled @ class_kernel + class_bias)))",
    *_OTHER_ROWS,
)
_model_alone(
    "positions_added",
    "There is a table of positions: this model shouldn't have one.",
    "*layers.values()",
    "*layers.values(), np.empty((ids.shape[1], table.shape[1]))",
)

_INHERITED = "Fastformer itself has a mistake from an earlier task: "
_SAID_OF_THE_LAYER = {
    "no_scaling": "the scores aren't scaled.",
    "scaled_by_hidden_size": "the scores are scaled by the square root of the total number of "
    "features.",
    "softmax_over_heads": "the softmax runs over the heads.",
    "weights_all_one": "all weights of a pooling are 1.",
    "mask_in_query_pooling_only": "padding gets into the global key.",
    "mask_multiplied": "its masks set the scores of padding to 0.",
    "mask_after_softmax": "its masks are applied after the softmax.",
    "first_head_for_all": "all heads use the same weights.",
    "global_key_without_the_query": "the global query has no effect.",
    "sums_for_products": "the global query and the global key are added, not multiplied.",
    "no_queries_added": "the queries aren't added.",
    "queries_projected": "the queries are added before output_linear.",
    "inputs_added": "the inputs are added instead of the queries.",
}
_SAID_OF_THE_LAYER_ALONE = {
    "mask_in_key_pooling_only": "padding gets into the global query.",
    "mask_added": "its masks are added to the scores as ones and zeros.",
    "divided_by_depth": "the scores are divided by the depth, or by its square root twice.",
    "softmax_over_batch": "the softmax runs over the batch.",
    "no_softmax": "the scores themselves are used as weights.",
    "sigmoid": "a sigmoid weights each token on its own.",
    "plain_mean": "the scores aren't used.",
    "averaged": "the weighted tokens are averaged.",
    "heads_interleaved": "the heads' features are interleaved.",
    "heads_reshaped": "the heads are separated by a reshape alone.",
    "key_scores_of_the_keys": "the second pooling scores the keys.",
    "keys_pooled": "the second pooling uses the keys.",
    "global_query_for_key": "the values are combined with the global query.",
    "inputs_added_as_well": "the inputs are added as well as the queries.",
    "no_output_linear": "output_linear isn't used.",
}
for _alone, _said in ((False, _SAID_OF_THE_LAYER), (True, _SAID_OF_THE_LAYER_ALONE)):
    for _name, _mistake in _said.items():
        KEY.inherit(
            FASTFORMER.find(_name),
            _INHERITED + _mistake,
            section=3,
            name=f"{_name}_in_the_layers",  # some are mistakes of the model itself as well
            alone=_alone,
            family="layers",
        )

_model_alone(
    "weights_of_one_layer",
    "The model has the weights of only one Fastformer layer, whatever num_layers is: every "
    "layer needs its own weights.",
    "*layers.values()",
    "*(stack[:1] for stack in layers.values())",
    *_NO_PLACE,
)
_model_alone(
    "two_layers_always",
    "There are two Fastformer layers, whatever num_layers is.",
    "*layers.values()",
    "*(stack[:2] for stack in layers.values())",
    '"probabilities": probabilities,',
    '**({"probabilities": probabilities} if num_layers == 2 else {}),',
)
_model_alone(
    "one_layer_too_few",
    "There is one Fastformer layer fewer than num_layers: where does the count start?",
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
    "There is a layer normalisation with each Fastformer layer: this model shouldn't have any.",
    "*layers.values()",
    "*layers.values(), np.empty((num_layers, 2, table.shape[1]))",
    *_NO_PLACE,
)
