# %% grade_id="separate_heads"
def separate_heads(x, num_heads):
    batch, time, size = tf.unstack(tf.shape(x))
    by_token = tf.reshape(x, (batch, time, num_heads, size // num_heads))
    return tf.einsum("bthd->bhtd", by_token)


# %% grade_id="combine_heads"
def combine_heads(x):
    batch, heads, time, depth = tf.unstack(tf.shape(x))
    return tf.reshape(tf.einsum("bhtd->bthd", x), (batch, time, heads * depth))
