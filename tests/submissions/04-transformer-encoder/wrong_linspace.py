# ---
# expected:
#   positional_encoding:
#     fails:
#       - two features are the sine and cosine of the position
#       - all frequencies are right
#       - thousands of positions work, too
#     mistake: end_of_linspace
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length: int, depth: int) -> np.ndarray:
    p = np.linspace(0, length, length).reshape(-1, 1)
    two_i = np.arange(0, depth, 2)
    angles = p / 10000 ** (two_i / depth)
    encoding = np.empty((length, depth))
    encoding[:, ::2], encoding[:, 1::2] = np.sin(angles), np.cos(angles)
    return encoding
