# %% grade_id="fastformer_block"
import keras
from keras import layers


class Half(layers.Layer):
    """A part with dropout, residual connection and norm."""

    def __init__(self, part, rate):
        super().__init__()
        self.part = part
        self.dropout = layers.Dropout(rate)
        self.norm = layers.LayerNormalization(epsilon=1e-6)

    def call(self, inputs, **options):
        return self.norm(self.dropout(self.part(inputs, **options)) + inputs)


class FastformerBlock(layers.Layer):
    def __init__(self, num_heads, size_per_head, ff_dim, rate):
        super().__init__()
        network = keras.Sequential(
            [layers.Dense(ff_dim, activation="gelu"), layers.Dense(num_heads * size_per_head)]
        )
        self.halves = [Half(Fastformer(num_heads, size_per_head), rate), Half(network, rate)]

    def call(self, inputs, mask=None):
        first, second = self.halves
        return second(first(inputs, mask=mask))
