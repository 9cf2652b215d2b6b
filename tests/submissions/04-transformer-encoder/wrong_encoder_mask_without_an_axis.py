# ---
# expected:
#   encoder_layer:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - in training, outputs of attention and of the network are dropped at the given rate
#       - nothing else is dropped, and nothing when predicting
#     mistake: mask_without_an_axis
#   build_transformer_classifier:
#     fails: everything
#     relation: exception
# ---

# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        x = self.attention(inputs, inputs, attention_mask=mask)
        x = self.norm_1(inputs + self.dropout_1(x, training=training))
        y = self.contract(self.expand(x))
        return self.norm_2(x + self.dropout_2(y, training=training))
