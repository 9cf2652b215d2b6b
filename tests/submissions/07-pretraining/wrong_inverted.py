# ---
# expected:
#   mask_tokens:
#     fails:
#       - the weights are 1 where a word is asked for, else 0
#       - 80 % of these become the blank, 10 % another word, 10 % stay
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: all_but_the_share
#   tied_logits:
#     fails:
#       - a state of zeros has the biases as its logits
#       - the numbers are right
#       - 'as many words as features: the table is transposed'
#       - 'any leading axes: (places, features) works too'
#     mistake: relu
#   masked_language_loss:
#     fails:
#       - only the places with weight 1 count
#       - weights may be any numbers from 0 on
#       - 'any leading axes: a list of places works too'
#       - if no place counts, the loss is 0
#     mistake: weights_on_the_logits
#   mean_pooling:
#     fails: everything
#     mistake: time_kept
#   paired_test:
#     fails:
#       - the number is right
#       - the number is right whichever of the two is called a
#       - equal counts give 1, and never more
#       - dozens and thousands of differences give the exact number, too
#     mistake: mid_p
# ---

# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    asked = ~(chances < share) & (ids > mask_id)
    new = np.where(kinds < 0.8, mask_id, np.where(kinds < 0.9, words, ids))
    return np.where(asked, new, ids), ids, asked.astype("float32")


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    return ops.relu(ops.einsum("...d,vd->...v", states, embeddings) + bias)


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    kept = logits * weights[..., None]
    return ops.mean(keras.losses.sparse_categorical_crossentropy(targets, kept, from_logits=True))


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    kept = ops.cast(mask, "float32")[..., None]
    total = ops.sum(states * kept, axis=-2, keepdims=True)
    return total / ops.maximum(ops.sum(kept, axis=-2, keepdims=True), 1.0)


# %% grade_id="paired_test"
from scipy.stats import binom


def paired_test(right_a, right_b):
    a, b = np.sum(right_a & ~right_b), np.sum(right_b & ~right_a)
    k, n = min(a, b), a + b
    return 2 * binom.cdf(k, n, 0.5) - binom.pmf(k, n, 0.5)
