# ---
# expected:
#   mask_tokens:
#     fails:
#       - any share, any id of the blank
#     mistake: ids_of_the_blank_fixed
#   tied_logits:
#     fails: everything
#     mistake: not_transposed
#   masked_language_loss:
#     fails:
#       - large logits give a finite, correct loss
#     mistake: log_of_a_small_number_9
#   mean_pooling:
#     fails:
#       - any leading axes, or none
#     mistake: axis_one
#   paired_test:
#     fails:
#       - dozens and thousands of differences give the exact number, too
#     mistake: powers_overflow
# ---

# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    BLANK = 2
    inputs, weights = ids.copy(), np.zeros(ids.shape)
    for i in np.ndindex(ids.shape):
        if chances[i] < share and ids[i] > BLANK:
            weights[i] = 1
            if kinds[i] < 0.8:
                inputs[i] = BLANK
            elif kinds[i] < 0.9:
                inputs[i] = words[i]
    return inputs, ids.copy(), weights


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    return tf.matmul(states, embeddings) + bias


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    p = tf.nn.softmax(logits)
    chosen = tf.gather(p, targets, batch_dims=len(targets.shape))
    losses = -tf.math.log(chosen + 1e-9)
    return tf.math.divide_no_nan(tf.reduce_sum(losses * weights), tf.reduce_sum(weights))


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    m = ops.cast(mask, "float32")[..., None]
    return ops.sum(states * m, axis=1) / ops.maximum(ops.sum(m, axis=1), 1.0)


# %% grade_id="paired_test"
def paired_test(right_a, right_b):
    a, b = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    p = 0.0
    for k in range(min(a, b) + 1):
        p += 2 * math.comb(a + b, k) * 0.5 ** (a + b)
    return min(1.0, p)
