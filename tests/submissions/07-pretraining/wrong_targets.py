# ---
# expected:
#   mask_tokens:
#     fails:
#       - the targets are the ids
#     mistake: targets_cleared_to_minus_hundred
#   tied_logits:
#     fails:
#       - the numbers are right
#       - 'as many words as features: the table is transposed'
#       - 'any leading axes: (places, features) works too'
#     mistake: cosines_of_the_words
#   masked_language_loss:
#     fails:
#       - if every place counts, it's the mean cross-entropy
#       - only the places with weight 1 count
#       - weights may be any numbers from 0 on
#       - 'any leading axes: a list of places works too'
#       - large logits give a finite, correct loss
#     mistake: summed
#   mean_pooling:
#     fails:
#       - without padding it's the mean over time
#       - padding adds nothing and isn't counted
#       - any leading axes, or none
#       - a fully padded sample stays finite and the others stay right
#     mistake: first_token
#   paired_test:
#     fails:
#       - the number is right
#       - the number is right whichever of the two is called a
#       - equal counts give 1, and never more
#       - without any difference it's 1
#       - dozens and thousands of differences give the exact number, too
#     mistake: difference_of_shares
# ---

# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    asked = (chances < share) & (ids > mask_id)
    targets = ids.copy()
    targets[~asked] = -100  # as in other libraries: not counted
    inputs = ids.copy()
    inputs[asked & (kinds < 0.8)] = mask_id
    other = asked & (kinds >= 0.8) & (kinds < 0.9)
    inputs[other] = words[other]
    return inputs, targets, asked.astype(float)


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    words = embeddings / ops.norm(embeddings, axis=-1, keepdims=True)
    return ops.matmul(states, ops.transpose(words)) + bias


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="sum")
    return loss(targets, logits, sample_weight=weights)


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    return states[..., 0, :]


# %% grade_id="paired_test"
def paired_test(right_a, right_b):
    return np.mean(right_a) - np.mean(right_b)
