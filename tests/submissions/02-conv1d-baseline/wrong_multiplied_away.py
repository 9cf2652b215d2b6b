# ---
# expected:
#   conv1d:
#     fails:
#       - output has the shape (batch, steps, filters)
#       - a text of zeros gives the bias at every step
#       - with strides, windows move several words at a time
#       - a last window that just fits counts
#     mistake: strides_ignored
#   receptive_field:
#     fails:
#       - layers that move word by word
#       - the first layer's strides spread what the second one sees
#       - the strides of all layers below count
#       - a kernel of one word sees nothing new
#       - the number is right, and the lists are not changed
#     mistake: widths_multiplied
#   masked_max_pooling:
#     fails:
#       - a masked step can't win if all other numbers are negative
#     mistake: mask_multiplied
# ---

# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    k, words = kernel.shape[0], x.shape[1]
    return sum(x[:, j : words - k + 1 + j] @ kernel[j] for j in range(k)) + bias


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    words = 1
    for size in kernel_sizes:
        words *= size
    return words


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    masked = x * ops.cast(mask, x.dtype)[:, :, None]
    return ops.max(masked, axis=1)
