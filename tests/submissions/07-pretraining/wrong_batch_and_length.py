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
