"""Exercises of ``07-pretraining``: masked tokens, loss, tied logits, mean pooling, paired test."""
