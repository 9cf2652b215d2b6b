# ---
# expected:
#   token_and_position_embedding:
#     fails: everything
#     mistake: other_number_of_positions
#   build_transformer_classifier:
#     fails: everything
#     relation: exception
# ---

# %% grade_id="token_and_position_embedding"
import tensorflow as tf
from keras import layers, ops


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(
        self,
        max_length: int,
        vocabulary_size: int,
        embedding_dim: int,
    ):
        super().__init__()
        self.token_embedding = layers.Embedding(vocabulary_size, embedding_dim)
        self.position_embedding = layers.Embedding(max_length, embedding_dim)
        self.supports_masking = True

    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        positions = ops.arange(ops.shape(inputs)[1] - 1)
        output = self.token_embedding(inputs)
        output = output + self.position_embedding(positions)
        return output
