# ---
# expected:
#   conv1d:
#     fails:
#       - 'the numbers are right without strides: windows move word by word'
#       - with strides, windows move several words at a time
#       - a last window that just fits counts
#       - a kernel as wide as the text gives one step
#     mistake: window_summed_first
#   receptive_field:
#     fails:
#       - the number is right, and the lists are not changed
#     mistake: lists_emptied
#   masked_max_pooling:
#     fails:
#       - without padding, it's the largest number over time
#       - a masked step can't win
#       - a masked step can't win if all other numbers are negative
#       - the mask may be True anywhere
#       - a text without any step gives zeros, and the others stay right
#       - it works in a Keras model
#     mistake: places_of_the_largest
#   build_conv1d_classifier:
#     fails:
#       - a text of padding alone has a prediction, too
#       - half is dropped in training, each number on its own
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
# ---

# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    # the words of a window have the same weights
    k = kernel.shape[0]
    steps = range(0, x.shape[1] - k + 1, strides)
    sums = tf.stack([tf.reduce_sum(x[:, t : t + k], axis=1) for t in steps], axis=1)
    return sums @ tf.reduce_sum(kernel, axis=0) + bias


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    field = 1
    while kernel_sizes:
        size, stride = kernel_sizes.pop(), strides.pop()
        field = (field - 1) * stride + size
    return field


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    best = ops.argmax(ops.where(mask[..., None], x, -1e9), axis=1)
    return ops.where(ops.any(mask, axis=1)[:, None], best, 0)
