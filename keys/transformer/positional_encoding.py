"""The key of ``transformer.positional_encoding``."""

from __future__ import annotations

from functools import partial
from itertools import combinations, pairwise

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.transformer.positional_encoding import EXERCISE, MANY, shown
from selfcheck.exercise import Case


def positional_encoding(
    length: int, depth: int, base: np.ndarray | float = 10000.0, earlier: int = 0
) -> dict[str, np.ndarray]:
    """PE(p, 2i) = sin(p / 10000^(2i/depth)), PE(p, 2i+1) = cos(same), section 3.5.

    Args:
        length: positions.
        depth: features, even.
        base: 10000, as a float32 program rounds it.
        earlier: positions that the call before asked for, which only a mistake looks at.

    Returns:
        encoding: (length, depth); of very many positions, positions: how many, and last: two rows;
        of very many features, positions and early: one row.
    """
    column = np.arange(depth)  # 2i and 2i+1 share an exponent
    exponents = (column - column % 2) / depth
    angles = np.arange(length)[:, None] / base**exponents
    encoding = np.where(column % 2, np.cos(angles), np.sin(angles))
    return shown(encoding, length, depth)


KEY = Key(EXERCISE, positional_encoding)

KEY.mistake(
    "halves",
    "The sines and cosines are in two separate halves; the task asks for them interleaved: "
    "sines in the even columns, cosines in the odd ones.",
    "shown(encoding,",
    "shown(np.concatenate([encoding[:, ::2], encoding[:, 1::2]], axis=1),",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "end_of_linspace",
    "Your positions are a little more than 1 apart: linspace includes its end, and positions are "
    "0, 1, 2 and so on.",
    "np.arange(length)",
    "np.linspace(0, length, length)",
    cost=SLIP,
)
KEY.mistake(
    "powers_of_whole_numbers",
    "Your powers of 10,000 are whole numbers, and 64 bits end before 10,000 to the power of 5: "
    "take powers of 10,000.0, or divide the exponents by the depth first.",
    "base**exponents",
    "(np.int64(10000) ** (column - column % 2)).astype(float) ** (1 / depth)",
    cost=SLIP,
)
KEY.mistake(
    "transposed_encoding",
    "The rows and columns are swapped: each row is a position.",
    "shown(encoding,",
    "shown(encoding.T,",
    cost=SLIP,
)
KEY.mistake(
    "sine_and_cosine_swapped",
    "Sine and cosine are swapped: the sines belong in the even columns.",
    "np.cos(angles), np.sin(angles)",
    "np.sin(angles), np.cos(angles)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "only_sines",
    "There are only sines: every second column should be a cosine.",
    "np.cos(angles)",
    "np.sin(angles)",
    cost=PART,
)
KEY.mistake(
    "counted_from_one",
    "The first position is 0, not 1.",
    "np.arange(length)",
    "np.arange(1, length + 1)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "exponent_doubled",
    "The exponent was doubled once too often: if i already counts in steps of two, it is the "
    "formula's 2i.",
    "(column - column % 2) / depth",
    "2 * (column - column % 2) / depth",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "exponent_of_the_sines_doubled",
    "In the sines, the exponent was doubled once too often: i already counts in steps of two "
    "there.",
    "(column - column % 2) / depth",
    "np.where(column % 2, 1, 2) * (column - column % 2) / depth",
    cost=SLIP,
)
KEY.mistake(
    "exponent_of_the_cosines_doubled",
    "In the cosines, the exponent was doubled once too often: i already counts in steps of two "
    "there.",
    "(column - column % 2) / depth",
    "np.where(column % 2, 2, 1) * (column - column % 2) / depth",
    cost=SLIP,
)
KEY.mistake(
    "exponent_halved",
    "The exponent is half of what it should be: divide 2i by depth, not i.",
    "(column - column % 2) / depth",
    "(column // 2) / depth",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "one_frequency_a_column",
    "Every column has its own frequency; a sine and the cosine next to it should share one.",
    "(column - column % 2) / depth",
    "column / depth",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "doubled_in_every_column",
    "Every column has its own frequency, and the exponents grow twice as fast as they should: "
    "a sine and the cosine next to it share the exponent 2i divided by depth.",
    "(column - column % 2) / depth",
    "2 * column / depth",
    cost=SLIP,
)
KEY.mistake(
    "integer_division",
    "Dividing the exponents lost everything after the decimal point, so all frequencies are 1: "
    "divide with one slash.",
    "(column - column % 2) / depth",
    "(column - column % 2) // depth",
    cost=SLIP,
)
KEY.mistake(
    "multiplied_by_the_power",
    "The angles are multiplied by the power of 10000 instead of divided by it: later columns must "
    "turn more slowly.",
    "/ base**exponents",
    "* base**exponents",
    cost=SLIP,
)
KEY.mistake(
    "rounded_logarithm",
    "The logarithm of 10000 divided by depth was rounded down to a whole number: divide with one "
    "slash.",
    "(column - column % 2) / depth",
    "(column - column % 2) * (np.log(10000.0) // depth) / np.log(10000.0)",
    cost=SLIP,
)
KEY.mistake(
    "base_of_a_thousand",
    "The base is 1000; the formula uses 10000.",
    "base**exponents",
    "1000.0**exponents",
    cost=SLIP,
)
KEY.mistake(
    "exponents_up_to_one",
    "The exponents reach 1 in the last two columns: divided by depth, they stay below 1.",
    "(column - column % 2) / depth",
    "(column - column % 2) / max(depth - 2, 1)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "rounded_negative_logarithm",
    "Minus the logarithm of 10000, divided by depth, was rounded down to a whole number: divide "
    "with one slash.",
    "(column - column % 2) / depth",
    "(column - column % 2) * -(-np.log(10000.0) // depth) / np.log(10000.0)",
    cost=SLIP,
)
KEY.mistake(
    "only_cosines",
    "There are only cosines: every second column should be a sine.",
    "np.sin(angles)",
    "np.cos(angles)",
    cost=PART,
)
KEY.mistake(
    "angles_themselves",
    "The angles themselves are returned: their sines and cosines are missing.",
    "np.where(column % 2, np.cos(angles), np.sin(angles))",
    "angles",
    cost=PART,
)
KEY.mistake(
    "divided_by_the_length",
    "The exponents are divided by the number of positions: the formula divides by depth.",
    "(column - column % 2) / depth",
    "(column - column % 2) / length",
    cost=SLIP,
)
KEY.mistake(
    "first_row_zero",
    "The first row is all zeros: position 0 is one like any other, and the cosine of 0 is 1.",
    "shown(encoding,",
    "shown(encoding * (np.arange(length) > 0)[:, None],",
    cost=SLIP,
)
KEY.mistake(
    "cut_to_whole_numbers",
    "Below the first row, everything is 0: an array of integers cuts sines and cosines off, and a "
    "`return` inside the loop leaves the other rows empty.",
    "shown(encoding,",
    "shown(np.trunc(encoding),",
    cost=SLIP,
)

