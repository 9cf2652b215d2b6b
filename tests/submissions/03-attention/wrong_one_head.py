# ---
# expected:
#   multi_head_self_attention:
#     fails:
#       - call uses the layer's own methods
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: one_head
# ---

# %% grade_id="multi_head_self_attention"
import tensorflow as tf
from keras import layers


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
        self.supports_masking = True
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
        self.last_weights = weights
        return output

    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        query = self.query_linear(inputs)
        key = self.key_linear(inputs)
        value = self.value_linear(inputs)
        by_key = None if mask is None else mask[:, None, :]
        heads = self.attention(query, key, value, by_key)
        output = self.output_linear(heads)
        return output
