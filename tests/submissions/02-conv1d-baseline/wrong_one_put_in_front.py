# ---
# expected:
#   receptive_field:
#     fails:
#       - the number is right, and the lists are not changed
#     mistake: lists_extended
# ---

# %% grade_id="receptive_field"
def receptive_field(kernel_sizes: list[int], strides: list[int]) -> int:
    """Measure how far one step of the last layer sees."""
    strides.insert(0, 1)  # neighbouring words are 1 word apart
    apart = 1
    words = 1
    for layer in range(len(kernel_sizes)):
        apart *= strides[layer]
        words += (kernel_sizes[layer] - 1) * apart
    return words
