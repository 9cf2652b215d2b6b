"""Errors of a classifier, drawn to be read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Errors(NamedTuple):
    """Numbers of texts that a classifier gets wrong.

    Args:
        all: of them, in order.
        short: the shortest quarter of them, the shortest first.
        drawn: at random from the shortest quarter, in random order.
    """

    all: np.ndarray
    short: np.ndarray
    drawn: np.ndarray


def errors(
    predicted: np.ndarray,
    labels: np.ndarray,
    texts: Sequence[str | bytes],
    *,
    each: int,
    seed: int = 9,
) -> Errors:
    """Find the errors of a classifier of two classes, and draw some of the short ones.

    Args:
        predicted: class of each text, 0 or 1.
        labels: the right ones.
        texts: which are classified; short ones have few words.
        each: how many errors to draw of each true class. If there are too few of one class, more
            of the other are drawn.
        seed: of the draw.

    Example:
        >>> found = errors(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0]), ["a"] * 4, each=1)
        >>> found.all, found.drawn
        (array([1, 3]), array([1]))
    """
    wrong = np.flatnonzero(np.asarray(predicted) != labels)
    lengths = np.array([len(texts[row].split()) for row in wrong])
    short = wrong[lengths.argsort(kind="stable")][: math.ceil(len(wrong) / 4)]
    random = np.random.RandomState(seed)
    order = random.permutation(short)
    rank = np.zeros(len(order), int)  # of each error among those of its class
    for label in (0, 1):
        of_class = labels[order] == label
        rank[of_class] = np.arange(of_class.sum())
    first = order[(rank >= each).argsort(kind="stable")][: 2 * each]
    return Errors(wrong, short, random.permutation(first))
