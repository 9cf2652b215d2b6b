"""Which answers to a question say nearly the same, so that people can mark them together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

LEAST_SIMILARITY = 0.6
"""Of two answers that are shown together."""


class AlikeAnswers:
    """How similar some answers are: the cosine of their TF-IDF vectors, whose terms are pieces of
    words, so that a mistyped word is still nearly the same and any language will do.

    Args:
        texts: what the answers say, by any key.

    Example:
        >>> alike = AlikeAnswers({1: "The root scales it.", 2: "the  root scales it", 3: "No idea"})
        >>> alike.to(1)
        [2]
    """

    def __init__(self, texts: Mapping[Any, str]) -> None:
        self.keys = set(texts)
        self._order, self._texts = list(texts), list(texts.values())

    @cached_property
    def _vectors(self) -> Any:
        """A sparse matrix (answers, terms) with rows of length 1."""
        # Importing it takes a second, and the page doesn't wait for it.
        from sklearn.feature_extraction.text import TfidfVectorizer

        pieces = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 4), sublinear_tf=True)
        return pieces.fit_transform(self._texts)

    def to(self, key: Any) -> Sequence[Any]:
        """The keys of the answers that are alike to one of them, the most similar first."""
        if not any(text.strip() for text in self._texts):
            return []  # there are no terms
        here = self._order.index(key)
        similarity = (self._vectors @ self._vectors[here].T).toarray().ravel()
        order = (-similarity).argsort(kind="stable")
        return [
            self._order[other]
            for other in order
            if other != here and similarity[other] >= LEAST_SIMILARITY
        ]
