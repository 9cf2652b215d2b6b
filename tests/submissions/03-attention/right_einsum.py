# %% grade_id="average_attention"
import tensorflow as tf


def average_attention(hidden, context):
    d = tf.cast(tf.shape(hidden)[-1], tf.float32)
    alpha = tf.nn.softmax(tf.einsum("btd,d->bt", hidden, context) / tf.sqrt(d))
    return tf.einsum("bt,btd->bd", alpha, hidden)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    d_k = query.shape[-1]
    logits = tf.einsum("...td,...sd->...ts", query, key) * d_k**-0.5
    if mask is not None:
        logits += (1.0 - tf.cast(mask, tf.float32)) * -1e9
    weights = tf.nn.softmax(logits, axis=-1)
    return tf.einsum("...ts,...sv->...tv", weights, value), weights


# %% grade_id="multi_head_self_attention"
import keras


class MultiHeadSelfAttention(keras.layers.Layer):
    def __init__(self, hidden_size, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.heads, self.depth = num_heads, hidden_size // num_heads
        self.query_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.key_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.value_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.output_linear = keras.layers.Dense(hidden_size)
        self.supports_masking = True

    def separate_heads(self, x):
        shape = tf.shape(x)
        x = tf.reshape(x, [shape[0], shape[1], self.heads, self.depth])
        return tf.einsum("bthd->bhtd", x)

    def combine_heads(self, x):
        shape = tf.shape(x)
        x = tf.einsum("bhtd->bthd", x)
        return tf.reshape(x, [shape[0], shape[2], self.heads * self.depth])

    def attention(self, query, key, value, mask=None):
        return scaled_dot_product_attention(query, key, value, mask)

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        if mask is not None:
            mask = mask[:, tf.newaxis, tf.newaxis, :]
        output, _ = self.attention(query, key, value, mask)
        return self.output_linear(self.combine_heads(output))


# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = ops.tril(ops.ones((length, length))) > 0
    return mask
