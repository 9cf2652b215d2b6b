"""Exercises of ``02-conv1d-baseline``: text to ids, convolutions over words, the best epoch."""
