# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    inputs, targets, weights = ids.copy(), ids.copy(), np.zeros(ids.shape)
    for place in np.ndindex(*ids.shape):
        if ids[place] <= mask_id or chances[place] >= share:
            continue
        weights[place] = 1
        if kinds[place] < 0.8:
            inputs[place] = mask_id
        elif kinds[place] < 0.9:
            inputs[place] = words[place]
    return inputs, targets, weights


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    scores = []
    for word in range(embeddings.shape[0]):
        scores.append(tf.reduce_sum(states * embeddings[word], axis=-1) + bias[word])
    return tf.stack(scores, axis=-1)


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    targets, weights = np.array(targets), np.array(weights, "float32")
    total = 0.0
    for place in np.ndindex(*targets.shape):
        row = logits[place] - ops.max(logits[place])
        total += weights[place] * (ops.log(ops.sum(ops.exp(row))) - row[targets[place]])
    return total / weights.sum() if weights.any() else 0.0


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    states, mask = np.array(states), np.array(mask)
    pooled = np.zeros(states.shape[:-2] + states.shape[-1:])
    for place in np.ndindex(*mask.shape[:-1]):
        kept = states[place][mask[place]]
        if len(kept):
            pooled[place] = kept.mean(axis=0)
    return pooled


# %% grade_id="paired_test"
def paired_test(right_a, right_b):
    only_a = only_b = 0
    for a, b in zip(right_a, right_b):
        if a and not b:
            only_a += 1
        elif b and not a:
            only_b += 1
    n = only_a + only_b
    if only_a == only_b:
        return 1.0
    ways, total = 1, 0
    for k in range(min(only_a, only_b) + 1):
        total += ways
        ways = ways * (n - k) // (k + 1)
    return total / 2 ** (n - 1)
