# %% grade_id="average_attention"
def average_attention(hidden: tf.Tensor, context: tf.Tensor) -> tf.Tensor:
    hidden = tf.convert_to_tensor(hidden)
    context = tf.cast(context, hidden.dtype)

    def one_text(x):  # (T, d)
        e = tf.linalg.matvec(x, context) / math.sqrt(x.shape[-1])
        powers = tf.exp(e - tf.reduce_max(e))
        return tf.tensordot(powers, x, 1) / tf.reduce_sum(powers)

    output = tf.map_fn(one_text, hidden)
    return output


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(
    query: tf.Tensor,
    key: tf.Tensor,
    value: tf.Tensor,
    mask: tf.Tensor | None = None,
) -> tuple[tf.Tensor, tf.Tensor]:
    def hide(scores):
        return scores if mask is None else tf.where(mask, scores, scores.dtype.min)

    logits = hide(tf.linalg.matmul(query, key, transpose_b=True) / math.sqrt(key.shape[-1]))
    weights = tf.exp(tf.nn.log_softmax(logits))
    output = tf.linalg.matmul(weights, value)
    return output, weights


# %% grade_id="separate_heads"
def separate_heads(x: tf.Tensor, num_heads: int) -> tf.Tensor:
    table = np.arange(x.shape[-1]).reshape(num_heads, -1)  # a head's columns in its row
    separated = ops.moveaxis(ops.take(x, table, axis=2), 2, 1)
    return separated


# %% grade_id="combine_heads"
def combine_heads(x: tf.Tensor) -> tf.Tensor:
    heads, depth = x.shape[1], x.shape[3]
    mixed = tf.einsum("bhtk->bthk", x)
    combined = tf.reshape(mixed, tf.concat([tf.shape(mixed)[:2], [heads * depth]], axis=0))
    combined = tf.ensure_shape(combined, (None, None, heads * depth))
    return combined


# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = tf.cast(tf.linalg.band_part(tf.ones((length, length)), -1, 0), tf.bool)
    return mask
