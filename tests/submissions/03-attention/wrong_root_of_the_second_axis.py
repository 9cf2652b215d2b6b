# ---
# expected:
#   scaled_dot_product_attention:
#     fails:
#       - the weights are right
#       - the output is right
#       - masked keys get no weight, the others share it
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: scaled_by_the_keys_second_axis
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: scaled_by_number_of_heads
# ---

# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(
    query: tf.Tensor,
    key: tf.Tensor,
    value: tf.Tensor,
    mask: tf.Tensor | None = None,
) -> tuple[tf.Tensor, tf.Tensor]:
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2))
    scores = scores / math.sqrt(key.shape[1])
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores, axis=-1)
    output = ops.matmul(weights, value)
    return output, weights
