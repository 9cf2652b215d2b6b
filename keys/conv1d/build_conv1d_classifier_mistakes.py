"""Mistakes in the classifier with two convolutions: what is dropped in training, by name what it
costs, its hint, and the shares of the words, of the hidden outputs and of all between that are
dropped; and mistakes with edits of the solution."""

from __future__ import annotations

from autograder.judging.keys import IDEA, PART, SLIP

_FIRST = 'relu(convolved(x, weights["kernel_1"], weights["bias_1"], 3))'
_SECOND = 'relu(convolved(x, weights["kernel_2"], weights["bias_2"], 3))'
_HIDDEN = 'relu(x @ weights["hidden_kernel"] + weights["hidden_bias"])'
_SIGMOID = "1 / (1 + np.exp(-x))"

ACTIVATIONS = {
    "linear_convolutions": (
        PART,
        "The convolutions have no activation: two linear layers in a row amount to one.",
        _FIRST,
        _FIRST[4:],
        _SECOND,
        _SECOND[4:],
    ),
    "linear_first_convolution": (
        PART,
        "The first convolution has no activation: compare it with the task.",
        _FIRST,
        _FIRST[4:],
    ),
    "linear_second_convolution": (
        PART,
        "The second convolution has no activation: compare it with the task.",
        _SECOND,
        _SECOND[4:],
    ),
    "tanh_convolutions": (
        SLIP,
        "The activation of the convolutions is tanh: compare it with the task.",
        _FIRST,
        f"np.tanh{_FIRST[4:]}",
        _SECOND,
        f"np.tanh{_SECOND[4:]}",
    ),
    "tanh_hidden_layer": (
        SLIP,
        "The activation of the hidden Dense layer is tanh: compare it with the task.",
        _HIDDEN,
        f"np.tanh{_HIDDEN[4:]}",
    ),
    "tanh_everywhere": (
        SLIP,
        "The activation of the convolutions and of the hidden Dense layer is tanh: compare it with "
        "the task.",
        "np.maximum(x, 0.0)",
        "np.tanh(x)",
    ),
    "linear_hidden_layer": (
        PART,
        "The hidden Dense layer has no activation: together with the last layer it amounts to one "
        "linear layer.",
        _HIDDEN,
        _HIDDEN[4:],
    ),
    "no_sigmoid": (
        PART,
        "The model returns arbitrary numbers, not probabilities: what is the last layer's "
        "activation?",
        _SIGMOID,
        "x",
    ),
    "tanh_output": (
        SLIP,
        "Predictions lie between -1 and 1: which activation gives a probability?",
        _SIGMOID,
        "np.tanh(x)",
    ),
    "relu_output": (
        SLIP,
        "Predictions are never negative, and not limited to 1: which activation gives a "
        "probability?",
        _SIGMOID,
        "np.maximum(x, 0.0)",
    ),
}

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

WORDS_SEEN = "windows_with_words(windows_with_words(ids != 0, 7, 3), 7, 3)"
"""At which steps there are words."""


def fitting(starts: str) -> str:
    """The same of other steps, by the ids that their windows begin with."""
    return f"{starts}[:, : x.shape[1]] != 0"


# Texts that are shorter than a kernel fail.
_TOO_SHORT = (
    "np.full((len(ids), 1), 0.5)",
    "np.full((1 if len(ids) == 1 else float('short'), 1), 0.5)",
)

CONVOLUTIONS = {
    "layers_of_another_model": (
        SLIP,
        "Layers that are made outside the function belong to all models that it makes, so a second "
        "one begins with what the first one learned: make them inside.",
        "[str(shape) for shape in shapes.values()]",
        "SHARED",
    ),
    "first_strides_missing": (
        PART,
        "The first convolution moves word by word: it should have the same strides as the second.",
        'weights["bias_1"], 3)',
        'weights["bias_1"], 1)',
        WORDS_SEEN,
        fitting("ids[:, ::3]"),
    ),
    "dilated": (
        SLIP,
        "The words inside a window lie apart, and the window moves word by word: that's dilation, "
        "and the task asks for strides.",
        "sliding_window_view(x, len(kernel), axis=1)",
        "sliding_window_view(x, (len(kernel) - 1) * strides + 1, axis=1)",
        "np.tensordot(windows[:, ::strides]",
        "np.tensordot(windows[..., ::strides]",
        WORDS_SEEN,
        fitting("ids"),
        *_TOO_SHORT,
        # Neighbours are never in the same window.
        '"dropped_together": APART',
        '"dropped_together": FEATURES',
    ),
}

MASKS = {
    "mask_of_the_middle_words": (
        SLIP,
        "The mask looks at the middle word of each receptive field: a field holds words exactly if "
        "it begins with one, because padding comes last.",
        WORDS_SEEN,
        fitting("ids[:, 12:-12:9]"),
    ),
    "plain_max_pooling": (
        PART,
        "Windows of nothing but padding are pooled as well, and where their number is the largest, "
        "they win: the pooling of this model takes a mask.",
        'masked_max_pooling(x, words)["output"]',
        "x.max(axis=1)",
    ),
    "words_zeroed_before_the_convolutions": (
        IDEA,
        "You set the vectors of padding to 0, but a convolution adds its bias to them: what has to "
        "be masked is the steps that are pooled.",
        'weights["embedding"][ids]',
        '(weights["embedding"][ids] * (ids != 0)[..., None])',
        'masked_max_pooling(x, words)["output"]',
        "x.max(axis=1)",
    ),
    "words_zeroed_as_well": (
        SLIP,
        "You set the vectors of padding to 0 as well: the task masks the steps that are pooled, "
        "and nothing else.",
        'weights["embedding"][ids]',
        '(weights["embedding"][ids] * (ids != 0)[..., None])',
    ),
    "full_windows_only": (
        SLIP,
        "Windows that hold words and padding were masked as well: a window counts if there's a "
        "word in it.",
        WORDS_SEEN,
        "~windows_with_words(windows_with_words(ids == 0, 7, 3), 7, 3)",
    ),
    "unknown_words_masked": (
        SLIP,
        "The mask hides unknown words, too: which ids are padding?",
        "ids != 0",
        "ids > 1",
    ),
    "mask_of_the_first_ids": (
        IDEA,
        "Step number t got the mask of word number t: where in the text does the window of a step "
        "begin?",
        WORDS_SEEN,
        fitting("ids"),
    ),
    "mask_three_words_apart": (
        SLIP,
        "The windows in your mask begin 3 words apart: after two convolutions, each with strides, "
        "how far apart do they begin?",
        WORDS_SEEN,
        fitting("ids[:, ::3]"),
    ),
    "mask_six_words_apart": (
        SLIP,
        "The windows in your mask begin 6 words apart: the strides of two convolutions multiply.",
        WORDS_SEEN,
        fitting("ids[:, ::6]"),
    ),
    "mask_of_padding": (
        SLIP,
        "The mask is True where there's padding: True is a window that counts.",
        WORDS_SEEN,
        f"~{WORDS_SEEN}",
        # A text of words alone has nothing to pool, whatever is dropped.
        '"dropped": np.array([0.5, 0.5, 0.0])',
        '"dropped": np.array([1.0, 0.5, 1.0])',
    ),
}
