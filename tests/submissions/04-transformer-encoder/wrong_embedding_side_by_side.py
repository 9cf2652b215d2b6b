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

# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        tokens = self.token_embedding(inputs)
        positions = self.position_embedding(ops.arange(ops.shape(inputs)[1]))
        return ops.concatenate([tokens, ops.zeros_like(tokens) + positions], axis=2)
