"""More mistakes in the Fastformer classifier: by name what each costs, its hint, and the edits of
the solution. Those in ``OTHER_LAYERS`` have other weights than the task's."""

from __future__ import annotations

from autograder.judging.keys import IDEA, SLIP
from course.exercises.classifiers import ONE_NUMBER

# A model that has no place for a case's weights gives no probabilities with them.
_NO_PLACE = ('"probabilities": probabilities,', "")
_NOT_MEASURED = ('"dropping": dropping.AS_ASKED,', "")

OTHER_LAYERS = {
    "heads_and_size_exchanged": (
        SLIP,
        "The number of heads and the size of a head changed places on the way to Fastformer: in "
        "which order does it take them?",
        "*layers.values()",
        "*(np.empty((*stack.shape[:2], stack.shape[1] // num_heads)) if 'score' in name else stack "
        "for name, stack in layers.items())",
        '"probabilities": probabilities,',
        '**({} if num_layers else {"probabilities": probabilities}),',
    ),
    "no_class_bias": (
        SLIP,
        "The last layer has no bias: a dense layer has one unless you say otherwise.",
        "(table, class_kernel, class_bias, *layers.values())",
        "(table, class_kernel, *layers.values())",
        *_NO_PLACE,
    ),
    "flattened": (
        IDEA,
        "The tokens' vectors were laid end to end: the last layer reads their mean.",
        "(table, class_kernel, class_bias, *layers.values())",
        "(table, *[class_kernel] * ids.shape[1], class_bias, *layers.values())",
        *_NO_PLACE,
        *_NOT_MEASURED,
    ),
    "dense_layer_before_the_last": (
        IDEA,
        "There is a dense layer between the mean and the last layer: this model shouldn't have "
        "one.",
        "(table, class_kernel, class_bias, *layers.values())",
        "(table, class_kernel, class_bias, *layers.values(), "
        "np.empty((table.shape[1] + 1, table.shape[1])))",
        # Without Fastformer layers, only the dense layer has no place, and is left at 0.
        '"probabilities": probabilities,',
        '**({} if num_layers else {"probabilities": softmax(0 * pooled @ class_kernel + '
        "class_bias)}),",
        *_NOT_MEASURED,
    ),
    "one_number_for_two_classes": (
        SLIP,
        "For two classes, the model gives one number: the task asks for a softmax over the "
        "classes, however many there are.",
        "(table, class_kernel, class_bias, *layers.values())",
        "(table, *((class_kernel, class_bias) if len(class_bias) > 2 else (class_kernel[:, 1:], "
        "class_bias[1:])), *layers.values())",
        '"rows": DISTRIBUTIONS',
        f'"rows": DISTRIBUTIONS if len(class_bias) > 2 else {ONE_NUMBER!r}',
        '"probabilities": probabilities,',
        '**({"probabilities": probabilities} if len(class_bias) > 2 else {}),',
    ),
}

MASKS = {
    "words_counted": (
        SLIP,
        "You counted the ids that aren't 0, and treated that many at the start as words: padding "
        "may also come before or between them. Check each id.",
        "ids != 0",
        "np.arange(ids.shape[1]) < (ids != 0).sum(axis=1, keepdims=True)",
    ),
}
