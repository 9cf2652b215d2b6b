# ---
# expected:
#   fastformer_block:
#     fails:
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_not_passed_on
#   build_fastformer_classifier:
#     fails:
#       - "padding changes nothing: the mask reaches every block"
#     mistake: mask_not_passed_on_by_the_first_block
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
        given = self.dropout_1(self.fastformer(inputs))
        x = self.norm_1(inputs + given)
        network = self.dropout_2(self.contract(self.expand(x)))
        return self.norm_2(x + network)
