# ---
# expected:
#   fastformer_block:
#     fails: everything
#     mistake: no_contract
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

# %% changes="fastformer_block"
class FastformerBlock(layers.Layer):
    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        context = self.fastformer(inputs, mask=mask)
        x = self.norm_1(inputs + self.dropout_1(context))
        network = self.expand(x)
        output = self.norm_2(x + self.dropout_2(network))
        return output
