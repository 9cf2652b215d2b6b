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
#     mistake: bias_forgotten
#   receptive_field:
#     fails:
#       - the first layer's strides spread what the second one sees
#       - the strides of all layers below count
#       - a kernel of one word sees nothing new
#       - the number is right, and the lists are not changed
#     mistake: strides_ignored
#   masked_max_pooling:
#     fails:
#       - a masked step can't win
#       - a masked step can't win if all other numbers are negative
#       - the mask may be True anywhere
#       - a text without any step gives zeros, and the others stay right
#       - it works in a Keras model
#     mistake: mask_ignored
#   build_conv1d_classifier:
#     fails:
#       - a text of padding alone has a prediction, too
#       - windows of nothing but padding aren't pooled
# ---

# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    # the bias comes with the activation
    k = kernel.shape[0]
    steps = range(0, x.shape[1] - k + 1, strides)
    return tf.stack([tf.tensordot(x[:, t : t + k], kernel, 2) for t in steps], axis=1)


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    return 1 + sum(kernel_sizes) - len(kernel_sizes)


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    return keras.ops.max(x, axis=1)
