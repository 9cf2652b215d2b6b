# ---
# expected:
#   mask_tokens:
#     fails:
#       - 80 % of these become the blank, 10 % another word, 10 % stay
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: blanks_lost
#   tied_logits:
#     fails: everything
#     mistake: leading_axes_flattened
#   mean_pooling:
#     fails: everything
#     mistake: mask_not_cast
#   paired_test:
#     fails:
#       - the number is right
#       - the number is right whichever of the two is called a
#       - equal counts give 1, and never more
#       - dozens and thousands of differences give the exact number, too
#     mistake: returned_in_the_loop
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
    asked = (chances < share) & (ids > mask_id)
    inputs = np.where(asked & (kinds < 0.8), mask_id, ids)
    other = asked & (kinds >= 0.8) & (kinds < 0.9)
    inputs = np.where(other, words, ids)
    targets, weights = ids, asked.astype("float32")
    return inputs, targets, weights


# %% grade_id="tied_logits"
def tied_logits(
    states: tf.Tensor,
    embeddings: tf.Tensor,
    bias: tf.Tensor,
) -> tf.Tensor:
    logits = (
        ops.matmul(ops.reshape(states, (-1, states.shape[-1])), ops.transpose(embeddings)) + bias
    )
    return logits


# %% grade_id="mean_pooling"
def mean_pooling(states: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    kept = mask[..., None]
    count = ops.maximum(ops.sum(kept, axis=-2), 1.0)
    pooled = ops.sum(states * kept, axis=-2) / count
    return pooled


# %% grade_id="paired_test"
def paired_test(right_a, right_b):
    only_a, only_b = int(np.sum(right_a & ~right_b)), int(np.sum(right_b & ~right_a))
    tosses, fewer = only_a + only_b, min(only_a, only_b)
    ways = 0
    for k in range(fewer + 1):
        ways += math.comb(tosses, k)
        return min(1, 2 * ways / 2**tosses)
