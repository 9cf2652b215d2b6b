"""Exercises of ``06-fastformer``: additive pooling, Fastformer, block, classifier, weighted F1."""
