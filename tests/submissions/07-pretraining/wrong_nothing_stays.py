# ---
# expected:
#   mask_tokens:
#     fails:
#       - 80 % of these become the blank, 10 % another word, 10 % stay
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: blanks_for_words_that_stay
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
    inputs = np.where(asked, mask_id, ids)
    other = asked & (kinds >= 0.8) & (kinds < 0.9)
    inputs = np.where(other, words, inputs)
    targets, weights = ids, asked.astype("float32")
    return inputs, targets, weights
