# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    keys = np.arange(key_length).reshape(1, -1)
    queries = np.arange(query_length).reshape(-1, 1)
    last = max_length - 1
    shifted = keys - queries + last
    return ops.convert_to_tensor(np.minimum(np.maximum(shifted, 0), 2 * last))
