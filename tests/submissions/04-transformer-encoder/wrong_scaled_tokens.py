# ---
# expected:
#   token_and_position_embedding: {points: 0.4, mistake: tokens_scaled}
#   build_transformer_classifier: {points: 2.4}
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