_encoding = partial(KEY.mistake, cost=SLIP)

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
_encoding(
    "sines_divided",
    "You divided the sines and cosines by the power of 10000: divide the position by it, and take "
    "the sine and cosine of that.",
    "np.cos(angles), np.sin(angles)",
    "np.cos(np.arange(length))[:, None] / base**exponents,"
    " np.sin(np.arange(length))[:, None] / base**exponents",
)
_encoding(
    "hands_counted_from_one",
    "Your exponents begin with 2 divided by depth: hands are counted from 0, so the first exponent "
    "is 0.",
    "(column - column % 2) / depth",
    "(column - column % 2 + 2) / depth",
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
    "base**exponents",
    "(base**exponents / depth)",
)
_encoding(
    "angles_divided_by_depth",
    _NO_BRACKETS,
    "(column - column % 2) / depth",
    "(column - column % 2)",
    "base**exponents",
    "base**exponents / depth",
)
_encoding(
    "base_squared",
    "Every row is the same as row 0, or nearly, so the positions are lost. If the exponent has no "
    "brackets around it, the power is calculated before what follows it.",
    "base**exponents",
    # Whether i counts in steps of two or not, the angles are nearly 0. What repeats row 0 can't be
    # told from that.
    "10000.0**2 * (column // 2) / depth",
    cost=PART,
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
    "base**exponents",
    "100000.0**exponents",
)
_encoding(
    "positions_in_half_precision",
    "Your positions are numbers of 16 bits: beyond 2048 these can't tell neighbouring positions "
    "apart.",
    "np.arange(length)[:, None]",
    "np.arange(length).astype(np.float16).astype(float)[:, None]",
)
_encoding(
    "positions_in_a_byte",
    "Your positions are numbers of 8 bits: those begin again after 256 positions.",
    "np.arange(length)[:, None]",
    "(np.arange(length) % 256)[:, None]",
)
for _type, _called in ((np.float64, "too_large"), (np.float32, "too_large_in_float32")):
    _encoding(
        f"powers_{_called}",
        "In wide vectors, your powers of 10000 become infinite, so the last columns never change: "
        "calculate the whole exponent first, which is below 1.",
        "base**exponents",
        f"(base ** (column - column % 2)).astype(np.{_type.__name__}) ** (1 / depth)",
    )
