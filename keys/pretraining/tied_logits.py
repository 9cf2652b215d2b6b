"""The key of ``pretraining.tied_logits``."""

from __future__ import annotations

import numpy as np

from autograder.judging.keys import SLIP, Key
from course.exercises.pretraining.tied_logits import EXERCISE, output_name
from keys.attention.common import softmax
from keys.input_classes import among_others, some
from keys.transformer.mistaken import gelu


def tied_logits(
    states: np.ndarray, embeddings: np.ndarray, bias: np.ndarray
) -> dict[str, np.ndarray]:
    """h Eᵀ + b: the word vectors are the output layer's weights as well.

    Args:
        states: (..., d).
        embeddings: (V, d).
        bias: (V,).

    Returns:
        logits: (..., V); of a list of states they're called scores, of one state word_scores.

    Reference: Press and Wolf, "Using the Output Embedding to Improve Language Models" (2017),
    https://arxiv.org/abs/1608.05859

    Example:
        >>> words = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
        >>> tied_logits(np.array([2.0, 3.0]), words, np.array([0.0, 0.0, -1.0]))["word_scores"]
        array([2., 3., 4.])
    """
    table = embeddings.T
    products = states @ table
    return {output_name(states.ndim): products + bias}


KEY = Key(EXERCISE, tied_logits)


