# ---
# expected:
#   average_attention:
#     fails:
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: plain_mean
#   multi_head_self_attention:
#     fails:
#       - head 1 sees the first columns, head 2 the next ones, and so on
#       - combining puts the heads side by side, first head first
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: reshaped_straight
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    return tf.reduce_mean(hidden, axis=1)


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def separate_heads(self, x):
        return tf.reshape(x, (tf.shape(x)[0], self.num_heads, tf.shape(x)[1], self.depth))

    def combine_heads(self, x):
        return tf.reshape(x, (tf.shape(x)[0], tf.shape(x)[2], self.hidden_size))

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
