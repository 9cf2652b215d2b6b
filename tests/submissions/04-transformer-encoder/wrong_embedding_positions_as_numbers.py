# ---
# expected:
#   token_and_position_embedding:
#     mistake: positions_as_numbers
# ---

# %% grade_id="token_and_position_embedding"
from keras import layers, ops


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim):
        super().__init__()
        self.token_embedding = layers.Embedding(vocabulary_size, embedding_dim)
        self.position_embedding = layers.Embedding(max_length, embedding_dim)
        self.supports_masking = True

    def call(self, inputs):
        positions = ops.arange(inputs.shape[1], dtype="float32")
        return self.token_embedding(inputs) + positions[:, None]
