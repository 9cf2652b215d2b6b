# ---
# expected:
#   fastformer:
#     fails:
#       - padded tokens get no weight in either pooling
#       - a fully padded sample stays finite and the others stay right
#     mistake: masks_of_other_texts
#   fastformer_block:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - the mask reaches Fastformer
#   build_fastformer_classifier:
#     fails:
#       - "padding changes nothing: the mask reaches every block"
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
        length = ops.shape(x)[1]
        if mask is not None:
            # one mask per head: (B, T) -> (H * B, T) -> (B, H, T)
            mask = ops.tile(mask, (self.num_heads, 1))
            mask = ops.reshape(mask, (-1, self.num_heads, length))
        scores = ops.transpose(scores, (0, 2, 1))
        scores = scores / math.sqrt(self.size_per_head)
        pooled = additive_pooling(self.separate_heads(x), scores, mask)
        return ops.reshape(pooled, (-1, 1, self.hidden_size))

    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        """Shape: (B, T, any) and (B, T) -> (B, T, H * d)."""
        query = self.query_linear(inputs)
        key = self.key_linear(inputs)

        # the global query
        query_scores = self.query_score(query)
        global_query = self.global_vector(query, query_scores, mask)

        # the global key
        p = ops.multiply(global_query, key)
        key_scores = self.key_score(p)
        global_key = self.global_vector(p, key_scores, mask)

        # back to the tokens
        u = ops.multiply(global_key, query)
        return self.output_linear(u) + query
