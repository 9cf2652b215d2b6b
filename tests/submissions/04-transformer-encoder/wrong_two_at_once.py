# ---
# expected:
#   positional_encoding:
#     fails:
#       - position 0 is 0, 1, 0, 1, ...
#       - two features are the sine and cosine of the position
#       - all frequencies are right
#       - thousands of positions work, too
#     mistake: sine_and_cosine_swapped and counted_from_one
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: positions_along_the_batch
#   encoder_layer:
#     fails:
#       - the attention half is right when the feed-forward network adds nothing
#       - both together are right
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#     mistake: no_scaling and mask_after_softmax
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#       - in training, the mean's features are dropped at the given rate
#       - with rate 0, nothing is dropped in training; else the encoder drops, too, and nothing else
#   warmup_schedule:
#     fails:
#       - the rate climbs linearly
#       - then it falls with the square root of the step
#       - step 0 gives 0
#       - it works inside a compiled training step
#     mistake: no_d_model and maximum
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    rows = []
    for position in range(1, length + 1):
        row = []
        for i in range(depth // 2):
            angle = position / math.pow(10000, 2 * i / depth)
            row += [math.cos(angle), math.sin(angle)]
        rows.append(row)
    return np.array(rows)


# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        tokens = self.token_embedding(inputs)
        positions = tf.range(start=0, limit=tf.shape(tokens)[0], delta=1)
        return tokens + self.position_embedding(positions)[:, tf.newaxis, :]


# %% grade_id="encoder_layer"
class EncoderLayer(layers.Layer):
    def __init__(self, embedding_dim, ff_dim, num_heads, rate):
        super().__init__()
        self.num_heads = num_heads
        self.wq = layers.Dense(embedding_dim)
        self.wk = layers.Dense(embedding_dim)
        self.wv = layers.Dense(embedding_dim)
        self.wo = layers.Dense(embedding_dim)
        self.layernorm1 = layers.LayerNormalization(epsilon=1e-6)
        self.ffn1 = layers.Dense(ff_dim, activation="relu")
        self.ffn2 = layers.Dense(embedding_dim)
        self.layernorm2 = layers.LayerNormalization(epsilon=1e-6)
        self.dropout = layers.Dropout(rate)

    def split_heads(self, x):
        depth = x.shape[-1] // self.num_heads
        x = tf.reshape(x, (tf.shape(x)[0], -1, self.num_heads, depth))
        return tf.transpose(x, perm=[0, 2, 1, 3])

    def call(self, inputs, mask=None, training=None):
        q = self.split_heads(self.wq(inputs))
        k = self.split_heads(self.wk(inputs))
        v = self.split_heads(self.wv(inputs))
        weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True), axis=-1)
        if mask is not None:
            weights = weights * tf.cast(mask, tf.float32)[:, tf.newaxis, tf.newaxis, :]
        heads = tf.transpose(tf.matmul(weights, v), perm=[0, 2, 1, 3])
        attended = self.wo(tf.reshape(heads, tf.shape(inputs)))
        out1 = self.layernorm1(inputs + self.dropout(attended, training=training))
        out2 = self.ffn2(self.ffn1(out1))
        return self.layernorm2(out1 + self.dropout(out2, training=training))


# %% grade_id="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps):
        self.d_model = ops.cast(d_model, "float32")
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        step = ops.cast(step, "float32")
        return ops.maximum(1 / ops.sqrt(step), step / self.warmup_steps**1.5)
