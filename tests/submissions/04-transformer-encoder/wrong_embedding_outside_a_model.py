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

# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        positions = ops.arange(inputs.numpy().shape[1])
        output = self.token_embedding(inputs)
        output = output + self.position_embedding(positions)
        return output
