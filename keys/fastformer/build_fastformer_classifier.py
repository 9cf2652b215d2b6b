"""The key of ``fastformer.build_fastformer_classifier``."""

from __future__ import annotations

from functools import partial

import numpy as np

from autograder.judging.keys import PART, SLIP, Cost, Key
from course.exercises.classifiers import DISTRIBUTIONS, NO_DISTRIBUTIONS
from course.exercises.fastformer import dropping
from course.exercises.fastformer.build_fastformer_classifier import EXERCISE
from keys.attention.common import softmax
from keys.fastformer.classifier_mistakes import MASKS, OTHER_LAYERS
from keys.fastformer.common import SAID_OF_THE_LAYER
from keys.fastformer.fastformer import KEY as FASTFORMER
from keys.fastformer.fastformer import fastformer
from keys.transformer.common import masked_mean


def build_fastformer_classifier(
    ids: np.ndarray,
    num_heads: int,
    num_layers: int,
    rate: float,
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
        rate: of the dropouts; it changes nothing while predicting.
        table: (vocabulary_size, hidden).
        class_kernel, class_bias: (hidden, num_classes), (num_classes,).
        layers: the weights that ``fastformer`` takes, with the layer as a further first axis.

    Returns:
        untrained, probabilities: (batch, num_classes); parameters: (1,), how many numbers are
        learned; rows: what the rows are; dropping: what is dropped while training.

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
        "dropping": dropping.AS_ASKED,
    }


KEY = Key(EXERCISE, build_fastformer_classifier, one_slip_in=20)

_model_alone = partial(KEY.mistake, alone=True)

_OTHER_ROWS = ('"rows": DISTRIBUTIONS', f'"rows": {NO_DISTRIBUTIONS!r}')
# A model that has no place for a case's weights gives no probabilities with them.
_NO_PLACE = ('"probabilities": probabilities,', "")
_NOT_MEASURED = ('"dropping": dropping.AS_ASKED,', "")

