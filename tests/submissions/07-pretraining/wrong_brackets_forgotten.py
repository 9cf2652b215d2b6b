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
    logits = ops.matmul(states, ops.transpose(embeddings) + bias)
    return logits


# %% grade_id="masked_language_loss"
def masked_language_loss(
    logits: tf.Tensor,
    targets: tf.Tensor,
    weights: tf.Tensor,
) -> tf.Tensor:
    losses = keras.losses.sparse_categorical_crossentropy(logits, targets, from_logits=True)
    total, count = ops.sum(weights * losses), ops.sum(weights)
    loss = total / ops.where(count > 0, count, 1.0)
    return loss


# %% grade_id="mean_pooling"
def mean_pooling(states: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    kept = ops.cast(mask, states.dtype)[..., None]
    count = ops.maximum(ops.sum(kept, axis=-2), 1.0)
    pooled = ops.sum(states * kept, axis=-2) / count
    return ops.squeeze(pooled)


# %% grade_id="paired_test"
def paired_test(right_a, right_b):
    only_a, only_b = np.sum(right_a - right_b == 1), np.sum(right_b - right_a == 1)
    tosses, fewer = int(only_a + only_b), int(min(only_a, only_b))
    ways = sum(math.comb(tosses, k) for k in range(fewer + 1))
    return min(1, 2 * ways / 2**tosses)
