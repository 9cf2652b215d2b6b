# %% grade_id="average_attention"
def average_attention(hidden: tf.Tensor, context: tf.Tensor) -> tf.Tensor:
    asked = hidden[:, :, None, :]  # (B, T, one head, d)
    query = ops.zeros_like(asked[:, :1]) + context  # (B, 1, 1, d)
    output = ops.dot_product_attention(query, asked, asked)[:, 0, 0]
    return output


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(
    query: tf.Tensor,
    key: tf.Tensor,
    value: tf.Tensor,
    mask: tf.Tensor | None = None,
) -> tuple[tf.Tensor, tf.Tensor]:
    scores = ops.matmul(query / math.sqrt(query.shape[-1]), ops.swapaxes(key, -2, -1))
    allowed = ops.ones_like(scores, dtype="bool")
    if mask is not None:
        allowed = ops.logical_and(allowed, mask)
    best = ops.max(ops.where(allowed, scores, -1e9), axis=-1, keepdims=True)
    fits = ops.where(allowed, ops.exp(ops.minimum(scores - best, 0.0)), 0.0)
    total = ops.sum(fits, axis=-1, keepdims=True)
    weights = fits / ops.where(total > 0, total, 1.0)  # all padding: all weights 0
    output = weights @ value
    return output, weights


# %% grade_id="separate_heads"
def separate_heads(x: tf.Tensor, num_heads: int) -> tf.Tensor:
    turned = ops.swapaxes(x, 1, 2)  # (B, d_model, T)
    length = ops.shape(turned)[-1]
    by_head = ops.reshape(turned, (-1, num_heads, x.shape[-1] // num_heads, length))
    separated = ops.swapaxes(by_head, -2, -1)
    return separated


# %% grade_id="combine_heads"
def combine_heads(x: tf.Tensor) -> tf.Tensor:
    _, heads, _, depth = x.shape
    turned = ops.swapaxes(x, 2, 3)  # (B, H, d_k, T)
    stacked = ops.reshape(turned, (-1, heads * depth, ops.shape(turned)[3]))
    combined = ops.swapaxes(stacked, 1, 2)
    return combined


# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = np.tri(length, dtype=bool)
    return mask
