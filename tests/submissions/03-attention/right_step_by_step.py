# %% grade_id="average_attention"
def average_attention(hidden, context):
    size = hidden.shape[2]
    fits = ops.sum(hidden * context, axis=2)
    fits = fits / size**0.5
    fits = fits - ops.max(fits, axis=1, keepdims=True)
    powers = ops.exp(fits)
    total = ops.sum(powers, axis=1, keepdims=True)
    weights = powers / total
    by_feature = ops.transpose(hidden, (0, 2, 1))
    weighted = by_feature * ops.expand_dims(weights, 1)
    return ops.sum(weighted, axis=2)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    size = query.shape[-1]
    axes = list(range(len(key.shape)))
    axes[-1], axes[-2] = axes[-2], axes[-1]
    fits = ops.matmul(query, ops.transpose(key, axes))
    fits = fits / size**0.5
    if mask is not None:
        allowed = ops.broadcast_to(mask, fits.shape)
        lowest = ops.full_like(fits, -1e9)
        fits = ops.where(allowed, fits, lowest)
    fits = fits - ops.max(fits, axis=-1, keepdims=True)
    powers = ops.exp(fits)
    total = ops.sum(powers, axis=-1, keepdims=True)
    weights = powers / total
    return ops.matmul(weights, value), weights


# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    query = ops.expand_dims(ops.arange(length), 1)
    key = ops.expand_dims(ops.arange(length), 0)
    mask = ops.greater_equal(query, key)
    return mask
