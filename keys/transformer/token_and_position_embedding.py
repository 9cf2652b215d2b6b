"""The key of ``transformer.token_and_position_embedding``."""

from __future__ import annotations

from functools import partial

import numpy as np

from autograder.judging.keys import Key
from course.exercises.transformer.token_and_position_embedding import EXERCISE


def token_and_position_embedding(
    token_table: np.ndarray, position_table: np.ndarray, ids: np.ndarray
) -> dict[str, np.ndarray]:
    """The row of each token plus the row of its position.

    Args:
        token_table: (vocabulary_size, embedding_dim).
        position_table: (max_length, embedding_dim).
        ids: (batch, time), time at most max_length.

    Returns:
        output: (batch, time, embedding_dim).
    """
    tokens, positions = token_table[ids], position_table[: ids.shape[1]]
    return {"output": tokens + positions}


KEY = Key(EXERCISE, token_and_position_embedding)

_embedding = partial(KEY.mistake, alone=True)

_embedding(
    "no_positions",
    "The positions weren't added.",
    "tokens + positions",
    "tokens",
)
_embedding(
    "positions_twice",
    "The positions were added twice.",
    "tokens + positions",
    "tokens + 2 * positions",
)
_embedding(
    "only_positions",
    "Only the positions are left: the tokens are missing.",
    "tokens + positions",
    "0 * tokens + positions",
)
_embedding(
    "whole_table",
    "You added all rows of the position table, not just as many as the text has tokens: how "
    "many tokens do the inputs have?",
    "position_table[: ids.shape[1]]",
    "position_table",
)
_embedding(
    "positions_from_one",
    "The positions are counted from 1: the first one is 0.",
    "position_table[: ids.shape[1]]",
    "np.roll(position_table, -1, axis=0)[: ids.shape[1]]",
)
_embedding(
    "positions_along_the_batch",
    "The positions run along the batch: they belong to the tokens of each text.",
    "position_table[: ids.shape[1]]",
    "position_table[: len(ids), None]",
)
_embedding(
    "multiplied",
    "The token and position vectors are multiplied: they should be added.",
    "tokens + positions",
    "tokens * positions",
)
_embedding(
    "looked_up_by_token",
    "You looked up token ids in the position table: give it 0, 1, 2 and so on.",
    "position_table[: ids.shape[1]]",
    "position_table[ids]",
)
_embedding(
    "tokens_scaled",
    "The token vectors were multiplied by the square root of their size before the sum: which "
    "of the two kinds of positions needs that?",
    "token_table[ids]",
    "token_table[ids] * np.sqrt(token_table.shape[1])",
)
