# ---
# expected:
#   mask_tokens:
#     fails:
#       - a text without a batch works too
#     mistake: texts_in_a_batch_alone
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
    batch, length = ids.shape
    inputs, targets = ids.copy(), ids.copy()
    weights = np.zeros((batch, length))
    for b in range(batch):
        for t in range(length):
            if ids[b, t] <= mask_id or chances[b, t] >= share:
                continue
            weights[b, t] = 1
            if kinds[b, t] < 0.8:
                inputs[b, t] = mask_id
            elif kinds[b, t] < 0.9:
                inputs[b, t] = words[b, t]
    return inputs, targets, weights
