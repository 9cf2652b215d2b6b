# ---
# expected:
#   mask_tokens:
#     fails:
#       - any share, any id of the blank
#     mistake: share_fixed
#   tied_logits:
#     fails:
#       - the numbers are right
#       - 'as many words as features: the table is transposed'
#       - 'any leading axes: (places, features) works too'
#     mistake: scaled
#   masked_language_loss:
#     fails:
#       - large logits give a finite, correct loss
#     mistake: log_of_a_small_number_7
#   mean_pooling:
#     fails:
#       - any leading axes, or none
#     mistake: three_axes_only
#   paired_test:
#     fails:
#       - dozens and thousands of differences give the exact number, too
#     mistake: powers_underflow_to_zero
# ---

# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share=0.15):
    hidden = (chances <= 0.15) & (ids > mask_id)
    new = np.where(kinds < 0.8, mask_id, np.where(kinds < 0.9, words, ids))
    return np.where(hidden, new, ids), ids, np.where(hidden, 1.0, 0.0)


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    scale = states.shape[-1] ** -0.5
    return ops.matmul(states * scale, ops.transpose(embeddings)) + bias


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    probabilities = tf.nn.softmax(logits, axis=-1)
    losses = keras.losses.sparse_categorical_crossentropy(targets, probabilities)
    count = ops.sum(weights)
    return ops.sum(losses * weights) / ops.where(count > 0, count, 1.0)


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    m = ops.cast(mask, "float32")
    total = ops.einsum("btd,bt->bd", states, m)
    return total / ops.maximum(ops.sum(m, axis=1, keepdims=True), 1.0)


# %% grade_id="paired_test"
def paired_test(right_a, right_b):
    a, b = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    n, p, term = a + b, 0.0, 0.5 ** (a + b)
    for k in range(min(a, b) + 1):
        p += term
        term *= (n - k) / (k + 1)
    return min(1.0, 2 * p)
