"""Batches for a model that fills in hidden words: of similar lengths, and only where it's asked."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

ROOM = 1.1
"""Times the share of all places: room for a batch in which more are asked for."""


def batches(
    rows: np.ndarray, random: np.random.RandomState, size: int = 64, grid: int = 8
) -> Iterator[np.ndarray]:
    """Yield texts of similar lengths together, cut to their longest, in a random order.

    Args:
        rows: ids, 0 is padding at the end. Shape: (texts, T).
        random: draws the order.
        size: of a batch; texts that don't fill the last one are left out.
        grid: a batch is cut to a multiple of this, since every new length is compiled.

    Example:
        >>> rows = np.tril(np.ones((8, 8), int))
        >>> [batch.shape for batch in batches(rows, np.random.RandomState(0), size=8)]
        [(8, 8)]
    """
    lengths = (rows > 0).sum(axis=1)
    order = np.argsort(lengths + random.uniform(0, grid, len(rows)))
    groups = [order[first : first + size] for first in range(0, len(order) - size + 1, size)]
    random.shuffle(groups)
    for group in groups:
        longest = math.ceil(lengths[group].max() / grid) * grid
        yield rows[group, : min(longest, rows.shape[1])]


def asked_for(
    inputs: np.ndarray, targets: np.ndarray, weights: np.ndarray, share: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Find the places where words are asked for: as many for every batch of a length.

    Args:
        inputs: what the model reads. Shape: (B, T).
        targets: the ids that were there. Shape: (B, T).
        weights: 1 where a word is asked for, else 0. Shape: (B, T).
        share: of the words that are asked for on average.

    Returns:
        The inputs; places in the flattened batch, the words that belong there, and weights, all of
        shape (room,). Where fewer are asked for, other places fill the room, with a weight of 0;
        where more are, the last are left out.
    """
    places = np.flatnonzero(weights)
    room = math.ceil(ROOM * share * inputs.size)
    counted = np.arange(room) < len(places)
    places = np.resize(places[:room], room) if len(places) else np.zeros(room, int)
    return (
        inputs.astype("int32"),
        places.astype("int32"),
        targets.ravel()[places],
        counted.astype("float32"),
    )
