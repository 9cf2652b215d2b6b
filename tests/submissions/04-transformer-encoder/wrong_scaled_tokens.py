# ---
# expected:
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: tokens_scaled
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
# ---

# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        positions = ops.arange(ops.shape(inputs)[1])
        tokens = self.token_embedding(inputs) * math.sqrt(self.token_embedding.output_dim)
        return tokens + self.position_embedding(positions)
