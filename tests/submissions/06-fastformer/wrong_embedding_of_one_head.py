# ---
# expected:
#   build_fastformer_classifier:
#     fails: everything
#     mistake: embedding_as_wide_as_a_head
# ---

# %% grade_id="build_fastformer_classifier"
class AttentionPooling(layers.Layer):
    """One vector per text: your pooling, with Bahdanau's score."""

    def __init__(self, hidden_size: int) -> None:
        super().__init__()
        self.hidden = layers.Dense(hidden_size, activation="tanh")
        self.score = layers.Dense(1)
        self.supports_masking = True  # used here, and not passed on

    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        """Shape: (B, T, d_model) and (B, T) -> (B, d_model)."""
        scores = self.score(self.hidden(inputs))[..., 0]
        return additive_pooling(inputs, scores, mask)

    def compute_mask(self, inputs, mask=None) -> None:
        """A vector per text has no padding."""


def build_fastformer_classifier(
    max_length: int,
    vocabulary_size: int,
    num_classes: int,
    num_heads: int,
    size_per_head: int,
    ff_dim: int,
    num_blocks: int,
    rate: float,
) -> keras.Model:
    """Embeddings, Fastformer blocks, attention pooling, probabilities.

    Args:
        max_length: tokens of a text, T.
        vocabulary_size: rows of the embedding; id 0 is padding.
        num_classes: how many probabilities.
        num_heads: H, of each block.
        size_per_head: d, the features of a head.
        ff_dim: hidden units of the blocks' networks.
        num_blocks: how many blocks; with 0, the words are pooled.
        rate: of the dropouts.

    Returns:
        A model from ids (B, T) to probabilities (B, num_classes).
    """
    hidden_size = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    words = layers.Embedding(vocabulary_size, size_per_head)(ids)
    x = layers.Dropout(rate)(words)
    for _ in range(num_blocks):
        block = FastformerBlock(num_heads, size_per_head, ff_dim, rate)
        x = block(x, mask=mask)
    text = AttentionPooling(hidden_size)(x, mask=mask)
    outputs = layers.Dense(num_classes, activation="softmax")(text)
    model = keras.Model(ids, outputs)
    return model
