"""The key of ``fastformer.weighted_f1``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.fastformer.weighted_f1 import EXERCISE
from keys.input_classes import Contain
from selfcheck.exercise import Case


def class_counts(y_true: np.ndarray, y_pred: np.ndarray) -> tuple[np.ndarray, ...]:
    """For each class that is true or predicted: how often both, true, predicted."""
    classes = np.union1d(y_true, y_pred)[:, None]
    is_true, is_predicted = y_true == classes, y_pred == classes
    return (is_true & is_predicted).sum(axis=1), is_true.sum(axis=1), is_predicted.sum(axis=1)


def weighted_f1(y_true: np.ndarray, y_pred: np.ndarray) -> dict[str, np.ndarray]:
    """Σ_c n_c/n · F1_c, with F1_c = 2 hits / (true + predicted) and n_c true samples of class c.

    Args:
        y_true, y_pred: classes, integers (samples,).

    Returns:
        score: a number.

    Reference: Van Rijsbergen, "Information Retrieval" (1979), chapter 7, for one class.

    Example:
        >>> score = weighted_f1(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]))["score"]
        >>> round(float(score), 6)
        0.766667
    """
    hits, true, predicted = class_counts(y_true, y_pred)
    f1 = 2 * hits / (true + predicted)
    return {"score": np.array(np.average(f1, weights=true))}


KEY = Key(EXERCISE, weighted_f1, mutant_sample=2)


_PRECISION, _RECALL = "hits / np.maximum(predicted, 1)", "hits / np.maximum(true, 1)"
# The harmonic mean of precision and recall, where 0 divided by 0 is not caught.
_HARMONIC = "2 * (hits / predicted) * (hits / true) / (hits / predicted + hits / true)"

KEY.mistake(
    "classes_without_a_hit_left_out",
    "A class without a hit was left out together with its weight: it counts, with an F1 of 0.",
    "np.average(f1, weights=true)",
    "np.average(f1[hits > 0], weights=true[hits > 0])",
    cost=SLIP,
)
KEY.mistake(
    "macro",
    "Every class counts equally: rare classes should count less.",
    ", weights=true",
    "",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "whole_scores",
    "Every F1 below 1 became 0: an array of whole numbers has no place for a fraction.",
    "2 * hits / (true + predicted)",
    "2 * hits // (true + predicted)",
    cost=SLIP,
)
KEY.mistake(
    "accuracy",
    "This is the accuracy, which equals the weighted mean of the recalls, and the F1 of all "
    "classes together: average each class's F1.",
    "np.average(f1, weights=true)",
    "(y_true == y_pred).mean()",
)
KEY.mistake(
    "precision_only",
    "Only the precision is averaged: F1 needs the recall as well.",
    "2 * hits / (true + predicted)",
    _PRECISION,
    cost=PART,
)
KEY.mistake(
    "weighted_by_predictions",
    "The weights are how often a class was predicted, or the arguments are swapped: what "
    "counts is how often a class is true.",
    "weights=true",
    "weights=predicted",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "weighted_by_hits",
    "The scores are weighted by the hits: all true samples of a class should count.",
    "weights=true",
    "weights=hits",
    cost=SLIP,
)
KEY.mistake(
    "f1_of_averages",
    "Precision and recall were averaged over the classes first: compute each class's F1 before "
    "averaging.",
    "f1 = 2 * hits / (true + predicted)",
    f"p, r = (np.average(x, weights=true) for x in ({_PRECISION}, {_RECALL}))",
    "np.average(f1, weights=true)",
    "2 * p * r / (p + r)",
    paired=True,
)
KEY.mistake(
    "arithmetic_mean",
    "You took the ordinary mean of precision and recall: F1 is their harmonic mean.",
    "2 * hits / (true + predicted)",
    f"({_PRECISION} + {_RECALL}) / 2",
)
KEY.mistake(
    "factor_missing",
    "This is half of F1: the harmonic mean of two numbers has a factor.",
    "2 * hits",
    "hits",
    cost=SLIP,
)
KEY.mistake(
    "jaccard",
    "The hits were divided by hits, misses and false alarms together: F1 counts the hits twice.",
    "2 * hits / (true + predicted)",
    "hits / (true + predicted - hits)",
)
KEY.mistake(
    "hits_once_in_the_denominator",
    "The denominator counts the hits once: it's 2 TP + FP + FN.",
    "(true + predicted)",
    "(true + predicted - hits)",
    cost=SLIP,
)
KEY.mistake(
    "brackets_missing",
    "Only one of the two numbers divides the hits: the sum of both needs brackets.",
    "np.union1d(y_true, y_pred)",
    "np.unique(y_true)",
    "(true + predicted)",
    "true + predicted",
    cost=SLIP,
)
KEY.mistake(
    "returned_in_the_loop",
    "Only the first class counts: the loop ends where it returns.",
    "np.average(f1, weights=true)",
    "(f1 * true)[true > 0][0] / len(y_true)",
    cost=PART,
)
KEY.mistake(
    "unpredicted_score_one",
    "A class that's never predicted got the score 1: it has none of its texts right, so it's 0.",
    "2 * hits / (true + predicted)",
    "np.where(predicted, 2 * hits / (true + predicted), 1)",
    cost=SLIP,
)
KEY.mistake(
    "sum_over_classes",
    "The classes' scores were added up: the weights must sum to 1.",
    "np.average(f1, weights=true)",
    "f1.sum()",
    cost=SLIP,
)
KEY.mistake(
    "not_divided",
    "The weighted scores weren't divided by the number of samples.",
    "np.average(f1, weights=true)",
    "(f1 * true).sum()",
    cost=SLIP,
)
KEY.mistake(
    "divided_by_classes",
    "The weighted scores were divided by the number of classes: the weights must sum to 1.",
    "np.average(f1, weights=true)",
    "(f1 * true).sum() / (true > 0).sum()",
    cost=SLIP,
)
KEY.mistake(
    "macro_recall",
    "Only the recall is averaged, and every class counts equally.",
    "np.average(f1, weights=true)",
    "(hits[true > 0] / true[true > 0]).mean()",
)
KEY.mistake(
    "per_cent",
    "The score is a percentage: F1 is between 0 and 1.",
    "np.average(f1, weights=true)",
    "100 * np.average(f1, weights=true)",
    cost=SLIP,
)
KEY.mistake(
    "nan_for_a_class_never_predicted",
    "A class that is never predicted gives 0 divided by 0: its precision must handle that case.",
    "np.union1d(y_true, y_pred)",
    "np.unique(y_true)",
    "2 * hits / (true + predicted)",
    _HARMONIC,
    cost=SLIP,
)
KEY.mistake(
    "nan_for_absent_classes",
    "Classes that are never predicted or never true give 0 divided by 0: you have to handle "
    "that case.",
    "np.union1d(y_true, y_pred)",
    "np.arange(max(y_true.max(), y_pred.max()) + 1)",
    "2 * hits / (true + predicted)",
    _HARMONIC,
    cost=SLIP,
)
KEY.mistake(
    "nan_for_absent_classes_of_a_table",
    "Classes that are never predicted or never true give 0 divided by 0: you have to handle "
    "that case. Your table has no place for negative labels, either.",
    "np.union1d(y_true, y_pred)",
    "np.arange(np.bincount(np.append(y_true, y_pred)).size)",
    "2 * hits / (true + predicted)",
    _HARMONIC,
    cost=SLIP,
)
KEY.mistake(
    "nan_for_missing_numbers",
    "Your classes are 0, 1, 2 and so on, whether they occur or not: where they don't, 0 is divided "
    "by 0, and the score is NaN. Get the classes from the labels themselves.",
    "np.union1d(y_true, y_pred)",
    "np.arange(max(y_true.max(), y_pred.max()) + 1)",
    cost=SLIP,
)
KEY.mistake(
    "unpredicted_left_out",
    "Classes that are never predicted were left out: they have the score 0 and keep their weight.",
    "weights=true",
    "weights=true * (predicted > 0)",
    cost=SLIP,
)
KEY.mistake(
    "classes_counted_from_zero",
    "You assumed that the classes are 0, 1, 2 and so on: they may have any numbers, and some "
    "may be missing.",
    "np.union1d(y_true, y_pred)",
    "np.arange(len(np.union1d(y_true, y_pred)))",
    "(true + predicted)",
    "np.maximum(true + predicted, 1)",
    "np.average(f1, weights=true)",
    "(f1 * true).sum() / len(y_true)",
    cost=SLIP,
)
KEY.mistake(
    "most_frequent_class",
    "Only the most frequent class is scored: average over all classes.",
    "np.average(f1, weights=true)",
    "f1[true.argmax()]",
)
KEY.mistake(
    "a_score_for_each_class",
    "There is one score per class: these still have to be averaged.",
    "np.average(f1, weights=true)",
    "f1",
    cost=PART,
)
KEY.mistake(
    "nan_for_a_class_never_right",
    "A class that is predicted but never right has a precision and a recall of 0, and their "
    "harmonic mean is 0 divided by 0: you have to handle that case.",
    "2 * hits / (true + predicted)",
    f"2 * ({_PRECISION}) * ({_RECALL}) / np.where(predicted * true, {_PRECISION} + {_RECALL}, 1)",
    cost=SLIP,
)
KEY.mistake(
    "geometric_mean",
    "You took the geometric mean of precision and recall, the root of their product: F1 is their "
    "harmonic mean.",
    "2 * hits / (true + predicted)",
    f"np.sqrt({_PRECISION} * ({_RECALL}))",
)
KEY.mistake(
    "weighted_inversely",
    "Rare classes count more than frequent ones here: a class's weight should grow with its true "
    "samples.",
    "weights=true",
    "weights=np.where(true, 1 / np.maximum(true, 1), 0.0)",
    cost=SLIP,
)
KEY.mistake(
    "nan_for_the_precision_of_a_class_never_predicted",
    "The precision of a class that is never predicted is 0 divided by 0: you only handled the case "
    "of a class that is predicted and never right.",
    "np.union1d(y_true, y_pred)",
    "np.unique(y_true)",
    "2 * hits / (true + predicted)",
    f"np.where((hits == 0) & (predicted > 0), 0.0, {_HARMONIC})",
    cost=SLIP,
)
KEY.mistake(
    "largest_label_left_out",
    "The largest label is missing from the sum: a range doesn't contain its end.",
    "np.average(f1, weights=true)",
    "(f1 * true)[np.isin(np.union1d(y_true, y_pred), np.arange(y_true.max()))].sum() / len(y_true)",
    cost=SLIP,
)
KEY.mistake(
    "sizes_in_order_of_appearance",
    "The scores are in the order of the labels, but the weights in that of their first appearance: "
    "each score needs the size of its own class.",
    "np.average(f1, weights=true)",
    "np.average(f1[true > 0], weights=[(y_true == c).sum() for c in dict.fromkeys(y_true)])",
    cost=SLIP,
)


_AS_MANY = (
    "You numbered the classes 0, 1, 2 and so on, as many as are true: they may have any numbers, "
    "and some may be missing."
)


@KEY.add(_AS_MANY, cost=SLIP)
def as_many_classes_as_are_true(y_true, y_pred):
    sizes = np.unique(y_true, return_counts=True)[1]
    true = np.array([(y_true == c).sum() for c in range(len(sizes))])
    return _of_first_classes(y_true, y_pred, true, sizes)


@KEY.add(_AS_MANY, cost=SLIP)
def as_many_classes_with_their_sizes(y_true, y_pred):
    sizes = np.unique(y_true, return_counts=True)[1]
    return _of_first_classes(y_true, y_pred, sizes, sizes)


def _of_first_classes(y_true, y_pred, true, sizes):
    hits = np.array([((y_true == c) & (y_pred == c)).sum() for c in range(len(sizes))])
    predicted = np.array([(y_pred == c).sum() for c in range(len(sizes))])
    score = np.average(2 * hits / np.maximum(true + predicted, 1), weights=sizes)
    return {"score": np.array(score)}


KEY.mistake(
    "the_first_classes_only",
    _AS_MANY,
    "np.union1d(y_true, y_pred)",
    "np.arange(len(np.unique(y_true)))",
    "(true + predicted)",
    "np.maximum(true + predicted, 1)",
    "np.average(f1, weights=true)",
    "(f1 * true).sum() / len(y_true)",
    cost=SLIP,
)
KEY.mistake(
    "macro_of_true_classes",
    "Every class that is true counts equally: rare classes should count less.",
    "np.average(f1, weights=true)",
    "f1[true > 0].mean()",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "accuracy_of_each_class",
    "You averaged the accuracy with which each class is told from all others: this counts correct "
    "rejections, which F1 leaves out.",
    "2 * hits / (true + predicted)",
    "(len(y_true) - true - predicted + 2 * hits) / len(y_true)",
)
for _places in (2, 3):
    KEY.mistake(
        f"rounded_to_{_places}_places",
        "The score was rounded: return it as it is.",
        "np.average(f1, weights=true)",
        f"np.average(f1, weights=true).round({_places})",
        cost=SLIP,
    )
KEY.mistake(
    "average_not_named",
    "scikit-learn expects two classes unless you say otherwise: tell it how to average over more.",
    "np.average(f1, weights=true)",
    'float("multiclass")',
    cost=SLIP,
    failure=r"multiclass",
)
_CLASSES, _COUNTED = "np.union1d(y_true, y_pred)", "class_counts(y_true, y_pred)"
_BOTH, _AVERAGE = "(true + predicted)", "np.average(f1, weights=true)"

_FROM_ZERO = (
    _CLASSES,
    "np.arange(max(y_true.max(), y_pred.max()) + 1)",
    _BOTH,
    "np.maximum(true + predicted, 1)",
)
_LIMITED = (_CLASSES, "np.arange(38)", _BOTH, "np.maximum(true + predicted, 1)")
_BY_NUMBER = (_AVERAGE, "(f1 * true).sum() / len(y_true)")

_NEGATIVE = (
    "You go through the labels from 0 to the largest, so negative ones are left out: get the "
    "classes from the labels themselves."
)
_UP_TO = (
    "You count labels from 0 up to a fixed limit, such as the number of this lesson's categories: "
    "they may be larger, or negative. Get the classes from the labels themselves."
)

_ONCE = (
    "Each pair of a true and a predicted label was counted once, however often it comes: adding to "
    "an array at places that repeat adds once. Count in a loop, or class by class."
)
_PAIRS = "class_counts(*np.unique(np.array([y_true, y_pred]), axis=1))"

LABELS = {
    "pairs_counted_once": (SLIP, _ONCE, _COUNTED, _PAIRS),
    "pairs_counted_once_with_the_right_weights": (
        SLIP,
        _ONCE,
        _COUNTED,
        _PAIRS,
        _AVERAGE,
        "np.average(f1, weights=class_counts(y_true, y_pred)[1])",
    ),
    "texts_of_unknown_classes_left_out": (
        SLIP,
        "Texts whose predicted class is never true were left out: each of them counts in the "
        "weight of its true class, which it misses.",
        _COUNTED,
        "class_counts(*np.array([y_true, y_pred])[:, np.isin(y_pred, y_true)])",
    ),
    "negative_left_out": (SLIP, _NEGATIVE, *_FROM_ZERO, *_BY_NUMBER),
    "negative_left_out_with_their_weight": (SLIP, _NEGATIVE, *_FROM_ZERO),
    "labels_up_to_a_limit": (SLIP, _UP_TO, *_LIMITED, *_BY_NUMBER),
    "labels_up_to_a_limit_with_their_weight": (SLIP, _UP_TO, *_LIMITED),
    "negative_counted_from_the_end": (
        SLIP,
        "You use labels as places in an array, where a negative one counts from the end: it's "
        "mixed up with another class.",
        _COUNTED,
        "(lambda n: class_counts(y_true % n, y_pred % n))(max(y_true.max(), y_pred.max()) + 1)",
    ),
    "labels_in_a_byte": (
        SLIP,
        "The labels were turned into a type of 8 bits, in which large ones begin again: two "
        "classes become one.",
        _COUNTED,
        "class_counts(y_true.astype(np.int8), y_pred.astype(np.int8))",
    ),
    "each_shifted_by_its_own_smallest": (
        SLIP,
        "You shifted the true and the predicted labels by different amounts, each by its own "
        "smallest label, so labels that were equal now differ.",
        _COUNTED,
        "class_counts(y_true - y_true.min(), y_pred - y_pred.min())",
    ),
    "next_larger_class": (
        SLIP,
        "A predicted label that's never true got the number of the next larger class, as if that "
        "class had been predicted.",
        _COUNTED,
        "class_counts(y_true, np.append(np.unique(y_true), y_pred.max() + 1)["
        "np.searchsorted(np.unique(y_true), y_pred)])",
    ),
}

COUNTS = {
    "stopped_at_a_class_never_predicted": (
        SLIP,
        "Your loop ends at the first class that's never predicted: its score is 0, but the classes "
        "after it still count.",
        _AVERAGE,
        "(f1 * true)[np.cumprod(predicted) > 0].sum() / len(y_true)",
    ),
    "weight_of_at_least_one": (
        SLIP,
        "A class that's never true got a weight, as if one text were in it.",
        "weights=true",
        "weights=np.maximum(true, 1)",
    ),
    "counts_in_the_labels_type": (
        SLIP,
        "The counts have the labels' type, which may be too small for them: there can be more "
        "texts in a class than it holds.",
        _COUNTED,
        "(n.astype(y_true.dtype).astype(float) for n in class_counts(y_true, y_pred))",
        _BOTH,
        "np.maximum(true + predicted, 1)",
        *_BY_NUMBER,
    ),
    "hits_in_a_byte": (
        SLIP,
        "Hits are counted in 8 bits, which begin again at 0 after 255: a class may have more.",
        "f1 = 2 * hits",
        "f1 = 2 * (hits % 256)",
    ),
    "counts_paired_by_position": (
        SLIP,
        "True and predicted counts were paired by position: a class may be missing in one of the "
        "arrays, and then those behind it get another class's count.",
        _CLASSES,
        "np.unique(y_true)",
        "f1 = 2 * hits / (true + predicted)",
        "n = np.unique(y_pred, return_counts=True)[1][: len(true)]\n"
        "    f1 = np.append(2 * hits[: len(n)] / (true[: len(n)] + n), 0 * true[len(n) :])",
    ),
    "predictions_in_the_next_row": (
        SLIP,
        "Your table of counts has no column for predictions above the largest true label, so they "
        "land in another class's row: make it large enough for both arrays.",
        "hits, true, predicted = class_counts(y_true, y_pred)",
        "n = int(y_true.max()) + 1\n"
        "    table = np.bincount(y_true * n + y_pred, minlength=n * n)[: n * n].reshape(n, n)\n"
        "    hits, true, predicted = np.diag(table), np.bincount(y_true), table.sum(axis=0)",
        _BOTH,
        "np.maximum(table.sum(axis=1) + predicted, 1)",
    ),
}

for _name, (_cost, _hint, *_changes) in {**LABELS, **COUNTS}.items():
    KEY.mistake(_name, _hint, *_changes, cost=_cost)


@KEY.add(LABELS["negative_counted_from_the_end"][1], cost=SLIP)
def negative_counted_from_the_end_in_tables(y_true, y_pred):
    places = max(y_true.max(), y_pred.max()) + 1
    hits, predicted, true = np.zeros((3, places))
    np.add.at(hits, y_true[y_true == y_pred], 1)
    np.add.at(predicted, y_pred, 1)
    np.add.at(true, y_true, 1)
    score = np.average(2 * hits / np.maximum(predicted + true, 1), weights=true)
    return {"score": np.array(score)}


_TOO_SMALL = (
    "which may be too small for the difference: int8 ends at 127. Turn the labels into int first."
)


@KEY.add(f"You subtracted the smallest label in the labels' own type, {_TOO_SMALL}", cost=SLIP)
def shifted_in_their_type(y_true, y_pred):
    smallest = min(y_true.min(), y_pred.min())
    np.bincount(np.append(y_true - smallest, y_pred - smallest))  # fails for negative ones
    return weighted_f1(y_true, y_pred)


@KEY.add(
    "You shifted the true and the predicted labels by different amounts, each by its own smallest "
    f"label, so labels that were equal now differ. And you did it in their own type, {_TOO_SMALL}",
    cost=SLIP,
)
def each_shifted_in_their_type(y_true, y_pred):
    y_true, y_pred = y_true - y_true.min(), y_pred - y_pred.min()
    np.bincount(y_true)  # fails for negative ones
    return weighted_f1(y_true, y_pred)


# Beside the most frequent mistakes.
KEY.mistake(
    "no_place_for_negative_labels",
    "Your table of counts has no place for negative labels: first give each class that occurs a "
    "number of its own.",
    "np.union1d(y_true, y_pred)",
    "np.flatnonzero(np.bincount(np.append(y_true, y_pred)))",
    cost=SLIP,
    paired=True,
)


def _classes(
    holds: Callable[[set[int], set[int], np.ndarray, np.ndarray], Any],
) -> Contain:
    """Whether something holds of a case's classes, true and predicted ones, and of its labels."""

    def some(cases: Sequence[Case]) -> bool:
        pairs = [(case.inputs["y_true"], case.inputs["y_pred"]) for case in cases]
        return any(
            bool(holds(set(true.tolist()), set(guess.tolist()), true, guess))
            for true, guess in pairs
        )

    return some


