# ---
# expected:
#   token_and_position_embedding:
#     fails: everything
#     mistake: positions_from_one
#   build_transformer_classifier:
#     fails: everything
#     relation: exception
# ---

# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        numbers = ops.cumsum(ops.ones_like(inputs), axis=1)
        return self.token_embedding(inputs) + self.position_embedding(numbers)
