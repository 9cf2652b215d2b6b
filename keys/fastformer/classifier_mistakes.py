"""More mistakes in the Fastformer classifier, with other weights than the task's: by name what each
costs, its hint, and the edits of the solution."""

from __future__ import annotations

from autograder.judging.keys import IDEA, SLIP

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
}
