"""Masked language modelling as in Devlin et al., "BERT: Pre-training of Deep Bidirectional
Transformers for Language Understanding" (2019).

Shapes: B batch, T tokens, V words of the vocabulary, d features.
"""
