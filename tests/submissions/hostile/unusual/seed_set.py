# ---
# attack: None; generators are seeded, and print options changed, for all that follows.
# ---

# %% grade_id="one_hot"
import random

random.seed(0)
np.random.seed(0)
np.set_printoptions(precision=2, suppress=True)
np.seterr(all="raise")
# %precision 2


def one_hot(words, vocabulary):
    return np.array([[float(word == entry) for entry in vocabulary] for word in words])
