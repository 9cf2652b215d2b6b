"""Exercises of ``02-conv1d-baseline``: text to ids, convolutions over words, the best epoch."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.aspects import describe, equals, has_shapes, numbers_agree, other_value
from course.exercises.base import (
    Aspect,
    Case,
    Exercise,
    Failure,
    Observation,
    WrongReturn,
    WrongWeights,
    normal,
    random_state,
    tensor,
)
from course.exercises.invented import written
from course.exercises.preprocessing import WORDS
from course.texts import say

Examine = Callable[[Observation], str]


def _draw(random: np.random.RandomState, words: tuple[str, ...], count: int) -> list[str]:
    """Different words in random order."""
    return [words[int(index)] for index in random.permutation(len(words))[:count]]


# --- text to ids ---------------------------------------------------------------------------------


class Standardize(Exercise):
    """Lower case, line breaks to spaces, no punctuation: on string tensors."""

    name = "conv1d.standardize"
    lesson = "02-conv1d-baseline"
    section = 2
    axes = {"standardized": (), "shape": ()}
    aspects = (
        Aspect("texts are in lower case", 20, ("capital letters",), equals("standardized")),
        Aspect("each <br /> becomes one space", 20, ("line breaks",), equals("standardized")),
        Aspect(
            "apostrophes and hyphens vanish without separating",
            15,
            ("apostrophes and hyphens",),
            equals("standardized"),
        ),
        Aspect("other punctuation vanishes as well", 15, ("punctuation",), equals("standardized")),
        Aspect("a backslash is punctuation, too", 5, ("backslash",), equals("standardized")),
        Aspect(
            "white space, digits and accents stay as they are",
            10,
            ("white space", "digits and accents"),
            equals("standardized"),
        ),
        Aspect(
            "a tensor of any shape keeps its shape",
            10,
            ("one text", "matrix"),
            equals("shape", "standardized"),
        ),
        Aspect("it works inside a tf.data pipeline", 5, ("pipeline",), equals("standardized")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Texts: one, a list of them or a list of lists."""
        random = random_state(seed)
        others = [mark for mark in string.punctuation if mark not in "'-\\"]
        marks = np.array_split(random.permutation(others), 6)
        m = ["§w" + "".join(group) for group in marks]
        patterns: dict[str, Any] = {
            "capital letters": ["§C §w", "§w §U §w", "§U"],
            "line breaks": ["§w<br />§w §w", "§w<br />§w"],
            "apostrophes and hyphens": ["§c §w", "§w-§w §w"],
            "punctuation": [f"{m[0]} {m[1]}", f"{m[2]} {m[3]}", *m[4:]],
            "backslash": ["§w\\§w §w", "§w \\ §w"],
            "white space": [" §w  §w\t§w", "§w\n§w ", "§w<br /><br />§w"],
            "digits and accents": ["§e §w §n", "§d §w §e"],
            "one text": "§w, §C<br />§w!",
            "matrix": [["§w!", "§w", "§C?"], ["§w", "(§w)", "§w §w"]],
            "pipeline": ["§w, §C", "§w<br />§w."],
        }
        texts = {name: _written(random, pattern) for name, pattern in patterns.items()}
        return tuple(Case(name, {"texts": text}) for name, text in texts.items())

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a string tensor, in a tf.data pipeline in the case of that name."""
        import tensorflow as tf

        texts = tf.constant(case.inputs["texts"])
        if case.name == "pipeline":
            result = next(iter(tf.data.Dataset.from_tensors(texts).map(obj)))
        else:
            result = obj(texts)
        array = np.array(result.numpy() if hasattr(result, "numpy") else result, dtype=object)
        return {"standardized": _decoded(array.ravel()), "shape": str(array.shape)}


def _written(random: np.random.RandomState, patterns: Any) -> Any:
    """A text for each pattern, in lists like theirs."""
    if isinstance(patterns, list):
        return [_written(random, pattern) for pattern in patterns]
    return written(random, patterns)


def _decoded(value: Any) -> Any:
    """Text in the place of UTF-8 bytes; lists in the place of arrays."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, np.ndarray | list):
        return [_decoded(item) for item in value]
    return value


