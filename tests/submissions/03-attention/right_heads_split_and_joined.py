# %% grade_id="separate_heads"
def separate_heads(x, num_heads):
    return tf.stack(tf.split(x, num_heads, axis=-1), axis=1)


# %% grade_id="combine_heads"
def combine_heads(x):
    return tf.concat(tf.unstack(x, axis=1), axis=-1)
