# ---
# expected:
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: positions_scaled
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
# ---

# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        positions = ops.arange(ops.shape(inputs)[1])
        output = self.token_embedding(inputs)
        output = output + self.position_embedding(positions) * self.token_embedding.output_dim**0.5
        return output
