"""The key of ``preprocessing.label_encode``."""

from __future__ import annotations

from collections import Counter  # noqa: F401 - a mistake uses it

import numpy as np

from autograder.judging.keys import Key
from course.exercises.preprocessing.label_encode import EXERCISE
from keys.preprocessing.one_hot import one_hot  # noqa: F401 - a mistake uses it


def label_encode(labels: list[str]) -> dict[str, np.ndarray]:
    """Each label's place in the alphabetical order of the classes.

    Returns:
        numbers: (labels,).

    Example:
        >>> label_encode(["sport", "arts", "sport"])["numbers"].tolist()
        [1.0, 0.0, 1.0]
    """
    classes = sorted(set(labels))
    numbers = np.array([classes.index(label) for label in labels], np.float64)
    return {"numbers": numbers}


KEY = Key(EXERCISE, label_encode)

KEY.mistake(
    "in_order_of_appearance",
    "You numbered the classes as they appear: alphabetical order decides, not the order of the "
    "data.",
    "sorted(set(labels))",
    "list(dict.fromkeys(labels))",
)
KEY.mistake(
    "from_one",
    "The numbers start at 1: the first class is number 0.",
    '{"numbers": numbers}',
    '{"numbers": numbers + 1}',
)
KEY.mistake(
    "backwards",
    "The alphabetical order is reversed: its first class is number 0.",
    "sorted(set(labels))",
    "sorted(set(labels), reverse=True)",
)
KEY.mistake(
    "by_frequency",
    "You numbered the classes by frequency: use alphabetical order.",
    "sorted(set(labels))",
    "[label for label, _ in Counter(labels).most_common()]",
)
KEY.mistake(
    "each_its_own",
    "You gave every label its own number: equal labels are one class and share a number.",
    "np.array([classes.index(label) for label in labels], np.float64)",
    'np.argsort(np.argsort(labels, kind="stable")).astype(np.float64)',
    alone=True,
)
KEY.mistake(
    "places_in_the_list",
    "You numbered the labels by their position in the list, not by class.",
    "np.array([classes.index(label) for label in labels], np.float64)",
    "np.arange(len(labels), dtype=np.float64)",
    alone=True,
)
KEY.mistake(
    "one_hot_rows",
    "You one-hot encoded the labels: the task asks for one number per label.",
    "np.array([classes.index(label) for label in labels], np.float64)",
    'one_hot(labels, classes)["vectors"]',
)
