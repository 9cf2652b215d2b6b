# ---
# expected:
#   fastformer_block:
#     fails:
#       - the feed-forward half is right when Fastformer adds nothing
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - nothing else is dropped, and nothing when predicting
#     mistake: drops_while_predicting
#   build_fastformer_classifier:
#     fails:
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: blocks_drop_while_predicting
# ---

# %% changes="fastformer_block"
class FastformerBlock(layers.Layer):
    def call(self, inputs, mask=None):
        given = self.dropout_1(self.fastformer(inputs, mask=mask), training=True)
        x = self.norm_1(inputs + given)
        network = self.dropout_2(self.contract(self.expand(x)), training=True)
        return self.norm_2(x + network)
