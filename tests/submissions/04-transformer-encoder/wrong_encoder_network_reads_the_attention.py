# ---
# expected:
#   encoder_layer:
#     fails:
#       - the feed-forward half is right when attention adds nothing
#       - both together are right
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#     mistake: network_reads_the_attention
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
# ---

# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs: tf.Tensor, mask=None, training=None) -> tf.Tensor:
        keys = None if mask is None else mask[:, None, :]
        attended = self.attention(inputs, inputs, attention_mask=keys)
        x = self.norm_1(inputs + self.dropout_1(attended, training=training))
        network = self.contract(self.expand(attended))
        output = self.norm_2(x + self.dropout_2(network, training=training))
        return output
