# ---
# expected:
#   fastformer_block:
#     fails:
#       - the feed-forward half is right when Fastformer adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: no_activation
#   build_fastformer_classifier:
#     fails:
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: no_activation_in_the_blocks
# ---

# %% changes="fastformer_block"
class FastformerBlock(layers.Layer):
    def __init__(self, num_heads, size_per_head, ff_dim, rate):
        super().__init__()
        hidden_size = num_heads * size_per_head
        self.fastformer = Fastformer(num_heads, size_per_head)
        self.dropout_1 = layers.Dropout(rate)
        self.norm_1 = layers.LayerNormalization(epsilon=1e-6)
        self.expand = layers.Dense(ff_dim)
        self.contract = layers.Dense(hidden_size)
        self.dropout_2 = layers.Dropout(rate)
        self.norm_2 = layers.LayerNormalization(epsilon=1e-6)
        self.supports_masking = True
