# ---
# expected:
#   fastformer_block:
#     fails:
#       - the feed-forward half is right when Fastformer adds nothing
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#       - in training, outputs of Fastformer and of the network are dropped at the given rate
#     mistake: inputs_added_twice
#   build_fastformer_classifier:
#     fails:
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: inputs_added_twice_in_the_blocks
# ---

# %% changes="fastformer_block"
class FastformerBlock(layers.Layer):
    def call(self, inputs, mask=None):
        given = self.dropout_1(self.fastformer(inputs, mask=mask))
        x = self.norm_1(inputs + given)
        network = self.dropout_2(self.contract(self.expand(x)))
        return self.norm_2(inputs + network)
