# ---
# expected:
#   encoder_layer:
#     fails:
#       - output has the shape (batch, time, embedding_dim)
#       - the feed-forward half is right when attention adds nothing
#       - the attention half is right when the feed-forward network adds nothing
#       - both together are right
#       - large logits give finite, correct results
#     mistake: mask_needed
# ---

# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        keys = tf.cast(mask, tf.int32)[:, tf.newaxis, :]
        attended = self.attention(inputs, inputs, attention_mask=keys)
        x = self.norm_1(inputs + self.dropout_1(attended, training=training))
        network = self.contract(self.expand(x))
        return self.norm_2(x + self.dropout_2(network, training=training))
