# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    columns = []
    positions = np.arange(length)
    for pair in range(depth // 2):
        angle = positions / 10000 ** (2 * pair / depth)
        columns.append(np.sin(angle))
        columns.append(np.cos(angle))
    return np.stack(columns, axis=1)
