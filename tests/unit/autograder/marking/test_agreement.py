"""Alpha equals published numbers, and its interval what another program draws."""

import numpy as np
import pytest

from autograder.marking.agreement import alpha_interval, krippendorff_alpha

# Four observers and twelve units, with gaps: Krippendorff, Computing Krippendorff's
# Alpha-Reliability (2011), section E, which gives 0.849 for interval data.
OBSERVERS = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""
UNITS = [
    [float(value) for value in unit if value != "."]
    for unit in zip(*map(str.split, OBSERVERS.strip().splitlines()), strict=True)
]


def test_it_equals_the_published_example_to_three_digits():
    assert round(krippendorff_alpha(UNITS), 3) == 0.849


def test_it_equals_the_definition_pair_by_pair():
    random = np.random.default_rng(3)
    units = [list(random.integers(0, 7, random.integers(1, 5)) / 2) for _ in range(40)]
    several = [unit for unit in units if len(unit) > 1]
    values = [value for unit in several for value in unit]

    def differences(some):
        return sum((one - two) ** 2 for one in some for two in some)

    observed = sum(differences(unit) / (len(unit) - 1) for unit in several) / len(values)
    expected = differences(values) / (len(values) * (len(values) - 1))
    assert krippendorff_alpha(units) == pytest.approx(1 - observed / expected)


@pytest.mark.parametrize("units", [[], [[1.0]], [[1.0, 1.0], [1.0, 1.0]]])
def test_where_nothing_can_show_it_there_is_none(units):
    assert krippendorff_alpha(units) is None
    assert alpha_interval(units) is None


def test_agreement_and_its_opposite_are_one_and_below_zero():
    assert krippendorff_alpha([[0, 0], [1, 1], [2, 2]]) == 1.0
    assert krippendorff_alpha([[0, 2], [2, 0], [0, 2]]) < 0
    assert alpha_interval([[0, 0], [1, 1], [2, 2]]) == (1.0, 1.0)


def test_the_interval_holds_alpha_and_shrinks_with_more_answers():
    low, high = alpha_interval(UNITS)
    assert low < 0.849 < high
    more_low, more_high = alpha_interval(UNITS * 10)
    assert low < more_low < 0.849 < more_high <= high
    assert (low, high) == alpha_interval(UNITS)
