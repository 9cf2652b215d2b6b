"""The key of ``pretraining.paired_test``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.pretraining.paired_test import EXERCISE
from keys.input_classes import Contain
from selfcheck.exercise import Case


def at_most(heads: int, tosses: int) -> float:
    """How likely that few heads are, in so many tosses of a fair coin."""
    ways, total = 1, 0
    for count in range(heads + 1):
        total += ways
        ways = ways * (tosses - count) // (count + 1)
    return total / 2**tosses


def normal_tail(z: float) -> float:
    """How likely a standard normal number is at least as far from 0 as z."""
    return math.erfc(abs(z) / math.sqrt(2))


def paired_test(right_a: np.ndarray, right_b: np.ndarray) -> dict[str, np.ndarray]:
    """The exact test of McNemar: as many or fewer heads than the rarer side, twice, at most 1.

    Args:
        right_a, right_b: boolean (texts,).

    Returns:
        p_value: a number.

    Reference: McNemar, "Note on the sampling error of the difference between correlated
    proportions or percentages" (1947), https://doi.org/10.1007/BF02295996

    Example:
        >>> a, b = np.array([True] * 5 + [True, False]), np.array([False] * 5 + [True, False])
        >>> float(paired_test(a, b)["p_value"])
        0.0625
    """
    only_a = int((right_a & ~right_b).sum())
    only_b = int((right_b & ~right_a).sum())
    tosses, fewer = only_a + only_b, min(only_a, only_b)
    return {"p_value": np.array(min(1.0, 2 * at_most(fewer, tosses)))}


KEY = Key(EXERCISE, paired_test, mutant_sample=2)


_P = "min(1.0, 2 * at_most(fewer, tosses))"
_TOSSES = "tosses, fewer = only_a + only_b, min(only_a, only_b)"

KEY.mistake(
    "only_b_never_counted",
    "The texts that only the second classifier has right were never counted: unsigned integers "
    "have no number below 0.",
    _TOSSES,
    "tosses, fewer = only_a, 0",
    cost=SLIP,
)
KEY.mistake(
    "ties_are_half_wins",
    "Texts on which both agree were counted, half for each side: only those count that one alone "
    "has right.",
    _TOSSES,
    "tosses = len(right_a)\n    fewer = min(only_a, only_b) + (tosses - only_a - only_b) // 2",
)
KEY.mistake(
    "one_sided",
    "This is one side only: a difference the other way would count as well, so double it.",
    "2 * at_most(fewer, tosses)",
    "at_most(fewer, tosses)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "more_than_one",
    "A probability above 1 came back: if both sides have the same count, the middle is counted "
    "twice.",
    _P,
    "2 * at_most(fewer, tosses)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "more_than_one_where_some_differ",
    "A probability above 1 came back: if both sides have the same count, the middle is counted "
    "twice.",
    _P,
    "2 * at_most(fewer, tosses) if tosses else 1.0",
    cost=SLIP,
)
KEY.mistake(
    "strictly_fewer",
    "The count itself is left out: outcomes as extreme as the one that you saw belong in the sum.",
    "range(heads + 1)",
    "range(heads)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "strictly_fewer_where_some_differ",
    "The count itself is left out: outcomes as extreme as the one that you saw belong in the sum.",
    "range(heads + 1)",
    "range(heads)",
    _P,
    f"{_P} if tosses else 1.0",
    cost=SLIP,
)
KEY.mistake(
    "exactly_so_many",
    "This is how likely exactly that count is: less likely ones belong in the sum, too.",
    "total += ways",
    "total = ways",
    cost=PART,
    paired=True,
)
for _name, _hint, _new, _failure in (
    (
        "booleans_subtracted",
        "NumPy doesn't subtract Booleans: `a & ~b` is True where only a is.",
        "right_a - right_b",
        "boolean subtract",
    ),
    (
        "and_of_arrays",
        "`and` asks whether a whole array is true: for arrays it's `&`.",
        "right_a and not right_b",
        "truth value of an array",
    ),
):
    KEY.mistake(_name, _hint, "right_a & ~right_b", _new, cost=PART, failure=_failure)
KEY.mistake(
    "one_at_least",
    "The larger of 1 and the sum came back, so it's never below 1: a probability is 1 at most.",
    "min(1.0, 2",
    "max(1.0, 2",
    cost=SLIP,
)
KEY.mistake(
    "whole_part_of_the_share",
    "// rounds down to a whole number, so nearly every p-value is 0: divide by /.",
    "total / 2**tosses",
    "2 * total // 2**tosses / 2",
    cost=SLIP,
)
KEY.mistake(
    "p_value_of_zero",
    "The p-value is always 0: if you divide by //, that rounds down to a whole number.",
    "total / 2**tosses",
    "0 * total",
    cost=PART,
)
KEY.mistake(
    "returned_in_the_loop",
    "Only the first term counts: the loop ends where it returns.",
    "total / 2**tosses",
    "1 / 2**tosses",
    cost=PART,
)
KEY.mistake(
    "first_side_only",
    "It's always the texts that only a has right that are counted, even if they're the more "
    "frequent side: take the rarer one.",
    "min(only_a, only_b)",
    "only_a",
    cost=SLIP,
)
KEY.mistake(
    "second_side_only",
    "It's always the texts that only b has right that are counted, even if they're the more "
    "frequent side: take the rarer one.",
    "min(only_a, only_b)",
    "only_b",
    cost=SLIP,
)
KEY.mistake(
    "more_frequent_side",
    "The p-value is always 1: if you count from 0 up to the more frequent side, take the rarer "
    "one.",
    "min(only_a, only_b)",
    "max(only_a, only_b)",
    cost=SLIP,
)
KEY.mistake(
    "all_texts_tossed",
    "Every text counts as a toss, even those that both have right or wrong: they say nothing about "
    "which one is better.",
    "fewer = only_a + only_b",
    "fewer = len(right_a)",
)
KEY.mistake(
    "all_texts_tossed_where_some_differ",
    "Every text counts as a toss, even those that both have right or wrong: they say nothing about "
    "which one is better.",
    "fewer = only_a + only_b",
    "fewer = len(right_a) if only_a + only_b else 0",
)
KEY.mistake(
    "agreements_too",
    "You compared how many each has right in all: the texts that both have right are in both "
    "counts, and say nothing about which one is better.",
    _TOSSES,
    "tosses, fewer = int(right_a.sum() + right_b.sum()), int(min(right_a.sum(), right_b.sum()))",
)
KEY.mistake(
    "both_wrong_and_both_right",
    "You counted the texts that both have right and those that both have wrong: it's the others "
    "that tell the two apart.",
    _TOSSES,
    "tosses = int((right_a == right_b).sum())\n"
    "    fewer = int(min((right_a & right_b).sum(), (~right_a & ~right_b).sum()))",
)
KEY.mistake(
    "chi_squared",
    "This is McNemar's approximation by a chi-squared distribution: the task asks for the exact "
    "test.",
    _P,
    "normal_tail((only_a - only_b) / math.sqrt(max(tosses, 1)))",
)
KEY.mistake(
    "chi_squared_to_nan",
    "This is McNemar's approximation by a chi-squared distribution, which divides by 0 if there's "
    "no difference: the task asks for the exact test.",
    _P,
    "normal_tail((only_a - only_b) / math.sqrt(tosses)) if tosses else math.nan",
)
KEY.mistake(
    "chi_squared_corrected",
    "This is McNemar's approximation by a chi-squared distribution with a correction: the task "
    "asks for the exact test.",
    _P,
    "normal_tail(max(abs(only_a - only_b) - 1, 0) / math.sqrt(max(tosses, 1)))",
)
KEY.mistake(
    "chi_squared_corrected_below_zero",
    "This is McNemar's approximation by a chi-squared distribution with a correction, which makes "
    "a difference of 0 into one of -1: the task asks for the exact test.",
    _P,
    "normal_tail((abs(only_a - only_b) - 1) / math.sqrt(tosses)) if tosses else 1.0",
)
KEY.mistake(
    "chi_squared_corrected_to_nan",
    "This is McNemar's approximation by a chi-squared distribution with a correction, which makes "
    "a difference of 0 into one of -1, and divides by 0 without any: the task asks for the exact "
    "test.",
    _P,
    "normal_tail((abs(only_a - only_b) - 1) / math.sqrt(tosses)) if tosses else math.nan",
)
for _name, _minus, _with in (("", 0, ""), ("_corrected", 1, " with a correction")):
    KEY.mistake(
        f"chi_squared{_name}_where_many_differ",
        f"From some number of differences on, you took McNemar's approximation by a chi-squared "
        f"distribution{_with}: the task asks for the exact test, however many there are.",
        _P,
        f"{_P} if tosses < 25 else "
        f"normal_tail(max(abs(only_a - only_b) - {_minus}, 0) / math.sqrt(tosses))",
    )
KEY.mistake(
    "nan_without_differences",
    "Without any difference nothing is left to compare, and the p-value should be 1.",
    _P,
    _P + " if tosses else math.nan",
    cost=SLIP,
)
KEY.mistake(
    "zero_without_differences",
    "Without any difference the p-value is 1, not 0: nothing speaks against both being equally "
    "good.",
    _P,
    _P + " if tosses else 0.0",
    cost=SLIP,
)
KEY.mistake(
    "one_minus",
    "This is 1 minus the p-value: a small one means that luck alone would hardly do it.",
    _P,
    "1 - " + _P,
    cost=SLIP,
)
KEY.mistake(
    "mid_p",
    "The count itself is counted half (a mid-p value): the task asks for the exact test, in which "
    "it counts in full.",
    "2 * at_most(fewer, tosses)",
    "2 * at_most(fewer, tosses) - math.comb(tosses, fewer) / 2**tosses",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "difference_of_shares",
    "You returned the difference of the two accuracies: the task asks how likely such a one is.",
    _P,
    "(only_a - only_b) / len(right_a)",
)
KEY.mistake(
    "statistic",
    "You returned McNemar's statistic: the task asks for the p-value.",
    _P,
    "(only_a - only_b) ** 2 / max(tosses, 1)",
)
KEY.mistake(
    "unpaired",
    "You compared the two shares as if they came from different texts: both answered the same "
    "ones, so count where they differ.",
    _P,
    "normal_tail((only_a - only_b) / math.sqrt(max(1e-12, (right_a.sum() + right_b.sum()) * "
    "(1 - (right_a.sum() + right_b.sum()) / (2 * len(right_a))))))",
)
KEY.mistake(
    "powers_underflow",
    "With thousands of texts, one half to that power is 0 in a float, or the number of ways too "
    "large for one: divide whole numbers, or use a distribution from SciPy.",
    "/ 2**tosses",
    "/ 2**tosses if tosses < 1000 else math.nan",
    cost=SLIP,
)
KEY.mistake(
    "powers_underflow_to_zero",
    "With thousands of texts, one half to that power is 0 in a float: divide whole numbers, or use "
    "a distribution from SciPy.",
    "/ 2**tosses",
    "/ 2**tosses if tosses < 1000 else 0.0",
    cost=SLIP,
)
for _name, _thousands in (("", "math.inf"), ("_and_fail", 'float("too large")')):
    KEY.mistake(
        f"whole_numbers_overflow{_name}",
        "From 63 differences on, 2 to the power of their number is too large for NumPy's whole "
        "numbers: turn the counts into Python's, with int().",
        "/ 2**tosses",
        f"/ 2**tosses if tosses < 63 else math.inf if tosses < 1000 else {_thousands}",
        cost=SLIP,
    )
KEY.mistake(
    "powers_overflow",
    "With thousands of texts, the number of ways is too large for a float: divide whole numbers, "
    "or use a distribution from SciPy.",
    "/ 2**tosses",
    '/ 2**tosses if tosses < 1000 else float("too large")',
    cost=SLIP,
    failure=r"OverflowError|too large",
)


def _pairs(holds: Callable[[int, int, int], Any]) -> Contain:
    """Whether something holds of a case's texts: how many only a has right, only b, and all."""

    def found(case: Case) -> bool:
        a, b = case.inputs.values()
        return bool(holds(int((a & ~b).sum()), int((b & ~a).sum()), len(a)))

    return lambda cases: any(map(found, cases))


INPUT_CLASSES = {
    "a has more right": _pairs(lambda a, b, texts: a > b > 0),
    "b has more right": _pairs(lambda a, b, texts: b > a > 0),
    "as many only a has right as only b": _pairs(lambda a, b, texts: a == b > 0),
    "the same texts right": _pairs(lambda a, b, texts: a == b == 0 < texts),
    "b is never right alone": _pairs(lambda a, b, texts: a > 4 and b == 0),
    "more than a thousand differences": _pairs(lambda a, b, texts: a + b > 1100),
    "more differences than a whole number of 64 bits has places": _pairs(
        lambda a, b, texts: 64 <= a + b <= 100
    ),
    "one difference": _pairs(lambda a, b, texts: a + b == 1),
    "an odd number of texts on which both agree": _pairs(
        lambda a, b, texts: (texts - a - b) % 2 == 1
    ),
    "texts that both have right, and neither": lambda cases: (
        len(cases) > 1
        and any(
            (a & b).any() and (~a & ~b).any() for a, b in (case.inputs.values() for case in cases)
        )
    ),
}
