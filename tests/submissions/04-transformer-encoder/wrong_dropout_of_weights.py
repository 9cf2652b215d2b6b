# ---
# expected:
#   encoder_layer:
#     fails:
#       - in training, outputs of attention and of the network are dropped at the given rate
#     mistake: no_first_dropout
# ---

# %% grade_id="encoder_layer"
class EncoderLayer(layers.Layer):
    def __init__(self, embedding_dim, ff_dim, num_heads, rate):
        super().__init__()
        self.attention = layers.MultiHeadAttention(
            num_heads, embedding_dim // num_heads, dropout=rate
        )
        self.dropout_1 = layers.Dropout(rate)
        self.norm_1 = layers.LayerNormalization(epsilon=1e-6)
        self.expand = layers.Dense(ff_dim, activation="relu")
        self.contract = layers.Dense(embedding_dim)
        self.dropout_2 = layers.Dropout(rate)
        self.norm_2 = layers.LayerNormalization(epsilon=1e-6)
        self.supports_masking = True

    def call(self, inputs, mask=None, training=None):
        keys = None if mask is None else mask[:, None, :]
        attended = self.attention(inputs, inputs, attention_mask=keys)
        x = self.norm_1(inputs + attended)
        network = self.contract(self.expand(x))
        return self.norm_2(x + self.dropout_2(network, training=training))
