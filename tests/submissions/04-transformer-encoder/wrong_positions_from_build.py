# ---
# expected:
#   token_and_position_embedding:
#     fails:
#       - texts shorter than max_length work
#     mistake: positions_of_the_first_call
# ---

# %% grade_id="token_and_position_embedding"
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

    def build(self, input_shape):
        self.token_embedding.build(input_shape)
        self.position_embedding.build(input_shape)
        self.positions = np.arange(input_shape[1])

    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        output = self.token_embedding(inputs)
        output += self.position_embedding(self.positions)
        return output
