# ---
# expected:
#   encoder_layer:
#     fails: everything
#     mistake: mask_by_another_name
#   build_transformer_classifier:
#     fails: everything
#     relation: exception
# ---

# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs: tf.Tensor, mask=None, training=None) -> tf.Tensor:
        keys = None if mask is None else mask[:, None, :]
        attended = self.attention(inputs, inputs, mask=keys)
        x = self.norm_1(inputs + self.dropout_1(attended, training=training))
        network = self.contract(self.expand(x))
        output = self.norm_2(x + self.dropout_2(network, training=training))
        return output
