# ---
# attack: NaN, which compares as nobody expects, is in the place of every number.
# points: {label_encode: 0.2}
# reason: nan
# ---

# %% grade_id="label_encode"
def label_encode(labels):
    return np.full(len(labels), np.nan)
