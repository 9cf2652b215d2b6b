# ---
# expected:
#   average_attention:
#     fails: everything
#     mistake: weights_without_an_axis
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = ops.matmul(hidden, context) / ops.sqrt(ops.cast(hidden.shape[-1], "float32"))
    weights = ops.softmax(scores, axis=1)
    return ops.sum(weights * hidden, axis=1)
