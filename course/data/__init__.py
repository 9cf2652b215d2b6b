"""Texts, and what they become: data sets, words, subwords, ids."""
