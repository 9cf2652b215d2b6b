# ---
# expected:
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: sines_and_cosines
#   build_transformer_classifier:
#     fails:
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#       - in training, the mean's features are dropped at the given rate
#     mistake: sines_for_positions
# ---

# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        tokens = self.token_embedding(inputs)
        encoding = positional_encoding(tokens.shape[1], tokens.shape[2])
        return tokens + ops.cast(encoding, tokens.dtype)
