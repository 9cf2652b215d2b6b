# ---
# expected:
#   conv1d:
#     fails:
#       - output has the shape (batch, steps, filters)
#       - a text of zeros gives the bias at every step
#       - with strides, windows move several words at a time
#     mistake: padded_for_the_words_left_over
# ---

# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides: int = 1):
    """Slide kernels over the words of each text."""
    x = np.asarray(x)
    kernel = np.asarray(kernel)
    k, _, F = kernel.shape
    B, T, _ = x.shape

    # no word at the end may be lost
    steps = math.ceil((T - k) / strides) + 1
    missing = (steps - 1) * strides + k - T
    x = np.pad(x, ((0, 0), (0, missing), (0, 0)))

    output = np.zeros((B, steps, F))
    for t in range(steps):
        window = x[:, t * strides : t * strides + k]
        output[:, t] = np.tensordot(window, kernel, axes=([1, 2], [0, 1]))
    return output + np.asarray(bias)
