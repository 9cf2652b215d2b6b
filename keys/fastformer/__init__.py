"""Fastformer as in Wu et al., "Fastformer: Additive Attention Can Be All You Need" (2021).

Shapes: B batch, T tokens, H heads, d features of one head, so that H·d features are hidden.
"""
