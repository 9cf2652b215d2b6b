# ---
# expected:
#   fastformer_block:
#     fails:
#       - in training, outputs of Fastformer and of the network are dropped at the given rate
#     mistake: no_first_dropout
# ---

# %% changes="fastformer_block"
class FastformerBlock(layers.Layer):
    def call(self, inputs, mask=None):
        given = self.fastformer(inputs, mask=mask)
        x = self.norm_1(inputs + given)
        network = self.dropout_2(self.contract(self.expand(x)))
        return self.norm_2(x + network)
