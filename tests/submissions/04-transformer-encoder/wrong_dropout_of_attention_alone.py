# ---
# expected:
#   encoder_layer:
#     fails:
#       - in training, outputs of attention and of the network are dropped at the given rate
#     mistake: no_second_dropout
#   build_transformer_classifier:
#     fails:
#       - in training, the mean's features are dropped at the given rate
#       - with rate 0, nothing is dropped in training; else the encoder drops, too, and nothing else
#     mistake: share_kept_for_share_dropped
# ---

# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        keys = None if mask is None else mask[:, None, :]
        attended = self.attention(inputs, inputs, attention_mask=keys)
        x = self.norm_1(inputs + self.dropout_1(attended, training=training))
        network = self.contract(self.expand(x))
        return self.norm_2(x + network)


# %% grade_id="build_transformer_classifier"
def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    inputs = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(inputs, 0)
    x = TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)(inputs)
    x = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(x, mask=mask)
    x = layers.GlobalAveragePooling1D()(x, mask=mask)
    x = layers.Dropout(1 - rate)(x)
    return keras.Model(inputs, layers.Dense(num_classes, activation="softmax")(x))
