# %% grade_id="separate_heads"
def separate_heads(x, num_heads):
    depth = x.shape[-1] // num_heads
    heads = []
    for head in range(num_heads):
        first = head * depth
        heads.append(x[:, :, first : first + depth])
    return ops.stack(heads, axis=1)


# %% grade_id="combine_heads"
def combine_heads(x):
    heads = []
    for head in range(x.shape[1]):
        heads.append(x[:, head])
    return ops.concatenate(heads, axis=-1)
