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
KEY.mistake(
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
KEY.mistake(
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
KEY.mistake(
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
KEY.mistake(
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
