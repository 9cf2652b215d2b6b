# ---
# expected:
#   conv1d:
#     fails:
#       - output has the shape (batch, steps, filters)
#       - a text of zeros gives the bias at every step
#       - 'the numbers are right without strides: windows move word by word'
#       - with strides, windows move several words at a time
#       - a last window that just fits counts
#       - a kernel as wide as the text gives one step
#     mistake: padded
#   receptive_field:
#     fails:
#       - one layer sees as many words as its kernel is wide
#       - the first layer's strides spread what the second one sees
#       - the strides of all layers below count
#       - a kernel of one word sees nothing new
#       - the number is right, and the lists are not changed
#     mistake: own_strides_counted
#   masked_max_pooling:
#     fails:
#       - a masked step can't win if all other numbers are negative
#     mistake: mask_multiplied
# ---

# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    return tf.nn.conv1d(x, kernel, stride=strides, padding="SAME") + bias


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    words, apart = 1, 1
    for size, stride in zip(kernel_sizes, strides):
        apart *= stride
        words += (size - 1) * apart
    return words


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    shown = ops.where(mask[..., None], x, 0.0)
    return ops.max(shown, axis=1)
