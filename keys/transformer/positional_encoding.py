"""The key of ``transformer.positional_encoding``."""

from __future__ import annotations

from functools import partial

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.transformer.positional_encoding import EXERCISE, shown


def positional_encoding(length: int, depth: int) -> dict[str, np.ndarray]:
    """PE(p, 2i) = sin(p / 10000^(2i/depth)), PE(p, 2i+1) = cos(same), section 3.5.

    Args:
        length: positions.
        depth: features, even.

    Returns:
        encoding: (length, depth); of very many positions, positions: how many, and last: two rows.
    """
    column = np.arange(depth)  # 2i and 2i+1 share an exponent
    exponents = (column - column % 2) / depth
    angles = np.arange(length)[:, None] / 10000.0**exponents
    encoding = np.where(column % 2, np.cos(angles), np.sin(angles))
    return shown(encoding, length)


KEY = Key(EXERCISE, positional_encoding)

KEY.mistake(
    "halves",
    "The sines and cosines are in two separate halves; the task asks for them interleaved: "
    "sines in the even columns, cosines in the odd ones.",
    "shown(encoding,",
    "shown(np.concatenate([encoding[:, ::2], encoding[:, 1::2]], axis=1),",
    cost=SLIP,
)
KEY.mistake(
    "transposed_encoding",
    "The rows and columns are swapped: each row is a position.",
    "shown(encoding,",
    "shown(encoding.T,",
    cost=SLIP,
    alone=True,
)
KEY.mistake(
    "sine_and_cosine_swapped",
    "Sine and cosine are swapped: the sines belong in the even columns.",
    "np.cos(angles), np.sin(angles)",
    "np.sin(angles), np.cos(angles)",
    cost=SLIP,
)
KEY.mistake(
    "only_sines",
    "There are only sines: every second column should be a cosine.",
    "np.cos(angles)",
    "np.sin(angles)",
    cost=PART,
    alone=True,
)
KEY.mistake(
    "counted_from_one",
    "The first position is 0, not 1.",
    "np.arange(length)",
    "np.arange(1, length + 1)",
    cost=SLIP,
)
KEY.mistake(
    "exponent_doubled",
    "The exponent was doubled once too often: if i already counts in steps of two, it is the "
    "formula's 2i.",
    "(column - column % 2) / depth",
    "2 * (column - column % 2) / depth",
    cost=SLIP,
)
KEY.mistake(
    "exponent_halved",
    "The exponent is half of what it should be: divide 2i by depth, not i.",
    "(column - column % 2) / depth",
    "(column // 2) / depth",
    cost=SLIP,
)
KEY.mistake(
    "one_frequency_a_column",
    "Every column has its own frequency; a sine and the cosine next to it should share one.",
    "(column - column % 2) / depth",
    "column / depth",
    cost=SLIP,
)
KEY.mistake(
    "doubled_in_every_column",
    "Every column has its own frequency, and the exponents grow twice as fast as they should: "
    "a sine and the cosine next to it share the exponent 2i divided by depth.",
    "(column - column % 2) / depth",
    "2 * column / depth",
    cost=SLIP,
    alone=True,
)
KEY.mistake(
    "integer_division",
    "Dividing the exponents lost everything after the decimal point, so all frequencies are 1: "
    "divide with one slash.",
    "(column - column % 2) / depth",
    "(column - column % 2) // depth",
    cost=SLIP,
    alone=True,
)
KEY.mistake(
    "multiplied_by_the_power",
    "The angles are multiplied by the power of 10000 instead of divided by it: later columns must "
    "turn more slowly.",
    "/ 10000.0**exponents",
    "* 10000.0**exponents",
    cost=SLIP,
    alone=True,
)
KEY.mistake(
    "rounded_logarithm",
    "The logarithm of 10000 divided by depth was rounded down to a whole number: divide with one "
    "slash.",
    "(column - column % 2) / depth",
    "(column - column % 2) * (np.log(10000.0) // depth) / np.log(10000.0)",
    cost=SLIP,
    alone=True,
)
KEY.mistake(
    "base_of_a_thousand",
    "The base is 1000; the formula uses 10000.",
    "10000.0**exponents",
    "1000.0**exponents",
    cost=SLIP,
    alone=True,
)
KEY.mistake(
    "exponents_up_to_one",
    "The exponents reach 1 in the last two columns: divided by depth, they stay below 1.",
    "(column - column % 2) / depth",
    "(column - column % 2) / max(depth - 2, 1)",
    cost=SLIP,
)
KEY.mistake(
    "rounded_negative_logarithm",
    "Minus the logarithm of 10000, divided by depth, was rounded down to a whole number: divide "
    "with one slash.",
    "(column - column % 2) / depth",
    "(column - column % 2) * -(-np.log(10000.0) // depth) / np.log(10000.0)",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "only_cosines",
    "There are only cosines: every second column should be a sine.",
    "np.sin(angles)",
    "np.cos(angles)",
    cost=PART,
    alone=True,
)
KEY.mistake(
    "angles_themselves",
    "The angles themselves are returned: their sines and cosines are missing.",
    "np.where(column % 2, np.cos(angles), np.sin(angles))",
    "angles",
    alone=True,
    cost=PART,
)
KEY.mistake(
    "divided_by_the_length",
    "The exponents are divided by the number of positions: the formula divides by depth.",
    "(column - column % 2) / depth",
    "(column - column % 2) / length",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "first_row_zero",
    "The first row is all zeros: position 0 is one like any other, and the cosine of 0 is 1.",
    "shown(encoding,",
    "shown(encoding * (np.arange(length) > 0)[:, None],",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "cut_to_whole_numbers",
    "Sines and cosines were cut to whole numbers: the array that you filled holds integers. Make "
    "one of floats.",
    "shown(encoding,",
    "shown(np.trunc(encoding),",
    alone=True,
    cost=SLIP,
)

