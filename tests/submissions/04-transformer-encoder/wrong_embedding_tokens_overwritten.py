# ---
# expected:
#   token_and_position_embedding:
#     fails:
#       - output has the shape (batch, time, embedding_dim)
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: positions_alone
#   build_transformer_classifier:
#     fails: everything
#     relation: exception
# ---

# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        positions = ops.arange(ops.shape(inputs)[1])
        output = self.token_embedding(inputs)
        output = self.position_embedding(positions)
        return output
