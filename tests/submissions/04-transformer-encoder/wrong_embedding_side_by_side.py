# ---
# expected:
#   token_and_position_embedding:
#     fails:
#       - output has the shape (batch, time, embedding_dim)
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: vectors_side_by_side
#   build_transformer_classifier:
#     fails: everything
#     relation: exception
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
        tokens = self.token_embedding(inputs)
        positions = self.position_embedding(ops.arange(ops.shape(inputs)[1]))
        return ops.concatenate([tokens, ops.zeros_like(tokens) + positions], axis=2)