# Seldom beside another mistake.
_encoding = partial(KEY.mistake, alone=True, cost=SLIP)

_encoding(
    "batch_axis",
    "There is an axis for the batch in front: the result has two axes, positions and features.",
    "shown(encoding,",
    "shown(encoding[None],",
)
for _limit in (512, 1000, 5000):
    _encoding(
        f"table_of_{_limit}",
        f"Your table ends after {_limit} positions: make as many rows as you're asked for.",
        "shown(encoding,",
        f"shown(encoding[:{_limit}],",
    )
_NO_BRACKETS = (
    "The exponent has no brackets around it, so the power is calculated before what follows it: "
    "2i divided by depth is the exponent."
)
_encoding(
    "power_divided_by_depth",
    _NO_BRACKETS,
    "(column - column % 2) / depth",
    "(column - column % 2)",
    "10000.0**exponents",
    "(10000.0**exponents / depth)",
)
_encoding(
    "angles_divided_by_depth",
    _NO_BRACKETS,
    "(column - column % 2) / depth",
    "(column - column % 2)",
    "10000.0**exponents",
    "10000.0**exponents / depth",
)
_encoding(
    "base_squared",
    _NO_BRACKETS,
    "10000.0**exponents",
    # Whether i counts in steps of two or not: the angles are nearly 0.
    "10000.0**2 * (column // 2) / depth",
)
_encoding(
    "alternating_rows",
    "Sines and cosines alternate from row to row: they should alternate from column to column.",
    "np.where(column % 2,",
    "np.where(np.arange(length)[:, None] % 2,",
)
_encoding(
    "halves_with_cosines_first",
    "All cosines come first, and then all sines: the task asks for them interleaved, sines in the "
    "even columns and cosines in the odd ones.",
    "shown(encoding,",
    "shown(np.concatenate([encoding[:, 1::2], encoding[:, ::2]], axis=1),",
)
_encoding(
    "base_of_a_hundred_thousand",
    "The base is 100,000; the formula uses 10,000.",
    "10000.0**exponents",
    "100000.0**exponents",
)
