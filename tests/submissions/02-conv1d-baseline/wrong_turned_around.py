# ---
# expected:
#   conv1d:
#     fails:
#       - 'the numbers are right without strides: windows move word by word'
#       - with strides, windows move several words at a time
#       - a last window that just fits counts
#       - a kernel as wide as the text gives one step
#     mistake: kernel_reversed
#   receptive_field:
#     fails:
#       - the first layer's strides spread what the second one sees
#       - the strides of all layers below count
#       - a kernel of one word sees nothing new
#       - the number is right, and the lists are not changed
#     mistake: layers_reversed
#   masked_max_pooling:
#     fails:
#       - without padding, it's the largest number over time
#       - a masked step can't win
#       - a masked step can't win if all other numbers are negative
#       - the mask may be True anywhere
#       - a text without any step gives zeros, and the others stay right
#       - it works in a Keras model
#     mistake: mask_inverted
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
    # a convolution turns the kernel around
    kernel = np.array(kernel)[::-1]
    x, size = np.array(x), len(kernel)
    starts = range(0, x.shape[1] - size + 1, strides)
    sums = [np.tensordot(x[:, t : t + size], kernel, axes=([1, 2], [0, 1])) for t in starts]
    return np.stack(sums, axis=1) + np.array(bias)


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    words, apart = 1, 1
    for size, stride in list(zip(kernel_sizes, strides))[::-1]:
        words += (size - 1) * apart
        apart *= stride
    return words


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    # the mask says what is hidden
    shown = ops.where(mask[..., None], -np.inf, x)
    some = ops.logical_not(ops.all(mask, axis=1, keepdims=True))
    return ops.where(some, ops.max(shown, axis=1), 0.0)
