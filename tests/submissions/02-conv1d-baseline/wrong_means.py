# ---
# expected:
#   conv1d:
#     fails:
#       - 'the numbers are right without strides: windows move word by word'
#       - with strides, windows move several words at a time
#       - a last window that just fits counts
#       - a kernel as wide as the text gives one step
#     mistake: mean_of_the_window
#   receptive_field:
#     fails:
#       - the result is an int
#     mistake: a_float
#   masked_max_pooling:
#     fails:
#       - without padding, it's the largest number over time
#       - a masked step can't win
#       - a masked step can't win if all other numbers are negative
#       - the mask may be True anywhere
#       - a text without any step gives zeros, and the others stay right
#       - it works in a Keras model
#     mistake: mean
#   build_conv1d_classifier:
#     fails:
#       - a text of padding alone has a prediction, too
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
# ---

# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    windows = tf.signal.frame(x, kernel.shape[0], strides, axis=1)
    products = tf.einsum("btkd,kdf->btkf", windows, kernel)
    return tf.reduce_mean(products, axis=2) + bias


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    words, apart = 1.0, 1.0
    for size, stride in zip(kernel_sizes, strides):
        words += (size - 1) * apart
        apart *= stride
    return words


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    some = ops.cast(mask, x.dtype)[..., None]
    return ops.sum(x * some, axis=1) / ops.maximum(ops.sum(some, axis=1), 1)
