# %% grade_id="mask_tokens"
def mask_tokens(ids, chances, kinds, words, mask_id, share):
    is_word = ids > mask_id
    hidden = (chances < share) * is_word
    inputs = np.array(ids)
    inputs[hidden & (kinds < 0.8)] = mask_id
    swapped = hidden & (kinds > 0.8) & (kinds < 0.9)
    inputs[swapped] = words[swapped]
    return inputs, np.array(ids), hidden.astype(int)


# %% grade_id="tied_logits"
def tied_logits(states, embeddings, bias):
    products = ops.einsum("...d,vd->...v", states, embeddings)
    return ops.add(products, bias)


# %% grade_id="masked_language_loss"
def masked_language_loss(logits, targets, weights):
    logs = ops.log_softmax(logits, axis=-1)
    chosen = ops.take_along_axis(logs, ops.expand_dims(targets, -1), axis=-1)
    losses = -ops.squeeze(chosen, axis=-1)
    count = ops.sum(weights)
    mean = ops.sum(losses * weights) / (count + ops.cast(count == 0, "float32"))
    return mean


# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    numbers = ops.cast(mask, "float32")
    count = ops.sum(numbers, axis=-1, keepdims=True)
    shares = numbers / ops.where(count == 0, 1.0, count)
    return ops.sum(shares[..., None] * states, axis=-2)


# %% grade_id="paired_test"
def paired_test(right_a, right_b):
    differ = right_a != right_b
    n = int(differ.sum())
    heads = int((right_a & differ).sum())
    tail = sum(math.comb(n, i) for i in range(max(heads, n - heads), n + 1))
    return min(2 * tail, 2**n) / 2**n
