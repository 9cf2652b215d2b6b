# ---
# expected:
#   fastformer_block:
#     fails: everything
#     mistake: no_expand
#   build_fastformer_classifier:
#     fails:
#       - 'padding changes nothing: the mask reaches every block'
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - there are num_blocks Fastformer blocks
# ---

# %% changes="fastformer_block"
class FastformerBlock(layers.Layer):
    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        context = self.fastformer(inputs, mask=mask)
        x = self.norm_1(inputs + self.dropout_1(context))
        network = self.contract(x)
        output = self.norm_2(x + self.dropout_2(network))
        return output
