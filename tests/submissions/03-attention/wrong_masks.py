# ---
# expected:
#   scaled_dot_product_attention:
#     fails:
#       - "any leading axes: (batch, heads, time, depth) works too"
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_multiplied
#   multi_head_self_attention:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_ignored
# ---

# %% grade_id="scaled_dot_product_attention"
import tensorflow as tf


def scaled_dot_product_attention(query, key, value, mask=None):
    logits = tf.matmul(query, key, transpose_b=True) / tf.sqrt(float(key.shape[-1]))
    if mask is not None:
        logits = logits * tf.cast(mask, logits.dtype)
    weights = tf.nn.softmax(logits, axis=-1)
    return tf.matmul(weights, value), weights


# %% grade_id="multi_head_self_attention"
import keras


class MultiHeadSelfAttention(keras.layers.Layer):
    def __init__(self, hidden_size, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.query_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.key_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.value_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.output_linear = keras.layers.Dense(hidden_size)

    def separate_heads(self, x):
        x = tf.reshape(x, (tf.shape(x)[0], tf.shape(x)[1], self.num_heads, self.depth))
        return tf.transpose(x, perm=[0, 2, 1, 3])

    def combine_heads(self, x):
        x = tf.transpose(x, perm=[0, 2, 1, 3])
        return tf.reshape(x, (tf.shape(x)[0], tf.shape(x)[1], self.num_heads * self.depth))

    def attention(self, query, key, value, mask=None):
        return scaled_dot_product_attention(query, key, value, mask)

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        output, _ = self.attention(query, key, value)
        return self.output_linear(self.combine_heads(output))
