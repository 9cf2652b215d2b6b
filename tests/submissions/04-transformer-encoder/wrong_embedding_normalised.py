# ---
# expected:
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: another_layer_with_weights
#   build_transformer_classifier:
#     fails:
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#       - in training, the mean's features are dropped at the given rate
#     mistake: one_norm_more_after_the_embedding
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
        self.norm = layers.LayerNormalization()

    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        positions = ops.arange(ops.shape(inputs)[1])
        output = self.token_embedding(inputs)
        output = output + self.position_embedding(positions)
        output = self.norm(output)
        return output
