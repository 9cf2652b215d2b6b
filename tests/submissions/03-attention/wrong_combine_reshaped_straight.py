# ---
# expected:
#   combine_heads:
#     fails:
#       - the heads are side by side, first head first
#     mistake: reshaped_straight
#   multi_head_self_attention:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - combining puts the heads side by side, first head first
#       - large scores give finite, correct results
#       - padded tokens are not attended to
#       - the numbers are right, also while training
# ---

# %% grade_id="combine_heads"
def combine_heads(x):
    return ops.reshape(x, (-1, ops.shape(x)[2], x.shape[1] * x.shape[3]))
