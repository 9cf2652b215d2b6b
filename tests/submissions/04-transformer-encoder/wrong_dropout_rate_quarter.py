# ---
# expected:
#   encoder_layer:
#     fails:
#       - in training, outputs of attention and of the network are dropped at the given rate
#   build_transformer_classifier:
#     fails:
#       - with rate 0, nothing is dropped in training; else the encoder drops, too, and nothing else
#     mistake: rate_of_the_encoder_ignored
# ---

# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def __init__(self, embedding_dim, ff_dim, num_heads, rate):
        super().__init__()
        self.attention = layers.MultiHeadAttention(num_heads, embedding_dim // num_heads)
        self.dropout_1 = layers.Dropout(0.25)
        self.norm_1 = layers.LayerNormalization(epsilon=1e-6)
        self.expand = layers.Dense(ff_dim, activation="relu")
        self.contract = layers.Dense(embedding_dim)
        self.dropout_2 = layers.Dropout(0.25)
        self.norm_2 = layers.LayerNormalization(epsilon=1e-6)
        self.supports_masking = True
