"""The key of ``preprocessing.label_encode``."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from autograder.judging.keys import SLIP, Key
from course.exercises.preprocessing.common import (
    NOTHING,
    SOMETHING,
)
from course.exercises.preprocessing.label_encode import EXERCISE
from keys.input_classes import Contain
from keys.preprocessing.one_hot import one_hot
from selfcheck.exercise import Case


def label_encode(labels: list[str]) -> dict[str, np.ndarray]:
    """Each label's place in the alphabetical order of the classes.

    Returns:
        codes: (labels,).

    Example:
        >>> label_encode(["sport", "arts", "sport"])["codes"].tolist()
        [1, 0, 1]
    """
    classes = sorted(set(labels))
    numbers = np.array([classes.index(label) for label in labels])
    return {"codes": numbers, "remembered": NOTHING}


def replaced_in_turn(labels: list[str], classes: list[str], kind: type) -> np.ndarray:
    """What mistakes give: each class is replaced by its number in an array of all labels.

    Args:
        labels: the labels.
        classes: the classes in order.
        kind: of the array's entries: one of text cuts off what is longer than the longest label.

    Example:
        >>> replaced_in_turn(["b", "1", "a"], ["1", "a", "b"], object).tolist()
        [2.0, 0.0, 1.0]
    """
    codes = np.array(labels, dtype=kind)
    for number, name in enumerate(classes):
        codes[codes == name] = str(number)
    return codes.astype(np.float64)


KEY = Key(EXERCISE, label_encode)

KEY.mistake(
    "in_order_of_appearance",
    "You numbered the classes as they appear: alphabetical order decides, not the order of the "
    "data.",
    "sorted(set(labels))",
    "list(dict.fromkeys(labels))",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "repeated_labels_counted",
    "The numbers have gaps: count each label once before you number the classes.",
    "sorted(set(labels))",
    "sorted(labels)",
    cost=SLIP,
)
KEY.mistake(
    "from_one",
    "The numbers start at 1: the first class is number 0.",
    '"codes": numbers',
    '"codes": numbers + 1',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "backwards",
    "The alphabetical order is reversed: its first class is number 0.",
    "sorted(set(labels))",
    "sorted(set(labels), reverse=True)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "by_frequency",
    "You numbered the classes by frequency: use alphabetical order.",
    "sorted(set(labels))",
    "[label for label, _ in Counter(labels).most_common()]",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "each_its_own",
    "You gave every label its own number: equal labels are one class and share a number.",
    "np.array([classes.index(label) for label in labels])",
    'np.argsort(np.argsort(labels, kind="stable")).astype(np.float64)',
)
KEY.mistake(
    "places_in_the_list",
    "You numbered the labels by their position in the list, not by class.",
    "np.array([classes.index(label) for label in labels])",
    "np.arange(len(labels), dtype=np.float64)",
)
KEY.mistake(
    "one_hot_rows",
    "You one-hot encoded the labels: the task asks for one number per label.",
    "np.array([classes.index(label) for label in labels])",
    'one_hot(labels, classes)["rows"]',
)
KEY.mistake(
    "capitals_ignored",
    "You ordered the classes as if they had no capitals: sorted puts capital letters before "
    "small ones.",
    "sorted(set(labels))",
    "sorted(set(labels), key=str.lower)",
    cost=SLIP,
)
KEY.mistake(
    "how_often_each_occurs",
    "You replaced each label by how often it occurs: number the classes instead.",
    "classes.index(label) for label",
    "labels.count(label) for label",
)
KEY.mistake(
    "one_number_per_class",
    "You returned one number per class: every label of the list needs its number.",
    "for label in labels]",
    "for label in classes]",
    cost=SLIP,
)
KEY.mistake(
    "first_places",
    "You gave each label the position of its first occurrence in the list: number the classes in "
    "alphabetical order.",
    "classes.index(label) for label",
    "labels.index(label) for label",
)
KEY.mistake(
    "at_most_127",
    "The type of your numbers ends at 127, and larger ones become negative: there may be more "
    "classes.",
    "np.array([classes.index(label) for label in labels])",
    "np.array([classes.index(label) for label in labels]).astype(np.int8).astype(np.float64)",
    cost=SLIP,
)
KEY.mistake(
    "at_most_255",
    "The type of your numbers ends at 255, and larger ones begin again at 0: there may be more "
    "classes.",
    "np.array([classes.index(label) for label in labels])",
    "np.array([classes.index(label) for label in labels]).astype(np.uint8).astype(np.float64)",
    cost=SLIP,
)
KEY.mistake(
    "digits_cut_off",
    "You wrote the numbers into an array of texts, which cuts off what is longer than its longest "
    "label: make an array of numbers.",
    "classes.index(label) for label",
    "int(str(classes.index(label))[: max(map(len, labels))]) for label",
    cost=SLIP,
)
KEY.mistake(
    "numbers_sorted",
    "You sorted the labels themselves: the numbers stay in the order of the labels you're given.",
    '"codes": numbers',
    '"codes": np.sort(numbers)',
    cost=SLIP,
)
KEY.mistake(
    "two_classes_only",
    "You separated only one class from all the others: there may be more than two classes, and "
    "each has its own number.",
    "classes.index(label) for label",
    "int(label == classes[-1]) for label",
)
KEY.mistake(
    "first_class_and_others",
    "You separated only one class from all the others: there may be more than two classes, and "
    "each has its own number.",
    "classes.index(label) for label",
    "int(label != classes[0]) for label",
)
KEY.mistake(
    "rarest_first",
    "You numbered the classes by frequency: use alphabetical order.",
    "sorted(set(labels))",
    "[label for label, _ in Counter(labels).most_common()[::-1]]",
    cost=SLIP,
)
KEY.mistake(
    "replaced_twice",
    "You replaced the labels class by class, and a number that looks like a later label was "
    "replaced again: look up each label once.",
    "np.array([classes.index(label) for label in labels])",
    "replaced_in_turn(labels, classes, object)",
    cost=SLIP,
)
KEY.mistake(
    "replaced_twice_and_cut_off",
    "You wrote the numbers into the array of labels: it cuts off what's longer than its longest "
    "label, and a number that looks like a later label is replaced again. Make an array of "
    "numbers.",
    "np.array([classes.index(label) for label in labels])",
    "replaced_in_turn(labels, classes, str)",
    cost=SLIP,
)
KEY.mistake(
    "sorted_by_value",
    "You sorted labels made of digits by their value: sorted compares text character by "
    "character, so 10 comes before 9.",
    "sorted(set(labels))",
    "sorted(set(labels), key=int if all(map(str.isdigit, labels)) else None)",
    cost=SLIP,
)
KEY.mistake(
    "by_the_beginning",
    "A label got the number of another class that it starts with or contains: compare whole "
    "labels.",
    "classes.index(label) for label",
    "next(i for i, name in enumerate(classes) if label.startswith(name)) for label",
    cost=SLIP,
)
KEY.mistake(
    "long_labels_cut",
    "You compared only the start of long labels: a text type of fixed width, for example, cuts "
    "off the rest.",
    "sorted(set(labels))",
    "sorted(set(labels := [label[:12] for label in labels]))",
    cost=SLIP,
)
KEY.mistake(
    "white_space_stripped",
    "You stripped white space from the labels: labels that differ in it are different classes.",
    "sorted(set(labels))",
    "sorted(set(labels := [label.strip() for label in labels]))",
    cost=SLIP,
)
KEY.mistake(
    "axis_of_one_label_lost",
    "You lost an axis of size 1: a single label gives an array with one number, too.",
    '"codes": numbers',
    '"codes": numbers.squeeze()',
    cost=SLIP,
)
KEY.mistake(
    "classes_of_earlier_calls",
    "Your function keeps classes from earlier calls: start from scratch in every call, so that "
    "only the labels it's given are numbered.",
    '"remembered": NOTHING',
    '"remembered": SOMETHING',
    cost=SLIP,
)


def _given(cases: Sequence[Case]) -> list[list[str]]:
    return [case.inputs["labels"] for case in cases]


def _any_order(
    order: Callable[[Sequence[str]], list[str]],
) -> Contain:
    """Whether the classes of some case are in neither of the two alphabetical orders."""

    def holds(cases: Sequence[Case]) -> bool:
        return any(
            order(labels) not in (ordered := sorted(set(labels)), ordered[::-1])
            for labels in _given(cases)
        )

    return holds


INPUT_CLASSES = {
    "classes that don't appear in alphabetical order, nor backwards": _any_order(
        lambda labels: list(dict.fromkeys(labels))
    ),
    "classes whose frequencies follow another order": _any_order(
        lambda labels: [label for label, _ in Counter(labels).most_common()]
    ),
    "labels again, side by side or apart": lambda cases: any(
        1 < len(set(labels)) < len(labels) for labels in _given(cases)
    ),
    "classes of different frequency": lambda cases: any(
        len(set(Counter(labels).values())) > 2 for labels in _given(cases)
    ),
    "a class with a capital that comes later in a dictionary": lambda cases: any(
        sorted(labels) != sorted(labels, key=str.lower) for labels in _given(cases)
    ),
    "more than 256 classes": lambda cases: any(len(set(labels)) > 256 for labels in _given(cases)),
    "more classes than a label's letters can number": lambda cases: any(
        len(set(labels)) > 10 ** max(map(len, labels)) for labels in _given(cases)
    ),
    "a single class of several labels": lambda cases: any(
        len(set(labels)) == 1 < len(labels) for labels in _given(cases)
    ),
    "a single label": lambda cases: any(len(labels) == 1 for labels in _given(cases)),
    "a label that begins with another one": lambda cases: any(
        one != other and one.startswith(other) and one.isalpha()
        for labels in _given(cases)
        for one, other in itertools.permutations(labels, 2)
    ),
    "long labels that differ in their last letter": lambda cases: any(
        one != other and one[:-1] == other and len(other) > 16
        for labels in _given(cases)
        for one, other in itertools.permutations(labels, 2)
    ),
    "two labels that differ only in a space": lambda cases: any(
        label != label.strip() in labels for labels in _given(cases) for label in labels
    ),
    "digits only, in a different order than their values": lambda cases: any(
        all(map(str.isdigit, labels)) and sorted(labels) != sorted(labels, key=int)
        for labels in _given(cases)
    ),
    "a label that looks like the number of a class before it": lambda cases: any(
        label in map(str, range(sorted(set(labels)).index(label)))
        for labels in _given(cases)
        for label in labels
    ),
}
