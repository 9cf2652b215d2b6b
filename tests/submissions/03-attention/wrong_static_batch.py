# ---
# expected:
#   multi_head_self_attention:
#     fails:
#       - output has the shape (batch, time, hidden_size), with batch and time of any size
#     mistake: fixed_axes
# ---

# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def separate_heads(self, x):
        B, T, _ = x.shape
        x = tf.reshape(x, (B, T, self.num_heads, self.depth))
        return tf.transpose(x, (0, 2, 1, 3))

    def combine_heads(self, x):
        B, H, T, d = x.shape
        return tf.reshape(tf.transpose(x, (0, 2, 1, 3)), (B, T, H * d))
