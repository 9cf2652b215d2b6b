# ---
# expected:
#   encoder_layer:
#     fails:
#       - in training, outputs of attention and of the network are dropped at the given rate
#     mistake: hidden_units_dropped_too
# ---

# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs: tf.Tensor, mask=None, training=None) -> tf.Tensor:
        keys = None if mask is None else mask[:, None, :]
        attended = self.attention(inputs, inputs, attention_mask=keys)
        x = self.norm_1(inputs + self.dropout_1(attended, training=training))
        network = self.contract(self.expand(self.dropout_1(x, training=training)))
        output = self.norm_2(x + self.dropout_2(network, training=training))
        return output
