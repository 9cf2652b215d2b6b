# %% grade_id="average_attention"
def average_attention(hidden, context):
    batch, time, features = hidden.shape
    flat = ops.reshape(hidden, (batch * time, features))
    column = ops.reshape(context, (features, 1))
    scores = ops.matmul(flat, column) / math.sqrt(features)
    weights = ops.softmax(ops.reshape(scores, (batch, 1, time)), axis=-1)
    return ops.reshape(ops.matmul(weights, hidden), (batch, features))


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    factor = 1 / math.sqrt(key.shape[-1])
    products = query[..., :, None, :] * key[..., None, :, :]
    scores = factor * ops.sum(products, axis=-1)
    if mask is not None:
        scores = ops.where(ops.logical_not(mask), -1e9, scores)
    weights = ops.softmax(scores, axis=-1)
    parts = weights[..., :, :, None] * value[..., None, :, :]
    return ops.sum(parts, axis=-2), weights


# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = np.greater_equal.outer(np.arange(length), np.arange(length))
    return mask
