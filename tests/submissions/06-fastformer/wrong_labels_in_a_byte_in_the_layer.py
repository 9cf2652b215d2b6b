# ---
# expected:
#   fastformer:
#     fails: everything
#     mistake: scores_not_swapped
#   fastformer_block:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - both together are right
#       - output has the shape (batch, time, hidden_size)
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - the feed-forward half is right when Fastformer adds nothing
#       - the mask reaches Fastformer
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

# %% grade_id="fastformer"
class Fastformer(layers.Layer):
    """Additive attention with a global query and a global key.

    Args:
        num_heads: H.
        size_per_head: d, the features of a head.

    Call arguments:
        inputs: the sequence. Shape: (B, T, any).
        mask: boolean, True for a token, False for padding. Shape: (B, T).

    Returns:
        The sequence, each token with its context. Shape: (B, T, H * d).
    """

    def __init__(self, num_heads: int, size_per_head: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.size_per_head = size_per_head
        self.hidden_size = num_heads * size_per_head
        self.query_linear = layers.Dense(self.hidden_size, use_bias=False)
        self.key_linear = layers.Dense(self.hidden_size, use_bias=False)
        self.query_score = layers.Dense(num_heads, use_bias=False)
        self.key_score = layers.Dense(num_heads, use_bias=False)
        self.output_linear = layers.Dense(self.hidden_size, use_bias=False)
        self.supports_masking = True  # passes the mask on

    def separate_heads(self, x: tf.Tensor) -> tf.Tensor:
        """(B, T, H * d) to (B, H, T, d), as in lesson 03."""
        sizes = (self.num_heads, self.size_per_head)
        by_token = ops.reshape(x, (-1, ops.shape(x)[1], *sizes))
        return ops.transpose(by_token, (0, 2, 1, 3))

    def global_vector(self, x: tf.Tensor, scores: tf.Tensor, mask):
        """Pool the tokens, each head by its own scores.

        Args:
            x: tokens. Shape: (B, T, H * d).
            scores: not scaled yet. Shape: (B, T, H).
            mask: padding mask, or None. Shape: (B, T).

        Returns:
            The heads' vectors side by side. Shape: (B, 1, H * d).
        """
        by_head = scores / math.sqrt(self.size_per_head)
        allowed = None if mask is None else mask[:, None, :]
        pooled = additive_pooling(self.separate_heads(x), by_head, allowed)
        vector = ops.reshape(pooled, (-1, 1, self.hidden_size))
        return vector

    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        """Shape: (B, T, any) and (B, T) -> (B, T, H * d)."""
        query, key = self.query_linear(inputs), self.key_linear(inputs)
        global_query = self.global_vector(query, self.query_score(query), mask)
        product = global_query * key
        global_key = self.global_vector(product, self.key_score(product), mask)
        output = self.output_linear(global_key * query) + query
        return output
