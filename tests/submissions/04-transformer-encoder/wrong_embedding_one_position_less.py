# ---
# expected:
#   token_and_position_embedding:
#     fails: everything
#     mistake: other_number_of_positions
#   build_transformer_classifier:
#     fails: everything
#     relation: exception
# ---

# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        positions = ops.arange(ops.shape(inputs)[1] - 1)
        output = self.token_embedding(inputs)
        output = output + self.position_embedding(positions)
        return output
