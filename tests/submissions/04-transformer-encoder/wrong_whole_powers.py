# ---
# expected:
#   positional_encoding:
#     fails:
#       - position 0 is 0, 1, 0, 1, ...
#       - all frequencies are right
#     mistake: powers_of_whole_numbers
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length: int, depth: int) -> np.ndarray:
    # 10000^(2i/d) is the d-th root of 10000^(2i)
    powers = 10000 ** np.arange(0, depth, 2)
    angles = np.arange(length)[:, None] / powers ** (1 / depth)
    encoding = np.zeros((length, depth))
    encoding[:, 0::2] = np.sin(angles)
    encoding[:, 1::2] = np.cos(angles)
    return encoding
