# ---
# expected:
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: positions_as_numbers
#   build_transformer_classifier:
#     fails:
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#       - in training, the mean's features are dropped at the given rate
#     mistake: numbers_for_positions
# ---

# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        positions = ops.arange(inputs.shape[1], dtype="float32")
        return self.token_embedding(inputs) + positions[:, None]
