# ---
# expected:
#   mask_tokens:
#     fails:
#       - any share, any id of the blank
#     mistake: special_ids_between_asked_for
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
    special = np.isin(ids, [0, 1, mask_id])
    selected = np.logical_and(chances < share, ~special)
    inputs = np.where(selected & (kinds < 0.8), mask_id, ids)
    swap = selected & (0.8 <= kinds) & (kinds < 0.9)
    inputs = np.where(swap, words, inputs)
    targets, weights = ids, selected
    return inputs, targets, weights
