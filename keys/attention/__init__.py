"""Attention as in Vaswani et al., "Attention Is All You Need" (2017), section 3.2.

Shapes: B batch, T query length, S key length, H heads, d_k and d_v depth of keys and values.
A query that may attend to nothing shares its weights evenly.
"""
