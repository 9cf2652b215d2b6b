# ---
# expected:
#   encoder_layer:
#     fails:
#       - in training, outputs of attention and of the network are dropped at the given rate
#       - nothing else is dropped, and nothing when predicting
#     mistake: dropout_after_norm_second
#   build_transformer_classifier:
#     fails:
#       - in training, the mean's features are dropped at the given rate
#       - with rate 0, nothing is dropped in training; else the encoder drops, too, and nothing else
# ---

# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        keys = None if mask is None else mask[:, None, :]
        attended = self.attention(inputs, inputs, attention_mask=keys)
        x = self.norm_1(inputs + self.dropout_1(attended, training=training))
        network = self.contract(self.expand(x))
        return self.dropout_2(self.norm_2(x + network), training=training)
