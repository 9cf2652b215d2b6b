"""The key of ``transformer.token_and_position_embedding``."""

from __future__ import annotations

import numpy as np

from autograder.judging.keys import IDEA, PART, SLIP, Key
from course.exercises.transformer.token_and_position_embedding import (
    DROPPED,
    EXERCISE,
    MANY,
    MASKED,
    NOT_IN_A_MODEL,
    NOT_LEARNED,
    NOTHING_ELSE,
    shown,
    time_of,
)
from keys.transformer.common import layer_norm
from keys.transformer.positional_encoding import positional_encoding


def token_and_position_embedding(
    token_table: np.ndarray,
    position_table: np.ndarray,
    ids: np.ndarray,
    first: int | None = None,
) -> dict[str, np.ndarray]:
    """The row of each token plus the row of its position.

    Args:
        token_table: (vocabulary_size, embedding_dim).
        position_table: (max_length, embedding_dim).
        ids: (batch, time), time at most max_length.
        first: tokens of the layer's first call, if not max_length; they change nothing.

    Returns:
        output: (batch, time, embedding_dim), or of very many tokens last: the last two;
        side_effect: what else the layer does.
    """
    tokens, positions = token_table[ids], position_table[: ids.shape[1]]
    return {**shown(tokens + positions, ids.shape[1]), "side_effect": NOTHING_ELSE}


KEY = Key(EXERCISE, token_and_position_embedding)


