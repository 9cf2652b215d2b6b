# ---
# expected:
#   conv1d:
#     fails:
#       - output has the shape (batch, steps, filters)
#       - a text of zeros gives the bias at every step
#       - 'the numbers are right without strides: windows move word by word'
#       - with strides, windows move several words at a time
#       - a last window that just fits counts
#     mistake: windows_side_by_side
#   receptive_field:
#     fails:
#       - layers that move word by word
#       - the strides of all layers below count
#       - the number is right, and the lists are not changed
#     mistake: strides_added
#   masked_max_pooling:
#     fails:
#       - a masked step can't win if all other numbers are negative
#     mistake: minus_one_for_padding
# ---

# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    size = kernel.shape[0]
    pieces = x.shape[1] // size
    blocks = tf.reshape(x[:, : pieces * size], (-1, pieces, size, x.shape[2]))
    return tf.einsum("btkd,kdf->btf", blocks, kernel) + bias


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    words, apart = 1, 0
    for size, stride in zip(kernel_sizes, strides):
        words += (size - 1) * max(apart, 1)
        apart += stride
    return words


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    low = ops.where(mask[..., None], x, -1.0)
    return ops.where(ops.any(mask, axis=1)[:, None], ops.max(low, axis=1), 0.0)
