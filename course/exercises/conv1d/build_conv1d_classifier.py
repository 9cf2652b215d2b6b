"""What ``conv1d.build_conv1d_classifier`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.conv1d.common import a_number
from course.exercises.weights import tensor
from selfcheck.aspects import absent, describe, equals, identical, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, Failure, Observation, WrongReturn
from selfcheck.sampling import normal, random_state
from selfcheck.texts import say

FILTERS, KERNEL_SIZE, STRIDES = 128, 7, 3

APART, WORDS, FEATURES = "each number on its own", "all numbers of a word", "a number of all words"
"""Which numbers of the embedded words training drops together."""

SAME, DIFFERENT = "the same", "different"
"""What two calls on the same ids give."""

SHARED = "those of another model"
"""What weights are that a second model, which the function makes, has as well."""

SHORTEST = KERNEL_SIZE + (KERNEL_SIZE - 1) * STRIDES
"""Words of a text that leaves one step after two convolutions: as many as such a step sees."""

BETWEEN = STRIDES**2
"""Words between the beginnings of two neighbouring steps after two convolutions."""


# A share of 4000 has a standard deviation of 0.008; between 0.4, 0.5 and 0.6 there are six of them.
_TEXTS_TO_COUNT_DROPS = 4000

# Those that people write, and twice a half.
_RATES = (0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0)

# Numbers that are dropped together are dropped twice as often as two that are not. Where a share
# of 2000 says which, it is eleven standard deviations away from the middle between the two.
_TEXTS_TO_COMPARE_DROPS = 2000

# Two predictions that differ by more than rounding aren't the same model's without dropout.
_ROUNDING = 1e-5

_LONGEST_FIXED_LENGTH = 1000

# A word whose vector stays 0 while others are measured: padding might be masked.
_NEUTRAL = 2

# The word that is measured: the unknown one, too, might be masked.
_MARKED = 3

_UNTRAINED = "shape", "rows"
_PREDICTED = *_UNTRAINED, "predictions", "repeats"
_OF_LAYERS = "weights", "sigmoid", "dropped", "dropped_together"

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


_RANKS = [2, 3, 1, 3, 1, 2, 1, 2, 1]


def shapes_of(vocabulary_size: int, embedding_dim: int) -> dict[str, tuple[int, ...]]:
    """The shapes of all weights, by the names of the inputs that hold them."""
    return {
        "embedding": (vocabulary_size, embedding_dim),
        "kernel_1": (KERNEL_SIZE, embedding_dim, FILTERS),
        "bias_1": (FILTERS,),
        "kernel_2": (KERNEL_SIZE, FILTERS, FILTERS),
        "bias_2": (FILTERS,),
        "hidden_kernel": (FILTERS, FILTERS),
        "hidden_bias": (FILTERS,),
        "output_kernel": (FILTERS, 1),
        "output_bias": (1,),
    }


def _weights_are_right(observation: Observation) -> str:
    received = observation.received
    if isinstance(received, Mapping) and identical(received.get("weights"), SHARED):
        return say("the models that the function makes share weights; expected new ones each time")
    return equals("weights")(observation)


def _half_is_dropped(observation: Observation) -> str:
    if isinstance(observation.received, Failure):
        return str(observation.received)
    shares = observation.received.get("dropped")
    if not isinstance(shares, np.ndarray) or shares.shape != (3,):
        return say(
            "dropout in training wasn't measured: the layers don't have the expected weights"
        )
    words, outputs, others = (f"{100 * share:.0f}" for share in shares)
    if not abs(shares[0] - 0.5) <= 0.01:
        return say(
            "{percent} % of the embedded words are dropped in training; expected 50 %",
            percent=words,
        )
    if not abs(shares[1] - 0.5) <= 0.01:
        return say(
            "{percent} % of the outputs of the hidden Dense layer are dropped in training; "
            "expected 50 %",
            percent=outputs,
        )
    if shares[2]:
        return say(
            "{percent} % of the outputs of the convolutions or of the pooling are dropped in "
            "training; expected 0 %",
            percent=others,
        )
    together = observation.received.get("dropped_together")
    if not identical(together, APART):
        known = isinstance(together, str) and together in (WORDS, FEATURES)
        return say(
            "in training, {seen} are dropped together; expected each number on its own",
            seen=say(together) if known else describe(together),
        )
    return ""


def _repeats(observation: Observation) -> str:
    """The predictions agree, and they do so in every call."""
    received = observation.received
    if isinstance(received, Mapping):
        if "repeats" not in received:  # the predictions are those with other weights
            return absent("predictions")
        if identical(received["repeats"], DIFFERENT):
            return say(
                "two calls on the same ids give different predictions, although neither is in "
                "training"
            )
    # First the predictions: without them nothing is said of a second call.
    return numbers_agree("predictions")(observation) or equals("repeats")(observation)


class BuildConv1DClassifier(Exercise):
    """Embedding, two convolutions, the largest value of steps with words, two dense layers."""

    name = "conv1d.build_conv1d_classifier"
    lesson = "02-conv1d-baseline"
    section = 6
    axes = {
        "shape": (),
        "rows": (),
        "predictions": ("batch", "one probability"),
        "weights": (),
        "sigmoid": ("sums",),
        "dropped": ("places",),
        "dropped_together": (),
        "repeats": (),
    }
    measured = ("shape", "rows", "sigmoid", "dropped", "dropped_together", "repeats")
    translatable_outputs = (WORDS, FEATURES)
    conditional = frozenset({*_PREDICTED[2:], *_OF_LAYERS[1:]})
    aspects = (
        Aspect("predictions have the shape (batch, 1)", 5, ("plain",), equals("shape")),
        Aspect("texts may be of any length", 5, ("two lengths",), a_number("rows")),
        Aspect(
            "each model has weights of its own, and they have the right shapes",
            10,
            ("layers",),
            _weights_are_right,
        ),
        Aspect("the last sum becomes a probability", 5, ("layers",), numbers_agree("sigmoid")),
        Aspect(
            "half is dropped in training, each number on its own", 15, ("layers",), _half_is_dropped
        ),
        Aspect(
            "the numbers are right for a text with nothing to pool",
            10,
            ("shortest text",),
            _repeats,
        ),
        Aspect("the numbers are right for longer texts", 15, ("plain",), _repeats),
        Aspect("windows of nothing but padding aren't pooled", 30, ("padding",), _repeats),
        Aspect("a text of padding alone has a prediction, too", 5, ("only padding",), _repeats),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Ids (batch, length) and the weights of all layers."""
        random = random_state(seed)
        vocabulary_size = int(random.choice([11, 13, 17]))
        embedding_dim = int(random.choice([5, 6]))
        batch = 3
        # Some words are left over, the same number for every seed: padding may be among them.
        length, longer = (SHORTEST + BETWEEN * int(random.randint(2, 4)) + over for over in (2, 4))
        two_steps = SHORTEST + BETWEEN
        sizes = {"vocabulary_size": vocabulary_size, "embedding_dim": embedding_dim}
        shape = shapes_of(**sizes)
        values: dict[str, Any] = {"embedding": normal(random, *shape["embedding"])}
        # Kernels that keep the numbers between layers, and the last sum, near 1.
        for layer in ("1", "2"):
            kernel = shape[f"kernel_{layer}"]
            fan_in = np.float32(np.sqrt(kernel[0] * kernel[1]))
            values[f"kernel_{layer}"] = normal(random, *kernel) / fan_in
            values[f"bias_{layer}"] = normal(random, FILTERS) / np.float32(4)
        root = np.float32(np.sqrt(FILTERS))
        values["hidden_kernel"] = normal(random, FILTERS, FILTERS) / root
        values["hidden_bias"] = normal(random, FILTERS) / np.float32(4)
        values["output_kernel"] = normal(random, FILTERS, 1) / root
        # Far enough above 0 that some last sum is, whatever the seed.
        values["output_bias"] = np.float32(1.5) + normal(random, 1) / np.float32(4)

        # Unknown words where a mask without them is another one, whatever the seed.
        def texts(words: int, count: int = batch) -> dict[str, Any]:
            ids = np.maximum(2, random.randint(1, vocabulary_size, (count, words)))
            ids[:, 1] = 1
            ids[0, -3:] = 0
            ids[-1, -1] = vocabulary_size - 1
            return sizes | {"ids": ids}

        def padded(*lengths: int, words: int) -> dict[str, Any]:
            ids = random.randint(1, vocabulary_size, (len(lengths), words))
            ids = np.maximum(2, ids)
            ids[np.array(lengths) < KERNEL_SIZE] = 1
            ids[np.arange(ids.shape[1]) >= np.array(lengths)[:, None]] = 0
            return sizes | {"ids": ids}

        return (
            Case("plain", texts(length) | values, asks=_PREDICTED),
            Case("two lengths", texts(longer), asks=_UNTRAINED),
            Case("shortest text", texts(SHORTEST) | values, asks=_PREDICTED),
            # The last word of the first text begins a window; the second one ends before a window
            # begins. In the others, windows that are counted 3 or 6 words apart are too many.
            Case(
                "padding",
                padded(3 * BETWEEN + 1, 4 * BETWEEN, 1, 3, 6, 8, words=longer + 2 * SHORTEST)
                | values,
                asks=_PREDICTED,
            ),
            # Two steps, and the other text has no padding: among many steps, what a wrong mask lets
            # in may lose to the others in every filter.
            Case("only padding", padded(two_steps, 0, words=two_steps) | values, asks=_PREDICTED),
            Case("layers", texts(SHORTEST + 4 * STRIDES, count=1), asks=_OF_LAYERS),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the model and call it, as it is and then with the case's weights, if it has any.

        A model that has no place for these weights gets others, and what two calls
        give isn't said.
        """
        sizes = case.inputs["vocabulary_size"], case.inputs["embedding_dim"]
        model = obj(*sizes)
        if not callable(model):
            raise WrongReturn(say("returned {value}; expected a model", value=describe(model)))
        ids = case.inputs["ids"]
        if case.name == "layers":
            outputs = _layers(model, ids.shape[1])
            own = set(map(id, model.trainable_weights))
            if own & set(map(id, getattr(obj(*sizes), "trainable_weights", ()))):
                outputs["weights"] = SHARED
            return outputs
        if case.name == "two lengths":
            model(tensor(ids[:, :SHORTEST]))
        shape = np.shape(model(tensor(ids)))
        outputs = {"shape": str(shape), "rows": shape[0] if shape else 0}
        if not case.inputs.keys() >= _WEIGHTS.keys():
            return outputs
        values = {title: case.inputs[name] for name, title in _WEIGHTS.items()}
        fits = weights.assign_or_fill(model, values, ids)
        predictions, again = (np.array(model(tensor(ids))) for _ in range(2))
        repeats = predictions.shape == again.shape and np.allclose(
            predictions, again, rtol=0, atol=_ROUNDING, equal_nan=True
        )
        if fits:
            outputs["repeats"] = SAME if repeats else DIFFERENT
        if not repeats:
            with weights.without_dropout(model):
                predictions = model(tensor(ids))
        outputs["predictions"] = predictions
        return outputs


def _rate(share: float) -> float:
    """The rate that a share was probably dropped at.

    Example:
        >>> _rate(0.489), _rate(0.742)
        (0.5, 0.75)
    """
    return min(_RATES, key=lambda rate: abs(rate - share))


def _layers(model: Any, length: int) -> dict[str, Any]:
    """What a model's layers are, as far as their weights give them away.

    Args:
        model: takes ids (batch, length).
        length: words of the texts it is called on, unless it takes texts of one length only.

    Returns:
        weights: their shapes as text; sigmoid: what becomes of last sums of 3 and -3, when a bias
        is added last; dropped: the shares of the embedding's outputs, of the hidden layer's and of
        those of the layers in between that are dropped in training, when the first and the last
        weights are of such layers; dropped_together: which of the embedding's.
    """
    shape = getattr(model, "input_shape", None)
    if isinstance(shape, tuple) and len(shape) == 2 and shape[1]:
        length = min(shape[1], _LONGEST_FIXED_LENGTH)
    ids = np.full((1, length), _NEUTRAL)
    model(tensor(ids))
    variables = model.trainable_weights
    outputs: dict[str, Any] = {"weights": [str(tuple(weight.shape)) for weight in variables]}
    if variables and tuple(variables[-1].shape) == (1,):
        outputs["sigmoid"] = np.array([_with_last_bias(model, ids, bias) for bias in (3.0, -3.0)])
    ranks = [len(weight.shape) for weight in variables]
    if ranks[:3] == [2, 3, 1] and ranks[-3:] == [1, 2, 1]:
        words = _words_dropped(model, ids, [0], 1)
        shares = [_rate(share) for share in (words, _hidden_dropped(model, ids))]
        together = outputs["dropped_together"] = _dropped_together(model, ids, words)
        # All numbers of a few features are often dropped at once.
        alone = ranks == _RANKS and together == APART
        between = _between_dropped(model, ids) if alone else 0.0
        outputs["dropped"] = np.array([*shares, _rate(between)])
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


def _words_dropped(
    model: Any, ids: np.ndarray, places: list[int], features: int, count: int = 0
) -> float:
    """Share of texts without a trace of the embedded words: in some places, some first features
    are all there is."""
    shapes = [tuple(weight.shape) for weight in model.trainable_weights]
    embedding, kernel, output = np.zeros(shapes[0]), np.zeros(shapes[1]), np.zeros(shapes[-2])
    embedding[_MARKED, :features] = 1.0
    kernel[:, :features] = 1.0
    output[:, 0] = 1 / len(output)
    means = {place: 1 / shape[-2] for place, shape in enumerate(shapes) if len(shape) > 1}
    _fill(model, means | {0: embedding, 1: kernel, len(shapes) - 2: output})
    marked = ids.copy()
    marked[0, places] = _MARKED
    return _share_unmoved(model, marked, model(tensor(ids)), count)


def _dropped_together(model: Any, ids: np.ndarray, share: float) -> str:
    """Which of the embedding's numbers are dropped together, when a share of them is dropped."""
    middle = (share + share**2) / 2
    several = model.trainable_weights[0].shape[1] > 1
    if several and _words_dropped(model, ids, [0], 2, _TEXTS_TO_COMPARE_DROPS) > middle:
        return WORDS
    if _words_dropped(model, ids, [0, 1], 1, _TEXTS_TO_COMPARE_DROPS) > middle:
        return FEATURES
    return APART


def _hidden_dropped(model: Any, ids: np.ndarray) -> float:
    """Share of the hidden layer's outputs that are dropped: only one of them is read."""
    _fill(model, {})
    silent = model(tensor(ids))
    bias, output = (np.zeros(model.trainable_weights[place].shape) for place in (-3, -2))
    bias[0] = output[0, 0] = 1.0
    _fill(model, {-3: bias, -2: output})
    return _share_unmoved(model, ids, silent)


def _between_dropped(model: Any, ids: np.ndarray) -> float:
    """Share of texts of which a dropout between the embedding and the hidden layer leaves no trace.

    Many numbers go into one output of the first convolution, that alone into one output of the
    second, and that into all outputs of the hidden layer.
    """
    _fill(model, {})
    silent = model(tensor(ids))
    shapes = [tuple(weight.shape) for weight in model.trainable_weights]
    values = {place: np.zeros(shapes[place]) for place in (0, 1, 3, 5, 7)}
    values[0][_MARKED] = values[1][..., 0] = values[3][0, 0, 0] = values[5][0] = 1.0
    values[7][:, 0] = 1 / len(values[7])
    _fill(model, values)
    marked = ids.copy()
    marked[0, :KERNEL_SIZE] = _MARKED
    share = _share_unmoved(model, marked, silent)
    return max(share, 0.1) if share > 0.01 else 0.0


def _share_unmoved(model: Any, ids: np.ndarray, silent: Any, count: int = 0) -> float:
    """How often a text in training gives what it gives without its signal."""
    texts = tensor(np.repeat(ids, count or _TEXTS_TO_COUNT_DROPS, axis=0))
    given = np.array(model(texts, training=True))
    return float(np.mean(np.abs(given - np.array(silent)) < 1e-4))


EXERCISE = BuildConv1DClassifier()
