# ---
# expected:
#   token_and_position_embedding:
#     fails: everything
#     relation: nothing_returned
#   encoder_layer:
#     fails:
#       - the feed-forward half is right when attention adds nothing
#       - the attention half is right when the feed-forward network adds nothing
#       - both together are right
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - in training, outputs of attention and of the network are dropped at the given rate
#     mistake: norm_before_the_first_sum
#   build_transformer_classifier:
#     fails: everything
#   warmup_schedule:
#     fails:
#       - the rate climbs linearly
#       - then it falls with the square root of the step
#       - it works inside a compiled training step
#     mistake: no_d_model and never_falls
# ---

# %% grade_id="token_and_position_embedding"
from keras import layers, ops


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim):
        super().__init__()
        self.token_embedding = layers.Embedding(vocabulary_size, embedding_dim)
        self.position_embedding = layers.Embedding(max_length, embedding_dim)

    def call(self, inputs):
        length = ops.shape(inputs)[1]
        x = self.token_embedding(inputs)
        x = x + self.position_embedding(ops.arange(length))


# %% grade_id="encoder_layer"
from keras import layers


class EncoderLayer(layers.Layer):
    def __init__(self, embedding_dim, ff_dim, num_heads, rate):
        super().__init__()
        self.attention = layers.MultiHeadAttention(num_heads, embedding_dim // num_heads)
        self.dropout_1 = layers.Dropout(rate)
        self.norm_1 = layers.LayerNormalization(epsilon=1e-6)
        self.expand = layers.Dense(ff_dim, activation="relu")
        self.contract = layers.Dense(embedding_dim)
        self.dropout_2 = layers.Dropout(rate)
        self.norm_2 = layers.LayerNormalization(epsilon=1e-6)

    def call(self, inputs, mask=None, training=None):
        if mask is None:
            attended = self.attention(inputs, inputs)
        else:
            attended = self.attention(inputs, inputs, attention_mask=mask[:, None, :])
        attended = self.dropout_1(self.norm_1(attended), training=training)
        out_1 = inputs + attended
        out_2 = self.dropout_2(self.contract(self.expand(out_1)), training=training)
        return self.norm_2(out_1 + out_2)


# %% grade_id="warmup_schedule"
import keras
import tensorflow as tf


class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps):
        self.d_model = d_model
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        arg1 = tf.math.sqrt(step)
        arg2 = step * (self.warmup_steps**-1.5)
        return tf.math.minimum(arg1, arg2)
