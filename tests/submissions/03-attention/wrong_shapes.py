# ---
# expected:
#   average_attention:
#     fails: everything
#     mistake: weights_without_an_axis
#   scaled_dot_product_attention:
#     fails:
#       - "any leading axes: (batch, heads, time, depth) works too"
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_with_an_axis_too_many
#   multi_head_self_attention:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_does_not_fit
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = tf.tensordot(hidden, context, axes=1) / math.sqrt(hidden.shape[-1])
    weights = tf.nn.softmax(scores, axis=1)
    return tf.reduce_sum(weights * hidden, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    logits = tf.matmul(query, key, transpose_b=True) / math.sqrt(key.shape[-1])
    if mask is not None:
        # (B, S) -> (B, 1, S): the same for every query
        logits = tf.where(mask[:, tf.newaxis], logits, -1e9)
    weights = tf.nn.softmax(logits, axis=-1)
    return tf.matmul(weights, value), weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def attention(self, query, key, value, mask=None):
        scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(self.depth)
        if mask is not None:
            scores += (1.0 - ops.cast(mask, "float32")) * -1e9
        return ops.matmul(ops.softmax(scores, axis=-1), value)

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        heads = self.attention(query, key, value, mask)
        return self.output_linear(self.combine_heads(heads))
