# ---
# expected:
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: tables_swapped
#   build_transformer_classifier:
#     fails:
#       - there is one row of num_classes numbers per text
#       - each row is a distribution
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#       - with rate 0, nothing is dropped in training; else the encoder drops, too, and nothing else
#     mistake: ids_looked_up_among_positions
# ---

# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        positions = ops.arange(inputs.shape[1])
        return self.position_embedding(inputs) + self.token_embedding(positions)
