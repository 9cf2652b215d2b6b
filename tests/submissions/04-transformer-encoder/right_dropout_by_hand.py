# %% grade_id="encoder_layer"
import tensorflow as tf
from keras import layers


class EncoderLayer(layers.Layer):
    def __init__(self, embedding_dim, ff_dim, num_heads, rate):
        super().__init__()
        self.attention = layers.MultiHeadAttention(num_heads, embedding_dim // num_heads)
        self.norm_1 = layers.LayerNormalization()
        self.expand = layers.Dense(ff_dim, activation="relu")
        self.contract = layers.Dense(embedding_dim)
        self.norm_2 = layers.LayerNormalization()
        self.rate = rate

    def drop(self, x, training):
        if not training:
            return x
        return tf.nn.dropout(x, rate=self.rate)

    def call(self, inputs, mask=None, training=None):
        if mask is None:
            attended = self.attention(inputs, inputs)
        else:
            attended = self.attention(inputs, inputs, attention_mask=mask[:, tf.newaxis])
        x = self.norm_1(inputs + self.drop(attended, training))
        return self.norm_2(x + self.drop(self.contract(self.expand(x)), training))
