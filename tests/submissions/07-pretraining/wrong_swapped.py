# ---
# expected:
#   mask_tokens:
#     fails:
#       - the targets are the ids
#       - 80 % of these become the blank, 10 % another word, 10 % stay
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: inputs_and_targets_swapped
#   tied_logits:
#     fails:
#       - 'any leading axes: (places, features) works too'
#     mistake: two_axes_at_least
#   masked_language_loss:
#     fails:
#       - if every place counts, it's the mean cross-entropy
#       - only the places with weight 1 count
#       - weights may be any numbers from 0 on
#       - 'any leading axes: a list of places works too'
#       - large logits give a finite, correct loss
#     mistake: divided_by_texts
#   mean_pooling:
#     fails: everything
#     mistake: over_the_features
#   paired_test:
#     fails:
#       - the number is right
#       - the number is right whichever of the two is called a
#       - equal counts give 1, and never more
#       - without any difference it's 1
#       - dozens and thousands of differences give the exact number, too
#     mistake: one_minus
# ---

# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    asked = (chances < share) & (ids > mask_id)
    masked = np.where(asked & (kinds < 0.8), mask_id, ids)
    masked = np.where(asked & (kinds >= 0.8) & (kinds < 0.9), words, masked)
    return ids, masked, asked.astype("float32")


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    return tf.matmul(states, embeddings, transpose_b=True) + bias


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(targets, logits)
    return tf.reduce_sum(losses * weights) / len(logits)


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    return ops.mean(states * ops.cast(mask, "float32")[..., None], axis=-1)


# %% grade_id="paired_test"
from scipy.stats import binomtest


def paired_test(right_a, right_b):
    a, b = int(np.sum(right_a & ~right_b)), int(np.sum(right_b & ~right_a))
    return 1 - binomtest(a, a + b).pvalue if a + b else 0.0
