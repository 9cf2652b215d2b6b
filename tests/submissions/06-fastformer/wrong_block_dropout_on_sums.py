# ---
# expected:
#   fastformer_block:
#     fails:
#       - in training, outputs of Fastformer and of the network are dropped at the given rate
#       - nothing else is dropped, and nothing when predicting
#     mistake: dropout_on_sum_both
#   build_fastformer_classifier:
#     fails:
#       - the blocks drop at the given rate, and nothing is dropped after them
#     mistake: dropout_between_blocks
# ---

# %% changes="fastformer_block"
class FastformerBlock(layers.Layer):
    def call(self, inputs, mask=None):
        x = self.norm_1(self.dropout_1(inputs + self.fastformer(inputs, mask=mask)))
        return self.norm_2(self.dropout_2(x + self.contract(self.expand(x))))
