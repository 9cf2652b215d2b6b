# %% grade_id="average_attention"
def average_attention(hidden: tf.Tensor, context: tf.Tensor) -> tf.Tensor:
    e = ops.einsum("btd,d->bt", hidden, context) * hidden.shape[-1] ** -0.5
    log_alpha = e - ops.logsumexp(e, axis=1, keepdims=True)
    output = ops.einsum("bt,btd->bd", ops.exp(log_alpha), hidden)
    return output


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(
    query: tf.Tensor,
    key: tf.Tensor,
    value: tf.Tensor,
    mask: tf.Tensor | None = None,
) -> tuple[tf.Tensor, tf.Tensor]:
    scores = ops.einsum("...td,...sd->...ts", query, key) * query.shape[-1] ** -0.5
    if mask is not None:
        allowed = ops.cast(mask, scores.dtype)
        scores += -1e9 * (1 - allowed)
    weights = ops.softmax(scores, axis=-1)
    output = ops.einsum("...ts,...sd->...td", weights, value)
    return output, weights


# %% grade_id="separate_heads"
def separate_heads(x: tf.Tensor, num_heads: int) -> tf.Tensor:
    separated = ops.stack(ops.split(x, num_heads, axis=-1), axis=1)
    return separated


# %% grade_id="combine_heads"
def combine_heads(x: tf.Tensor) -> tf.Tensor:
    combined = functools.reduce(
        lambda left, right: ops.concatenate([left, right], axis=-1),
        ops.unstack(x, x.shape[1], axis=1),
    )
    return combined


# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = tf.sequence_mask(tf.range(1, length + 1), length)
    return mask
