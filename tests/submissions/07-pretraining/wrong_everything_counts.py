# ---
# expected:
#   mask_tokens:
#     fails:
#       - the weights are 1 where a word is asked for, else 0
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: every_word_counts
#   tied_logits:
#     fails:
#       - a state of zeros has the biases as its logits
#       - the numbers are right
#       - 'as many words as features: the table is transposed'
#       - 'any leading axes: (places, features) works too'
#     mistake: softmax_before_the_bias
#   masked_language_loss:
#     fails:
#       - weights may be any numbers from 0 on
#     mistake: places_counted_not_weights
#   mean_pooling:
#     fails:
#       - without padding it's the mean over time
#       - padding adds nothing and isn't counted
#       - any leading axes, or none
#       - a fully padded sample stays finite and the others stay right
#     mistake: one_more_counted
#   paired_test:
#     fails:
#       - the number is right
#       - the number is right whichever of the two is called a
#       - dozens and thousands of differences give the exact number, too
#     mistake: chi_squared_corrected
# ---

# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    real = ids > mask_id
    asked = real & (chances < share)
    inputs = np.where(asked & (kinds < 0.8), mask_id, ids)
    inputs = np.where(asked & (kinds >= 0.8) & (kinds < 0.9), words, inputs)
    return inputs, ids, real.astype("float32")


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    return tf.nn.softmax(tf.einsum("...d,vd->...v", states, embeddings)) + bias


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    losses = keras.losses.sparse_categorical_crossentropy(targets, logits, from_logits=True)
    count = ops.sum(ops.cast(weights > 0, "float32"))
    return ops.sum(losses * weights) / ops.maximum(count, 1.0)


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    kept = tf.cast(mask, tf.float32)[..., tf.newaxis]
    return tf.reduce_sum(states * kept, axis=-2) / (tf.reduce_sum(kept, axis=-2) + 1)


# %% grade_id="paired_test"
from scipy.stats import norm


def paired_test(right_a, right_b):
    a, b = np.sum(right_a & ~right_b), np.sum(right_b & ~right_a)
    z = max(abs(int(a) - int(b)) - 1, 0) / np.sqrt(max(a + b, 1))
    return 2 * norm.sf(z)
