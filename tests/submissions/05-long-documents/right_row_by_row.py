# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    chunks = []
    start = 0
    while start < len(tokens):
        chunks.append(list(tokens[start : start + size]))
        if start + size >= len(tokens):
            break
        start += size - overlap
    return chunks


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    rows = []
    for query in range(query_length):
        row = []
        for key in range(key_length):
            distance = key - query
            if distance > max_length - 1:
                distance = max_length - 1
            if distance < 1 - max_length:
                distance = 1 - max_length
            row.append(distance + max_length - 1)
        rows.append(row)
    return ops.convert_to_tensor(np.array(rows))


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    sums, counts = {}, {}
    for row, document in zip(probabilities, document_ids.tolist()):
        sums[document] = sums.get(document, 0) + row.astype("float64")
        counts[document] = counts.get(document, 0) + 1
    return np.array([sums[document] / counts[document] for document in sorted(sums)])
