# ---
# expected:
#   average_attention:
#     fails: everything
#     reason: 'NameError: name ''average_attention'' is not defined'
#   scaled_dot_product_attention:
#     fails: everything
#     relation: exception
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: no_output_projection
# ---

# %% grade_id="average_attention"
def averaged_attention(hidden, context):
    weights = tf.nn.softmax(tf.tensordot(hidden, context, axes=1) / hidden.shape[-1] ** 0.5)
    return tf.reduce_sum(weights[..., tf.newaxis] * hidden, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    logits = tf.matmul(query, key) / tf.sqrt(float(key.shape[-1]))
    if mask is not None:
        logits = tf.where(mask, logits, -1e9)
    weights = tf.nn.softmax(logits, axis=-1)
    return tf.matmul(weights, value), weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def attention(self, query, key, value, mask=None):
        logits = tf.matmul(query, key, transpose_b=True) / tf.sqrt(float(self.depth))
        if mask is not None:
            logits = tf.where(mask, logits, -1e9)
        weights = tf.nn.softmax(logits)
        return tf.matmul(weights, value), weights

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        if mask is not None:
            mask = mask[:, tf.newaxis, tf.newaxis, :]
        return self.combine_heads(self.attention(query, key, value, mask)[0])
