# ---
# expected:
#   conv1d:
#     fails:
#       - 'the numbers are right without strides: windows move word by word'
#       - a last window that just fits counts
#       - a kernel of one word looks at each word alone
#     mistake: last_window_lost
#   receptive_field:
#     fails:
#       - one layer sees as many words as its kernel is wide
#       - layers that move word by word
#       - the first layer's strides spread what the second one sees
#       - the strides of all layers below count
#       - a kernel of one word sees nothing new
#       - without any layer, a step is a word
#       - the number is right, and the lists are not changed
#     mistake: first_word_forgotten
#   masked_max_pooling:
#     fails:
#       - a text without any step gives zeros, and the others stay right
#       - it works in a Keras model
#     mistake: minus_infinity_left
#   build_conv1d_classifier:
#     fails:
#       - a text of padding alone has a prediction, too
# ---

# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    size = kernel.shape[0]
    outputs = []
    for start in range(0, max(x.shape[1] - size, 1), strides):
        window = x[:, start : start + size]
        outputs.append(tf.einsum("bkd,kdf->bf", window, kernel) + bias)
    return tf.stack(outputs, axis=1)


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    words, apart = 0, 1
    for size, stride in zip(kernel_sizes, strides):
        words += (size - 1) * apart
        apart *= stride
    return words


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    low = ops.where(mask[..., None], x, -np.inf)
    return ops.max(low, axis=1)
