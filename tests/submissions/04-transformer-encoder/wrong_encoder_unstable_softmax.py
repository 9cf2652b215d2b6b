# ---
# expected:
#   encoder_layer:
#     fails:
#       - large logits give finite, correct results
#     mistake: unstable_softmax
# ---

# %% grade_id="encoder_layer"
class EncoderLayer(layers.Layer):
    def __init__(self, embedding_dim, ff_dim, num_heads, rate):
        super().__init__()
        self.num_heads = num_heads
        self.query = layers.Dense(embedding_dim)
        self.key = layers.Dense(embedding_dim)
        self.value = layers.Dense(embedding_dim)
        self.out = layers.Dense(embedding_dim)
        self.norm_1 = layers.LayerNormalization(epsilon=1e-6)
        self.expand = layers.Dense(ff_dim, activation="relu")
        self.contract = layers.Dense(embedding_dim)
        self.norm_2 = layers.LayerNormalization(epsilon=1e-6)
        self.dropout = layers.Dropout(rate)

    def attend(self, x, mask):
        def heads(y):
            return tf.stack(tf.split(y, self.num_heads, axis=-1), axis=1)

        q, k, v = heads(self.query(x)), heads(self.key(x)), heads(self.value(x))
        logits = tf.matmul(q, k, transpose_b=True) / (q.shape[-1] ** 0.5)
        powers = tf.exp(logits)
        if mask is not None:
            powers *= tf.cast(mask[:, None, None, :], tf.float32)
        weights = powers / (tf.reduce_sum(powers, axis=-1, keepdims=True) + 1e-9)
        return tf.concat(tf.unstack(tf.matmul(weights, v), axis=1), axis=-1)

    def call(self, inputs, mask=None, training=None):
        attended = self.out(self.attend(inputs, mask))
        x = self.norm_1(inputs + self.dropout(attended, training=training))
        y = self.contract(self.expand(x))
        return self.norm_2(x + self.dropout(y, training=training))
