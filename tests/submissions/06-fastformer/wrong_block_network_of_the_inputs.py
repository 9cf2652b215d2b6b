# ---
# expected:
#   fastformer_block:
#     fails:
#       - the feed-forward half is right when Fastformer adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: network_reads_the_inputs
#   build_fastformer_classifier:
#     fails:
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: network_reads_the_inputs_in_the_blocks
# ---

# %% changes="fastformer_block"
class FastformerBlock(layers.Layer):
    def call(self, inputs, mask=None):
        given = self.dropout_1(self.fastformer(inputs, mask=mask))
        x = self.norm_1(inputs + given)
        network = self.dropout_2(self.contract(self.expand(inputs)))
        return self.norm_2(x + network)
