# ---
# expected:
#   multi_head_self_attention:
#     fails:
#       - output has the shape (batch, time, hidden_size), with batch and time of any size
#     mistake: fixed_axes
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    found = []
    for text in range(hidden.shape[0]):
        states = hidden[text]
        fits = []
        for state in range(states.shape[0]):
            fits.append(ops.sum(states[state] * context) / states.shape[1] ** 0.5)
        weights = ops.softmax(ops.stack(fits))
        mean = ops.zeros_like(states[0])
        for state in range(states.shape[0]):
            mean = mean + weights[state] * states[state]
        found.append(mean)
    return ops.stack(found)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    rows, weights_of_rows = [], []
    if mask is not None:
        mask = ops.broadcast_to(mask, (*query.shape[:-1], key.shape[-2]))
    for place in range(query.shape[-2]):
        asking = query[..., place : place + 1, :]
        fits = ops.sum(asking * key, axis=-1) / key.shape[-1] ** 0.5
        if mask is not None:
            fits = ops.where(mask[..., place, :], fits, -1e9)
        weights = ops.softmax(fits, axis=-1)
        rows.append(ops.sum(weights[..., None] * value, axis=-2))
        weights_of_rows.append(weights)
    return ops.stack(rows, axis=-2), ops.stack(weights_of_rows, axis=-2)


# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = np.zeros((length, length), bool)
    for query in range(length):
        mask[query, : query + 1] = True
    return mask
