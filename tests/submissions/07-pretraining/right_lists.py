# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    def one(token, chance, kind, word):
        if token <= mask_id or chance > share:
            return token, token, 0.0
        return (mask_id if kind < 0.8 else word if kind < 0.9 else token), token, 1.0

    found = [one(*four) for four in zip(ids.flat, chances.flat, kinds.flat, words.flat)]
    return [np.reshape(column, ids.shape) for column in zip(*found)]


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="sum")
    total = loss(targets, logits, sample_weight=weights)
    return total / ops.sum(weights) if ops.any(weights > 0) else 0.0 * total


# %% grade_id="paired_test"
from scipy.stats import binom


def paired_test(right_a, right_b):
    n_a = sum(right_a & ~right_b)
    n_b = sum(right_b & ~right_a)
    return min(1, 2 * binom.cdf(min(n_a, n_b), n_a + n_b, 0.5))
