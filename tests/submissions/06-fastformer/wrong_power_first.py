# ---
# expected:
#   fastformer:
#     fails:
#       - the global query is pooled from the queries, in each head
#       - the global key is pooled from the products of the global query and the keys, in each head
#       - both poolings together are right, also while training
#       - the inputs' width may differ from hidden_size
#       - padded tokens get no weight in either pooling
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: power_without_brackets
#   fastformer_block:
#     fails:
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - a fully padded sample stays finite and the others stay right
#       - the mask reaches Fastformer
#   build_fastformer_classifier:
#     fails:
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
# ---

# %% changes="fastformer"
class Fastformer(layers.Layer):
    def global_vector(self, x: tf.Tensor, scores: tf.Tensor, mask):
        heads = self.separate_heads(x)
        scaled = scores / self.size_per_head**1 / 2
        scaled = ops.swapaxes(scaled, 1, 2)
        allowed = mask if mask is None else mask[:, None]
        vector = additive_pooling(heads, scaled, allowed)
        vector = ops.reshape(vector, (-1, 1, self.hidden_size))
        return vector
