"""Exercises of ``03-attention``: averaging, scaled dot-product and multi-head self-attention."""