KEY.mistake(
    "no_embedding_scale",
    "The embeddings go into the first layer unscaled: they have to be multiplied first.",
    "* np.sqrt(table.shape[1])",
    "",
    cost=PART,
)
_model_alone(
    "embeddings_divided",
    "The embeddings are divided by the square root of the hidden size: they should be "
    "multiplied by it.",
    "* np.sqrt(table.shape[1])",
    "/ np.sqrt(table.shape[1])",
    cost=SLIP,
)
_model_alone(
    "scaled_by_hidden",
    "The embeddings are multiplied by the hidden size itself, not by its square root.",
    "np.sqrt(table.shape[1])",
    "table.shape[1]",
    cost=SLIP,
)
_model_alone(
    "scaled_by_depth",
    "The embeddings are multiplied by the square root of size_per_head: a whole embedding has "
    "the features of all heads.",
    "np.sqrt(table.shape[1])",
    "np.sqrt(table.shape[1] / num_heads)",
    cost=SLIP,
)
_model_alone(
    "scaled_by_vocabulary",
    "The embeddings are multiplied by the square root of the vocabulary size: it's their own "
    "length that counts.",
    "np.sqrt(table.shape[1])",
    "np.sqrt(table.shape[0])",
    cost=SLIP,
)
KEY.mistake(
    "no_residual",
    "There are no residual connections: a layer's input should be added to its output.",
    "x + sum(",
    "sum(",
    cost=PART,
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
    cost=PART,
)
_model_alone(
    "layers_without_mask",
    "The layers' global queries and keys contain padding: the layers don't get a mask, or "
    "don't use it.",
    "mask=mask",
    "mask=None",
    cost=PART,
)
_model_alone(
    "mask_inverted_in_layers",
    "The layers get a mask that's True for padding, or read it that way: True is a token.",
    "mask=mask",
    "mask=~mask",
    cost=SLIP,
)
KEY.mistake(
    "mean_over_padding",
    "The mean counts padding as well: the pooling layer takes a mask, too.",
    "masked_mean(x, mask)",
    "x.mean(axis=1)",
    cost=PART,
)
_model_alone(
    "no_mask_at_all",
    "No mask is used: padding is pooled in the layers and averaged afterwards.",
    "mask=mask",
    "mask=None",
    "masked_mean(x, mask)",
    "x.mean(axis=1)",
    cost=PART,
)
_model_alone(
    "mean_over_max_length",
    "Padding was set to 0 but still counted: divide by the number of words.",
    "masked_mean(x, mask)",
    "(x * mask[:, :, None]).mean(axis=1)",
    cost=SLIP,
)
_model_alone(
    "sum_of_tokens",
    "The tokens were added up: a mean doesn't grow with the length of the text.",
    "masked_mean(x, mask)",
    "(x * mask[:, :, None]).sum(axis=1)",
    cost=SLIP,
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
    # One word alone can't show that each word's features are dropped by themselves.
    "dropping.AS_ASKED",
    "dropping.ALIKE",
)
_model_alone(
    "no_softmax",
    "The last layer has no softmax: its rows don't sum to 1.",
    "softmax(pooled @ class_kernel + class_bias)",
    "pooled @ class_kernel + class_bias",
    *_OTHER_ROWS,
    cost=PART,
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
for _name, _mistake in SAID_OF_THE_LAYER.items():
    KEY.inherit(
        FASTFORMER.find(_name),
        _INHERITED + _mistake,
        section=3,
        name=f"{_name}_in_the_layers",  # some are mistakes of the model itself as well
        alone=True,
    )

_model_alone(
    "layers_fail",
    "The Fastformer layers fail when the model calls them. Does the check of the layer pass? If it "
    "does, look at what the model gives them: embeddings and a mask (batch, time).",
    "weighted.sum(axis=-2)",
    'np.einsum("bt,btd->bd", alpha, x)',
    section=3,
    cost=SLIP,
    failure=r"automatically infer the output shape|Fastformer\.call",
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
    "*(np.empty((2, *stack.shape[1:])) for stack in layers.values())",
    '"probabilities": probabilities,',
    '**({"probabilities": probabilities} if num_layers == 2 else {}),',
)
_model_alone(
    "one_layer_at_least",
    "There is a Fastformer layer even if num_layers is 0: then the model is the plain mean of the "
    "words.",
    "*layers.values()",
    "*(np.empty((max(num_layers, 1), *stack.shape[1:])) for stack in layers.values())",
    '"probabilities": probabilities,',
    '**({"probabilities": probabilities} if num_layers else {}),',
    cost=SLIP,
)
_model_alone(
    "one_layer_too_few",
    "There is one Fastformer layer fewer than num_layers: where does the count start?",
    "*layers.values()",
    "*(stack[1:] for stack in layers.values())",
    *_NO_PLACE,
    cost=SLIP,
)
_model_alone(
    "one_layer_too_many",
    "There is one Fastformer layer more than num_layers: where does the count end?",
    "*layers.values()",
    "*(np.empty((num_layers + 1, *stack.shape[1:])) for stack in layers.values())",
    *_NO_PLACE,
    cost=SLIP,
)
_model_alone(
    "layer_normalisation",
    "There is a layer normalisation with each Fastformer layer: this model shouldn't have any.",
    "*layers.values()",
    "*layers.values(), np.empty((num_layers, 2, table.shape[1]))",
    *_NO_PLACE,
    *_NOT_MEASURED,
)

for _name, (_cost, _hint, *_changes) in {**OTHER_LAYERS, **MASKS}.items():
    _model_alone(_name, _hint, *_changes, cost=_cost)

# --- masks and dropout ---------------------------------------------------------------------------

_model_alone(
    "unknown_words_masked",
    "The mask hides unknown words, too: which ids are padding?",
    "ids != 0",
    "ids > 1",
    cost=SLIP,
)
_model_alone(
    "softmax_before_the_mean",
    "Each token gets its own probabilities, and then these are averaged: average the tokens' "
    "vectors first.",
    "softmax(pooled @ class_kernel + class_bias)",
    "masked_mean(softmax(x @ class_kernel + class_bias), mask)",
    "dropping.AS_ASKED",
    "dropping.ELSEWHERE",
)


def _dropout(name: str, hint: str, found: str, cost: Cost, *changes: str, alone: bool = True):
    """A model that drops in another way than the task asks for."""
    changes = ("dropping.AS_ASKED", f"dropping.{found}", *changes)
    KEY.mistake(name, hint, *changes, alone=alone, cost=cost)


_dropout(
    "no_dropout",
    "Nothing is dropped while training: the task asks for dropout in two places, and training has "
    "to switch it on.",
    "NOTHING",
    PART,
    alone=False,
)
_dropout(
    "no_dropout_after_the_mean",
    "Features of the words are dropped while training, but nothing is dropped after the mean.",
    "WORDS_ONLY",
    PART,
)
_dropout(
    "no_dropout_of_words",
    "Nothing is dropped from the words while training: the embeddings need a dropout of their own.",
    "MEAN_ONLY",
    PART,
)
_dropout(
    "words_drop_alike",
    "In training, a feature is dropped from all words at once: the first dropout belongs on the "
    "embeddings, and should choose for each word.",
    "ALIKE",
    SLIP,
)
_dropout(
    "whole_words_dropped",
    "While training, all features of a word are dropped together: an ordinary dropout chooses "
    "each feature by itself.",
    "WHOLE_WORDS",
    SLIP,
)
_dropout(
    "one_minus_rate",
    "The dropout keeps a share of rate and drops the rest: rate is the share that's dropped.",
    "REVERSED",
    SLIP,
)
_dropout(
    "other_rate",
    "More or fewer features are dropped than rate says: both dropouts should use the rate that the "
    "function is given, once each.",
    "OTHER_RATE",
    SLIP,
)
_dropout(
    "dropped_in_another_place",
    "Features are dropped in the loop or just before the mean: the first dropout belongs to the "
    "embeddings, the second comes after the mean, and there are no others.",
    "ELSEWHERE",
    SLIP,
)
_dropout(
    "drops_while_predicting",
    "Something is dropped while predicting: the same text gets different probabilities each "
    "time. Let Keras decide whether the model is training.",
    "WHILE_PREDICTING",
    SLIP,
    '"probabilities": probabilities,',
    '"probabilities": dropping.CHANGING,',
)
