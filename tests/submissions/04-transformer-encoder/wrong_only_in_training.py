# ---
# expected:
#   positional_encoding:
#     fails:
#       - position 0 is 0, 1, 0, 1, ...
#       - two features are the sine and cosine of the position
#       - all frequencies are right
#     mistake: four_columns_at_a_time
#   token_and_position_embedding:
#     fails:
#       - nothing is masked or dropped, both tables are learned, and a model can hold the layer
#     mistake: dropout_of_its_own
#   encoder_layer:
#     fails:
#       - padded tokens are not attended to
#     mistake: mask_unused_in_training
#   build_transformer_classifier:
#     fails:
#       - with rate 0, nothing is dropped in training; else the encoder drops, too, and nothing else
#   warmup_schedule:
#     fails:
#       - then it falls with the square root of the step
#       - it works inside a compiled training step
#     mistake: falls_as_if_the_top_were_the_start
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    table = np.zeros((length, depth))
    position = np.arange(length)
    for block in range(depth // 4):
        for column in (4 * block, 4 * block + 2):
            table[:, column] = np.sin(position / 10000 ** (column / depth))
            table[:, column + 1] = np.cos(position / 10000 ** (column / depth))
    return table


# %% grade_id="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim):
        super().__init__()
        self.token_embedding = layers.Embedding(vocabulary_size, embedding_dim)
        self.position_embedding = layers.Embedding(max_length, embedding_dim)
        self.noise = layers.GaussianNoise(0.02)

    def call(self, inputs, training=False):
        positions = self.position_embedding(ops.arange(ops.shape(inputs)[1]))
        return self.noise(self.token_embedding(inputs) + positions, training=training)


# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        if mask is not None and not training:
            x = self.attention(inputs, inputs, attention_mask=mask[:, None, :])
        else:
            x = self.attention(inputs, inputs)
        x = self.norm_1(inputs + self.dropout_1(x, training=training))
        y = self.contract(self.expand(x))
        return self.norm_2(x + self.dropout_2(y, training=training))


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        top = (self.d_model * self.warmup_steps) ** -0.5
        behind = tf.maximum(step - self.warmup_steps + 1, 1.0)
        return top * tf.where(
            step < self.warmup_steps, step / self.warmup_steps, tf.math.rsqrt(behind)
        )
