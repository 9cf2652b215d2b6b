"""A response and its exercise's key in, a verdict out."""
