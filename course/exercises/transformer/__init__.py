"""Exercises of ``04-transformer-encoder``: positions, encoder, warm-up, classifier."""
