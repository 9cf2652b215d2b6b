# ---
# expected:
#   fastformer_block:
#     fails:
#       - the feed-forward half is right when Fastformer adds nothing
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: norm_before_the_sum
#   build_fastformer_classifier:
#     fails:
#       - 'padding changes nothing: the mask reaches every block'
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the probabilities are right
# ---

# %% changes="fastformer_block"
class FastformerBlock(layers.Layer):
    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        context = self.fastformer(inputs, mask=mask)
        x = inputs + self.dropout_1(self.norm_1(context))
        network = self.contract(self.expand(x))
        output = x + self.dropout_2(self.norm_2(network))
        return output
