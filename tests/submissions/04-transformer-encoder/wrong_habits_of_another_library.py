# ---
# expected:
#   positional_encoding:
#     fails:
#       - all frequencies are right
#       - thousands of positions work, too
#     mistake: exponent_halved
#   token_and_position_embedding:
#     fails:
#       - texts shorter than max_length work
#     mistake: whole_table
#   encoder_layer:
#     fails:
#       - the feed-forward half is right when attention adds nothing
#       - the attention half is right when the feed-forward network adds nothing
#       - both together are right
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#     mistake: norm_before_the_sum and causal
#   build_transformer_classifier:
#     fails:
#       - each row is a distribution
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#     mistake: first_token and sigmoids
#   warmup_schedule:
#     fails:
#       - the rate climbs linearly
#       - then it falls with the square root of the step
#       - step 0 gives 0
#       - it works inside a compiled training step
#     mistake: one_step_ahead
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    pe = np.zeros((length, depth), dtype=np.float32)
    position = np.arange(length, dtype=np.float32).reshape(-1, 1)
    div_term = np.exp(np.arange(depth // 2) * -(np.log(10000.0) / depth))
    pe[:, 0::2] = np.sin(position * div_term)
    pe[:, 1::2] = np.cos(position * div_term)
    return pe


# %% grade_id="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim):
        super().__init__()
        self.token_embedding = layers.Embedding(vocabulary_size, embedding_dim)
        self.position_embedding = layers.Embedding(max_length, embedding_dim)

    def build(self, input_shape):
        self.token_embedding.build(input_shape)
        self.position_embedding.build(input_shape)

    def call(self, inputs):
        x = self.token_embedding(inputs)
        x += self.position_embedding.embeddings
        return x


# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        x = inputs
        attention_mask = mask[:, None, :] if mask is not None else None
        y = self.attention(x, x, x, attention_mask=attention_mask, use_causal_mask=True)
        x = x + self.dropout_1(self.norm_1(y), training=training)
        y = self.contract(self.expand(x))
        x = x + self.dropout_2(self.norm_2(y), training=training)
        return x


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        # A step of 0 would be divided by.
        step = tf.cast(step + 1, tf.float32)
        rate = tf.minimum(tf.math.rsqrt(step), step * self.warmup_steps**-1.5)
        return rate / tf.sqrt(tf.cast(self.d_model, tf.float32))


# %% grade_id="build_transformer_classifier"
def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    inputs = layers.Input(shape=(max_length,))
    x = TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)(inputs)
    attended = layers.MultiHeadAttention(num_heads, embedding_dim // num_heads)(
        x, x, attention_mask=(inputs != 0)[:, None, :]
    )
    x = layers.LayerNormalization(epsilon=1e-6)(x + layers.Dropout(rate)(attended))
    hidden = layers.Dense(embedding_dim)(layers.Dense(ff_dim, activation="relu")(x))
    x = layers.LayerNormalization(epsilon=1e-6)(x + layers.Dropout(rate)(hidden))
    cls = layers.Dropout(rate)(x[:, 0, :])
    return keras.Model(inputs, layers.Dense(num_classes, activation="sigmoid")(cls))
