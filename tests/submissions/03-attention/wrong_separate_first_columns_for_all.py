# ---
# expected:
#   separate_heads:
#     fails:
#       - head 1 sees the first columns of every token, head 2 the next ones, and so on
#     mistake: first_columns_for_all
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
    depth = x.shape[-1] // num_heads
    return ops.stack([x[..., :depth] for _ in range(num_heads)], axis=1)