KEY.mistake(
    "no_positions",
    "The positions weren't added.",
    "tokens + positions",
    "tokens",
    cost=PART,
)
KEY.mistake(
    "sum_normalised",
    "The sum was normalised, as in BERT: the task asks for the sum as it is.",
    "tokens + positions",
    "layer_norm(tokens + positions, 1.0, 0.0)",
    cost=SLIP,
)
KEY.mistake(
    "another_layer_with_weights",
    "Another layer with weights of its own, such as a norm, changes the sum: the task asks for the "
    "sum as it is.",
    "tokens + positions",
    # Weights that a case doesn't know are 0.
    "0 * tokens * positions",
    cost=SLIP,
)
KEY.mistake(
    "other_number_of_positions",
    "Your positions don't end where a text does: there have to be as many as these inputs have "
    "tokens.",
    "position_table[: ids.shape[1]]",
    "position_table[len(position_table)]",
    cost=SLIP,
    failure=r"is not in|shapes: \[\d+,\d+,\d+\] vs\. \[\d+,\d+\]",
)
KEY.mistake(
    "sum_scaled",
    "The sum is multiplied by the square root of its size: add both vectors as the layers give "
    "them.",
    "tokens + positions",
    "(tokens + positions) * np.sqrt(token_table.shape[1])",
    cost=SLIP,
)
KEY.mistake(
    "positions_scaled",
    "The positions are multiplied by the square root of their size: add both vectors as the layers "
    "give them.",
    "tokens + positions",
    "tokens + positions * np.sqrt(token_table.shape[1])",
    cost=SLIP,
)
KEY.mistake(
    "positions_alone",
    "Only the positions are left, without a batch: did you overwrite the tokens' vectors instead "
    "of adding to them?",
    "shown(tokens + positions, ids.shape[1])",
    "shown(positions, ids.shape[1])",
    cost=PART,
)
KEY.mistake(
    "positions_from_one_to_the_last",
    "Each token got the position after its own, and the last one the table's last row: positions "
    "count from 0.",
    "position_table[: ids.shape[1]]",
    "position_table[np.minimum(np.arange(ids.shape[1]) + 1, len(position_table) - 1)]",
    cost=SLIP,
)
KEY.mistake(
    "position_zero_for_id_zero",
    "Tokens with id 0 all got position 0, as if they were padding: here id 0 is a token like any "
    "other.",
    "position_table[: ids.shape[1]]",
    "position_table[np.arange(ids.shape[1]) * (ids != 0)]",
    cost=SLIP,
)
KEY.mistake(
    "positions_of_other_ids_only",
    "You counted positions over the ids that aren't 0, as if 0 were padding: here id 0 is a token "
    "like any other.",
    "position_table[: ids.shape[1]]",
    "position_table[(np.cumsum(ids != 0, axis=1) - 1) * (ids != 0)]",
    cost=SLIP,
)
KEY.mistake(
    "positions_looked_up_by_ids",
    "The rows of the position table were chosen by the ids: they belong to the places 0 to T - 1.",
    "position_table[: ids.shape[1]]",
    "position_table[np.minimum(ids, len(position_table) - 1)]",
    cost=SLIP,
)
KEY.mistake(
    "positions_twice",
    "The positions were added twice.",
    "tokens + positions",
    "tokens + 2 * positions",
    cost=SLIP,
)
KEY.mistake(
    "only_positions",
    "Only the positions are left: the tokens are missing.",
    "tokens + positions",
    "0 * tokens + positions",
    cost=PART,
)
KEY.mistake(
    "whole_table",
    "You added all rows of the position table, not just as many as the text has tokens: how "
    "many tokens do the inputs have?",
    "position_table[: ids.shape[1]]",
    "position_table",
    cost=SLIP,
)
KEY.mistake(
    "positions_of_the_first_call",
    "You keep the positions of the layer's first call: later texts may be shorter or longer, so "
    "take the number of tokens from the inputs of each call.",
    "position_table[: ids.shape[1]]",
    "position_table[:first]",
    cost=SLIP,
)
KEY.mistake(
    "positions_from_one",
    "The positions are counted from 1: the first one is 0.",
    "position_table[: ids.shape[1]]",
    # The layer is built with as many tokens as it has positions: then there is no such row.
    "position_table[np.arange(1, (first or len(position_table)) + 1)]",
    cost=SLIP,
    failure="is not in",
)
KEY.mistake(
    "positions_along_the_batch",
    "The positions run along the batch: they belong to the tokens of each text.",
    "position_table[: ids.shape[1]]",
    "position_table[: len(ids), None]",
    cost=SLIP,
)
KEY.mistake(
    "multiplied",
    "The token and position vectors are multiplied: they should be added.",
    "tokens + positions",
    "tokens * positions",
    cost=SLIP,
)
KEY.mistake(
    "subtracted",
    "The position vectors are subtracted: they should be added.",
    "tokens + positions",
    "tokens - positions",
    cost=SLIP,
)
KEY.mistake(
    "tables_swapped",
    "The two tables are swapped: tokens were looked up in the table of positions, and positions in "
    "the table of tokens.",
    "token_table[ids], position_table[: ids.shape[1]]",
    "position_table[ids], token_table[np.arange(ids.shape[1])]",
    cost=SLIP,
)
KEY.mistake(
    "positions_as_numbers",
    "The numbers 0, 1, 2 and so on were added themselves: look up a vector for each of them.",
    "position_table[: ids.shape[1]]",
    "np.arange(ids.shape[1])[:, None]",
    cost=IDEA,
)
KEY.mistake(
    "looked_up_by_token",
    "You looked up token ids in the position table: give it 0, 1, 2 and so on.",
    "position_table[: ids.shape[1]]",
    "position_table[ids]",
    cost=SLIP,
)
KEY.mistake(
    "tokens_scaled",
    "The token vectors were multiplied by the square root of their size before the sum: which "
    "of the two kinds of positions needs that?",
    "token_table[ids]",
    "token_table[ids] * np.sqrt(token_table.shape[1])",
    cost=SLIP,
)
KEY.mistake(
    "padding_left_out",
    "Where the id is 0, the vectors are zeros: here, 0 is a token like any other.",
    "tokens + positions",
    "(tokens + positions) * (ids != 0)[:, :, None]",
    cost=SLIP,
)
KEY.mistake(
    "padding_without_token",
    "Where the id is 0, only the position is left: here, 0 is a token like any other.",
    "tokens + positions",
    "tokens * (ids != 0)[:, :, None] + positions",
    cost=SLIP,
)
KEY.mistake(
    "positions_from_the_end",
    "Shorter texts got the last rows of the position table: their first token has position 0, too.",
    "position_table[: ids.shape[1]]",
    "position_table[-ids.shape[1] :]",
    cost=SLIP,
)
KEY.mistake(
    "mean_of_both",
    "You took the mean of the token and position vectors: the task asks for their sum.",
    "tokens + positions",
    "(tokens + positions) / 2",
    cost=SLIP,
)
KEY.mistake(
    "one_position_for_all",
    "Every token has the same position: give the table 0, 1, 2 and so on.",
    "position_table[: ids.shape[1]]",
    "position_table[:1]",
    cost=SLIP,
)
KEY.mistake(
    "last_position_for_all",
    "Every token has the position of the last one: give the table 0, 1, 2 and so on.",
    "position_table[: ids.shape[1]]",
    "position_table[ids.shape[1] - 1]",
    cost=SLIP,
)
KEY.mistake(
    "positions_backwards",
    "The positions run backwards: the first token has position 0.",
    "position_table[: ids.shape[1]]",
    "position_table[: ids.shape[1]][::-1]",
    cost=SLIP,
)
KEY.mistake(
    "positions_of_other_ids",
    "Only ids that aren't 0 were counted as positions: here, 0 is a token like any other, and has "
    "a position of its own.",
    "position_table[: ids.shape[1]]",
    "position_table[np.maximum((ids != 0).cumsum(axis=1) - 1, 0)]",
    cost=SLIP,
)
KEY.mistake(
    "padded_to_max_length",
    "Shorter texts were padded up to max_length: the output has as many tokens as the input.",
    "token_table[ids]",
    "token_table[np.pad(ids, [(0, 0), (0, len(position_table) - ids.shape[1])])]",
    "position_table[: ids.shape[1]]",
    "position_table",
    cost=SLIP,
)
KEY.mistake(
    "positions_from_the_table_of_tokens",
    "The positions were looked up in the table of tokens: they have a table of their own.",
    "position_table[: ids.shape[1]]",
    "token_table[: ids.shape[1]]",
    cost=SLIP,
)
KEY.mistake(
    "vectors_side_by_side",
    "The token and position vectors stand side by side: the task asks for their sum.",
    "tokens + positions",
    "np.concatenate([tokens, np.broadcast_to(positions, tokens.shape)], axis=-1)",
    cost=SLIP,
)
KEY.mistake(
    "sines_and_cosines",
    "You added the sines and cosines of the previous task: here, the vectors of the positions are "
    "learned, and the layer has a table of them.",
    "position_table[: ids.shape[1]]",
    'positional_encoding(ids.shape[1], token_table.shape[1])["encoding"]',
)
KEY.mistake(
    "sines_and_cosines_too",
    "The sines and cosines of the previous task were added as well: only learned positions "
    "belong here.",
    "tokens + positions",
    'tokens + positions + positional_encoding(ids.shape[1], token_table.shape[1])["encoding"]',
    cost=SLIP,
)
KEY.mistake(
    "as_many_positions_as_texts",
    "There are as many positions as texts in the batch: which axis has the tokens?",
    "position_table[: ids.shape[1]]",
    "position_table[: len(ids)]",
    cost=SLIP,
)
KEY.mistake(
    "padding_without_position",
    "Where the id is 0, the position is missing: here, 0 is a token like any other.",
    "tokens + positions",
    "tokens + positions * (ids != 0)[:, :, None]",
    cost=SLIP,
)
KEY.mistake(
    "positions_in_a_byte",
    "Your positions are numbers of 8 bits: those begin again after 256 positions.",
    "position_table[: ids.shape[1]]",
    "position_table[np.arange(ids.shape[1]) % 256]",
    cost=SLIP,
)
_POSITIONS_GO_ON = (
    "You go on counting from one text of the batch to the next: each text starts at position 0."
)
KEY.mistake(
    "positions_go_on",
    _POSITIONS_GO_ON,
    "position_table[: ids.shape[1]]",
    "position_table[np.arange(ids.size).reshape(ids.shape) % len(position_table)]",
    cost=SLIP,
)
KEY.mistake(
    "positions_go_on_past_the_table",
    _POSITIONS_GO_ON,
    "position_table[: ids.shape[1]]",
    "position_table[np.arange(ids.size).reshape(ids.shape)]",
    cost=SLIP,
    failure="is not in",
)
KEY.mistake(
    "last_row_never_used",
    "In the longest texts, the last token gets the row of the one before: the table has a row for "
    "every position.",
    "position_table[: ids.shape[1]]",
    "position_table[np.minimum(np.arange(ids.shape[1]), len(position_table) - 2)]",
    cost=SLIP,
)
for _name, _found, _hint in (
    (
        "mask_handed_on",
        "MASKED",
        "The layer hands on a mask that hides id 0 from later layers: here, 0 is a token like any "
        "other.",
    ),
    (
        "dropout_of_its_own",
        "DROPPED",
        "In training, the layer changes the vectors: add both as the layers give them.",
    ),
    (
        "one_table_not_learned",
        "NOT_LEARNED",
        "One of the two tables is never learned: the gradient has to reach both.",
    ),
    (
        "not_in_a_model",
        "NOT_IN_A_MODEL",
        "The layer fails while a model is being built, when ids have no values yet and there may "
        "be any number of texts: calculate with ops, for all texts at once.",
    ),
):
    KEY.mistake(_name, _hint, '"side_effect": NOTHING_ELSE', f'"side_effect": {_found}', cost=SLIP)


