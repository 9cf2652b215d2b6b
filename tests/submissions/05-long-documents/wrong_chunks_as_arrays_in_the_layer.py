# ---
# expected:
#   relative_position_self_attention:
#     fails:
#       - with a table of zeros, it's multi-head self-attention
#       - 'queries times distances: q·a, scaled'
#       - 'keys times distances: k·a, scaled'
#       - all three terms are added up, also while training
#       - large distances share the first and last rows of the table
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - last_weights are the weights after mask and softmax
#     mistake: power_without_brackets
# ---

# %% grade_id="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    """Multi-head self-attention that knows how far apart two tokens are.

    Args:
        hidden_size: features of inputs and outputs.
        num_heads: H, a divisor of hidden_size.
        max_length: L; distances from -(L - 1) to L - 1 have their own vectors.
    """

    def __init__(
        self,
        hidden_size: int,
        num_heads: int,
        max_length: int,
        **kwargs,
    ) -> None:
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.max_length = max_length
        self.supports_masking = True  # passes the mask on to the next layer
        self.query_linear = layers.Dense(hidden_size, use_bias=False)
        self.key_linear = layers.Dense(hidden_size, use_bias=False)
        self.value_linear = layers.Dense(hidden_size, use_bias=False)
        self.output_linear = layers.Dense(hidden_size)
        rows = 2 * max_length - 1
        self.distance_embedding = layers.Embedding(rows, self.depth)

    # ------------------------- your method 1 of 2 -------------------------

    def logits(self, query: tf.Tensor, key: tf.Tensor) -> tf.Tensor:
        """How well each key fits each query, by content and by distance.

        Args:
            query, key: by head. Shape: (B, H, T, d) each.

        Returns:
            The sum of the three terms, scaled. Shape: (B, H, T, T).
        """
        length = ops.shape(query)[2]
        index = relative_position_index(length, length, self.max_length)
        a = self.distance_embedding(index)
        content = ops.matmul(query, ops.swapaxes(key, -1, -2))
        distance = ops.einsum("bhid,ijd->bhij", query, a)
        distance = distance + ops.einsum("bhjd,ijd->bhij", key, a)
        scaled = (content + distance) / self.depth**1 / 2
        return scaled

    # ------------------------- your method 2 of 2 -------------------------

    def call(
        self,
        inputs: tf.Tensor,
        mask: tf.Tensor | None = None,
    ) -> tf.Tensor:
        """Attend. Shape: (B, T, hidden_size) -> (B, T, hidden_size).

        The mask is boolean, True for a token, False for padding, (B, T).
        """
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        logits = self.logits(query, key)
        if mask is not None:
            logits = ops.where(mask[:, None, None, :], logits, -1e9)
        weights = ops.softmax(logits, axis=-1)
        heads = self.combine_heads(ops.matmul(weights, value))
        output = self.output_linear(heads)
        self.last_weights = weights
        return output

    # ------------------ given: nothing to do from here on ------------------

    def separate_heads(self, x: tf.Tensor) -> tf.Tensor:
        """Split the columns. Shape: (B, T, hidden_size) -> (B, H, T, d)."""
        time = ops.shape(x)[1]
        by_token = ops.reshape(x, (-1, time, self.num_heads, self.depth))
        return ops.transpose(by_token, (0, 2, 1, 3))

    def combine_heads(self, x: tf.Tensor) -> tf.Tensor:
        """Join the columns. Shape: (B, H, T, d) -> (B, T, hidden_size)."""
        by_token = ops.transpose(x, (0, 2, 1, 3))
        hidden_size = self.num_heads * self.depth
        return ops.reshape(by_token, (-1, ops.shape(x)[2], hidden_size))

    def build(self, input_shape: tuple[int | None, ...]) -> None:
        """Make the weights."""
        self.query_linear.build(input_shape)
        self.key_linear.build(input_shape)
        self.value_linear.build(input_shape)
        self.output_linear.build(input_shape)
        self.distance_embedding.build()
