# ---
# expected:
#   conv1d_output_length:
#     fails:
#       - incomplete windows are left out
#     mistake: divided_apart
# ---

# %% grade_id="conv1d_output_length"
def conv1d_output_length(length: int, kernel_size: int, strides: int) -> int:
    """Count the windows of a convolution without padding."""
    if length < kernel_size:
        return 0
    strides_in_text = length // strides
    strides_in_window = kernel_size // strides
    steps = strides_in_text - strides_in_window + 1
    return steps