KEY.mistake(
    "bias_missing",
    "The bias is missing: how frequent a word is doesn't depend on the sentence.",
    "products + bias",
    "products",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "states_through_gelu",
    "The states went through a gelu first: the product takes them as they are.",
    "states @ table",
    "gelu(states) @ table",
    cost=SLIP,
)
KEY.mistake(
    "bias_subtracted",
    "The bias was subtracted: it's to be added.",
    "products + bias",
    "products - bias",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "bias_multiplied",
    "The bias was multiplied with the products: it's to be added.",
    "products + bias",
    "products * bias",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "not_transposed",
    "The table wasn't transposed: each state meets each word's vector, and these are its rows.",
    "embeddings.T",
    "embeddings",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "reshaped",
    "The table was reshaped, which mixes the vectors of different words: it has to be transposed.",
    "embeddings.T",
    "embeddings.reshape(embeddings.shape[::-1])",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "softmaxed",
    "A softmax came back: logits are what goes into it.",
    "products + bias",
    "softmax(products + bias)",
    paired=True,
)
KEY.mistake(
    "log_softmaxed",
    "The logarithm of a softmax came back: logits are what goes into it.",
    "products + bias",
    "np.log(softmax(products + bias))",
)
KEY.mistake(
    "sigmoid",
    "A sigmoid came back: logits are what goes into a softmax, as they are.",
    "products + bias",
    "1 / (1 + np.exp(-(products + bias)))",
)
KEY.mistake(
    "largest_subtracted",
    "The largest logit of each place was subtracted from all: that's a step of a softmax, and the "
    "task asks for the products and the bias alone.",
    "products + bias",
    "products + bias - (products + bias).max(axis=-1, keepdims=True)",
    cost=SLIP,
)
KEY.mistake(
    "softmax_before_the_bias",
    "A softmax comes before the bias: logits have none.",
    "products + bias",
    "softmax(products) + bias",
    cost=SLIP,
)
KEY.mistake(
    "scaled",
    "The products were divided by the root of the number of features: that belongs to attention.",
    "states @ table",
    "states @ table / np.sqrt(states.shape[-1])",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "scaled_with_the_bias",
    "Everything was divided by the root of the number of features: that belongs to attention.",
    "products + bias",
    "(products + bias) / np.sqrt(states.shape[-1])",
    cost=SLIP,
)
KEY.mistake(
    "cosines_of_the_words",
    "The words' vectors were scaled to length 1: the task asks for the product with the vectors as "
    "they are.",
    "embeddings.T",
    "(embeddings / np.linalg.norm(embeddings, axis=1, keepdims=True)).T",
    paired=True,
)
KEY.mistake(
    "cosines",
    "States and words were scaled to length 1: the task asks for the product as it is.",
    "embeddings.T",
    "(embeddings / np.linalg.norm(embeddings, axis=1, keepdims=True)).T",
    "states @ table",
    "states / np.maximum(np.linalg.norm(states, axis=-1, keepdims=True), 1e-12) @ table",
)
KEY.mistake(
    "cosines_to_nan",
    "States and words were scaled to length 1, and a state of zeros has no direction: the task "
    "asks for the product as it is.",
    "embeddings.T",
    "(embeddings / np.linalg.norm(embeddings, axis=1, keepdims=True)).T",
    "states @ table",
    "states / np.linalg.norm(states, axis=-1, keepdims=True) @ table",
)
KEY.mistake(
    "relu",
    "Negative logits became 0: there's no activation here.",
    "products + bias",
    "np.maximum(products + bias, 0)",
    cost=SLIP,
)
KEY.mistake(
    "distances",
    "You measured distances between states and words: the task asks for products.",
    "states @ table",
    "-((states[..., None, :] - embeddings) ** 2).sum(axis=-1)",
)
KEY.mistake(
    "three_axes_only",
    "It works for (batch, time, features) only: there may be fewer axes in front.",
    "states @ table",
    'np.einsum("btd,vd->btv", states, embeddings)',
    cost=SLIP,
)
KEY.mistake(
    "two_axes_at_least",
    "A single state has no axis in front of its features, and your product asks for some: it has "
    "to work with any number of them.",
    "states @ table",
    'np.einsum("...td,vd->...tv", states, embeddings)',
    cost=SLIP,
)
KEY.mistake(
    "bias_on_the_states",
    "The bias was added to the states: it has one number per word, not per feature.",
    "states @ table",
    "(states + bias) @ table",
    "products + bias",
    "products",
)
KEY.mistake(
    "bias_on_the_table",
    "The bias was added to the table before the product: it belongs to the result.",
    "states @ table",
    "states @ (table + bias)",
    "products + bias",
    "products",
    cost=SLIP,
)
KEY.mistake(
    "factors_swapped",
    "The factors changed places: the states come first, then the transposed table, so that the "
    "last axis is that of the words.",
    "states @ table",
    "embeddings @ states.T",
    cost=SLIP,
)
KEY.mistake(
    "all_axes_reversed",
    "A transpose reverses all axes of the states, which fits a list of places alone: transpose the "
    "table, and leave the states as they are.",
    "states @ table",
    "(embeddings @ states.T).T",
    cost=SLIP,
)
KEY.mistake(
    "leading_axes_flattened",
    "The places came back as one long list: all axes in front of the features stay as they are.",
    "states @ table",
    "states.reshape(-1, states.shape[-1]) @ table",
    cost=SLIP,
)
KEY.mistake(
    "mean_over_time",
    "The mean over time was taken: each place has logits of its own.",
    "states @ table",
    "states.mean(axis=-2) @ table",
)
KEY.mistake(
    "average_of_products",
    "The products were averaged over the features: they're to be summed.",
    "states @ table",
    "states @ table / states.shape[-1]",
    cost=SLIP,
)


INPUT_CLASSES = {
    "a batch": some(lambda given: given["states"].ndim == 3),
    "a text alone": some(lambda given: given["states"].shape[0] == 1 < given["states"].ndim),
    "a list of places": some(lambda given: given["states"].ndim == 2),
    "a single state": some(lambda given: given["states"].ndim == 1),
    "axes of different sizes": some(
        lambda given: (
            len({*given["states"].shape, len(given["embeddings"])}) == given["states"].ndim + 1
        )
    ),
    "as many words as features": some(
        lambda given: given["embeddings"].shape[0] == given["embeddings"].shape[1]
    ),
    "a state of zeros": some(lambda given: not given["states"].any(axis=-1).all()),
    "vectors of different lengths": among_others(
        lambda given: np.ptp(np.linalg.norm(given["embeddings"], axis=1)) > 0.1
    ),
}
