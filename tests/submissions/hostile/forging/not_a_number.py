# ---
# attack: NaN, which compares as nobody expects, is in the place of every number.
# fails:
#   label_encode:
#     - each class has its own number
#     - the numbers follow the alphabet, from 0
#     - a single class is number 0
#     - the numbers are an array of integers
# reason: float64
# ---

# %% grade_id="label_encode"
def label_encode(labels):
    return np.full(len(labels), np.nan)
