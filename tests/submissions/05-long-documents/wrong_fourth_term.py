# ---
# expected:
#   relative_position_self_attention:
#     fails:
#       - 'queries times distances: q·a, scaled'
#       - 'keys times distances: k·a, scaled'
#       - all three terms are added up, also while training
#       - large distances share the first and last rows of the table
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - last_weights are the weights after mask and softmax
#     mistake: distances_times_distances
# ---

# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def logits(self, query, key):
        length = ops.shape(query)[2]
        a = self.distance_embedding(relative_position_index(length, length, self.max_length))
        moved_query, moved_key = query[:, :, :, None] + a, key[:, :, None] + a
        return ops.sum(moved_query * moved_key, axis=-1) / self.depth**0.5
