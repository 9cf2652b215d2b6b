# ---
# expected:
#   fastformer_block:
#     fails:
#       - in training, outputs of Fastformer and of the network are dropped at the given rate
#     mistake: always_a_fifth_dropped
#   build_fastformer_classifier:
#     fails:
#       - the blocks drop at the given rate, and nothing is dropped after them
#     mistake: other_rate_in_blocks
# ---

# %% changes="fastformer_block"
class FastformerBlock(layers.Layer):
    def __init__(self, num_heads, size_per_head, ff_dim, rate):
        super().__init__()
        hidden_size = num_heads * size_per_head
        self.fastformer = Fastformer(num_heads, size_per_head)
        self.dropout_1 = layers.Dropout(0.2)
        self.norm_1 = layers.LayerNormalization(epsilon=1e-6)
        self.expand = layers.Dense(ff_dim, activation="gelu")
        self.contract = layers.Dense(hidden_size)
        self.dropout_2 = layers.Dropout(0.2)
        self.norm_2 = layers.LayerNormalization(epsilon=1e-6)
        self.supports_masking = True
