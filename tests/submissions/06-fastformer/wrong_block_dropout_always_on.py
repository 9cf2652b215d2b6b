# ---
# expected:
#   fastformer_block:
#     fails:
#       - the feed-forward half is right when Fastformer adds nothing
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - nothing else is dropped, and nothing when predicting
#     mistake: drops_while_predicting
#   build_fastformer_classifier:
#     fails:
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: blocks_drop_while_predicting
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
        given = self.dropout_1(self.fastformer(inputs, mask=mask), training=True)
        x = self.norm_1(inputs + given)
        network = self.dropout_2(self.contract(self.expand(x)), training=True)
        return self.norm_2(x + network)
