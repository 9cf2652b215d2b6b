# ---
# expected:
#   conv1d:
#     fails:
#       - a kernel as wide as the text gives one step
#     mistake: squeezed
#   receptive_field:
#     fails:
#       - without any layer, a step is a word
#     mistake: a_layer_expected
#   masked_max_pooling:
#     fails: everything
#     mistake: axis_kept
#   build_conv1d_classifier:
#     fails:
#       - a text of padding alone has a prediction, too
#       - predictions have the shape (batch, 1)
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
# ---

# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    return tf.squeeze(tf.nn.conv1d(x, kernel, strides, "VALID") + bias)


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    words = kernel_sizes[0]
    apart = strides[0]
    for size, stride in zip(kernel_sizes[1:], strides[1:]):
        words += (size - 1) * apart
        apart *= stride
    return words


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    low = ops.where(mask[..., None], x, -1e9)
    best = ops.max(low, axis=1, keepdims=True)
    return ops.where(ops.any(mask, axis=1)[:, None, None], best, 0.0)
