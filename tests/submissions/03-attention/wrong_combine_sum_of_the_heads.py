# ---
# expected:
#   combine_heads:
#     fails:
#       - the shape is (batch, time, d_model), with batch and time of any size
#       - the heads are side by side, first head first
#     mistake: sum_of_the_heads
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

# %% grade_id="combine_heads"
def combine_heads(x):
    return ops.sum(x, axis=1)
