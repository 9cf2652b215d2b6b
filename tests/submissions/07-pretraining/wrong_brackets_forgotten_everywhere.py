# ---
# expected:
#   mask_tokens:
#     fails: everything
#     mistake: brackets_missing_and_fail
#   tied_logits:
#     fails: everything
#     mistake: factors_swapped
#   mean_pooling:
#     fails: everything
#     mistake: over_the_last_axis
#   paired_test:
#     fails:
#       - the number is right
#       - the number is right whichever of the two is called a
#       - dozens and thousands of differences give the exact number, too
#     mistake: whole_part_of_the_share
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
    asked = chances < share & ids > mask_id
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
    logits = ops.matmul(embeddings, ops.transpose(states)) + bias
    return logits


# %% grade_id="mean_pooling"
def mean_pooling(states: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    kept = ops.cast(mask, states.dtype)[..., None]
    count = ops.maximum(ops.sum(kept, axis=-1), 1.0)
    pooled = ops.sum(states * kept, axis=-1) / count
    return pooled


# %% grade_id="paired_test"
def paired_test(right_a, right_b):
    only_a, only_b = int(np.sum(right_a & ~right_b)), int(np.sum(right_b & ~right_a))
    tosses, fewer = only_a + only_b, min(only_a, only_b)
    ways = sum(math.comb(tosses, k) for k in range(fewer + 1))
    return min(1, 2 * ways // 2**tosses)
