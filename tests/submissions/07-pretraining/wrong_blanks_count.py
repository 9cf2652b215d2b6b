# ---
# expected:
#   mask_tokens:
#     fails:
#       - the weights are 1 where a word is asked for, else 0
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: blanks_in_the_inputs_count
#   tied_logits:
#     fails:
#       - a state of zeros has the biases as its logits
#       - the numbers are right
#       - 'as many words as features: the table is transposed'
#       - 'any leading axes: (places, features) works too'
#     mistake: bias_multiplied
#   masked_language_loss:
#     fails:
#       - if every place counts, it's the mean cross-entropy
#       - only the places with weight 1 count
#       - weights may be any numbers from 0 on
#       - 'any leading axes: a list of places works too'
#       - large logits give a finite, correct loss
#     mistake: softmax_twice
#   mean_pooling:
#     fails:
#       - without padding it's the mean over time
#       - padding adds nothing and isn't counted
#       - any leading axes, or none
#       - a fully padded sample stays finite and the others stay right
#     mistake: summed
#   paired_test:
#     fails:
#       - the number is right
#       - the number is right whichever of the two is called a
#       - dozens and thousands of differences give the exact number, too
#     mistake: agreements_too
# ---

# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    asked = (chances < share) & (ids > mask_id)
    inputs = np.where(asked & (kinds < 0.8), mask_id, ids)
    inputs = np.where(asked & (kinds >= 0.8) & (kinds < 0.9), words, inputs)
    return inputs, ids, (inputs == mask_id).astype("float32")


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    return ops.tensordot(states, embeddings, axes=[[-1], [-1]]) * bias


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    p = tf.nn.softmax(logits)
    losses = keras.losses.sparse_categorical_crossentropy(targets, p, from_logits=True)
    count = ops.sum(weights)
    return ops.sum(losses * weights) / ops.where(count > 0, count, 1.0)


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    return ops.sum(states * ops.cast(mask, "float32")[..., None], axis=-2)


# %% grade_id="paired_test"
from scipy.stats import binomtest


def paired_test(right_a, right_b):
    a, b = int(right_a.sum()), int(right_b.sum())
    return binomtest(a, a + b, 0.5).pvalue
