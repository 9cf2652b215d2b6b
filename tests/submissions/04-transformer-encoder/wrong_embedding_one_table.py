# ---
# expected:
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: positions_from_the_table_of_tokens
#   build_transformer_classifier:
#     fails:
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#       - in training, the mean's features are dropped at the given rate
#     mistake: tokens_for_positions
# ---

# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        numbers = ops.arange(ops.shape(inputs)[1])
        return self.token_embedding(inputs) + self.token_embedding(numbers)
