# ---
# expected:
#   conv1d:
#     fails: everything
#     mistake: first_text_without_a_batch
#   receptive_field:
#     fails:
#       - layers that move word by word
#       - the strides of all layers below count
#       - the number is right, and the lists are not changed
#     mistake: two_layers_only
#   masked_max_pooling:
#     fails:
#       - a text without any step gives zeros, and the others stay right
#       - it works in a Keras model
#     relation: zeros
#   build_conv1d_classifier:
#     fails:
#       - a text of padding alone has a prediction, too
# ---

# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    k = kernel.shape[0]
    text = x[0]
    steps = range(0, text.shape[0] - k + 1, strides)
    return tf.stack([tf.tensordot(text[t : t + k], kernel, 2) + bias for t in steps])


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    words = kernel_sizes[0] if kernel_sizes else 1
    if len(kernel_sizes) > 1:
        words += (kernel_sizes[1] - 1) * strides[0]
    return words


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    if not hasattr(mask, "numpy") or tf.reduce_all(tf.reduce_any(mask, axis=1)):
        return ops.max(ops.where(mask[..., None], x, -1e9), axis=1)
    return ops.zeros_like(x[:, 0])
