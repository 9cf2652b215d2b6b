# ---
# expected:
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: position_zero_for_id_zero
# ---

# %% grade_id="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim):
        super().__init__()
        self.tokens = layers.Embedding(vocabulary_size, embedding_dim)
        self.positions = layers.Embedding(max_length, embedding_dim)
        self.supports_masking = True

    def call(self, inputs):
        places = ops.where(inputs == 0, 0, ops.arange(ops.shape(inputs)[-1]))
        return self.tokens(inputs) + self.positions(places)
