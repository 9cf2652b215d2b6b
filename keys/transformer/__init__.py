"""The transformer encoder as in Vaswani et al., "Attention Is All You Need" (2017).

Shapes: B batch, T tokens, H heads, d_model features of a token, d_ff of the feed-forward network.
"""
