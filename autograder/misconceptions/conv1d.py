"""What people get wrong about vectorising texts, convolutions and the best epoch."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from autograder.misconceptions.bank import Bank
from autograder.reference import conv1d as reference
from autograder.reference.conv1d import (
    best_epoch,
    build_conv1d_classifier,
    build_vectorizer,
    by_frequency,
    conv1d_output_length,
    convolved,
    encoded,
    relu,
    sigmoid,
)

bank = Bank("conv1d")

Outputs = Mapping[str, Any]

_PUNCTUATION = str.maketrans("", "", string.punctuation)

# --- standardize ---------------------------------------------------------------------------------


def _each(texts: Any, change: Callable[[str], str]) -> Outputs:
    """Every text changed, in a tensor of the same shape."""
    right = reference.standardize(texts)
    return right | {"standardized": [change(text) for text in np.array(texts, object).ravel()]}


@bank.add("standardize", "Capital letters are still there: one word would get two ids.")
def capitals_kept(texts):
    return _each(texts, lambda text: text.replace("<br />", " ").translate(_PUNCTUATION))


@bank.add(
    "standardize",
    "A line break left its letters behind: which of the steps has to come before the punctuation "
    "is gone?",
)
def line_breaks_left(texts):
    return _each(texts, lambda text: text.lower().translate(_PUNCTUATION))


@bank.add(
    "standardize",
    "The words around a line break grew together: what should stand in its place?",
)
def line_breaks_deleted(texts):
    return _each(texts, lambda text: reference.standardized(text.replace("<br />", "")))


@bank.add("standardize", "The punctuation is still there: it has to vanish.")
def punctuation_kept(texts):
    return _each(texts, lambda text: text.lower().replace("<br />", " "))


@bank.add(
    "standardize",
    "Punctuation became spaces, which cuts contractions in two: it has to vanish without a trace.",
)
def punctuation_to_spaces(texts):
    spaces = str.maketrans(string.punctuation, " " * len(string.punctuation))
    return _each(texts, lambda text: text.lower().replace("<br />", " ").translate(spaces))


@bank.add(
    "standardize",
    "The backslash survived: inside square brackets it escapes what follows, unless it is escaped "
    "itself.",
)
def backslash_left(texts):
    others = str.maketrans("", "", string.punctuation.replace("\\", ""))
    return _each(texts, lambda text: text.lower().replace("<br />", " ").translate(others))


@bank.add(
    "standardize",
    "Only the marks that end or divide sentences vanished: Python has a list of all punctuation.",
)
def sentence_marks_only(texts):
    marks = str.maketrans("", "", ".,!?")
    return _each(texts, lambda text: text.lower().replace("<br />", " ").translate(marks))


@bank.add(
    "standardize",
    "Everything but plain letters, digits and spaces vanished, accents and tabs included: say what "
    "has to go, not what may stay.",
)
def plain_letters_only(texts):
    return _each(texts, lambda text: re.sub("[^a-z0-9 ]", "", text.lower().replace("<br />", " ")))


@bank.add(
    "standardize",
    "Letters with accents vanished and the underscore stayed: what is a word character here is not "
    "what you want to keep.",
)
def word_characters_only(texts):
    pattern = re.compile(r"[^\w\s]", re.ASCII)
    return _each(texts, lambda text: pattern.sub("", text.lower().replace("<br />", " ")))


@bank.add(
    "standardize",
    "White space at the ends is gone: that was not asked, and splitting into words ignores it "
    "anyway.",
)
def ends_stripped(texts):
    return _each(texts, lambda text: reference.standardized(text).strip())


@bank.add("standardize", "The texts came back in one row: keep the shape of the tensor.")
def flattened(texts):
    right = reference.standardize(texts)
    return right | {"shape": f"({len(right['standardized'])},)"}


# --- build_vectorizer ----------------------------------------------------------------------------


def _vectorized(
    texts: list[str],
    new_texts: list[str],
    sequence_length: int,
    max_tokens: int | None = None,
    tokens: Callable[[str], list[str]] = lambda text: reference.standardized(text).split(),
) -> Outputs:
    """The right layer but for how a text becomes tokens."""
    every = [token for text in texts for token in tokens(text)]
    vocabulary = ["", "[UNK]", *by_frequency(every)][:max_tokens]
    documents = [tokens(text) for text in new_texts]
    return {"ids": encoded(documents, vocabulary, sequence_length), "vocabulary": vocabulary}


@bank.add(
    "build_vectorizer",
    "The layer standardizes in its own way, which leaves the letters of line breaks behind: give "
    "it yours.",
)
def default_standardization(texts, max_tokens, sequence_length, new_texts):
    def tokens(text):
        return text.lower().translate(_PUNCTUATION).split()

    return _vectorized(texts, new_texts, sequence_length, max_tokens, tokens)


@bank.add("build_vectorizer", "The layer only makes letters small: give it your standardize.")
def lower_case_only(texts, max_tokens, sequence_length, new_texts):
    def tokens(text):
        return text.lower().split()

    return _vectorized(texts, new_texts, sequence_length, max_tokens, tokens)


@bank.add("build_vectorizer", "The layer standardizes nothing: give it your standardize.")
def no_standardization(texts, max_tokens, sequence_length, new_texts):
    return _vectorized(texts, new_texts, sequence_length, max_tokens, str.split)


@bank.add(
    "build_vectorizer",
    "Rows are as long as the longest text at hand: the layer was not told how long they shall be.",
)
def no_sequence_length(texts, max_tokens, sequence_length, new_texts):
    longest = max(len(text.split()) for text in new_texts)
    return _vectorized(texts, new_texts, longest, max_tokens)


@bank.add("build_vectorizer", "The vocabulary is not limited: the layer was not given max_tokens.")
def vocabulary_not_limited(texts, max_tokens, sequence_length, new_texts):
    return _vectorized(texts, new_texts, sequence_length)


@bank.add(
    "build_vectorizer",
    "The vocabulary is two entries too large: does max_tokens leave padding and unknown out?",
)
def two_tokens_more(texts, max_tokens, sequence_length, new_texts):
    return _vectorized(texts, new_texts, sequence_length, max_tokens + 2)


@bank.add(
    "build_vectorizer",
    "The vocabulary is two entries too small: padding and unknown were taken off once more.",
)
def two_tokens_less(texts, max_tokens, sequence_length, new_texts):
    return _vectorized(texts, new_texts, sequence_length, max_tokens - 2)


@bank.add(
    "build_vectorizer",
    "Each text became one row over the vocabulary, without word order: which output does a "
    "convolution need?",
)
def multi_hot(texts, max_tokens, sequence_length, new_texts):
    right = build_vectorizer(texts, max_tokens, sequence_length, new_texts)
    vocabulary = right["vocabulary"][1:]
    texts_as_sets = [set(reference.standardized(text).split()) for text in new_texts]
    rows = [[float(word in words) for word in vocabulary] for words in texts_as_sets]
    for row, words in zip(rows, texts_as_sets, strict=True):
        row[0] = float(not words <= set(vocabulary))
    return {"ids": np.array(rows), "vocabulary": vocabulary}


@bank.add("build_vectorizer", "The two sizes are swapped: name the arguments when you pass them.")
def sizes_swapped(texts, max_tokens, sequence_length, new_texts):
    return _vectorized(texts, new_texts, max_tokens, sequence_length)


@bank.add(
    "build_vectorizer",
    "Only the words of the first text are known: the layer has to see all texts.",
)
def adapted_on_the_first_text(texts, max_tokens, sequence_length, new_texts):
    return _vectorized(texts[:1], new_texts, sequence_length, max_tokens)


@bank.add(
    "build_vectorizer",
    "Pairs of words have ids as well: only single words were asked for.",
)
def word_pairs(texts, max_tokens, sequence_length, new_texts):
    def tokens(text):
        words = reference.standardized(text).split()
        return words + [f"{a} {b}" for a, b in pairwise(words)]

    return _vectorized(texts, new_texts, sequence_length, max_tokens, tokens)


# --- conv1d_output_length ------------------------------------------------------------------------


def _steps(steps: float, kind: str = "int") -> Outputs:
    return {"steps": np.array(float(steps)), "type": kind}


@bank.add(
    "conv1d_output_length",
    "One step is missing: the kernel stands somewhere before it moves for the first time.",
)
def first_step_forgotten(length, kernel_size, strides):
    return _steps((length - kernel_size) // strides)


@bank.add(
    "conv1d_output_length",
    "A window that reaches beyond the text was counted: without padding it is left out.",
)
def rounded_up(length, kernel_size, strides):
    return _steps(-(-(length - kernel_size) // strides) + 1)


@bank.add(
    "conv1d_output_length",
    "As many steps come out as with padding: the kernel's size has to matter.",
)
def same_padding(length, kernel_size, strides):
    return _steps(-(-length // strides))


@bank.add(
    "conv1d_output_length",
    "The length was divided by the strides, whatever the kernel: how far can a kernel move?",
)
def length_over_strides(length, kernel_size, strides):
    return _steps(length // strides)


@bank.add("conv1d_output_length", "The kernel moved word by word: it skips some with each stride.")
def strides_ignored(length, kernel_size, strides):
    return _steps(length - kernel_size + 1)


@bank.add(
    "conv1d_output_length",
    "The 1 was added before the division: the first step does not depend on the strides.",
)
def one_added_too_early(length, kernel_size, strides):
    return _steps((length - kernel_size + 1) // strides)


@bank.add(
    "conv1d_output_length",
    "The result is no whole number: what becomes of an incomplete window?",
)
def not_rounded(length, kernel_size, strides):
    return _steps((length - kernel_size) / strides + 1, "float")


@bank.add(
    "conv1d_output_length",
    "There are less than no steps: think of a text that is shorter than the kernel.",
)
def fewer_than_none(length, kernel_size, strides):
    return _steps((length - kernel_size) // strides + 1)


@bank.add(
    "conv1d_output_length",
    "A text one word shorter than the kernel got a step: negative numbers are rounded towards 0 by "
    "int, not down.",
)
def rounded_towards_zero(length, kernel_size, strides):
    return _steps(max(int((length - kernel_size) / strides) + 1, 0))


@bank.add(
    "conv1d_output_length",
    "A text exactly as long as the kernel got no step: does the kernel fit once?",
)
def exact_fit_refused(length, kernel_size, strides):
    if length <= kernel_size:
        return _steps(0)
    return conv1d_output_length(length, kernel_size, strides)


# --- build_conv1d_classifier ---------------------------------------------------------------------

Convolve = Callable[[np.ndarray, np.ndarray, np.ndarray, int], np.ndarray]


def _same(x: np.ndarray, kernel: np.ndarray, bias: np.ndarray, strides: int) -> np.ndarray:
    """A convolution that pads the text so that it leaves ⌈T / s⌉ steps."""
    length, size = x.shape[1], len(kernel)
    missing = max((-(-length // strides) - 1) * strides + size - length, 0)
    padding = (missing // 2, missing - missing // 2)
    return convolved(np.pad(x, ((0, 0), padding, (0, 0))), kernel, bias, strides)


def _predictions(
    *,
    ids: np.ndarray,
    embedding: np.ndarray,
    kernel_1: np.ndarray,
    bias_1: np.ndarray,
    kernel_2: np.ndarray,
    bias_2: np.ndarray,
    hidden_kernel: np.ndarray,
    hidden_bias: np.ndarray,
    output_kernel: np.ndarray,
    output_bias: np.ndarray,
    strides: tuple[int, int] = (3, 3),
    convolve: Convolve = convolved,
    between: Callable[[np.ndarray], np.ndarray] = relu,
    pool: Callable[..., np.ndarray] = np.max,
    hidden: Callable[[np.ndarray], np.ndarray] = relu,
    last: Callable[[np.ndarray], np.ndarray] = sigmoid,
) -> np.ndarray:
    """The right predictions but for one of the parts."""
    x = between(convolve(embedding[ids], kernel_1, bias_1, strides[0]))
    x = between(convolve(x, kernel_2, bias_2, strides[1]))
    x = hidden(pool(x, axis=1) @ hidden_kernel + hidden_bias)
    return last(x @ output_kernel + output_bias)


def _calculates(name: str, hint: str, outputs: Outputs | None = None, **parts: Any) -> None:
    """Register a model with the right weights that is right but for the given parts.

    Args:
        name: the variant's.
        hint: its hint.
        outputs: what else it gives away.
        parts: of ``_predictions``.
    """

    def model(vocabulary_size, embedding_dim, **inputs):
        right = build_conv1d_classifier(vocabulary_size, embedding_dim, **inputs)
        return right | {"predictions": _predictions(**inputs, **parts)} | (outputs or {})

    model.__name__ = name
    bank.add("build_conv1d_classifier", hint)(model)


def _shaped(name: str, hint: str, change: Callable[[list[str]], list[str]]) -> None:
    """Register a model with other weights, whose numbers are therefore not judged.

    Args:
        name: the variant's.
        hint: its hint.
        change: from the shapes of the right weights, as text, to those of the variant.
    """

    def model(vocabulary_size, embedding_dim, **inputs):
        right = build_conv1d_classifier(vocabulary_size, embedding_dim, **inputs)
        del right["predictions"]
        return right | {"weights": change(right["weights"])}

    model.__name__ = name
    bank.add("build_conv1d_classifier", hint)(model)


def _replaced(pattern: str, replacement: str) -> Callable[[list[str]], list[str]]:
    return lambda shapes: [re.sub(pattern, replacement, shape) for shape in shapes]


_calculates(
    "strides_missing",
    "The convolutions move word by word: both of them shall take larger strides.",
    strides=(1, 1),
)
_calculates(
    "second_strides_missing",
    "The second convolution moves step by step: it has the strides of the first.",
    strides=(3, 1),
)
_calculates(
    "padded_convolutions",
    "The convolutions pad the text: a window that does not lie inside it shall not count.",
    convolve=_same,
)
_calculates(
    "average_pooling",
    "The mean over time was taken: which pooling finds the one phrase that decides?",
    pool=np.mean,
)
_calculates(
    "linear_convolutions",
    "The convolutions have no activation: two linear layers in a row are one.",
    between=lambda x: x,
)
_calculates(
    "linear_hidden_layer",
    "The hidden Dense layer has no activation: with the last layer it makes one linear layer.",
    hidden=lambda x: x,
)
_calculates(
    "no_sigmoid",
    "The model returns any number, not a probability: what is the last layer's activation?",
    {"sigmoid": np.array([3.0, -3.0])},
    last=lambda x: x,
)
_calculates(
    "softmax_of_one",
    "Every prediction is 1: a softmax shares 1 among its outputs, and there is only one.",
    {"sigmoid": np.ones(2), "dropped": np.ones(2)},
    last=np.ones_like,
)
_calculates(
    "tanh_output",
    "Predictions lie between -1 and 1: which activation gives a probability?",
    {"sigmoid": np.tanh([3.0, -3.0])},
    last=np.tanh,
)
_calculates(
    "no_dropout",
    "Nothing is dropped in training: both Dropout layers are missing.",
    {"dropped": np.zeros(2)},
)
_calculates(
    "no_dropout_of_words",
    "No embedded words are dropped in training: what comes right after the embedding?",
    {"dropped": np.array([0.0, 0.5])},
)
_calculates(
    "no_dropout_before_the_output",
    "Nothing is dropped between the hidden layer and the output.",
    {"dropped": np.array([0.5, 0.0])},
)
for _size in (3, 5):
    _shaped(
        f"kernels_of_{_size}",
        f"The kernels span {_size} words: compare them with the task.",
        _replaced(r"^\(7,", f"({_size},"),
    )
for _filters in (32, 64):
    _shaped(
        f"only_{_filters}_filters",
        f"The convolutions have {_filters} filters: compare them with the task.",
        lambda shapes, filters=_filters: [
            *_replaced("128", str(filters))(shapes[:5]),
            f"({filters}, 128)",
            *shapes[6:],
        ],
    )
_shaped(
    "hidden_layer_missing",
    "The pooled numbers go straight to the output: a hidden Dense layer is missing.",
    lambda shapes: shapes[:5] + shapes[7:],
)
_shaped(
    "one_convolution",
    "There is only one convolution: a second one sees phrases of phrases.",
    lambda shapes: shapes[:3] + shapes[5:],
)


@bank.add(
    "build_conv1d_classifier",
    "The embedding has one row too many: padding and unknown words are in the vocabulary already.",
)
def one_row_more(vocabulary_size, embedding_dim, **inputs):
    right = build_conv1d_classifier(vocabulary_size, embedding_dim, **inputs)
    del right["predictions"]
    table = f"({vocabulary_size + 1}, {embedding_dim})"
    return right | {"weights": [table, *right["weights"][1:]]}


@bank.add(
    "build_conv1d_classifier",
    "There are two outputs: for two classes, one probability says it all.",
)
def two_outputs(vocabulary_size, embedding_dim, ids, **inputs):
    right = build_conv1d_classifier(vocabulary_size, embedding_dim, ids, **inputs)
    del right["predictions"], right["sigmoid"]
    return right | {
        "shape": f"({len(ids)}, 2)",
        "weights": [*right["weights"][:7], "(128, 2)", "(2,)"],
    }


# --- best_epoch ----------------------------------------------------------------------------------


def _epoch(epoch: float, kind: str = "int") -> Outputs:
    return {"epoch": np.array(float(epoch)), "type": kind}


@bank.add("best_epoch", "The epoch is one too small: places in a list are counted from 0.")
def counted_from_zero(history):
    return _epoch(np.argmin(history["val_loss"]))


@bank.add(
    "best_epoch",
    "The best epoch on the training data was taken, which is the last: what tells you about new "
    "texts?",
)
def training_data(history):
    return _epoch(np.argmin(history["loss"]) + 1)


@bank.add(
    "best_epoch",
    "The epoch with the best validation accuracy was taken: the loss was asked for.",
)
def validation_accuracy(history):
    return _epoch(np.argmax(history["val_accuracy"]) + 1)


@bank.add("best_epoch", "The epoch with the highest validation loss was taken: less is better.")
def highest_loss(history):
    return _epoch(np.argmax(history["val_loss"]) + 1)


@bank.add("best_epoch", "Of equally good epochs the last was taken: prefer the shorter training.")
def last_of_equals(history):
    backwards = history["val_loss"][::-1]
    return _epoch(len(backwards) - np.argmin(backwards))


@bank.add(
    "best_epoch",
    "The search ended when the loss rose for the first time: it may fall again, and lower.",
)
def first_rise(history):
    losses = history["val_loss"]
    rises = [epoch for epoch in range(1, len(losses)) if losses[epoch] > losses[epoch - 1]]
    return _epoch(rises[0])


@bank.add("best_epoch", "The lowest loss itself came back: in which epoch was it reached?")
def loss_itself(history):
    return _epoch(min(history["val_loss"]), "float")


@bank.add("best_epoch", "The epoch is one too large: 1 was added to what is counted from 1.")
def counted_from_two(history):
    return _epoch(best_epoch(history)["epoch"] + 1)
