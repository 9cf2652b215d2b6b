"""Mistakes in the classifier with two convolutions: what is dropped in training, by name what it
costs, its hint, and the shares of the words, of the hidden outputs and of all between that are
dropped; and mistakes with edits of the solution."""

from __future__ import annotations

from autograder.judging.keys import PART, SLIP

DROPPING = {
    "no_dropout": (
        PART,
        "Nothing is dropped in training: both Dropout layers are missing.",
        (0.0, 0.0, 0.0),
    ),
    "no_dropout_of_words": (
        PART,
        "No embedded words are dropped in training: what comes right after the embedding?",
        (0.0, 0.5, 0.0),
    ),
    "no_dropout_before_the_output": (
        PART,
        "Nothing is dropped between the hidden layer and the output.",
        (0.5, 0.0, 0.0),
    ),
    "dropout_too_often": (
        SLIP,
        "There is a third Dropout layer after a convolution or after the pooling: compare the "
        "order of the layers with the task.",
        (0.5, 0.5, 0.5),
    ),
    "dropout_after_each_convolution": (
        SLIP,
        "There are Dropout layers after both convolutions: compare the order of the layers with "
        "the task.",
        (0.5, 0.5, 0.75),
    ),
    "dropout_of_windows": (
        SLIP,
        "A Dropout layer comes after a convolution or after the pooling, and none after the "
        "embedding: compare the order of the layers with the task.",
        (0.0, 0.5, 0.5),
    ),
    "dropout_before_the_hidden_layer": (
        SLIP,
        "The second Dropout layer comes before the hidden Dense layer: compare the order of the "
        "layers with the task.",
        (0.5, 0.0, 0.5),
    ),
}

# Texts that are shorter than a kernel fail.
_TOO_SHORT = (
    "np.full((len(ids), 1), 0.5)",
    "np.full((1 if len(ids) == 1 else float('short'), 1), 0.5)",
)

MOVES = {
    "first_strides_missing": (
        "The first convolution moves word by word: it should have the same strides as the second.",
        'weights["bias_1"], 3)',
        'weights["bias_1"], 1)',
    ),
    "dilated": (
        "The words inside a window lie apart, and the window moves word by word: that's dilation, "
        "and the task asks for strides.",
        "sliding_window_view(x, len(kernel), axis=1)[:, ::strides]",
        "sliding_window_view(x, (len(kernel) - 1) * strides + 1, axis=1)[..., ::strides]",
        *_TOO_SHORT,
        # Neighbours are never in the same window.
        '"dropped_together": APART',
        '"dropped_together": FEATURES',
    ),
}
