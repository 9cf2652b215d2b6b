"""Errors that are drawn to be read: the short ones, of both classes."""

import numpy as np

from course.experiments import error_analysis

LABELS = np.arange(64) % 2
TEXTS = ["word " * (number + 1) for number in range(64)]


def test_errors_are_those_predicted_wrongly_and_the_short_ones_their_shortest_quarter():
    predicted = LABELS.copy()
    wrong = [3, 8, 20, 21, 40, 41, 42, 50]
    predicted[wrong] = 1 - predicted[wrong]
    found = error_analysis.errors(predicted, LABELS, TEXTS[::-1], each=1)
    np.testing.assert_array_equal(found.all, wrong)
    np.testing.assert_array_equal(found.short, [50, 42])
    assert sorted(found.drawn) == [42, 50]


def test_as_many_are_drawn_of_each_class():
    found = error_analysis.errors(1 - LABELS, LABELS, TEXTS, each=4)
    assert len(found.short) == 16
    assert len(set(found.drawn)) == 8
    assert set(found.drawn) <= set(found.short)
    assert LABELS[found.drawn].sum() == 4
    again = error_analysis.errors(1 - LABELS, LABELS, TEXTS, each=4)
    np.testing.assert_array_equal(found.drawn, again.drawn)
    other = error_analysis.errors(1 - LABELS, LABELS, TEXTS, each=4, seed=1)
    assert set(found.drawn) != set(other.drawn)


def test_where_a_class_has_too_few_errors_the_other_fills_up():
    labels = np.zeros(64, int)
    labels[5] = 1
    found = error_analysis.errors(1 - labels, labels, TEXTS, each=4)
    assert len(set(found.drawn)) == 8
    assert labels[found.drawn].sum() == 1


def test_few_errors_or_none_are_all_there_is():
    assert len(error_analysis.errors(LABELS, LABELS, TEXTS, each=4).drawn) == 0
    predicted = LABELS.copy()
    predicted[7] = 0
    found = error_analysis.errors(predicted, LABELS, [text.encode() for text in TEXTS], each=4)
    assert found.drawn.tolist() == [7]
