"""Exercises of ``06-fastformer``: additive pooling, Fastformer, classifier, weighted F1."""
