# %% grade_id="average_attention"
import keras
import tensorflow as tf


def average_attention(hidden, context):
    query = tf.broadcast_to(context, [tf.shape(hidden)[0], 1, tf.shape(hidden)[2]])
    query = query / tf.sqrt(tf.cast(tf.shape(hidden)[2], tf.float32))
    return keras.layers.Attention()([query, hidden])[:, 0]


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = tf.linalg.matmul(query, key, transpose_b=True) / tf.sqrt(float(key.shape[-1]))
    weights = keras.layers.Softmax()(
        scores, mask=None if mask is None else mask & (scores == scores)
    )
    return tf.linalg.matmul(weights, value), weights


# %% grade_id="multi_head_self_attention"
class MultiHeadSelfAttention(keras.layers.Layer):
    """Keras has this layer already."""

    def __init__(self, hidden_size, num_heads):
        super().__init__()
        self.layer = keras.layers.MultiHeadAttention(num_heads, hidden_size // num_heads)

    def call(self, inputs, mask=None):
        if mask is not None:
            mask = mask[:, None, :]
        return self.layer(inputs, inputs, attention_mask=mask)


# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = ops.cumsum(ops.eye(length), axis=0) > 0
    return mask