INPUT_CLASSES = {
    "as many tokens as positions": lambda cases: any(
        time_of(case) == len(case.inputs["position_table"]) for case in cases
    ),
    "fewer tokens than positions": lambda cases: any(
        1 < time_of(case) < len(case.inputs["position_table"]) for case in cases
    ),
    "more tokens than a byte counts": lambda cases: any(time_of(case) > MANY for case in cases),
    "a single text": lambda cases: any(len(case.inputs["ids"]) == 1 for case in cases),
    "one token": lambda cases: any(time_of(case) == 1 for case in cases),
    "id 0 before other ids": lambda cases: any(
        (case.inputs["ids"][:, 0] == 0).any() and case.inputs["ids"][:, 1:].any() for case in cases
    ),
    "id 0 at the end": lambda cases: any(
        (case.inputs["ids"][:, -1] == 0).any() and time_of(case) > 1 for case in cases
    ),
    "the highest id": lambda cases: any(
        case.inputs["ids"].max() == len(case.inputs["token_table"]) - 1 for case in cases
    ),
    "an id twice in a text": lambda cases: any(
        len(set(text)) < len(text) for case in cases for text in case.inputs["ids"]
    ),
    "ids that are positions as well": lambda cases: any(
        time_of(case) > 1 and case.inputs["ids"].max() < len(case.inputs["position_table"])
        for case in cases
    ),
    "fewer texts than tokens": lambda cases: any(
        1 < len(case.inputs["ids"]) < time_of(case) for case in cases
    ),
}
