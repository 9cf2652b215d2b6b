# ---
# expected:
#   encoder_layer:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_inverted
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#     mistake: mask_inverted
# ---

# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        # 1 where there is padding, as in other libraries
        padding = None if mask is None else tf.logical_not(mask)[:, tf.newaxis, :]
        x = self.attention(inputs, inputs, attention_mask=padding)
        x = self.norm_1(inputs + self.dropout_1(x, training=training))
        y = self.contract(self.expand(x))
        return self.norm_2(x + self.dropout_2(y, training=training))
