"""Long texts with a known place of evidence: chained articles, one of which carries the label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Chains:
    """Chained articles.

    Args:
        ids: of the tokens; no padding. Shape: (chains, length).
        labels: the topic of the odd article. Shape: (chains,).
        starts, stops: the tokens of the odd article, from start up to stop. Shape: (chains,).
    """

    ids: np.ndarray
    labels: np.ndarray
    starts: np.ndarray
    stops: np.ndarray


def chained(
    articles: Sequence[Sequence[int] | np.ndarray],
    topics: np.ndarray,
    *,
    chains: int,
    length: int,
    longest: int = 64,
    seed: int = 0,
) -> Chains:
    """Chain articles of one topic, with a single article of another topic somewhere among them.

    Which topic is the odd one, and which article, and where in the chain it is: all that is drawn,
    each possibility with the same probability.

    Args:
        articles: the token ids of each; none is empty.
        topics: of the articles, integers (articles,).
        chains: how many chains to make.
        length: tokens of a chain.
        longest: of an article, no more than so many tokens are used.
        seed: of the drawing.

    Returns:
        The chains.

    Raises:
        ValueError: when there's only one topic, or a chain has no room for two articles.

    Example:
        >>> made = chained([[5, 5], [7, 7, 7]], np.array([0, 1]), chains=4, length=6, seed=1)
        >>> made.ids.shape, made.stops - made.starts
        ((4, 6), array([3, 2, 3, 3]))
    """
    names = np.unique(topics)
    if len(names) < 2 or length < 2 * min(longest, max(map(len, articles))):
        raise ValueError(
            "chains need two topics and room for two articles. "
            f"Received: {len(names)} topics, length={length}, longest={longest}"
        )
    random = np.random.RandomState(seed)
    by_topic = {name: np.flatnonzero(topics == name) for name in names}
    ids = np.zeros((chains, length), np.int32)
    labels, starts, stops = np.zeros((3, chains), int)
    for row in range(chains):
        main, odd = random.permutation(names)[:2]
        single = articles[random.choice(by_topic[odd])][:longest]
        others: list[Sequence[int]] = []
        room = length - len(single)
        while room > 0:
            article = articles[random.choice(by_topic[main])][: min(longest, room)]
            others.append(article)
            room -= len(article)
        place = random.randint(len(others) + 1)
        ids[row] = np.concatenate([*others[:place], single, *others[place:]])
        labels[row] = odd
        starts[row] = sum(map(len, others[:place]))
        stops[row] = starts[row] + len(single)
    return Chains(ids, labels, starts, stops)