def _without_hits(true: np.ndarray, guess: np.ndarray) -> set[int]:
    """Classes that are true, and predicted, and never both at once."""
    return (set(true.tolist()) & set(guess.tolist())) - set(true[true == guess].tolist())


def _first_ones(labels: np.ndarray) -> list[int]:
    """Each label once, in the order of their first appearance."""
    return list(dict.fromkeys(labels.tolist()))


INPUT_CLASSES = {
    "all right": _classes(lambda known, named, true, guess: (true == guess).all()),
    "all right, with shares that have no rounding errors": _classes(
        lambda known, named, true, guess: (true == guess).all() and len(true) == 256
    ),
    "classes that first appear in another order": _classes(
        lambda known, named, true, guess: len(known) == 5 and _first_ones(true) != sorted(known)
    ),
    "classes of different sizes": lambda cases: (
        len(cases) > 1
        and _classes(
            lambda known, named, true, guess: (
                len(set(np.unique(true, return_counts=True)[1])) == len(known)
            )
        )(cases)
    ),
    "a class with more hits than a byte counts": _classes(
        lambda known, named, true, guess: (
            np.unique(true[true == guess], return_counts=True)[1].max(initial=0) > 255
        )
    ),
    "a class that is never predicted": _classes(lambda known, named, true, guess: known - named),
    "the largest label is never predicted": _classes(
        lambda known, named, true, guess: max(known) > max(named)
    ),
    "a class that is never true": _classes(lambda known, named, true, guess: named - known),
    "the largest label is never true": _classes(
        lambda known, named, true, guess: max(named) > max(known)
    ),
    "labels missing below the largest true one": _classes(
        lambda known, named, true, guess: len(known) <= max(known)
    ),
    "a class that is true and predicted and never right": _classes(
        lambda known, named, true, guess: _without_hits(true, guess)
    ),
    "labels that aren't counted from 0": _classes(
        lambda known, named, true, guess: not (known | named) & {*range(len(known))}
    ),
    "the smallest label is never predicted": _classes(
        lambda known, named, true, guess: min(known) < min(named)
    ),
    "the smallest label is never true": _classes(
        lambda known, named, true, guess: min(named) < min(known)
    ),
    "negative labels": _classes(lambda known, named, true, guess: min(known) < 0),
    "labels above 1,000": _classes(lambda known, named, true, guess: max(known) > 1000),
    "two labels that are the same in a byte": _classes(
        lambda known, named, true, guess: len({label % 256 for label in known}) < len(known)
    ),
    "labels whose products their type can't hold": _classes(
        lambda known, named, true, guess: max(known) ** 2 > np.iinfo(true.dtype).max
    ),
    "the smallest label is taken for the largest": _classes(
        lambda known, named, true, guess: ((true == min(known)) & (guess == max(known))).any()
    ),
    "labels whose differences their type can't hold": _classes(
        lambda known, named, true, guess: max(known) - min(known) > np.iinfo(true.dtype).max
    ),
    "more texts of a class than the labels' type can count": _classes(
        lambda known, named, true, guess: (
            np.unique(true, return_counts=True)[1].max() > np.iinfo(true.dtype).max
        )
    ),
}
