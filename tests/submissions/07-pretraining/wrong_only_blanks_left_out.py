# ---
# expected:
#   mask_tokens:
#     fails:
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: only_blanks_left_out
#   mean_pooling:
#     fails: everything
#     mistake: count_without_an_axis
#   paired_test:
#     fails:
#       - the number is right
#       - the number is right whichever of the two is called a
#       - equal counts give 1, and never more
#       - without any difference it's 1
#       - dozens and thousands of differences give the exact number, too
#     mistake: one_at_least
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
    asked = (chances < share) & (ids != mask_id)
    inputs = np.where(asked & (kinds < 0.8), mask_id, ids)
    other = asked & (kinds >= 0.8) & (kinds < 0.9)
    inputs = np.where(other, words, inputs)
    targets, weights = ids, asked.astype("float32")
    return inputs, targets, weights


# %% grade_id="mean_pooling"
def mean_pooling(states: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    kept = ops.cast(mask, states.dtype)[..., None]
    count = ops.maximum(ops.sum(kept[..., 0], axis=-1), 1.0)
    pooled = ops.sum(states * kept, axis=-2) / count
    return pooled


# %% grade_id="paired_test"
def paired_test(right_a, right_b):
    only_a, only_b = int(np.sum(right_a & ~right_b)), int(np.sum(right_b & ~right_a))
    tosses, fewer = only_a + only_b, min(only_a, only_b)
    ways = sum(math.comb(tosses, k) for k in range(fewer + 1))
    return max(1, 2 * ways / 2**tosses)
