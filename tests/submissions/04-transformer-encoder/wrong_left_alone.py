# ---
# expected:
#   positional_encoding:
#     fails:
#       - all frequencies are right
#     mistake: powers_too_large
#   token_and_position_embedding:
#     fails:
#       - nothing is masked or dropped, both tables are learned, and a model can hold the layer
#     mistake: one_table_not_learned
#   encoder_layer:
#     fails:
#       - padded tokens are not attended to
#       - in training, outputs of attention and of the network are dropped at the given rate
#     mistake: a_lone_token_left_alone
#   build_transformer_classifier:
#     fails:
#       - with rate 0, nothing is dropped in training; else the encoder drops, too, and nothing else
#     mistake: no_dropout_in_the_encoder
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    even = np.arange(0, depth, 2)
    with np.errstate(over="ignore"):
        angles = np.outer(np.arange(length), np.power(np.power(1e4, even), -1 / depth))
    table = np.empty((length, depth))
    table[:, even] = np.sin(angles)
    table[:, even + 1] = np.cos(angles)
    return table


# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim):
        super().__init__()
        self.token_embedding = layers.Embedding(vocabulary_size, embedding_dim)
        self.position_embedding = layers.Embedding(max_length, embedding_dim, trainable=False)


# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        x = inputs
        if inputs.shape[1] > 1:
            keys = None if mask is None else mask[:, None]
            mixed = self.attention(inputs, inputs, attention_mask=keys)
            x = x + self.dropout_1(mixed, training=training)
        x = self.norm_1(x)
        y = self.contract(self.expand(x))
        return self.norm_2(x + self.dropout_2(y, training=training))


# %% grade_id="build_transformer_classifier"
def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    # Its own embedding: the one above has fewer weights that are trained.
    class Embedded(layers.Layer):
        def __init__(self):
            super().__init__()
            self.tokens = layers.Embedding(vocabulary_size, embedding_dim)
            self.positions = layers.Embedding(max_length, embedding_dim)

        def call(self, ids):
            return self.tokens(ids) + self.positions(ops.arange(max_length))

    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    encoder = EncoderLayer(embedding_dim, ff_dim, num_heads, rate=0.0)  # dropped once is enough
    x = encoder(Embedded()(ids), mask=mask)
    x = layers.GlobalAveragePooling1D()(x, mask=mask)
    x = layers.Dropout(rate)(x)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
