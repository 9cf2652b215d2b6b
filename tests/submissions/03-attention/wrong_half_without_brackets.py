# ---
# expected:
#   average_attention:
#     fails:
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: divided_by_twice_d
#   scaled_dot_product_attention:
#     fails:
#       - the weights are right
#       - the output is right
#       - masked keys get no weight, the others share it
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: divided_by_twice_d_k
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
# ---

# %% grade_id="average_attention"
def average_attention(hidden: tf.Tensor, context: tf.Tensor) -> tf.Tensor:
    scores = ops.matmul(hidden, context) / hidden.shape[-1] ** 1 / 2
    weights = ops.softmax(scores, axis=1)
    output = ops.sum(weights[..., None] * hidden, axis=1)
    return output


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(
    query: tf.Tensor,
    key: tf.Tensor,
    value: tf.Tensor,
    mask: tf.Tensor | None = None,
) -> tuple[tf.Tensor, tf.Tensor]:
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2))
    scores = scores / key.shape[-1] ** 1 / 2
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores, axis=-1)
    output = ops.matmul(weights, value)
    return output, weights
