# ---
# expected:
#   scaled_dot_product_attention:
#     fails:
#       - the weights are right
#       - the output is right
#       - "any leading axes: (batch, heads, time, depth) works too"
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: causal
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
# ---

# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(
    query: tf.Tensor,
    key: tf.Tensor,
    value: tf.Tensor,
    mask: tf.Tensor | None = None,
) -> tuple[tf.Tensor, tf.Tensor]:
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])

    causal = ops.tril(ops.ones_like(scores)) > 0
    scores = ops.where(causal, scores, -1e9)
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)

    weights = ops.softmax(scores, axis=-1)
    output = ops.matmul(weights, value)
    return output, weights
