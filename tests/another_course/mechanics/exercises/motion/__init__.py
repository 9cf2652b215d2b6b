"""Falling, and balancing."""
