# ---
# expected:
#   conv1d:
#     fails:
#       - output has the shape (batch, steps, filters)
#       - with strides, windows move several words at a time
#       - a last window that just fits counts
#       - a kernel as wide as the text gives one step
#     mistake: dilated
#   receptive_field:
#     fails:
#       - one layer sees as many words as its kernel is wide
#       - the first layer's strides spread what the second one sees
#       - the strides of all layers below count
#       - a kernel of one word sees nothing new
#       - the number is right, and the lists are not changed
#     mistake: own_strides_alone
#   masked_max_pooling:
#     fails:
#       - the mask may be True anywhere
#     mistake: steps_counted
# ---

# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    size = kernel.shape[0]
    steps = x.shape[1] - (size - 1) * strides
    return sum(x[:, j * strides : j * strides + steps] @ kernel[j] for j in range(size)) + bias


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    words = 1
    for size, stride in zip(kernel_sizes, strides):
        words += (size - 1) * stride
    return words


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    steps = ops.sum(ops.cast(mask, "int32"), axis=1, keepdims=True)
    first = ops.cumsum(ops.ones_like(mask, dtype="int32"), axis=1) <= steps
    best = ops.max(ops.where(first[..., None], x, -1e9), axis=1)
    return ops.where(steps > 0, best, 0.0)
