"""Exercises of ``01-text-preprocessing``: from text to tokens, from tokens to numbers.

No case holds a fixed text: sentences and documents are put together from the word lists below."""
