# ---
# expected:
#   mask_tokens:
#     fails:
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: only_padding_left_out
#   tied_logits:
#     fails:
#       - 'any leading axes: (places, features) works too'
#     mistake: three_axes_only
#   masked_language_loss:
#     fails:
#       - only the places with weight 1 count
#       - weights may be any numbers from 0 on
#       - 'any leading axes: a list of places works too'
#     mistake: all_places_counted
#   mean_pooling:
#     fails:
#       - padding adds nothing and isn't counted
#       - any leading axes, or none
#       - a fully padded sample stays finite and the others stay right
#     mistake: divided_by_the_length
#   paired_test:
#     fails:
#       - equal counts give 1, and never more
#       - without any difference it's 1
#     mistake: more_than_one
# ---

# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    asked = np.logical_and(chances < share, ids != 0)
    inputs = np.where(asked, np.where(kinds < 0.8, mask_id, np.where(kinds < 0.9, words, ids)), ids)
    return inputs, ids, asked * 1.0


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    return tf.einsum("btd,vd->btv", states, embeddings) + bias


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    return loss(targets, logits, sample_weight=weights)


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    return tf.reduce_mean(tf.where(mask[..., None], states, 0.0), axis=-2)


# %% grade_id="paired_test"
def paired_test(right_a, right_b):
    a, b = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    return 2 * sum(math.comb(a + b, k) for k in range(min(a, b) + 1)) / 2 ** (a + b)
