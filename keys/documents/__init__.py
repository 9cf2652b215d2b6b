"""Long documents: overlapping chunks, and attention to relative positions.

Shapes: B batch, T time, H heads, d depth of one head, L max_length: distances from -(L-1) to L-1
have an embedding a each, the farther ones share these two.
"""
