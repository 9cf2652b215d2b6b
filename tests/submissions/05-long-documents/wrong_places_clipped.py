# ---
# expected:
#   relative_position_index:
#     fails:
#       - distances beyond the table get its first or last row
#     mistake: positions_clipped
#   relative_position_self_attention:
#     fails:
#       - large distances share the first and last rows of the table
# ---

# %% grade_id="relative_position_index"
def relative_position_index(
    query_length: int,
    key_length: int,
    max_length: int,
) -> tf.Tensor:
    last = max_length - 1
    queries = ops.clip(ops.arange(query_length), 0, last)
    keys = ops.clip(ops.arange(key_length), 0, last)
    distance = ops.expand_dims(keys, 0) - ops.expand_dims(queries, 1)
    index = distance + last
    return index
