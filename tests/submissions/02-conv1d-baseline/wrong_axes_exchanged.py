# ---
# expected:
#   conv1d:
#     fails: everything
#     mistake: filters_before_steps
#   receptive_field:
#     fails:
#       - one layer sees as many words as its kernel is wide
#       - layers that move word by word
#       - the first layer's strides spread what the second one sees
#       - the strides of all layers below count
#       - a kernel of one word sees nothing new
#       - the number is right, and the lists are not changed
#     mistake: distance_of_steps
#   masked_max_pooling:
#     fails: everything
#     mistake: over_features
#   build_conv1d_classifier:
#     fails:
#       - a text of padding alone has a prediction, too
#       - half is dropped in training, each number on its own
#       - predictions have the shape (batch, 1)
#       - texts may be of any length
#       - the last sum becomes a probability
#       - each model has weights of its own, and they have the right shapes
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
# ---

# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    y = tf.nn.conv1d(x, kernel, strides, "VALID") + bias
    return tf.transpose(y, (0, 2, 1))


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    apart = 1
    for stride in strides:
        apart *= stride
    return apart


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    low = ops.where(mask[..., None], x, -1e9)
    best = ops.max(low, axis=-1)
    return ops.where(mask, best, 0.0)
