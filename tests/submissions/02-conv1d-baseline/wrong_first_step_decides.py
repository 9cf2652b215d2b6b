# ---
# expected:
#   masked_max_pooling:
#     fails:
#       - the mask may be True anywhere
#     mistake: zeros_where_the_first_step_is_masked
# ---

# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    low = ops.where(ops.expand_dims(mask, -1), x, -1e6)
    empty = ops.logical_not(mask[:, 0])
    return ops.where(empty[:, None], ops.zeros_like(low[:, 0]), ops.max(low, axis=1))
