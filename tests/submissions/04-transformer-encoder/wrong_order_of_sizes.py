# ---
# expected:
#   token_and_position_embedding: {points: 0.4, mistake: tokens_scaled}
#   build_transformer_classifier: {points: 0, relation: exception}
# ---

# %% grade_id="token_and_position_embedding"
import math

from keras import layers, ops


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim):
        super().__init__()
        self.token_embedding = layers.Embedding(vocabulary_size, embedding_dim)
        self.position_embedding = layers.Embedding(max_length, embedding_dim)

    def call(self, inputs):
        positions = ops.arange(ops.shape(inputs)[1])
        tokens = self.token_embedding(inputs) * math.sqrt(self.token_embedding.output_dim)
        return tokens + self.position_embedding(positions)


# %% grade_id="build_transformer_classifier"
import keras
from keras import layers, ops


def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    inputs = layers.Input(shape=(max_length,), dtype="int32")
    mask = ops.not_equal(inputs, 0)
    embedding_layer = TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)
    x = embedding_layer(inputs)
    transformer_block = EncoderLayer(embedding_dim, num_heads, ff_dim, rate)
    x = transformer_block(x, mask=mask)
    x = layers.GlobalAveragePooling1D()(x, mask=mask)
    x = layers.Dropout(rate)(x)
    outputs = layers.Dense(num_classes, activation="softmax")(x)
    return keras.Model(inputs=inputs, outputs=outputs)
