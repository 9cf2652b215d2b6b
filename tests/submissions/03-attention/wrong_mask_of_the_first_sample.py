# ---
# expected:
#   multi_head_self_attention:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_of_the_first_sample
# ---

# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def call(self, inputs, mask=None):
        roles = (self.query_linear, self.key_linear, self.value_linear)
        parts = [self.separate_heads(role(inputs)) for role in roles]
        if mask is not None:
            mask = mask[:1, None, None, :]
        return self.output_linear(self.combine_heads(self.attention(*parts, mask)))
