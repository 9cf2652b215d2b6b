# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - tokens may be numbers, and may repeat
#     mistake: zeros_cut_off_first
#   relative_position_index:
#     fails:
#       - distances beyond the table get its first or last row
#     mistake: at_least_three_rows
#   relative_position_self_attention:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - last_weights are the weights after mask and softmax
#     mistake: mask_of_the_first_sample
#   aggregate_chunk_predictions:
#     fails:
#       - chunks come in any order, documents are sorted by number
#     mistake: last_run_of_neighbours
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    length = len(tokens)
    while length and tokens[length - 1] == 0:
        length -= 1
    starts = range(0, max(length - overlap, min(length, 1)), size - overlap)
    return [tokens[start : min(start + size, length)] for start in starts]


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    farthest = max(1, max_length - 1)  # a token has a neighbour on each side
    distance = np.arange(key_length) - np.arange(query_length)[:, None]
    return np.clip(distance, -farthest, farthest) + farthest


# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def logits(self, query, key):
        length = ops.shape(query)[2]
        a = self.distance_embedding(relative_position_index(length, length, self.max_length))
        content = ops.matmul(query, ops.swapaxes(key, -1, -2))
        distance = ops.einsum("bhid,ijd->bhij", query, a) + ops.einsum("bhjd,ijd->bhij", key, a)
        return (content + distance) / self.depth**0.5

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        logits = self.logits(query, key)
        if mask is not None:
            logits = ops.where(mask[0], logits, -1e9)
        weights = ops.softmax(logits, axis=-1)
        output = self.output_linear(self.combine_heads(ops.matmul(weights, value)))
        self.last_weights = weights
        return output


# %% grade_id="aggregate_chunk_predictions"
from itertools import groupby


def aggregate_chunk_predictions(probabilities, document_ids):
    means, pairs = {}, zip(document_ids, probabilities)
    for number, chunks in groupby(pairs, key=lambda pair: pair[0]):
        means[number] = np.mean([row for _, row in chunks], axis=0)
    return np.array([means[number] for number in sorted(means)])
