# ---
# expected:
#   conv1d:
#     fails:
#       - 'the numbers are right without strides: windows move word by word'
#       - a kernel of one word looks at each word alone
#     mistake: strides_needed
#   receptive_field:
#     fails:
#       - layers that move word by word
#       - the first layer's strides spread what the second one sees
#       - the strides of all layers below count
#       - the number is right, and the lists are not changed
#     mistake: half_widths
#   masked_max_pooling:
#     fails:
#       - it works in a Keras model
#     mistake: outside_a_model_only
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
def conv1d(x, kernel, bias, strides):
    return tf.nn.conv1d(x, kernel, strides, "VALID") + bias


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    halves = [size // 2 for size in kernel_sizes]
    words, apart = 1, 1
    for half, stride in zip(halves, strides):
        words += 2 * half * apart
        apart *= stride
    return words


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    x, mask = x.numpy(), mask.numpy()
    best = np.where(mask[..., None], x, -np.inf).max(axis=1)
    return np.where(mask.any(axis=1)[:, None], best, 0)
