"""Convolutions over words, and the steps around them, in NumPy.

Shapes: B batch, T words, d embedding_dim, F filters, k kernel_size, s strides.
"""
