# ---
# expected:
#   fastformer_block:
#     fails:
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_not_passed_on
#   build_fastformer_classifier:
#     fails:
#       - "padding changes nothing: the mask reaches every block"
#     mistake: mask_not_passed_on_by_the_first_block
# ---

# %% changes="fastformer_block"
class FastformerBlock(layers.Layer):
    def call(self, inputs, mask=None):
        given = self.dropout_1(self.fastformer(inputs))
        x = self.norm_1(inputs + given)
        network = self.dropout_2(self.contract(self.expand(x)))
        return self.norm_2(x + network)
