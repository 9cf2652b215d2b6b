# ---
# expected:
#   conv1d:
#     fails:
#       - "the numbers are right without strides: windows move word by word"
#       - with strides, windows move several words at a time
#       - a last window that just fits counts
#       - a kernel as wide as the text gives one step
#     mistake: flattened_in_different_orders
# ---

# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    size, width, filters = np.shape(kernel)
    windows = np.lib.stride_tricks.sliding_window_view(np.array(x), size, axis=1)[:, ::strides]
    flat = windows.reshape(*windows.shape[:2], width * size)
    return np.tensordot(flat, np.reshape(kernel, (-1, filters)), 1) + bias
