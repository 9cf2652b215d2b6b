"""The key of ``preprocessing.label_encode``."""

from __future__ import annotations

from collections import Counter  # noqa: F401 - a mistake uses it

import numpy as np

from autograder.judging.keys import SLIP, Key
from course.exercises.preprocessing.label_encode import EXERCISE
from keys.preprocessing.one_hot import one_hot  # noqa: F401 - a mistake uses it


def label_encode(labels: list[str]) -> dict[str, np.ndarray]:
    """Each label's place in the alphabetical order of the classes.

    Returns:
        numbers: (labels,).

    Example:
        >>> label_encode(["sport", "arts", "sport"])["numbers"].tolist()
        [1, 0, 1]
    """
    classes = sorted(set(labels))
    numbers = np.array([classes.index(label) for label in labels])
    return {"numbers": numbers}


KEY = Key(EXERCISE, label_encode)

KEY.mistake(
    "in_order_of_appearance",
    "You numbered the classes as they appear: alphabetical order decides, not the order of the "
    "data.",
    "sorted(set(labels))",
    "list(dict.fromkeys(labels))",
    cost=SLIP,
)
KEY.mistake(
    "repeated_labels_counted",
    "The numbers have gaps: count each label once before you number the classes.",
    "sorted(set(labels))",
    "sorted(labels)",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "from_one",
    "The numbers start at 1: the first class is number 0.",
    '{"numbers": numbers}',
    '{"numbers": numbers + 1}',
    cost=SLIP,
)
KEY.mistake(
    "backwards",
    "The alphabetical order is reversed: its first class is number 0.",
    "sorted(set(labels))",
    "sorted(set(labels), reverse=True)",
    cost=SLIP,
)
KEY.mistake(
    "by_frequency",
    "You numbered the classes by frequency: use alphabetical order.",
    "sorted(set(labels))",
    "[label for label, _ in Counter(labels).most_common()]",
    cost=SLIP,
)
KEY.mistake(
    "each_its_own",
    "You gave every label its own number: equal labels are one class and share a number.",
    "np.array([classes.index(label) for label in labels])",
    'np.argsort(np.argsort(labels, kind="stable")).astype(np.float64)',
    alone=True,
)
KEY.mistake(
    "places_in_the_list",
    "You numbered the labels by their position in the list, not by class.",
    "np.array([classes.index(label) for label in labels])",
    "np.arange(len(labels), dtype=np.float64)",
    alone=True,
)
KEY.mistake(
    "one_hot_rows",
    "You one-hot encoded the labels: the task asks for one number per label.",
    "np.array([classes.index(label) for label in labels])",
    'one_hot(labels, classes)["vectors"]',
    alone=True,
)
KEY.mistake(
    "capitals_ignored",
    "You ordered the classes as if they had no capitals: sorted puts capital letters before "
    "small ones.",
    "sorted(set(labels))",
    "sorted(set(labels), key=str.lower)",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "how_often_each_occurs",
    "You replaced each label by how often it occurs: number the classes instead.",
    "classes.index(label) for label",
    "labels.count(label) for label",
    alone=True,
)
KEY.mistake(
    "one_number_per_class",
    "You returned one number per class: every label of the list needs its number.",
    "for label in labels]",
    "for label in classes]",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "first_places",
    "You gave each label the position of its first occurrence in the list: number the classes in "
    "alphabetical order.",
    "classes.index(label) for label",
    "labels.index(label) for label",
    alone=True,
)
KEY.mistake(
    "at_most_127",
    "The type of your numbers ends at 127, and larger ones become negative: there may be more "
    "classes.",
    "np.array([classes.index(label) for label in labels])",
    "np.array([classes.index(label) for label in labels]).astype(np.int8).astype(np.float64)",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "at_most_255",
    "The type of your numbers ends at 255, and larger ones begin again at 0: there may be more "
    "classes.",
    "np.array([classes.index(label) for label in labels])",
    "np.array([classes.index(label) for label in labels]).astype(np.uint8).astype(np.float64)",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "digits_cut_off",
    "You wrote the numbers into an array of texts, which cuts off what is longer than its longest "
    "label: make an array of numbers.",
    "classes.index(label) for label",
    "int(str(classes.index(label))[: max(map(len, labels))]) for label",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "numbers_sorted",
    "You sorted the labels themselves: the numbers stay in the order of the labels you're given.",
    '{"numbers": numbers}',
    '{"numbers": np.sort(numbers)}',
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "two_classes_only",
    "You separated only one class from all the others: there may be more than two classes, and "
    "each has its own number.",
    "classes.index(label) for label",
    "int(label == classes[-1]) for label",
    alone=True,
)
KEY.mistake(
    "first_class_and_others",
    "You separated only one class from all the others: there may be more than two classes, and "
    "each has its own number.",
    "classes.index(label) for label",
    "int(label != classes[0]) for label",
    alone=True,
)
KEY.mistake(
    "rarest_first",
    "You numbered the classes by frequency: use alphabetical order.",
    "sorted(set(labels))",
    "[label for label, _ in Counter(labels).most_common()[::-1]]",
    alone=True,
    cost=SLIP,
)
