# ---
# expected:
#   mask_tokens:
#     fails:
#       - 80 % of these become the blank, 10 % another word, 10 % stay
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: always_blank
#   tied_logits:
#     fails:
#       - a state of zeros has the biases as its logits
#       - the numbers are right
#       - 'as many words as features: the table is transposed'
#       - 'any leading axes: (places, features) works too'
#     mistake: softmaxed
#   masked_language_loss:
#     fails:
#       - if no place counts, the loss is 0
#     mistake: nan_if_nothing_counts
#   mean_pooling:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#     mistake: nan_for_nothing
#   paired_test:
#     fails:
#       - the number is right
#       - the number is right whichever of the two is called a
#       - equal counts give 1, and never more
#       - without any difference it's 1
#       - dozens and thousands of differences give the exact number, too
#     mistake: chi_squared_to_nan
# ---

# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    asked = (chances < share) & (ids > mask_id)
    return np.where(asked, mask_id, ids), ids, asked.astype("float32")


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    return ops.softmax(ops.matmul(states, ops.transpose(embeddings)) + bias, axis=-1)


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    logs = tf.nn.log_softmax(logits)
    chosen = tf.gather(logs, targets, batch_dims=len(targets.shape))
    return -tf.reduce_sum(chosen * weights) / tf.reduce_sum(weights)


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    m = tf.cast(mask, tf.float32)
    return tf.einsum("...td,...t->...d", states, m) / tf.reduce_sum(m, -1, keepdims=True)


# %% grade_id="paired_test"
from scipy.stats import chi2


def paired_test(right_a, right_b):
    a, b = np.sum(right_a & ~right_b), np.sum(right_b & ~right_a)
    return chi2.sf((a - b) ** 2 / (a + b), df=1)
