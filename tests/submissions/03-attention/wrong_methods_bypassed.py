# ---
# expected:
#   multi_head_self_attention:
#     fails:
#       - call uses the layer's own methods
#     mistake: methods_bypassed
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

    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        query = separate_heads(self.query_linear(inputs), self.num_heads)
        key = separate_heads(self.key_linear(inputs), self.num_heads)
        value = separate_heads(self.value_linear(inputs), self.num_heads)

        if mask is not None:
            mask = mask[:, None, None, :]

        attended, _ = scaled_dot_product_attention(query, key, value, mask)
        output = self.output_linear(combine_heads(attended))
        return output

    def get_config(self) -> dict:
        sizes = {"hidden_size": self.hidden_size, "num_heads": self.num_heads}
        return super().get_config() | sizes
