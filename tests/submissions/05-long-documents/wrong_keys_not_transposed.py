# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - chunks have size tokens, and none follows the one that reaches the end
#       - the overlap may be 0, or more than half a chunk
#       - tokens may be numbers, and may repeat
#       - a text no longer than a chunk is one chunk
#     mistake: range_one_too_long
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    starts = range(0, len(tokens) - overlap + 1, size - overlap)
    return [tokens[start : start + size] for start in starts]
