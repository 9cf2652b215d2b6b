# ---
# expected:
#   fastformer:
#     fails:
#       - padded tokens get no weight in either pooling
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: mask_without_an_axis
#   fastformer_block:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - in training, outputs of Fastformer and of the network are dropped at the given rate
#       - nothing else is dropped, and nothing when predicting
#       - the mask reaches Fastformer
#   build_fastformer_classifier:
#     fails:
#       - each row is a distribution
#       - 'padding changes nothing: the mask reaches every block'
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - there are num_blocks Fastformer blocks
#       - there is one row of num_classes numbers per text
# ---

# %% changes="fastformer"
class Fastformer(layers.Layer):
    def global_vector(self, x: tf.Tensor, scores: tf.Tensor, mask):
        by_head = ops.swapaxes(scores, 1, 2) / math.sqrt(self.size_per_head)
        allowed = mask
        pooled = additive_pooling(self.separate_heads(x), by_head, allowed)
        vector = ops.reshape(pooled, (-1, 1, self.hidden_size))
        return vector
