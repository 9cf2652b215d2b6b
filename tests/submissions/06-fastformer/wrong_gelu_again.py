# ---
# expected:
#   fastformer_block:
#     fails:
#       - the feed-forward half is right when Fastformer adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: gelu_twice
#   build_fastformer_classifier:
#     fails:
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
# ---

# %% changes="fastformer_block"
class FastformerBlock(layers.Layer):
    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        fast = self.fastformer(inputs, mask=mask)
        x = self.norm_1(inputs + self.dropout_1(fast))
        hidden = ops.gelu(self.expand(x))
        output = self.contract(hidden)
        output = self.norm_2(x + self.dropout_2(output))
        return output
