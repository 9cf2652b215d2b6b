# ---
# expected:
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: positions_of_other_ids_only
#   build_transformer_classifier:
#     fails:
#       - "padding changes nothing: attention and the mean both ignore it"
# ---

# %% grade_id="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim):
        super().__init__()
        self.tokens = layers.Embedding(vocabulary_size, embedding_dim)
        self.positions = layers.Embedding(max_length, embedding_dim)
        self.supports_masking = True

    def call(self, inputs):
        so_far = ops.cumsum(ops.cast(inputs != 0, "int32"), axis=-1)
        places = ops.where(inputs != 0, so_far - 1, 0)
        return self.tokens(inputs) + self.positions(places)
