# ---
# expected:
#   fastformer:
#     fails:
#       - padded tokens get no weight in either pooling
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: products_of_padding_set_to_zero
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
        x = self.separate_heads(x)  # (B, H, T, d)
        s = ops.transpose(scores, (0, 2, 1))  # (B, H, T)
        s = s / ops.sqrt(float(self.size_per_head))
        m = None if mask is None else ops.expand_dims(mask, 1)
        vector = additive_pooling(x, s, m)  # (B, H, d)
        vector = ops.reshape(vector, (-1, 1, self.hidden_size))
        return vector

    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        """Shape: (B, T, any) and (B, T) -> (B, T, H * d)."""
        # steps 1 and 2
        q = self.query_linear(inputs)
        k = self.key_linear(inputs)
        global_q = self.global_vector(q, self.query_score(q), mask)
        # step 3; from here on there's nothing left of the padding
        p = global_q * k
        if mask is not None:
            p = p * ops.cast(mask, "float32")[..., None]
        # step 4
        global_k = self.global_vector(p, self.key_score(p), None)
        # steps 5 and 6
        u = global_k * q
        output = self.output_linear(u) + q
        return output
