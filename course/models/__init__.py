"""Trained models that are part of the course: they need no network, and load in a moment."""

from __future__ import annotations

import difflib
from functools import cache
from pathlib import Path

from course.models.encoder import Encoder, Guess, Reading, read_encoder
from course.models.sentences import SENTENCES

__all__ = ["NAMES", "SENTENCES", "Encoder", "Guess", "Reading", "load"]

NAMES = ("news-encoder",)
"""The models that there are."""


@cache
def load(name: str) -> Encoder:
    """Load a trained model.

    What it was trained on, how, and how well it does is in its card, ``card.md`` in its folder.

    Args:
        name: ``"news-encoder"``.

    Raises:
        ValueError: when there is no such model.

    Example:
        >>> encoder = load("news-encoder")
        >>> encoder.num_layers, encoder.num_heads
        (3, 4)
    """
    if name not in NAMES:
        near = difflib.get_close_matches(str(name), NAMES, n=1, cutoff=0.3)
        raise ValueError(
            f"There is no model {name!r}. There are: {', '.join(NAMES)}."
            + (f" Did you mean {near[0]!r}?" if near else "")
        )
    return read_encoder(name, Path(__file__).parent / name.replace("-", "_"))
