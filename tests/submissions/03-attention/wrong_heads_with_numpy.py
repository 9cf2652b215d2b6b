# ---
# expected:
#   separate_heads:
#     fails:
#       - the shape is (batch, heads, time, depth), with batch and time of any size
#     mistake: fixed_axes
#   combine_heads:
#     fails:
#       - the shape is (batch, time, d_model), with batch and time of any size
#     mistake: fixed_axes
#   multi_head_self_attention:
#     fails:
#       - output has the shape (batch, time, hidden_size), with batch and time of any size
# ---

# %% grade_id="separate_heads"
def separate_heads(x, num_heads):
    x = np.array(x)
    batch, time, size = x.shape
    depth = size // num_heads
    separated = np.zeros((batch, num_heads, time, depth), x.dtype)
    for head in range(num_heads):
        for column in range(depth):
            separated[:, head, :, column] = x[:, :, head * depth + column]
    return ops.convert_to_tensor(separated)


# %% grade_id="combine_heads"
def combine_heads(x):
    x = np.array(x)
    batch, heads, time, depth = x.shape
    combined = np.zeros((batch, time, heads * depth), x.dtype)
    for head in range(heads):
        combined[:, :, head * depth : (head + 1) * depth] = x[:, head]
    return ops.convert_to_tensor(combined)
