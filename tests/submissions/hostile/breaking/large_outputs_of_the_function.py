# ---
# attack: The tested functions return more than a response may hold.
# fails: {stem: everything, one_hot: everything, tf_idf: everything}
# reason: {stem: entries, one_hot: larger than, tf_idf: nested deeper}
# ---

# %% grade_id="stem"
def stem(tokens):
    return ["x"] * 1_000_000


# %% grade_id="one_hot"
def one_hot(words, vocabulary):
    return np.zeros((10_000, 1_000))


# %% grade_id="tf_idf"
def tf_idf(documents):
    value = []
    for _ in range(500):
        value = [value]
    return value
