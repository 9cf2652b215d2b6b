# ---
# expected:
#   mask_tokens:
#     fails:
#       - the weights are 1 where a word is asked for, else 0
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: only_changes_count
#   tied_logits:
#     fails:
#       - a state of zeros has the biases as its logits
#       - the numbers are right
#       - 'as many words as features: the table is transposed'
#       - 'any leading axes: (places, features) works too'
#     mistake: log_softmaxed
#   masked_language_loss:
#     fails:
#       - only the places with weight 1 count
#       - weights may be any numbers from 0 on
#     mistake: mean_of_means
#   mean_pooling:
#     fails:
#       - without padding it's the mean over time
#       - padding adds nothing and isn't counted
#       - any leading axes, or none
#       - a fully padded sample stays finite and the others stay right
#     mistake: largest
#   paired_test:
#     fails:
#       - the number is right
#       - the number is right whichever of the two is called a
#       - equal counts give 1, and never more
#       - dozens and thousands of differences give the exact number, too
#     mistake: exactly_so_many
# ---

# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    asked = (chances < share) & (ids > mask_id)
    inputs = np.select(
        [asked & (kinds < 0.8), asked & (kinds < 0.9)], [np.full(ids.shape, mask_id), words], ids
    )
    return inputs, ids, (inputs != ids) * 1.0


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    return ops.log_softmax(ops.matmul(states, ops.transpose(embeddings)) + bias)


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    losses = keras.losses.sparse_categorical_crossentropy(targets, logits, from_logits=True)
    by_text = ops.sum(losses * weights, axis=-1) / ops.maximum(ops.sum(weights, axis=-1), 1e-9)
    return ops.mean(by_text)


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    return tf.reduce_max(tf.where(mask[..., tf.newaxis], states, -1e9), axis=-2)


# %% grade_id="paired_test"
def paired_test(right_a, right_b):
    a, b = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    return min(1.0, 2 * math.comb(a + b, a) / 2 ** (a + b))
