# %% grade_id="separate_heads"
def separate_heads(x, num_heads):
    size = ops.shape(x)
    depth = size[2] // num_heads
    by_token = ops.reshape(x, (size[0], size[1], num_heads, depth))
    return ops.swapaxes(by_token, 1, 2)


# %% grade_id="combine_heads"
def combine_heads(x):
    size = ops.shape(x)
    by_token = ops.moveaxis(x, 1, 2)
    return ops.reshape(by_token, (size[0], size[2], size[1] * size[3]))
