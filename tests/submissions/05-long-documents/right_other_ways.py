# %% grade_id="overlapping_chunks"
import numpy as np


def overlapping_chunks(tokens, size, overlap):
    """With NumPy's numbers, on a copy that gets shorter."""
    rest, chunks = np.array(tokens), []
    while len(rest):
        chunks.append(list(rest[:size]))
        if len(rest) <= size:
            return chunks
        rest = rest[size - overlap :]
    return chunks


# %% grade_id="relative_position_index"
import numpy as np


def relative_position_index(query_length, key_length, max_length):
    rows = np.repeat(np.arange(2 * max_length - 1), 1)
    row = np.array(
        [min(max(d + max_length - 1, 0), rows[-1]) for d in range(1 - query_length, key_length)]
    )
    return np.stack([row[query_length - 1 - i :][:key_length] for i in range(query_length)])


# %% grade_id="relative_position_self_attention"
import keras
import tensorflow as tf
from keras import ops


class RelativePositionSelfAttention(keras.layers.Layer):
    def __init__(self, hidden_size, num_heads, max_length, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.max_length = max_length
        self.query_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.key_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.value_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.output_linear = keras.layers.Dense(hidden_size)
        self.distance_embedding = keras.layers.Embedding(2 * max_length - 1, self.depth)

    def separate_heads(self, x):
        x = ops.reshape(x, (-1, ops.shape(x)[1], self.num_heads, self.depth))
        return ops.transpose(x, (0, 2, 1, 3))

    def combine_heads(self, x):
        x = ops.transpose(x, (0, 2, 1, 3))
        return ops.reshape(x, (-1, ops.shape(x)[1], self.num_heads * self.depth))

    def products_with_distances(self, x, a):
        """(B, H, T, d) and (T, T, d) -> (B, H, T, T), by one product for each token of x."""
        length = tf.shape(x)[2]
        by_token = tf.reshape(tf.transpose(x, (2, 0, 1, 3)), (length, -1, self.depth))
        products = tf.matmul(by_token, a, transpose_b=True)
        by_token = tf.reshape(products, (length, -1, self.num_heads, length))
        return tf.transpose(by_token, (1, 2, 0, 3))

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        length = inputs.shape[1]
        a = self.distance_embedding(relative_position_index(length, length, self.max_length))
        logits = tf.matmul(query, key, transpose_b=True)
        logits += self.products_with_distances(query, a)
        by_key = self.products_with_distances(key, tf.transpose(a, (1, 0, 2)))
        logits = (logits + tf.linalg.matrix_transpose(by_key)) / tf.sqrt(float(self.depth))
        if mask is None:
            mask = tf.ones(tf.shape(inputs)[:2], bool)
        # Padded tokens look at nothing but padding.
        seen = tf.equal(mask[:, None, :, None], mask[:, None, None, :])
        self.last_weights = weights = tf.nn.softmax(tf.where(seen, logits, logits.dtype.min))
        return self.output_linear(self.combine_heads(tf.matmul(weights, value)))


# %% grade_id="aggregate_chunk_predictions"
import numpy as np


def aggregate_chunk_predictions(probabilities, document_ids):
    total = int(document_ids.max()) + 1
    counts = np.bincount(document_ids, minlength=total)
    sums = np.zeros((total, probabilities.shape[1]))
    np.add.at(sums, document_ids, probabilities)
    return sums[counts > 0] / counts[counts > 0, None]
