# ---
# expected:
#   conv1d:
#     fails:
#       - a text of zeros gives the bias at every step
#       - 'the numbers are right without strides: windows move word by word'
#       - with strides, windows move several words at a time
#       - a last window that just fits counts
#       - a kernel as wide as the text gives one step
#       - a kernel of one word looks at each word alone
#     mistake: relu_applied
#   receptive_field:
#     fails:
#       - layers that move word by word
#       - the first layer's strides spread what the second one sees
#       - the strides of all layers below count
#       - a kernel of one word sees nothing new
#       - the number is right, and the lists are not changed
#     mistake: widths_times_strides_or_one
#   masked_max_pooling:
#     fails:
#       - without padding, it's the largest number over time
#       - a masked step can't win if all other numbers are negative
#     mistake: never_below_zero
# ---

# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    return tf.nn.relu(tf.nn.conv1d(x, kernel, strides, "VALID") + bias)


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    words = 0
    apart = 1
    for k, s in zip(kernel_sizes, strides):
        words += k * apart
        apart *= s
    return max(words, 1)


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    x = ops.where(ops.expand_dims(mask, -1), x, -1e9)
    return ops.relu(ops.max(x, axis=1))
