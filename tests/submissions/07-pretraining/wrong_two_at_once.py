# ---
# expected:
#   mask_tokens:
#     fails:
#       - the weights are 1 where a word is asked for, else 0
#       - padding and other special tokens are never asked for
#       - any share, any id of the blank
#       - a text without a batch works too
#     mistake: share_fixed and only_changes_count
#   tied_logits:
#     fails:
#       - a state of zeros has the biases as its logits
#       - the numbers are right
#       - 'as many words as features: the table is transposed'
#       - 'any leading axes: (places, features) works too'
#     mistake: bias_missing and scaled
#   masked_language_loss:
#     fails:
#       - the loss is one number
#       - if every place counts, it's the mean cross-entropy
#       - only the places with weight 1 count
#       - weights may be any numbers from 0 on
#       - "any leading axes: a list of places works too"
#       - large logits give a finite, correct loss
#       - "if no place counts, the loss is 0"
#     mistake: one_loss_per_place
#   mean_pooling:
#     fails: everything
#     mistake: not_pooled
#   paired_test:
#     fails:
#       - the number is right
#       - the number is right whichever of the two is called a
#       - equal counts give 1, and never more
#       - without any difference it's 1
#       - dozens and thousands of differences give the exact number, too
#     mistake: one_sided and strictly_fewer
# ---

# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    asked = (chances < 0.15) & (ids > mask_id)
    inputs = np.where(asked & (kinds < 0.8), mask_id, ids)
    inputs = np.where(asked & (kinds >= 0.8) & (kinds < 0.9), words, inputs)
    return inputs, ids, (inputs != ids).astype(float)


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    return ops.einsum("...d,vd->...v", states, embeddings) / math.sqrt(states.shape[-1])


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    logs = ops.log_softmax(logits)
    return -weights * ops.take_along_axis(logs, targets[..., None], axis=-1)[..., 0]


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    return states * ops.cast(mask, states.dtype)[..., None]


# %% grade_id="paired_test"
def paired_test(right_a, right_b):
    a, b = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    return sum(math.comb(a + b, k) for k in range(min(a, b))) / 2 ** (a + b)