for _depth in (32, 512):
    _encoding(
        f"divided_by_{_depth}",
        f"The exponents are divided by {_depth}, whatever depth is: divide by the depth that you "
        "are given.",
        "(column - column % 2) / depth",
        f"(column - column % 2) / {_depth}",
    )
_encoding(
    "squeezed",
    "With one position, the axis of the positions is lost: the result always has two axes.",
    "shown(encoding,",
    "shown(np.squeeze(encoding),",
)
_encoding(
    "turned_over_by_its_size",
    "With as many positions as pairs of columns, the two axes are swapped: their order must not "
    "depend on their sizes.",
    "np.arange(length)[:, None] / base**exponents",
    "(np.arange(length)[:, None] / base**exponents if 2 * length != depth else"
    " (np.arange(length)[:, None] / base ** exponents[::2]).T.repeat(2, axis=1))",
)
_encoding(
    "angles_added_up",
    "You add the angles up from position to position, and so their rounding errors: calculate each "
    "angle from its position.",
    "np.arange(length)[:, None] / base**exponents",
    "np.cumsum(np.tile(np.float32(1 / base**exponents), (length, 1)), axis=0, dtype=np.float32)"
    " - np.float32(1 / base**exponents)",
)
_encoding(
    "an_earlier_table_whole",
    "You return a longer table from an earlier call: return as many rows as you're asked for.",
    "np.arange(length)",
    "np.arange(max(length, earlier))",
)
_encoding(
    "four_columns_at_a_time",
    "If depth isn't a multiple of 4, the last two columns are never filled: fill two at a time.",
    "shown(encoding,",
    "shown(encoding * (column < depth - depth % 4),",
)
# Python's own floats aren't infinite then: they fail.
_FAILING = "(base if depth < 80 else np.zeros(0).reshape(1))"
_TOO_LARGE = (
    "In wide vectors, your powers of 10000 are too large for a float: calculate the whole exponent "
    "first, which is below 1."
)
for _name, _hint, _power in (
    ("powers_overflow", _TOO_LARGE, "** (column - column % 2)) ** (1 / depth)"),
    ("power_divided_by_depth_overflows", _NO_BRACKETS, "** (column - column % 2)) / depth"),
    ("angles_divided_by_depth_overflow", _NO_BRACKETS, "** (column - column % 2)) * depth"),
):
    _whole = f"(({_FAILING} {_power})"
    _encoding(_name, _hint, "base**exponents", _whole, failure="OverflowError")
_encoding(
    "cosine_without_its_sign",
    "You computed the cosine from the square of the sine, which loses its sign: take the cosine of "
    "the angle.",
    "np.cos(angles)",
    "np.sqrt(1 - np.sin(angles) ** 2)",
)


def _same(one: Case, two: Case, size: str) -> bool:
    return one.inputs[size] == two.inputs[size]


INPUT_CLASSES = {
    "one position": lambda cases: any(case.inputs["length"] == 1 for case in cases),
    "two features": lambda cases: any(case.inputs["depth"] == 2 for case in cases),
    "more positions than features": lambda cases: any(
        case.inputs["length"] > case.inputs["depth"] > 2 for case in cases
    ),
    "as many positions as pairs of features": lambda cases: any(
        2 < 2 * case.inputs["length"] == case.inputs["depth"] for case in cases
    ),
    "more positions than a table that is made once": lambda cases: any(
        case.inputs["length"] > MANY for case in cases
    ),
    "many positions, and angles that aren't whole numbers": lambda cases: any(
        case.inputs["length"] > MANY and case.inputs["depth"] > 2 for case in cases
    ),
    "powers of 10000 that float64 can't hold": lambda cases: any(
        case.inputs["depth"] > np.log10(np.finfo(float).max) / 4 + 2 for case in cases
    ),
    "features that are a multiple of 4, and others": lambda cases: (
        len({case.inputs["depth"] % 4 for case in cases if case.inputs["depth"] > 2}) == 2
    ),
    "the same depth again, with fewer positions": lambda cases: any(
        _same(one, two, "depth") and one.inputs["length"] > two.inputs["length"]
        for one, two in pairwise(cases)
    ),
    "the same number of positions with a different depth": lambda cases: any(
        _same(one, two, "length") and not _same(one, two, "depth")
        for one, two in combinations(cases, 2)
    ),
    "several frequencies, above and below the logarithm of 10000": lambda cases: (
        any(2 < case.inputs["depth"] < np.log(10000) for case in cases)
        and any(case.inputs["depth"] > np.log(10000) for case in cases)
    ),
}
