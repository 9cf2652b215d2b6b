# ---
# expected:
#   tied_logits:
#     fails:
#       - a state of zeros has the biases as its logits
#       - the numbers are right
#       - "as many words as features: the table is transposed"
#       - "any leading axes: (places, features) works too"
#     mistake: largest_subtracted
# ---

# %% grade_id="tied_logits"
def tied_logits(
    states: tf.Tensor,
    embeddings: tf.Tensor,
    bias: tf.Tensor,
) -> tf.Tensor:
    scores = ops.add(ops.matmul(states, ops.transpose(embeddings)), bias)
    # softmax stays the same, but exp can't overflow
    logits = scores - ops.max(scores, axis=-1, keepdims=True)
    return logits
