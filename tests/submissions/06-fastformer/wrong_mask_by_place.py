# ---
# expected:
#   fastformer_block:
#     fails:
#       - output has the shape (batch, time, hidden_size)
#       - the feed-forward half is right when Fastformer adds nothing
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#     mistake: mask_in_its_place
# ---

# %% changes="fastformer_block"
class FastformerBlock(layers.Layer):
    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        fast = self.fastformer(inputs, mask)
        x = self.norm_1(inputs + self.dropout_1(fast))
        hidden = self.expand(x)
        output = self.contract(hidden)
        output = self.norm_2(x + self.dropout_2(output))
        return output
