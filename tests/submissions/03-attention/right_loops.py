# %% grade_id="average_attention"
import numpy as np
from keras import ops


def average_attention(hidden, context):
    pooled = []
    for sample in ops.convert_to_numpy(hidden).astype("float64"):
        scores = np.array([step @ np.array(context) for step in sample]) / len(context) ** 0.5
        weights = np.exp(scores - scores.max())
        pooled.append((weights / weights.sum()) @ sample)
    return np.stack(pooled)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    # The mask before the scaling: as right as after it.
    logits = ops.matmul(query, ops.swapaxes(key, -1, -2))
    if mask is not None:
        logits = ops.where(mask, logits, -1e30)
    weights = ops.softmax(logits / ops.sqrt(ops.cast(ops.shape(key)[-1], "float32")))
    return ops.matmul(weights, value), weights


# %% grade_id="multi_head_self_attention"
import keras


class MultiHeadSelfAttention(keras.layers.Layer):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.query_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.key_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.value_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.output_linear = keras.layers.Dense(hidden_size)

    def separate_heads(self, x):
        columns = [x[:, :, h * self.depth : (h + 1) * self.depth] for h in range(self.num_heads)]
        return ops.stack(columns, axis=1)

    def combine_heads(self, x):
        return ops.concatenate([x[:, h] for h in range(self.num_heads)], axis=-1)

    def attention(self, query, key, value, mask=None):
        return scaled_dot_product_attention(query, key, value, mask)

    def call(self, inputs, mask=None):
        queries = self.separate_heads(self.query_linear(inputs))
        keys = self.separate_heads(self.key_linear(inputs))
        values = self.separate_heads(self.value_linear(inputs))
        heads = []
        for h in range(self.num_heads):
            visible = None if mask is None else ops.expand_dims(mask, 1)
            heads.append(self.attention(queries[:, h], keys[:, h], values[:, h], visible)[0])
        return self.output_linear(self.combine_heads(ops.stack(heads, axis=1)))


# %% grade_id="causal_mask"
def causal_mask(length):
    return [[key <= query for key in range(length)] for query in range(length)]
