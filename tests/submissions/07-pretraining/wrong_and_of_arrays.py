# ---
# expected:
#   mask_tokens:
#     fails: everything
#     mistake: and_of_arrays
#   tied_logits:
#     fails: everything
#     mistake: all_axes_reversed
#   mean_pooling:
#     fails: everything
#     mistake: mask_without_an_axis
#   paired_test:
#     fails: everything
#     mistake: and_of_arrays
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
    asked = (chances < share) and (ids > mask_id)
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
    logits = ops.transpose(ops.matmul(embeddings, ops.transpose(states))) + bias
    return logits


# %% grade_id="mean_pooling"
def mean_pooling(states: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    kept = ops.cast(mask, states.dtype)
    count = ops.maximum(ops.sum(kept, axis=-2), 1.0)
    pooled = ops.sum(states * kept, axis=-2) / count
    return pooled


# %% grade_id="paired_test"
def paired_test(right_a, right_b):
    only_a, only_b = np.sum(right_a and not right_b), np.sum(right_b and not right_a)
    return only_a / (only_a + only_b)
