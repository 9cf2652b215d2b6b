# ---
# expected:
#   build_fastformer_classifier:
#     fails:
#       - "padding changes nothing: the mask reaches every block"
#     mistake: mask_in_first_block_only
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

    def call(self, inputs, mask=None):
        given = self.dropout_1(self.fastformer(inputs, mask=mask))
        x = self.norm_1(inputs + given)
        network = self.dropout_2(self.contract(self.expand(x)))
        return self.norm_2(x + network)


# %% grade_id="build_fastformer_classifier"
import keras
from keras import layers, ops


class AttentionPooling(layers.Layer):
    def __init__(self, hidden_size):
        super().__init__()
        self.hidden = layers.Dense(hidden_size, activation="tanh")
        self.score = layers.Dense(1)
        self.supports_masking = True

    def call(self, inputs, mask=None):
        scores = self.score(self.hidden(inputs))[..., 0]
        return additive_pooling(inputs, scores, mask)

    def compute_mask(self, inputs, mask=None):
        return None


def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, ff_dim, num_blocks, rate
):
    hidden = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = layers.Dropout(rate)(layers.Embedding(vocabulary_size, hidden)(ids))
    for number in range(num_blocks):
        block = FastformerBlock(num_heads, size_per_head, ff_dim, rate)
        x = block(x, mask=None if number else mask)
    x = AttentionPooling(hidden)(x, mask=mask)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
