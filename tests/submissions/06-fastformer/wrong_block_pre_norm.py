# ---
# expected:
#   fastformer_block:
#     fails:
#       - the feed-forward half is right when Fastformer adds nothing
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: pre_norm
#   build_fastformer_classifier:
#     fails:
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: pre_norm_in_the_blocks
# ---

# %% changes="fastformer_block"
class FastformerBlock(layers.Layer):
    def call(self, inputs, mask=None):
        x = inputs + self.dropout_1(self.fastformer(self.norm_1(inputs), mask=mask))
        return x + self.dropout_2(self.contract(self.expand(self.norm_2(x))))