_WORDS_IN_TEXTS = 8


class EmptyVocabulary(ValueError):
    """A student's layer turns every word into the same id."""


class BuildVectorizer(Exercise):
    """A TextVectorization layer with its own standardization, adapted."""

    name = "conv1d.build_vectorizer"
    lesson = "02-conv1d-baseline"
    section = 2
    axes = {"ids": ("texts", "sequence_length"), "vocabulary": ()}
    aspects = (
        Aspect(
            "ids has the shape (texts, sequence_length)",
            10,
            ("plain",),
            has_shapes({"ids": axes["ids"]}),
        ),
        Aspect(
            "the vocabulary is padding, unknown, then words by frequency",
            25,
            ("plain",),
            equals("vocabulary"),
        ),
        Aspect("words have their ids, padding is 0", 20, ("plain",), numbers_agree("ids")),
        Aspect("unknown words are 1", 10, ("unknown words",), numbers_agree("ids")),
        Aspect("texts that are too long are cut", 10, ("long texts",), numbers_agree("ids")),
        Aspect(
            "max_tokens limits the vocabulary, padding and unknown included",
            15,
            ("small vocabulary",),
            equals("vocabulary"),
        ),
        Aspect("texts go through your standardize", 10, ("markup",), equals("vocabulary")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Texts to adapt on, in which no two words are equally frequent, and other texts."""
        random = random_state(seed)
        drawn = _draw(random, WORDS, _WORDS_IN_TEXTS + 3)
        known, unknown = drawn[:_WORDS_IN_TEXTS], drawn[_WORDS_IN_TEXTS:]
        # The alphabet's first word is the rarest.
        counts = [int(count) for count in random.permutation(_WORDS_IN_TEXTS) + 1]
        first, rarest = known.index(min(known)), counts.index(1)
        counts[first], counts[rarest] = counts[rarest], counts[first]
        tokens = [word for word, count in zip(known, counts, strict=True) for _ in range(count)]
        tokens = [tokens[int(place)] for place in random.permutation(len(tokens))]
        # The first text is too short to hold all words.
        texts = [tokens[start:end] for start, end in ((0, 3), (3, 14), (14, 21), (21, None))]
        short = [_draw(random, tuple(known), count) for count in (2, 4, 3)]
        long = [_draw(random, tuple(known), count) for count in (3, 7, 5)]
        mixed = [[short[0][0], unknown[0]], [unknown[1], *short[1]], [*short[2], unknown[2]]]
        length = int(random.choice([6, 7]))
        room = _WORDS_IN_TEXTS + int(random.choice([4, 5, 6]))
        plain = {
            "texts": [" ".join(words) for words in texts],
            "max_tokens": room,
            "sequence_length": length,
            "new_texts": [" ".join(words) for words in short],
        }
        return (
            Case("plain", plain),
            Case("unknown words", plain | {"new_texts": [" ".join(words) for words in mixed]}),
            Case(
                "long texts",
                plain | {"new_texts": [" ".join(words) for words in long], "sequence_length": 4},
            ),
            # Padding, unknown and half of the words.
            Case(
                "small vocabulary",
                plain | {"max_tokens": 2 + _WORDS_IN_TEXTS // 2, "sequence_length": 5},
            ),
            Case(
                "markup",
                # Room for whatever is taken for a word.
                plain
                | {
                    "max_tokens": 40,
                    "texts": [_marked_up(words) for words in texts],
                    "new_texts": [_marked_up(words) for words in short],
                },
            ),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the layer, look at its vocabulary, call it on the new texts."""
        import tensorflow as tf

        inputs = case.inputs
        layer = obj(list(inputs["texts"]), inputs["max_tokens"], inputs["sequence_length"])
        if not hasattr(layer, "get_vocabulary"):
            raise WrongReturn(
                say("returned {value}; expected a TextVectorization layer", value=describe(layer))
            )
        vocabulary = list(layer.get_vocabulary())
        if set(vocabulary) <= {"", "[UNK]"}:
            raise EmptyVocabulary(say("the layer knows no word: it has to be adapted on the texts"))
        return {"ids": layer(tf.constant(inputs["new_texts"])), "vocabulary": vocabulary}


def _marked_up(words: list[str]) -> str:
    """Words as reviews have them: a capital letter, a line break, punctuation."""
    first, second, *rest = words
    return f"{first.title()}<br />{second}" + "".join(f", {word}" for word in rest) + "!"


# --- convolutions over words ---------------------------------------------------------------------


def _a_number(output: str) -> Examine:
    """The output is the expected number, whatever its type."""

    def examine(observation: Observation) -> str:
        if isinstance(observation.received, Failure):
            return str(observation.received)
        value = observation.received.get(output)
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "fiu" or value.ndim:
            return say("{output} is {seen}; expected a number", output=output, seen=describe(value))
        expected = float(observation.expected.outputs[output])
        if abs(float(value) - expected) <= observation.expected.tolerance[output]:
            return ""
        return other_value(output, f"{float(value):.6g}", f"{expected:g}")

    return examine


def _type(value: Any) -> str:
    """``"int"`` or ``"float"`` for a number of Python, NumPy or TensorFlow, else the class."""
    if isinstance(value, list | tuple | dict) or np.ndim(value):
        return type(value).__name__
    names = {"i": "int", "u": "int", "f": "float"}
    return names.get(np.asarray(value).dtype.kind, type(value).__name__)


class Conv1DOutputLength(Exercise):
    """How many steps a convolution leaves."""

    name = "conv1d.conv1d_output_length"
    lesson = "02-conv1d-baseline"
    section = 4
    axes = {"steps": (), "type": ()}
    aspects = (
        Aspect("incomplete windows are left out", 40, ("plain",), _a_number("steps")),
        Aspect("a last window that just fits counts", 10, ("just fits",), _a_number("steps")),
        Aspect("stride 1 is right", 10, ("stride 1",), _a_number("steps")),
        Aspect(
            "a text as long as the kernel gives one step",
            10,
            ("as long as the kernel",),
            _a_number("steps"),
        ),
        Aspect(
            "a text shorter than the kernel gives no steps",
            20,
            ("one too short", "much too short"),
            _a_number("steps"),
        ),
        Aspect("the result is an int", 10, ("plain",), equals("type")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """A text's length, the kernel's size and its strides."""
        random = random_state(seed)
        strides = int(random.randint(4, 7))
        kernel_size = int(random.randint(9, 31))
        fits = kernel_size + int(random.randint(5 * strides, 19 * strides))
        fits -= (fits - kernel_size) % strides
        # Less than strides - 1: one word more would complete a window for those off by one.
        left_over = int(random.randint(1, strides - 1))
        inputs = {
            "plain": (fits + left_over, kernel_size, strides),
            "stride 1": (fits, kernel_size, 1),
            "just fits": (fits, kernel_size, strides),
            "as long as the kernel": (kernel_size, kernel_size, strides),
            "one too short": (kernel_size - 1, kernel_size, strides),
            "much too short": (kernel_size - strides - 2, kernel_size, strides),
        }
        return tuple(
            Case(name, {"length": length, "kernel_size": kernel, "strides": stride})
            for name, (length, kernel, stride) in inputs.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on ints."""
        steps = obj(case.inputs["length"], case.inputs["kernel_size"], case.inputs["strides"])
        return {"steps": steps, "type": _type(steps)}


FILTERS, KERNEL_SIZE, STRIDES = 128, 7, 3
SHORTEST = KERNEL_SIZE + (KERNEL_SIZE - 1) * STRIDES
"""Words of a text that leaves one step after two convolutions."""

# A share of 4000 has a standard deviation of 0.008; rounding to tenths allows for six of them.
_TEXTS_TO_COUNT_DROPS = 4000
_TEXTS_AT_ONCE = 500
_LONGEST_FIXED_LENGTH = 1000

_WEIGHTS = {
    "embedding": "Embedding",
    "kernel_1": "first Conv1D: kernel",
    "bias_1": "first Conv1D: bias",
    "kernel_2": "second Conv1D: kernel",
    "bias_2": "second Conv1D: bias",
    "hidden_kernel": "first Dense: kernel",
    "hidden_bias": "first Dense: bias",
    "output_kernel": "last Dense: kernel",
    "output_bias": "last Dense: bias",
}


def _half_is_dropped(observation: Observation) -> str:
    if isinstance(observation.received, Failure):
        return str(observation.received)
    shares = observation.received.get("dropped")
    if not isinstance(shares, np.ndarray) or shares.shape != (2,):
        return say("what is dropped in training was not counted: the layers have other weights")
    words, outputs = (f"{100 * share:.0f}" for share in shares)
    if not abs(shares[0] - 0.5) <= 0.01:
        return say(
            "in training {percent} % of the embedded words are dropped; expected 50 %",
            percent=words,
        )
    if not abs(shares[1] - 0.5) <= 0.01:
        return say(
            "in training {percent} % of the outputs of the hidden Dense layer are dropped; "
            "expected 50 %",
            percent=outputs,
        )
    return ""


class BuildConv1DClassifier(Exercise):
    """Embedding, two convolutions, the largest value over time, two dense layers."""

    name = "conv1d.build_conv1d_classifier"
    lesson = "02-conv1d-baseline"
    section = 5
    axes = {
        "shape": (),
        "rows": (),
        "predictions": ("batch", "one probability"),
        "weights": (),
        "sigmoid": ("sums",),
        "dropped": ("places",),
    }
    aspects = (
        Aspect("predictions have the shape (batch, 1)", 10, ("plain",), equals("shape")),
        Aspect("texts may be of any length", 10, ("two lengths",), _a_number("rows")),
        Aspect("layers have weights of the right shapes", 20, ("layers",), equals("weights")),
        Aspect("the last sum becomes a probability", 10, ("layers",), numbers_agree("sigmoid")),
        Aspect("half is dropped in training", 15, ("layers",), _half_is_dropped),
        Aspect(
            "numbers are right for a text with nothing to pool",
            15,
            ("shortest text",),
            numbers_agree("predictions"),
        ),
        Aspect("numbers are right for longer texts", 20, ("plain",), numbers_agree("predictions")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Ids (batch, length) and the weights of all layers."""
        random = random_state(seed)
        vocabulary_size = int(random.choice([11, 13, 17]))
        embedding_dim = int(random.choice([5, 6]))
        batch = int(random.choice([3, 4]))
        length, longer = (int(n) for n in random.permutation(np.arange(43, 61))[:2])
        inputs = {
            "vocabulary_size": vocabulary_size,
            "embedding_dim": embedding_dim,
            "embedding": normal(random, vocabulary_size, embedding_dim),
        }
        shapes = {
            "1": (KERNEL_SIZE, embedding_dim, FILTERS),
            "2": (KERNEL_SIZE, FILTERS, FILTERS),
        }
        # Kernels that keep the numbers between layers, and the last sum, near 1.
        for layer, shape in shapes.items():
            fan_in = np.float32(np.sqrt(shape[0] * shape[1]))
            inputs[f"kernel_{layer}"] = normal(random, *shape) / fan_in
            inputs[f"bias_{layer}"] = normal(random, FILTERS) / np.float32(4)
        root = np.float32(np.sqrt(FILTERS))
        inputs["hidden_kernel"] = normal(random, FILTERS, FILTERS) / root
        inputs["hidden_bias"] = normal(random, FILTERS) / np.float32(4)
        inputs["output_kernel"] = normal(random, FILTERS, 1) / root
        inputs["output_bias"] = normal(random, 1) / np.float32(4)

        def texts(words: int) -> dict[str, Any]:
            ids = random.randint(1, vocabulary_size, (batch, words))
            ids[0, -3:] = 0
            return inputs | {"ids": ids}

        return (
            Case("plain", texts(length)),
            Case("two lengths", texts(longer)),
            Case("shortest text", texts(SHORTEST)),
            Case("layers", texts(SHORTEST + 4 * STRIDES)),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the model and call it, as it is and then with the case's weights.

        A model that has no place for these weights is judged without them.
        """
        model = obj(case.inputs["vocabulary_size"], case.inputs["embedding_dim"])
        if not callable(model):
            raise WrongReturn(say("returned {value}; expected a model", value=describe(model)))
        ids = case.inputs["ids"]
        if case.name == "layers":
            return _layers(model, ids.shape[1])
        if case.name == "two lengths":
            model(tensor(ids[:, :SHORTEST]))
        shape = np.shape(model(tensor(ids)))
        outputs = {"shape": str(shape), "rows": shape[0] if shape else 0}
        with suppress(WrongWeights):
            values = {title: case.inputs[name] for name, title in _WEIGHTS.items()}
            weights.assign(model, values)
            outputs["predictions"] = model(tensor(ids))
        return outputs


def _layers(model: Any, length: int) -> dict[str, Any]:
    """What a model's layers are, as far as their weights give them away.

    Args:
        model: takes ids (batch, length).
        length: words of the texts it is called on, unless it takes texts of one length only.

    Returns:
        weights: their shapes as text; sigmoid: what becomes of last sums of 3 and -3, when a bias
        is added last; dropped: the shares of the embedding's and the hidden layer's outputs that
        are dropped in training, when the first and the last weights are of such layers.
    """
    shape = getattr(model, "input_shape", None)
    if isinstance(shape, tuple) and len(shape) == 2 and shape[1]:
        length = min(shape[1], _LONGEST_FIXED_LENGTH)
    ids = np.zeros((1, length), int)
    model(tensor(ids))
    variables = model.trainable_weights
    outputs: dict[str, Any] = {"weights": [str(tuple(weight.shape)) for weight in variables]}
    if variables and tuple(variables[-1].shape) == (1,):
        outputs["sigmoid"] = np.array([_with_last_bias(model, ids, bias) for bias in (3.0, -3.0)])
    ranks = [len(weight.shape) for weight in variables]
    if ranks[:3] == [2, 3, 1] and ranks[-3:] == [1, 2, 1]:
        outputs["dropped"] = np.array([_words_dropped(model, ids), _hidden_dropped(model, ids)])
    return outputs


def _fill(model: Any, values: Mapping[int, Any]) -> None:
    """Give weights these values by their place, -1 for the last; all others become 0."""
    count = len(model.trainable_weights)
    by_place = {place % count: value for place, value in values.items()}
    for place, weight in enumerate(model.trainable_weights):
        weight.assign(np.broadcast_to(np.float32(by_place.get(place, 0.0)), weight.shape))


def _with_last_bias(model: Any, ids: np.ndarray, bias: float) -> float:
    _fill(model, {-1: bias})
    return float(np.ravel(model(tensor(ids)))[0])


def _words_dropped(model: Any, ids: np.ndarray) -> float:
    """Share of embedded words that are dropped: one number of the first word is all there is."""
    shapes = [tuple(weight.shape) for weight in model.trainable_weights]
    embedding, kernel, output = np.zeros(shapes[0]), np.zeros(shapes[1]), np.zeros(shapes[-2])
    embedding[1, 0] = 1.0
    kernel[:, 0] = 1.0
    output[:, 0] = 1 / len(output)
    means = {place: 1 / shape[-2] for place, shape in enumerate(shapes) if len(shape) > 1}
    _fill(model, means | {0: embedding, 1: kernel, len(shapes) - 2: output})
    marked = ids.copy()
    marked[0, 0] = 1
    return _share_unmoved(model, marked, model(tensor(ids)))


def _hidden_dropped(model: Any, ids: np.ndarray) -> float:
    """Share of the hidden layer's outputs that are dropped: only one of them is read."""
    _fill(model, {})
    silent = model(tensor(ids))
    bias, output = (np.zeros(model.trainable_weights[place].shape) for place in (-3, -2))
    bias[0] = output[0, 0] = 1.0
    _fill(model, {-3: bias, -2: output})
    return _share_unmoved(model, ids, silent)


def _share_unmoved(model: Any, ids: np.ndarray, silent: Any) -> float:
    """How often a text in training gives what it gives without its signal, to one decimal."""
    texts = tensor(np.repeat(ids, _TEXTS_AT_ONCE, axis=0))
    runs = [
        np.abs(np.array(model(texts, training=True)) - np.array(silent)) < 1e-4
        for _ in range(_TEXTS_TO_COUNT_DROPS // _TEXTS_AT_ONCE)
    ]
    return round(float(np.mean(runs)), 1)


# --- the best epoch ------------------------------------------------------------------------------


class BestEpoch(Exercise):
    """The epoch with the lowest validation loss, counted from 1."""

    name = "conv1d.best_epoch"
    lesson = "02-conv1d-baseline"
    section = 6
    axes = {"epoch": (), "type": ()}
    aspects = (
        Aspect("the lowest validation loss decides", 40, ("plain",), _a_number("epoch")),
        Aspect("a dip before the lowest one is passed", 20, ("two dips",), _a_number("epoch")),
        Aspect("of equal epochs the first is taken", 20, ("equal",), _a_number("epoch")),
        Aspect("the first epoch can be the best", 10, ("first epoch",), _a_number("epoch")),
        Aspect("the result is an int", 10, ("plain",), equals("type")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Histories as ``fit`` returns them."""
        random = random_state(seed)
        epochs = int(random.randint(10, 15))
        # In the second half, so that the loss is at its highest at the start.
        best = int(random.randint((epochs + 1) // 2, epochs - 3))
        valley = np.abs(np.arange(epochs) - best)
        rising = np.arange(epochs)
        curves = {
            "plain": valley,
            "two dips": np.where(rising == 1, valley[2] - 0.5, valley),
            "equal": np.where(rising == best + 2, 0, valley),
            "first epoch": rising,
        }
        return tuple(
            Case(name, {"history": _history(random, curve)}) for name, curve in curves.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a copy of the history."""
        history = {name: list(values) for name, values in case.inputs["history"].items()}
        epoch = obj(history)
        return {"epoch": epoch, "type": _type(epoch)}


def _history(random: np.random.RandomState, curve: np.ndarray) -> dict[str, list[float]]:
    """A history whose validation loss follows a curve.

    In training, the loss keeps falling and the accuracy rising. The validation accuracy is at its
    best two epochs after the validation loss.
    """
    epochs = np.arange(len(curve))
    loss = random.uniform(0.5, 0.6) * 0.8**epochs
    best_accuracy = int(curve.argmin()) + 2
    columns = {
        "accuracy": 1 - loss / 2,
        "loss": loss,
        "val_accuracy": random.uniform(0.86, 0.89) - 0.01 * np.abs(epochs - best_accuracy),
        "val_loss": random.uniform(0.28, 0.34) + random.uniform(0.02, 0.03) * curve,
    }
    return {name: [round(float(x), 4) for x in values] for name, values in columns.items()}


EXERCISES = (
    Standardize(),
    BuildVectorizer(),
    Conv1DOutputLength(),
    BuildConv1DClassifier(),
    BestEpoch(),
)
