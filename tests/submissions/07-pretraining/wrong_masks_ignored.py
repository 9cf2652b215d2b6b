# ---
# expected:
#   mask_tokens:
#     fails:
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: special_tokens_asked_for
#   tied_logits:
#     fails:
#       - a state of zeros has the biases as its logits
#       - the numbers are right
#       - 'as many words as features: the table is transposed'
#       - 'any leading axes: (places, features) works too'
#     mistake: bias_missing
#   masked_language_loss:
#     fails:
#       - only the places with weight 1 count
#       - weights may be any numbers from 0 on
#       - 'any leading axes: a list of places works too'
#       - if no place counts, the loss is 0
#     mistake: weights_ignored
#   mean_pooling:
#     fails:
#       - padding adds nothing and isn't counted
#       - any leading axes, or none
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_ignored
#   paired_test:
#     fails:
#       - the number is right
#       - the number is right whichever of the two is called a
#       - equal counts give 1, and never more
#       - dozens and thousands of differences give the exact number, too
#     mistake: one_sided
# ---

# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    asked = chances < share
    inputs = ids.copy()
    inputs[asked & (kinds < 0.8)] = mask_id
    random = asked & (kinds >= 0.8) & (kinds < 0.9)
    inputs[random] = words[random]
    return inputs, ids, asked.astype(float)


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    return ops.matmul(states, ops.transpose(embeddings))


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
    return tf.reduce_mean(losses)


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    return ops.mean(states, axis=-2)


# %% grade_id="paired_test"
def paired_test(right_a, right_b):
    a, b = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    return sum(math.comb(a + b, k) for k in range(min(a, b) + 1)) / 2 ** (a + b)
