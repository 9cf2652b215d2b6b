# ---
# expected:
#   fastformer_block:
#     fails: everything
#     mistake: self_forgotten
#   build_fastformer_classifier:
#     fails:
#       - each row is a distribution
#       - 'padding changes nothing: the mask reaches every block'
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - there are num_blocks Fastformer blocks
#       - there is one row of num_classes numbers per text
# ---

# %% grade_id="fastformer_block"
class FastformerBlock(layers.Layer):
    """Fastformer and a feed-forward network, each with its own sum and norm.

    Args:
        num_heads: H.
        size_per_head: d; inputs and outputs have H * d features.
        ff_dim: hidden units of the network.
        rate: of both dropouts.

    Call arguments:
        inputs: the sequence. Shape: (B, T, H * d).
        mask: boolean, True for a token, False for padding. Shape: (B, T).

    Returns:
        Shape: (B, T, H * d).
    """

    def __init__(
        self,
        num_heads: int,
        size_per_head: int,
        ff_dim: int,
        rate: float,
    ) -> None:
        super().__init__()
        self.fastformer = Fastformer(num_heads, size_per_head)
        self.dropout_1 = layers.Dropout(rate)
        self.norm_1 = layers.LayerNormalization(epsilon=1e-6)
        self.expand = layers.Dense(ff_dim, activation="gelu")
        self.contract = layers.Dense(num_heads * size_per_head)
        self.dropout_2 = layers.Dropout(rate)
        self.norm_2 = layers.LayerNormalization(epsilon=1e-6)
        self.supports_masking = True  # passes the mask on

    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        """Shape: (B, T, H * d) and (B, T) -> (B, T, H * d)."""
        context = self.fastformer(inputs, mask=mask)
        x = self.norm_1(inputs + self.dropout_1(context))
        network = self.contract(self.expand(x))
        output = norm_2(x + self.dropout_2(network))
        return output
