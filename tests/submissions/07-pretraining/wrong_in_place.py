# ---
# expected:
#   mask_tokens:
#     fails:
#       - the targets are the ids
#       - the results have the right shapes, and the ids that came in are not changed
#     mistake: changed_in_place
#   tied_logits:
#     fails:
#       - the numbers are right
#       - 'as many words as features: the table is transposed'
#       - 'any leading axes: (places, features) works too'
#     mistake: reshaped
#   masked_language_loss:
#     fails:
#       - weights may be any numbers from 0 on
#     mistake: one_if_less
#   mean_pooling:
#     fails:
#       - padding adds nothing and isn't counted
#       - any leading axes, or none
#       - a fully padded sample stays finite and the others stay right
#     mistake: padding_in_the_sum
#   paired_test:
#     fails:
#       - the number is right
#       - dozens and thousands of differences give the exact number, too
#     mistake: first_side_only
# ---

# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    asked = (chances < share) & (ids > mask_id)
    inputs = ids
    inputs[asked & (kinds < 0.8)] = mask_id
    other = asked & (kinds >= 0.8) & (kinds < 0.9)
    inputs[other] = words[other]
    return inputs, ids, asked.astype("float32")


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    words, features = embeddings.shape
    return ops.matmul(states, ops.reshape(embeddings, (features, words))) + bias


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    losses = keras.losses.sparse_categorical_crossentropy(targets, logits, from_logits=True)
    return ops.sum(losses * weights) / ops.maximum(ops.sum(weights), 1.0)


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    count = ops.maximum(ops.sum(ops.cast(mask, "float32"), axis=-1, keepdims=True), 1.0)
    return ops.sum(states, axis=-2) / count


# %% grade_id="paired_test"
def paired_test(right_a, right_b):
    a, b = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    n = a + b
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(a + 1)) / 2**n)
