# ---
# expected:
#   separate_heads:
#     fails:
#       - the shape is (batch, heads, time, depth), with batch and time of any size
#       - one head gets all columns
#       - head 1 sees the first columns of every token, head 2 the next ones, and so on
#     mistake: heads_along_the_batch
#   combine_heads:
#     fails:
#       - the shape is (batch, time, d_model), with batch and time of any size
#       - one head comes back as it was
#       - the heads are side by side, first head first
#     mistake: time_first
#   multi_head_self_attention:
#     fails:
#       - output has the shape (batch, time, hidden_size), with batch and time of any size
#       - head 1 sees the first columns, head 2 the next ones, and so on
#       - combining puts the heads side by side, first head first
#       - queries, keys and values are projected without a bias
#       - call uses the layer's own methods
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
# ---

# %% grade_id="separate_heads"
def separate_heads(x: tf.Tensor, num_heads: int) -> tf.Tensor:
    columns = ops.split(x, num_heads, axis=-1)
    separated = ops.concatenate(columns, axis=0)
    return separated


# %% grade_id="combine_heads"
def combine_heads(x: tf.Tensor) -> tf.Tensor:
    time = ops.shape(x)[2]
    x = ops.transpose(x, (2, 0, 1, 3))
    combined = ops.reshape(x, (time, -1, x.shape[2] * x.shape[3]))
    return combined
