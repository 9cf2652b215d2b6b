"""More mistakes in the weighted F1, with labels of any kind: by name what each costs, its hint, and
the edits of the solution."""

from __future__ import annotations

from autograder.judging.keys import SLIP

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
