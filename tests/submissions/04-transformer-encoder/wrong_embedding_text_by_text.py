# ---
# expected:
#   token_and_position_embedding:
#     fails:
#       - nothing is masked or dropped, both tables are learned, and a model can hold the layer
#     mistake: not_in_a_model
#   build_transformer_classifier:
#     fails: everything
#     mistake: numbers_needed_while_built
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
        positions = ops.arange(ops.shape(inputs)[1])
        output = ops.stack([self.token_embedding(text) for text in inputs])
        output = output + self.position_embedding(positions)
        return output
