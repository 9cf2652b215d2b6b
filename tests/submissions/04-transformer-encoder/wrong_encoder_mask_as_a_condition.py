# ---
# expected:
#   encoder_layer:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - in training, outputs of attention and of the network are dropped at the given rate
#       - nothing else is dropped, and nothing when predicting
#     mistake: mask_as_condition
#   build_transformer_classifier:
#     fails: everything
#     mistake: numbers_needed_while_built
# ---

# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs: tf.Tensor, mask=None, training=None) -> tf.Tensor:
        keys = mask[:, None, :] if mask else None
        attended = self.attention(inputs, inputs, attention_mask=keys)
        x = self.norm_1(inputs + self.dropout_1(attended, training=training))
        network = self.contract(self.expand(x))
        output = self.norm_2(x + self.dropout_2(network, training=training))
        return output
