# ---
# expected:
#   encoder_layer:
#     fails:
#       - the feed-forward half is right when attention adds nothing
#       - the attention half is right when the feed-forward network adds nothing
#       - both together are right
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - in training, outputs of attention and of the network are dropped at the given rate
#     mistake: inputs_added_twice and dropout_on_sum_first
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
        x = self.dropout_1(inputs + attended, training=training)
        x = self.norm_1(x)
        network = self.contract(self.expand(x))
        network = self.dropout_2(network, training=training)
        output = self.norm_2(inputs + network)
        return output
