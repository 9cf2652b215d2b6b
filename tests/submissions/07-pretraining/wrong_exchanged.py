# ---
# expected:
#   mask_tokens:
#     fails:
#       - 80 % of these become the blank, 10 % another word, 10 % stay
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: other_and_same_exchanged
#   tied_logits:
#     fails:
#       - a state of zeros has the biases as its logits
#       - the numbers are right
#       - 'as many words as features: the table is transposed'
#       - 'any leading axes: (places, features) works too'
#     mistake: bias_subtracted
#   masked_language_loss:
#     fails:
#       - if every place counts, it's the mean cross-entropy
#       - only the places with weight 1 count
#       - weights may be any numbers from 0 on
#       - 'any leading axes: a list of places works too'
#       - large logits give a finite, correct loss
#     mistake: sign_forgotten
#   mean_pooling:
#     fails:
#       - without padding it's the mean over time
#       - padding adds nothing and isn't counted
#       - any leading axes, or none
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_inverted
#   paired_test:
#     fails:
#       - the number is right
#       - the number is right whichever of the two is called a
#       - equal counts give 1, and never more
#       - without any difference it's 1
#       - dozens and thousands of differences give the exact number, too
#     mistake: strictly_fewer
# ---

# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    asked = (chances < share) & (ids > mask_id)
    inputs = np.where(asked & (kinds < 0.8), mask_id, ids)
    inputs = np.where(asked & (kinds >= 0.9), words, inputs)
    return inputs, ids, asked.astype(np.float64)


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    return tf.einsum("...d,vd->...v", states, embeddings) - bias


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    logs = ops.log_softmax(logits)
    chosen = ops.take_along_axis(logs, targets[..., None], axis=-1)[..., 0]
    total = ops.sum(weights)
    return ops.sum(chosen * weights) / ops.where(total == 0, 1.0, total)


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    kept = 1.0 - ops.cast(mask, "float32")[..., None]
    return ops.sum(states * kept, axis=-2) / ops.maximum(ops.sum(kept, axis=-2), 1.0)


# %% grade_id="paired_test"
from scipy.stats import binom


def paired_test(right_a, right_b):
    a, b = np.sum(right_a & ~right_b), np.sum(right_b & ~right_a)
    return min(1.0, 2 * binom.cdf(min(a, b) - 1, a + b, 0.5))
