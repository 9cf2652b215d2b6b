# ---
# expected:
#   separate_heads:
#     fails:
#       - the shape is (batch, heads, time, depth), with batch and time of any size
#       - one head gets all columns
#       - head 1 sees the first columns of every token, head 2 the next ones, and so on
#     mistake: one_sample
#   combine_heads:
#     fails:
#       - the shape is (batch, time, d_model), with batch and time of any size
#       - one head comes back as it was
#       - the heads are side by side, first head first
#     mistake: three_heads
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
    depth = x.shape[-1] // num_heads
    x = ops.reshape(x, (1, -1, num_heads, depth))
    separated = ops.transpose(x, (0, 2, 1, 3))
    return separated


# %% grade_id="combine_heads"
def combine_heads(x: tf.Tensor) -> tf.Tensor:
    combined = ops.concatenate([x[:, 0], x[:, 1], x[:, 2]], axis=-1)
    return combined
