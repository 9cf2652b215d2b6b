# ---
# expected:
#   conv1d:
#     fails:
#       - a text of zeros gives the bias at every step
#       - 'the numbers are right without strides: windows move word by word'
#       - with strides, windows move several words at a time
#       - a last window that just fits counts
#       - a kernel as wide as the text gives one step
#     mistake: bias_at_each_word
#   receptive_field:
#     fails:
#       - the strides of all layers below count
#       - the number is right, and the lists are not changed
#     mistake: last_strides_only
#   masked_max_pooling:
#     fails:
#       - a masked step can't win if all other numbers are negative
#     mistake: padding_lowered_too_little
# ---

# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    size = kernel.shape[0]
    total = 0
    for j in range(size):
        total += tf.matmul(x[:, j : x.shape[1] - size + 1 + j : strides], kernel[j]) + bias
    return total


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    words, below = 1, 1
    for size, stride in zip(kernel_sizes, strides):
        words += (size - 1) * below
        below = stride
    return words


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    hidden = 1.0 - ops.cast(mask, "float32")
    some = ops.cast(ops.any(mask, axis=1), "float32")
    return ops.max(x - 100 * hidden[..., None], axis=1) * some[:, None]
