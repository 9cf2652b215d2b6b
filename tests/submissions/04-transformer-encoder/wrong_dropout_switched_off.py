# ---
# expected:
#   encoder_layer:
#     fails:
#       - in training, outputs of attention and of the network are dropped at the given rate
#     mistake: no_dropout
#   build_transformer_classifier:
#     fails:
#       - with rate 0, nothing is dropped in training; else the encoder drops, too, and nothing else
#     mistake: no_dropout_in_the_encoder
# ---

# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        keys = None if mask is None else mask[:, None, :]
        attended = self.attention(inputs, inputs, attention_mask=keys)
        x = self.norm_1(inputs + self.dropout_1(attended, training=False))
        network = self.contract(self.expand(x))
        return self.norm_2(x + self.dropout_2(network, training=False))
