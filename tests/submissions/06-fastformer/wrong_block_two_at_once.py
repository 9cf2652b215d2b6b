# ---
# expected:
#   fastformer_block:
#     fails:
#       - the feed-forward half is right when Fastformer adds nothing
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#       - in training, outputs of Fastformer and of the network are dropped at the given rate
#     mistake: fastformer_added_to_itself
#   build_fastformer_classifier:
#     fails:
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: no_first_residual_in_the_blocks
# ---

# %% grade_id="fastformer_block"
from keras import layers


class FastformerBlock(layers.Layer):
    def __init__(self, num_heads, size_per_head, ff_dim, rate):
        super().__init__()
        hidden_size = num_heads * size_per_head
        self.fastformer = Fastformer(num_heads, size_per_head)
        self.dropout_1 = layers.Dropout(rate)
        self.norm_1 = layers.LayerNormalization(epsilon=1e-6)
        self.expand = layers.Dense(ff_dim, activation="gelu")
        self.contract = layers.Dense(hidden_size)
        self.dropout_2 = layers.Dropout(rate)
        self.norm_2 = layers.LayerNormalization(epsilon=1e-6)
        self.supports_masking = True

    def call(self, inputs, mask=None):
        given = self.fastformer(inputs, mask=mask)
        x = self.norm_1(given)
        network = self.contract(self.expand(x))
        return self.norm_2(x + network)
