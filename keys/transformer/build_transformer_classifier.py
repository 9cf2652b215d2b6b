"""The key of ``transformer.build_transformer_classifier``."""

from __future__ import annotations

from functools import partial

import numpy as np

from autograder.judging.keys import Key
from course.exercises.classifiers import DISTRIBUTIONS, NO_DISTRIBUTIONS
from course.exercises.transformer.build_transformer_classifier import EXERCISE
from keys.attention.common import softmax
from keys.transformer.common import masked_mean
from keys.transformer.encoder_layer import KEY as ENCODER
from keys.transformer.encoder_layer import encoder_layer
from keys.transformer.token_and_position_embedding import token_and_position_embedding


def build_transformer_classifier(
    ids: np.ndarray,
    num_heads: int,
    token_table: np.ndarray,
    position_table: np.ndarray,
    class_kernel: np.ndarray,
    class_bias: np.ndarray,
    **w: np.ndarray,
) -> dict[str, np.ndarray]:
    """Embedding, one encoder layer, the mean over the tokens, class probabilities.

    Args:
        ids: (batch, max_length); 0 is padding.
        num_heads: H.
        token_table, position_table: see ``token_and_position_embedding``.
        class_kernel, class_bias: (embedding_dim, num_classes), (num_classes,).
        w: the encoder layer's.

    Returns:
        untrained, probabilities: (batch, num_classes); parameters: (1,), how many numbers are
        learned; rows: what the rows are.
    """
    mask = ids != 0
    embedded = token_and_position_embedding(token_table, position_table, ids)["output"]
    encoded = encoder_layer(embedded, num_heads, mask, **w)["output"]
    pooled = masked_mean(encoded, mask)
    probabilities = softmax(pooled @ class_kernel + class_bias)
    arrays = (token_table, position_table, class_kernel, class_bias, *w.values())
    parameters = np.array([float(sum(array.size for array in arrays))])
    return {
        "untrained": probabilities,
        "probabilities": probabilities,
        "parameters": parameters,
        "rows": DISTRIBUTIONS,
    }


KEY = Key(EXERCISE, build_transformer_classifier)

_OTHER_ROWS = ('"rows": DISTRIBUTIONS', f'"rows": {NO_DISTRIBUTIONS!r}')

KEY.mistake(
    "encoder_without_mask",
    "Tokens attend to padding: the encoder layer doesn't get a mask, or doesn't use it.",
    "np.where(mask, logits, -1e9)",
    "logits",
)
KEY.mistake(
    "mean_over_padding",
    "The mean counts padding as well: the pooling layer takes a mask, too.",
    "masked_mean(encoded, mask)",
    "encoded.mean(axis=1)",
)
KEY.mistake(
    "no_mask_at_all",
    "No mask is used: tokens attend to padding, and the mean counts it.",
    "np.where(mask, logits, -1e9)",
    "logits",
    "masked_mean(encoded, mask)",
    "encoded.mean(axis=1)",
)
KEY.mistake(
    "first_token",
    "Only the first token's output is read.",
    "masked_mean(encoded, mask)",
    "encoded[:, 0]",
)
KEY.mistake(
    "no_softmax",
    "The last layer has no softmax: its rows don't sum to 1.",
    "softmax(pooled @ class_kernel + class_bias)",
    "pooled @ class_kernel + class_bias",
    *_OTHER_ROWS,
)
KEY.mistake(
    "sigmoids",
    "The last layer has a sigmoid for each class; mutually exclusive classes need a softmax.",
    "softmax(pooled @ class_kernel + class_bias)",
    "1 / (1 + np.exp(-(pooled @ class_kernel + class_bias)))",
    *_OTHER_ROWS,
)
KEY.mistake(
    "token_times_position",
    "In the embedding, the token and position vectors are multiplied: they should be added.",
    "tokens + positions",
    "tokens * positions",
    section=3,
)

_INHERITED = "The EncoderLayer inside has a mistake from the previous task: "
# Without their second norm, layers differ, but the probabilities of their outputs are all 0 and 1.
_NO_NORM_AT_THE_END = "it doesn't end with a norm over each token's features."

_SAID_OF_THE_LAYER = {
    "no_first_residual": "the inputs aren't added to the attention output.",
    "no_second_residual": "the network's input isn't added to its output.",
    "no_residuals": "there is no residual connection.",
    "no_first_norm": "the first norm is missing.",
    "no_second_norm": _NO_NORM_AT_THE_END,
    "pre_norm": _NO_NORM_AT_THE_END,
    "norm_before_the_sum": _NO_NORM_AT_THE_END,
    "network_reads_the_inputs": "the network gets the layer's inputs.",
    "inputs_added_twice": "the second sum adds the layer's inputs.",
    "no_relu": "the network has no relu.",
    "causal": "tokens attend only to themselves and earlier tokens.",
    "mask_multiplied": "masked logits become 0.",
    "mask_after_softmax": "the mask is applied after the softmax.",
    "pre_norm_without_the_inputs": _NO_NORM_AT_THE_END,
    "no_attention": "attention is never called.",
    "relu_twice": "the network has one relu too many.",
    "norm_over_the_text": "the norms run over the whole text.",
    "mask_inverted": "the mask is read the wrong way round.",
}
for _name, _said in _SAID_OF_THE_LAYER.items():
    # Its probabilities are 0 and 1 whatever else is wrong: nothing tells of a second mistake.
    _alone = _name == "pre_norm_without_the_inputs"
    KEY.inherit(ENCODER.find(_name), _INHERITED + _said, section=4, alone=_alone, family="encoder")

# Seldom beside another mistake: these are not paired, so that the answer sheet stays short.

_model_alone = partial(KEY.mistake, alone=True)

_model_alone(
    "largest_instead_of_mean",
    "You took the largest value of each feature, not the mean.",
    "masked_mean(encoded, mask)",
    "np.where(mask[:, :, None], encoded, -np.inf).max(axis=1)",
)
_model_alone(
    "sum_of_tokens",
    "The tokens were added up: a mean doesn't grow with the length of the text.",
    "masked_mean(encoded, mask)",
    "(encoded * mask[:, :, None]).sum(axis=1)",
)
_model_alone(
    "positions_unused",
    "The positions have weights but aren't added to the tokens.",
    "tokens + positions",
    "tokens",
    section=3,
)
_model_alone(
    "model_without_positions",
    "The model has no weights for positions: check what its embedding does with them.",
    "(token_table, position_table, class_kernel",
    "(token_table, class_kernel",
    # A model that has no place for a case's weights gives no probabilities with them.
    '"probabilities": probabilities,',
    "",
    section=3,
)
