# ---
# expected:
#   multi_head_self_attention:
#     fails:
#       - output has the shape (batch, time, hidden_size), with batch and time of any size
#     mistake: fixed_axes
# ---

# %% grade_id="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def __init__(self, hidden_size: int, num_heads: int, **kwargs) -> None:
        super().__init__(**kwargs)
        if hidden_size % num_heads != 0:
            raise ValueError(
                "num_heads must divide hidden_size. "
                f"Received: hidden_size={hidden_size}, num_heads={num_heads}"
            )
        self.hidden_size = hidden_size
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.supports_masking = True  # passes the mask on to the next layer
        self.query_linear = layers.Dense(hidden_size, use_bias=False)
        self.key_linear = layers.Dense(hidden_size, use_bias=False)
        self.value_linear = layers.Dense(hidden_size, use_bias=False)
        self.output_linear = layers.Dense(hidden_size)

    def build(self, input_shape: tuple[int | None, ...]) -> None:
        self.query_linear.build(input_shape)
        self.key_linear.build(input_shape)
        self.value_linear.build(input_shape)
        self.output_linear.build(input_shape)

    def separate_heads(self, x: tf.Tensor) -> tf.Tensor:
        return separate_heads(x, self.num_heads)

    def combine_heads(self, x: tf.Tensor) -> tf.Tensor:
        return combine_heads(x)

    def attention(self, query, key, value, mask=None) -> tf.Tensor:
        output, weights = scaled_dot_product_attention(query, key, value, mask)
        self.last_weights = weights  # for the pictures
        return output

    def call(self, inputs: tf.Tensor, mask: tf.Tensor | None = None) -> tf.Tensor:
        length = inputs.shape[1]
        if mask is not None:
            mask = ops.reshape(mask, (-1, 1, 1, length))
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        attended = self.attention(query, key, value, mask)
        combined = self.combine_heads(attended)
        output = self.output_linear(combined)
        return output

    def get_config(self) -> dict:
        sizes = {"hidden_size": self.hidden_size, "num_heads": self.num_heads}
        return super().get_config() | sizes
