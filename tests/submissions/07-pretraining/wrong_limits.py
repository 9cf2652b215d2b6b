# ---
# expected:
#   mask_tokens:
#     fails:
#       - 80 % of these become the blank, 10 % another word, 10 % stay
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: nine_tenths_blank
#   tied_logits:
#     fails:
#       - the numbers are right
#       - 'as many words as features: the table is transposed'
#       - 'any leading axes: (places, features) works too'
#     mistake: cosines
#   masked_language_loss:
#     fails:
#       - large logits give a finite, correct loss
#     mistake: unstable
#   mean_pooling:
#     fails:
#       - without padding it's the mean over time
#       - padding adds nothing and isn't counted
#       - any leading axes, or none
#       - a fully padded sample stays finite and the others stay right
#     mistake: counted_in_the_batch
#   paired_test:
#     fails:
#       - the number is right
#       - the number is right whichever of the two is called a
#       - equal counts give 1, and never more
#       - without any difference it's 1
#       - dozens and thousands of differences give the exact number, too
#     mistake: all_texts_tossed
# ---

# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    asked = (chances < share) & (ids > mask_id)
    inputs = ids.copy()
    for place in np.argwhere(asked):
        place = tuple(place)
        if kinds[place] < 0.9:
            inputs[place] = mask_id
        elif kinds[place] > 1:
            inputs[place] = words[place]
    return inputs, ids, asked.astype(float)


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    h = tf.math.l2_normalize(states, axis=-1)
    words = tf.math.l2_normalize(embeddings, axis=-1)
    return tf.einsum("...d,vd->...v", h, words) + bias


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    powers = ops.exp(logits)
    p = powers / ops.sum(powers, axis=-1, keepdims=True)
    chosen = ops.take_along_axis(p, targets[..., None], axis=-1)[..., 0]
    count = ops.sum(weights)
    return ops.sum(-ops.log(chosen) * weights) / ops.where(count > 0, count, 1.0)


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    kept = ops.cast(mask, states.dtype)[..., None]
    return ops.sum(states * kept, axis=-2) / ops.maximum(ops.sum(kept), 1.0)


# %% grade_id="paired_test"
from scipy.stats import binomtest


def paired_test(right_a, right_b):
    a, b = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    return binomtest(min(a, b), len(right_a), 0.5).pvalue
