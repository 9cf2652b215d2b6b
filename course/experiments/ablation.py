"""Does a step of preprocessing help? The same drawn texts, with the step and without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Step = Callable[[list[str]], Sequence[str]]


def by_word(function: Callable[[list[str]], Sequence[str]]) -> Step:
    """A step that treats each token alone, and every word only once.

    Args:
        function: gives one string per token.

    Example:
        >>> upper = by_word(lambda tokens: [token.upper() for token in tokens])
        >>> upper(["a", "cat"])
        ['A', 'CAT']
    """
    known: dict[str, str] = {}

    def step(tokens: list[str]) -> list[str]:
        for token in tokens:
            if token not in known:
                (known[token],) = function([token])
        return [known[token] for token in tokens]

    return step


def difference(first: Sequence[bool], second: Sequence[bool]) -> tuple[float, float]:
    """How much more often the second of two models is right, on the same texts.

    Args:
        first: whether the first model gets each text right, (texts,).
        second: the same for the second model, with the texts in the same order, (texts,).

    Returns:
        The difference of the two accuracies, and its standard error. Texts on which both are right,
        or both wrong, add nothing to it but their number.

    Example:
        >>> gain, error = difference([True, False, True, True], [True, True, True, True])
        >>> f"{gain:+.2f}, standard error {error:.3f}"
        '+0.25, standard error 0.217'
    """
    changes = np.subtract(second, first, dtype=float)
    return float(changes.mean()), float(changes.std() / np.sqrt(len(changes)))


class Trials:
    """Classifiers that learn from a few of many texts, and are scored on others.

    A quarter of the texts, at most ``size``, is held out: these are scored. From the rest, ``size``
    texts are drawn to learn from, at most half of the rest.

    Args:
        texts: of the training split.
        labels: their classes, integers.
        tokenize: cuts a text into tokens.
        size: texts that are held out, and texts that are drawn.

    Attributes:
        held_out: how many texts are scored.
        drawn: how many texts each draw learns from.
    """

    def __init__(
        self,
        texts: Sequence[str],
        labels: Sequence[int],
        tokenize: Callable[[str], Sequence[str]],
        *,
        size: int,
    ) -> None:
        self._texts, self._labels, self._tokenize = texts, np.asarray(labels), tokenize
        order = np.random.RandomState(0).permutation(len(texts))
        self._held_out, self._rest = np.split(order, [min(len(texts) // 4, size)])
        self.held_out = len(self._held_out)
        self.drawn = min(size, len(self._rest) // 2)
        self._tokens: dict[int, list[str]] = {}
        self._verdicts: dict[Any, np.ndarray] = {}

    def verdicts(
        self, draw: int, *, step: Step = list, C: float = 10.0, **options: Any
    ) -> np.ndarray:
        """Learn from drawn texts, and say which of the held-out ones come out right.

        TF-IDF with 1 + ln(tf) for tf and without tokens of a single text, and logistic regression.
        The same arguments again give the verdicts without another run.

        Args:
            draw: which texts to learn from: the same number draws the same ones.
            step: turns a text's tokens into what is counted.
            C: of the ``LogisticRegression``: the larger, the larger the coefficients may grow.
            options: of the ``TfidfVectorizer``, such as ``min_df``.

        Returns:
            Booleans, (held-out texts,): the same texts for every draw, in the same order. Their
            mean is the accuracy.
        """
        key = (draw, step, C, *sorted(options.items()))
        if key not in self._verdicts:
            self._verdicts[key] = self._run(draw, step, C, options)
        return self._verdicts[key].copy()

    def _run(self, draw: int, step: Step, C: float, options: dict[str, Any]) -> np.ndarray:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression

        drawn = np.random.RandomState(draw).choice(self._rest, self.drawn, replace=False)
        settings = {"min_df": 2, "sublinear_tf": True, **options}
        vectorizer = TfidfVectorizer(
            analyzer=lambda number: list(step(self._tokens_of(number))), **settings
        )
        rows = vectorizer.fit_transform(drawn)
        model = LogisticRegression(C=C, max_iter=1000).fit(rows, self._labels[drawn])
        others = vectorizer.transform(self._held_out)
        return model.predict(others) == self._labels[self._held_out]

    def _tokens_of(self, number: int) -> list[str]:
        """A copy, which a step may change."""
        if number not in self._tokens:
            self._tokens[number] = list(self._tokenize(self._texts[number]))
        return list(self._tokens[number])
