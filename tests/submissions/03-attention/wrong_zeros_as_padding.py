# ---
# expected:
#   average_attention:
#     fails:
#       - large scores give finite, correct results
#     mistake: zeros_taken_for_padding
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    filled = ops.max(ops.abs(hidden), axis=2) > 0
    scores = ops.sum(hidden * context, axis=2) / math.sqrt(hidden.shape[2])
    scores = ops.where(filled, scores, -1e12)
    weights = ops.softmax(scores, axis=1)
    return ops.einsum("bt,btd->bd", weights, hidden)
