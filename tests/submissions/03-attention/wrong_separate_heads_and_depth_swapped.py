# ---
# expected:
#   separate_heads:
#     fails:
#       - the shape is (batch, heads, time, depth), with batch and time of any size
#       - one head gets all columns
#       - head 1 sees the first columns of every token, head 2 the next ones, and so on
#     mistake: heads_and_depth_swapped
#   multi_head_self_attention:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - head 1 sees the first columns, head 2 the next ones, and so on
#       - large scores give finite, correct results
#       - padded tokens are not attended to
#       - the numbers are right, also while training
# ---

# %% grade_id="separate_heads"
def separate_heads(x, num_heads):
    by_token = ops.reshape(x, (-1, ops.shape(x)[1], x.shape[-1] // num_heads, num_heads))
    return ops.transpose(by_token, (0, 2, 1, 3))
