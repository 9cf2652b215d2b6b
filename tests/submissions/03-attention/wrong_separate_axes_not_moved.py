# ---
# expected:
#   separate_heads:
#     fails:
#       - the shape is (batch, heads, time, depth), with batch and time of any size
#       - one head gets all columns
#       - head 1 sees the first columns of every token, head 2 the next ones, and so on
#     mistake: axes_not_moved
#   multi_head_self_attention:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - combining puts the heads side by side, first head first
#       - head 1 sees the first columns, head 2 the next ones, and so on
#       - large scores give finite, correct results
#       - output has the shape (batch, time, hidden_size), with batch and time of any size
#       - padded tokens are not attended to
#       - queries, keys and values are projected without a bias
#       - call uses the layer's own methods
#       - the numbers are right, also while training
# ---

# %% grade_id="separate_heads"
def separate_heads(x, num_heads):
    return ops.reshape(x, (-1, ops.shape(x)[1], num_heads, x.shape[-1] // num_heads))
