# ---
# expected:
#   mask_tokens:
#     fails:
#       - 80 % of these become the blank, 10 % another word, 10 % stay
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: one_draw_for_both
#   tied_logits:
#     fails:
#       - the numbers are right
#       - 'as many words as features: the table is transposed'
#       - 'any leading axes: (places, features) works too'
#     mistake: average_of_products
#   masked_language_loss:
#     fails:
#       - if every place counts, it's the mean cross-entropy
#       - only the places with weight 1 count
#       - weights may be any numbers from 0 on
#       - 'any leading axes: a list of places works too'
#       - large logits give a finite, correct loss
#       - if no place counts, the loss is 0
#     mistake: perplexity
#   mean_pooling:
#     fails:
#       - without padding it's the mean over time
#       - padding adds nothing and isn't counted
#       - any leading axes, or none
#       - a fully padded sample stays finite and the others stay right
#     mistake: normalised
#   paired_test:
#     fails:
#       - without any difference it's 1
#     mistake: zero_without_differences
# ---

# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    asked = (chances < share) & (ids > mask_id)
    part = chances / share
    inputs = np.where(asked & (part < 0.8), mask_id, ids)
    inputs = np.where(asked & (part >= 0.8) & (part < 0.9), words, inputs)
    return inputs, ids, asked.astype(float)


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    return ops.mean(states[..., None, :] * embeddings, axis=-1) + bias


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
    mean = tf.math.divide_no_nan(tf.reduce_sum(losses * weights), tf.reduce_sum(weights))
    return tf.exp(mean)


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    kept = tf.cast(mask, tf.float32)[..., tf.newaxis]
    mean = tf.math.divide_no_nan(tf.reduce_sum(states * kept, -2), tf.reduce_sum(kept, -2))
    return tf.math.l2_normalize(mean, axis=-1)


# %% grade_id="paired_test"
from scipy.stats import binomtest


def paired_test(right_a, right_b):
    a, b = int(np.sum(right_a & ~right_b)), int(np.sum(right_b & ~right_a))
    return binomtest(a, a + b).pvalue if a + b > 0 else 0.0
