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
#     mistake: attention_added_to_itself
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
# ---

# %% grade_id="encoder_layer"
import tensorflow as tf
from keras import layers


class EncoderLayer(layers.Layer):
    def __init__(
        self,
        embedding_dim: int,
        ff_dim: int,
        num_heads: int,
        rate: float,
    ):
        super().__init__()
        head_size = embedding_dim // num_heads
        self.attention = layers.MultiHeadAttention(num_heads, head_size)
        self.dropout_1 = layers.Dropout(rate)
        self.norm_1 = layers.LayerNormalization(epsilon=1e-6)
        self.expand = layers.Dense(ff_dim, activation="relu")
        self.contract = layers.Dense(embedding_dim)
        self.dropout_2 = layers.Dropout(rate)
        self.norm_2 = layers.LayerNormalization(epsilon=1e-6)
        self.supports_masking = True

    def call(self, inputs: tf.Tensor, mask=None, training=None) -> tf.Tensor:
        keys = None if mask is None else mask[:, None, :]
        attended = self.attention(inputs, inputs, attention_mask=keys)
        x = self.norm_1(attended + self.dropout_1(attended, training=training))
        network = self.contract(self.expand(x))
        output = self.norm_2(x + self.dropout_2(network, training=training))
        return output
