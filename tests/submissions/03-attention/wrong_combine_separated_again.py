# ---
# expected:
#   combine_heads:
#     fails:
#       - the shape is (batch, time, d_model), with batch and time of any size
#       - the heads are side by side, first head first
#     mistake: separated_again and fixed_axes
#   multi_head_self_attention:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - combining puts the heads side by side, first head first
#       - large scores give finite, correct results
#       - output has the shape (batch, time, hidden_size), with batch and time of any size
#       - padded tokens are not attended to
#       - the numbers are right, also while training
# ---

# %% grade_id="combine_heads"
def combine_heads(x):
    batch, heads, time, depth = x.shape
    again = ops.transpose(ops.reshape(x, (batch, heads, depth, time)), (0, 2, 1, 3))
    return ops.reshape(again, (batch, time, heads * depth))
