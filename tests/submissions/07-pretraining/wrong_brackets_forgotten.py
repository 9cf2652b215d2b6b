# ---
# expected:
#   mask_tokens:
#     fails:
#       - the weights are 1 where a word is asked for, else 0
#       - 80 % of these become the blank, 10 % another word, 10 % stay
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: brackets_missing
#   tied_logits:
#     fails:
#       - a state of zeros has the biases as its logits
#       - the numbers are right
#       - 'as many words as features: the table is transposed'
#       - 'any leading axes: (places, features) works too'
#     mistake: bias_on_the_table
#   masked_language_loss:
#     fails: everything
#     mistake: loss_of_other_arguments
#   mean_pooling:
#     fails:
#       - any leading axes, or none
#     mistake: squeezed
#   paired_test:
#     fails: everything
#     mistake: booleans_subtracted
# ---

# %% grade_id="mask_tokens"
def mask_tokens(
    ids: np.ndarray,
    chances: np.ndarray,
    kinds: np.ndarray,
    words: np.ndarray,
    mask_id: int,
    share: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hide a share of the words, and say which ones they were.

    Args:
        ids: words; those up to mask_id are special. Shape: (..., T).
        chances: from 0 to 1, one per word. Shape: (..., T).
        kinds: from 0 to 1, one per word. Shape: (..., T).
        words: random words' ids. Shape: (..., T).
        mask_id: the id of the blank.
        share: of the words that are asked for.

    Returns:
        Inputs, targets and weights. Shape of each: (..., T).
    """
    asked = (chances < share) & ids > mask_id
    inputs = np.where(asked & (kinds < 0.8), mask_id, ids)
    other = asked & (kinds >= 0.8) & (kinds < 0.9)
    inputs = np.where(other, words, inputs)
    targets, weights = ids, asked.astype("float32")
    return inputs, targets, weights


# %% grade_id="tied_logits"
def tied_logits(
    states: tf.Tensor,
    embeddings: tf.Tensor,
    bias: tf.Tensor,
) -> tf.Tensor:
    """Score each word at each place.

    Args:
        states: of the places. Shape: (..., d).
        embeddings: a vector per word. Shape: (V, d).
        bias: a number per word. Shape: (V,).

    Returns:
        Scores before the softmax. Shape: (..., V).
    """
    logits = ops.matmul(states, ops.transpose(embeddings) + bias)
    return logits


# %% grade_id="masked_language_loss"
def masked_language_loss(
    logits: tf.Tensor,
    targets: tf.Tensor,
    weights: tf.Tensor,
) -> tf.Tensor:
    """Average the cross-entropy over the places that count.

    Args:
        logits: a score per word, before the softmax. Shape: (..., V).
        targets: the right words' ids. Shape: (...).
        weights: how much each place counts, not negative. Shape: (...).

    Returns:
        One number.
    """
    losses = keras.losses.sparse_categorical_crossentropy(logits, targets, from_logits=True)
    total, count = ops.sum(weights * losses), ops.sum(weights)
    loss = total / ops.where(count > 0, count, 1.0)
    return loss


# %% grade_id="mean_pooling"
def mean_pooling(states: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    """Average the states of each text's tokens.

    Args:
        states: of the tokens. Shape: (..., T, d).
        mask: True for a token, False for padding. Shape: (..., T).

    Returns:
        One vector per text. Shape: (..., d).
    """
    kept = ops.cast(mask, states.dtype)[..., None]
    count = ops.maximum(ops.sum(kept, axis=-2), 1.0)
    pooled = ops.sum(states * kept, axis=-2) / count
    return ops.squeeze(pooled)


# %% grade_id="paired_test"
import math

import numpy as np


def paired_test(right_a, right_b):
    only_a, only_b = np.sum(right_a - right_b == 1), np.sum(right_b - right_a == 1)
    tosses, fewer = int(only_a + only_b), int(min(only_a, only_b))
    ways = sum(math.comb(tosses, k) for k in range(fewer + 1))
    return min(1, 2 * ways / 2**tosses)
