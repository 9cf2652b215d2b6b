"""Convolutions over words: the reference against Keras, TensorFlow's gradients, scikit-learn and
numbers worked out by hand; the exercises on answers as students write them."""

import re
import string
import subprocess
import sys
from collections import Counter

import keras
import numpy as np
import pytest
import tensorflow as tf
from keras import layers
from sklearn.feature_extraction.text import CountVectorizer

from course import COURSE
from keys.conv1d.build_conv1d_classifier import convolved
from keys.conv1d.build_vectorizer import by_frequency
from keys.conv1d.common import standardized
from tests.conftest import responded
from tests.support import taught
from tests.support.submitted import Lesson
from tests.support.taught import judge

LESSON = Lesson("02-conv1d-baseline")
SEEDS = range(5)
WEIGHTS = [
    "embedding",
    "kernel_1",
    "bias_1",
    "kernel_2",
    "bias_2",
    "hidden_kernel",
    "hidden_bias",
    "output_kernel",
    "output_bias",
]
# Keras warns about what some of these answers do.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:keras")


def test_marks_make_no_tag_by_chance():
    """On the seeds where they do, another mistake with tags would be named."""
    for seed in range(200):
        marks = next(
            case.inputs["texts"]
            for case in COURSE.get("conv1d.standardize").cases(seed)
            if case.name == "punctuation"
        )
        tags = [tag for text in marks for tag in re.findall("<[^>]*>", text)]
        assert tags == ["<i>", "</i>", "<br>", "<br/>"]


# On some of these seeds no filter told padding beside words from padding alone.
@pytest.mark.parametrize("seed", [3, 297, 715, 752])
def test_a_window_of_padding_is_let_in_where_it_can_be_seen(seed):
    exercise = COURSE.get("conv1d.build_conv1d_classifier")
    (mistake,) = (
        each for each in taught.known(exercise, seed).single if each.name == "mask_of_the_first_ids"
    )
    expected = taught.expected(exercise, seed)
    differs = {
        case: not np.allclose(outputs["predictions"], expected[case].outputs["predictions"])
        for case, outputs in mistake.outputs.items()
        if "predictions" in expected[case].outputs
    }
    assert differs.pop("padding")
    assert not any(differs.values())


def cases(function, seed):
    return COURSE.get(f"conv1d.{function}").cases(seed)


# --- the reference -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "standardized"),
    [
        ("It's GREAT<br />isn't it?", "its great isnt it"),
        ("One<br /><br />two <br /> three", "one  two   three"),
        ("state-of-the-art, snake_case \\ 7.5/10", "stateoftheart snakecase  7510"),
        (" Café\tau lait\n", " café\tau lait\n"),
        ("ÉTÉ, “Été”", "ÉtÉ “Été”"),
        ("One<BR />two", "one two"),
        ("?! ...", " "),
        ("", ""),
    ],
)
def test_standardized_texts_by_hand(text, standardized):
    assert taught.solution("conv1d.standardize")(text) == {
        "standardized": [standardized],
        "shape": "()",
    }


def test_a_matrix_is_standardized_row_by_row():
    result = taught.solution("conv1d.standardize")([["A", "b!"], ["C<br />", "d"], ["e", ""]])
    assert result == {"standardized": ["a", "b", "c ", "d", "e", ""], "shape": "(3, 2)"}


@pytest.mark.parametrize("seed", SEEDS)
def test_texts_without_line_breaks_are_standardized_as_by_keras(seed):
    texts = np.concatenate(
        [np.ravel(np.array(case.inputs["texts"], object)) for case in cases("standardize", seed)]
    )
    texts = [text for text in texts if "<br />" not in text.lower() and text.strip("?!.")]
    layer = layers.TextVectorization(split=None)
    layer.adapt(texts)
    assert set(taught.solution("conv1d.standardize")(texts)["standardized"]) == set(
        layer.get_vocabulary()[2:]
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_ids_and_vocabulary_agree_with_keras(seed):
    for case in cases("build_vectorizer", seed):
        inputs = case.inputs
        layer = layers.TextVectorization(
            max_tokens=inputs["max_tokens"],
            standardize=None,
            output_sequence_length=inputs["sequence_length"],
        )
        layer.adapt([standardized(text) for text in inputs["texts"]])
        ours = taught.solution("conv1d.build_vectorizer")(**inputs)
        assert ours["vocabulary"] == layer.get_vocabulary()
        theirs = layer([standardized(text) for text in inputs["new_texts"]])
        np.testing.assert_array_equal(ours["ids"], theirs)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_vocabulary_agrees_with_scikit_learn(seed):
    for case in cases("build_vectorizer", seed):
        size = case.inputs["max_tokens"] - 2
        vectorizer = CountVectorizer(preprocessor=standardized, max_features=size)
        counts = np.asarray(vectorizer.fit_transform(case.inputs["texts"]).sum(axis=0)).ravel()
        assert len(set(counts)) == len(counts)
        theirs = vectorizer.get_feature_names_out()[np.argsort(-counts)].tolist()
        assert taught.solution("conv1d.build_vectorizer")(**case.inputs)["vocabulary"] == [
            "",
            "[UNK]",
            *theirs,
        ]


def test_equally_frequent_words_come_in_the_order_of_keras():
    layer = layers.TextVectorization()
    layer.adapt(["b d a", "c d", "a e"])
    tokens = ["b", "d", "a", "c", "d", "a", "e"]
    assert by_frequency(Counter(tokens)) == layer.get_vocabulary()[2:]


def test_output_lengths_by_hand():
    # Kernels of 3 on 8 words start at 0, 2 and 4 with strides of 2; the next one would need a
    # ninth word, with which there are four.
    lengths = [(8, 3, 2), (9, 3, 2), (8, 3, 1), (3, 3, 2), (2, 3, 2), (0, 3, 1)]
    steps = [
        taught.solution("conv1d.conv1d_output_length")(*sizes)["steps"].item() for sizes in lengths
    ]
    assert steps == [3, 4, 6, 1, 0, 0]


@pytest.mark.parametrize("seed", SEEDS)
def test_output_lengths_agree_with_keras(seed):
    for case in cases("conv1d_output_length", seed):
        length, kernel_size, strides = case.inputs.values()
        steps = taught.solution("conv1d.conv1d_output_length")(**case.inputs)["steps"]
        if length < kernel_size:
            assert steps == 0
            continue
        layer = layers.Conv1D(1, kernel_size, strides=strides)
        assert layer.compute_output_shape((1, length, 2)) == (1, steps, 1)


def test_a_convolution_by_hand():
    # Two words at a time, of two numbers each, with a stride of 2: the first filter adds the first
    # numbers up, the second one takes the later word's second number from the earlier one's.
    x = np.array([[[1.0, 10], [2, 20], [3, 40], [4, 80], [5, 160]]])
    kernel = np.array([[[1.0, 0], [0, 1]], [[1, 0], [0, -1]]])
    expected = [[[1 + 2 + 0.5, 10 - 20 - 1], [3 + 4 + 0.5, 40 - 80 - 1]]]
    result = convolved(x, kernel, np.array([0.5, -1]), strides=2)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_convolutions_agree_with_keras_under_copied_weights(seed):
    random = np.random.RandomState(seed)
    batch, length, depth, filters, size, strides = (int(n) for n in random.randint(2, 8, 6))
    x = random.standard_normal((batch, length + size, depth)).astype(np.float32)
    layer = layers.Conv1D(filters, size, strides=strides, bias_initializer="random_normal")
    theirs = layer(x)
    kernel, bias = layer.get_weights()
    ours = convolved(x, kernel, bias, strides)
    np.testing.assert_allclose(ours, theirs, atol=1e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_students_convolution_agrees_with_keras_and_with_that_of_the_classifier(seed):
    for case in cases("conv1d", seed):
        x, kernel, bias = (case.inputs[name] for name in ("x", "kernel", "bias"))
        strides = case.inputs.get("strides", 1)
        ours = taught.solution("conv1d.conv1d")(**case.inputs)["output"]
        layer = layers.Conv1D(kernel.shape[-1], len(kernel), strides=strides)
        layer.build(x.shape)
        layer.set_weights([kernel, bias])
        np.testing.assert_allclose(ours, layer(x), atol=1e-5)
        np.testing.assert_allclose(ours, convolved(x, kernel, bias, strides), atol=1e-5)


def test_a_convolution_of_one_kernel_is_numpys_correlation():
    random = np.random.RandomState(3)
    x, kernel = random.standard_normal(9), random.standard_normal(4)
    ours = taught.solution("conv1d.conv1d")(x[None, :, None], kernel[:, None, None], np.zeros(1))
    np.testing.assert_allclose(ours["output"].ravel(), np.correlate(x, kernel, mode="valid"))


def words_that_reach_the_first_step(kernel_sizes, strides):
    """From the first to the last of them: 1000 texts, each with a single word that isn't 0."""
    y = np.eye(1000)
    for size, stride in zip(kernel_sizes, strides, strict=True):
        y = np.lib.stride_tricks.sliding_window_view(y, size, axis=1)[:, ::stride].sum(axis=-1)
    (places,) = np.nonzero(y[:, 0])
    return places[-1] - places[0] + 1


@pytest.mark.parametrize("seed", SEEDS)
def test_the_receptive_field_holds_the_words_that_reach_a_step(seed):
    for case in cases("receptive_field", seed):
        ours = taught.solution("conv1d.receptive_field")(**case.inputs)["words"]
        assert ours == words_that_reach_the_first_step(**case.inputs)


def test_receptive_fields_by_hand():
    field = taught.solution("conv1d.receptive_field")
    assert field([7, 7], [3, 3])["words"] == 7 + 6 * 3
    assert field([2, 3], [5, 1])["words"] == 2 + 2 * 5
    assert field([], [])["words"] == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_masked_pooling_is_the_largest_of_each_texts_own_steps(seed):
    for case in cases("masked_max_pooling", seed):
        ours = taught.solution("conv1d.masked_max_pooling")(**case.inputs)["output"]
        for text, kept, pooled in zip(case.inputs["x"], case.inputs["mask"], ours, strict=True):
            if kept.any():
                alone = layers.GlobalMaxPooling1D()(text[kept][None])[0]
                np.testing.assert_allclose(pooled, alone, rtol=1e-6)
            else:
                assert not pooled.any()


def keras_model(vocabulary_size, embedding_dim, plain=False):
    ids = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(ids)
    x = layers.Dropout(0.5)(x)
    words = keras.ops.cast(ids > 0, "float32")[..., None]
    for _ in range(2):
        x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
        words = layers.MaxPooling1D(7, strides=3)(words)
    # Nothing is below 0 after a relu, so 0 never wins.
    x = layers.GlobalMaxPooling1D()(x if plain else x * words)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(ids, layers.Dense(1, activation="sigmoid")(x))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_classifier_agrees_with_keras_under_copied_weights(seed):
    for case in cases("build_conv1d_classifier", seed):
        model = keras_model(case.inputs["vocabulary_size"], case.inputs["embedding_dim"])
        weights = [
            case.inputs.get(name, 0 * weight)
            for name, weight in zip(WEIGHTS, model.get_weights(), strict=True)
        ]
        model.set_weights(weights)
        ours = taught.solution("conv1d.build_conv1d_classifier")(**case.inputs)
        np.testing.assert_allclose(ours["predictions"], model(case.inputs["ids"]), atol=1e-5)
        assert ours["weights"] == [str(tuple(weight.shape)) for weight in model.weights]
        assert ours["shape"] == str((int(ours["rows"]), 1))
    np.testing.assert_allclose(ours["sigmoid"], keras.ops.sigmoid([3.0, -3.0]), atol=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_more_padding_changes_no_prediction(seed):
    (case,) = (x for x in cases("build_conv1d_classifier", seed) if x.name == "padding")
    predicted = taught.solution("conv1d.build_conv1d_classifier")
    longer = {**case.inputs, "ids": np.pad(case.inputs["ids"], [(0, 0), (0, 50)])}
    as_it_is, padded = (predicted(**inputs)["predictions"] for inputs in (case.inputs, longer))
    np.testing.assert_allclose(as_it_is, padded, atol=1e-6)


def test_a_plain_maximum_over_time_loses_the_points_of_padding():
    verdict = judged("build_conv1d_classifier", lambda *sizes: keras_model(*sizes, plain=True))
    assert verdict.mistakes == ("plain_max_pooling",)
    assert verdict.percent == 65


def test_a_text_that_two_convolutions_use_up_is_refused():
    inputs = dict(cases("build_conv1d_classifier", 1)[0].inputs)
    with pytest.raises(ValueError, match="window"):
        taught.solution("conv1d.build_conv1d_classifier")(**inputs | {"ids": inputs["ids"][:, :24]})


def test_the_best_epoch_by_hand():
    losses = [0.6, 0.41, 0.45, 0.3, 0.33, 0.3]
    assert (
        taught.solution("conv1d.best_epoch")({"loss": [1, 0, 0, 0, 0, 0], "val_loss": losses})[
            "epoch"
        ]
        == 4
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_epoch_agrees_with_early_stopping(seed):
    for case in cases("best_epoch", seed):
        losses = case.inputs["history"]["val_loss"]
        callback = keras.callbacks.EarlyStopping("val_loss", patience=len(losses))
        callback.set_model(keras.Sequential())
        callback.on_train_begin()
        for epoch, loss in enumerate(losses):
            callback.on_epoch_end(epoch, {"val_loss": loss})
        assert (
            taught.solution("conv1d.best_epoch")(**case.inputs)["epoch"] == callback.best_epoch + 1
        )


# --- the cases -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_every_mark_of_punctuation_is_in_a_text(seed):
    texts = " ".join(
        text
        for case in cases("standardize", seed)
        if case.name in ("apostrophes and hyphens", "punctuation", "backslash")
        for text in case.inputs["texts"]
    )
    assert set(string.punctuation) <= set(texts)


@pytest.mark.parametrize("seed", range(20))
def test_a_window_more_or_less_and_rounding_show_in_the_output_length(seed):
    plain = cases("conv1d_output_length", seed)[0].inputs
    assert 0 < (plain["length"] - plain["kernel_size"]) % plain["strides"] < plain["strides"] - 1
    for case in cases("conv1d_output_length", seed):
        assert min(case.inputs["kernel_size"], case.inputs["strides"]) >= 1


@pytest.mark.parametrize("seed", range(20))
def test_probabilities_of_the_classifier_are_neither_0_nor_1_nor_equal(seed):
    for case in cases("build_conv1d_classifier", seed):
        if "embedding" not in case.inputs:
            continue
        predictions = taught.solution("conv1d.build_conv1d_classifier")(**case.inputs)[
            "predictions"
        ]
        assert 0.001 < predictions.min() < predictions.max() < 0.999
        assert len(set(predictions.ravel().round(4))) == len(predictions)


@pytest.mark.parametrize("seed", range(20))
def test_each_column_of_a_history_has_its_best_epoch_elsewhere(seed):
    history = cases("best_epoch", seed)[0].inputs["history"]
    best = {
        int(np.argmin(history["val_loss"])),
        int(np.argmin(history["loss"])),
        int(np.argmax(history["val_accuracy"])),
        int(np.argmax(history["val_loss"])),
    }
    assert len(best) == 4
    for column in ("loss", "val_accuracy", "val_loss"):
        assert len(history[column]) == len(history["accuracy"])


# --- answers -------------------------------------------------------------------------------------


def judged(function, answer):
    name = f"conv1d.{function}"
    return judge(name, 1, responded(name, answer))


@pytest.mark.parametrize(
    ("function", "answer", "seen"),
    [
        ("standardize", lambda texts: None, "`standardized` differs first at [0]: None"),
        ("standardize", lambda texts: tf.strings.split(texts), "differs first at [0]: a list of 2"),
        ("build_vectorizer", lambda *sizes: [[1, 2]], "returned a list of 1; expected a TextVect"),
        ("conv1d_output_length", lambda *sizes: [3], "`steps` is a list of 1; expected a number"),
        ("conv1d_output_length", lambda *sizes: "3", "`steps` is a str; expected a number"),
        ("conv1d_output_length", lambda *sizes: True, "`steps` is a bool; expected a number"),
        ("conv1d_output_length", lambda *sizes: np.nan, "`steps`: got nan, expected"),
        ("conv1d", lambda x, *others, **strides: None, "`output` is None; expected an array"),
        ("receptive_field", lambda *lists: [3], "`words` is a list of 1; expected a number"),
        ("masked_max_pooling", lambda x, mask: (x, mask), "expected only the pooled numbers"),
        ("build_conv1d_classifier", lambda *sizes: None, "returned None; expected a model"),
        ("best_epoch", lambda history: history, "`epoch` is a dict of 5; expected a number"),
        ("best_epoch", lambda history: [[1], [2, 3]], "`epoch` is a list of 2; expected a number"),
    ],
)
def test_what_is_returned_is_described(function, answer, seen):
    verdict = judged(function, answer)
    assert verdict.percent == 0
    assert seen in verdict.findings[0].seen


@pytest.mark.parametrize(
    "as_type", [int, np.int32, np.uint8, tf.constant, keras.ops.convert_to_tensor, np.array]
)
def test_an_epoch_may_be_of_any_integer_type(as_type):
    verdict = judged("best_epoch", lambda history: as_type(np.argmin(history["val_loss"]) + 1))
    assert verdict.percent == 100, verdict.to_text()


@pytest.mark.parametrize("as_type", [float, np.float32])
def test_a_right_epoch_that_is_no_int_costs_its_share(as_type):
    verdict = judged("best_epoch", lambda history: as_type(np.argmin(history["val_loss"]) + 1))
    assert verdict.percent == 95
    assert verdict.mistakes == ("a_float",)


def with_dropout(first, second):
    """The right model but for two rates."""

    def build(vocabulary_size, embedding_dim):
        model = keras_model(vocabulary_size, embedding_dim)
        dropouts = [layer for layer in model.layers if isinstance(layer, layers.Dropout)]
        for dropout, rate in zip(dropouts, (first, second), strict=True):
            dropout.rate = rate
        return model

    return build


@pytest.mark.parametrize(
    ("first", "second", "seen"),
    [
        (0.2, 0.5, "20 % of the embedded words are dropped in training; expected 50 %"),
        (0.5, 0.3, "30 % of the outputs of the hidden Dense layer are dropped in training"),
        (0.8, 0.5, "80 % of the embedded words are dropped in training"),
    ],
)
def test_what_is_dropped_is_counted(first, second, seen):
    verdict = judged("build_conv1d_classifier", with_dropout(first, second))
    assert verdict.percent == 85
    assert verdict.explanation.startswith(seen)


def test_a_model_that_fits_no_weights_is_judged_by_what_is_left():
    def build(vocabulary_size, embedding_dim):
        return keras.Sequential(
            [
                layers.Embedding(vocabulary_size, 2 * embedding_dim),
                layers.GlobalAveragePooling1D(),
                layers.Dense(1, activation="sigmoid"),
            ]
        )

    verdict = judged("build_conv1d_classifier", build)
    passed = [finding.passed for finding in verdict.findings]
    assert passed == [True, True, False, True] + 5 * [False]
    assert verdict.findings[-1].seen == "`predictions` couldn't be compared"


def test_a_model_with_strange_outputs_is_judged():
    verdict = judged("build_conv1d_classifier", lambda *sizes: lambda ids: {"a": 1})
    assert verdict.percent == 0


def test_a_response_without_its_outputs_earns_nothing():
    for name in COURSE.names("02-conv1d-baseline"):
        empty = {case.name: {"outputs": {}} for case in COURSE.get(name).cases(1)}
        assert judge(name, 1, {"exercise": name, "cases": empty}).percent == 0


def test_judging_needs_no_tensorflow():
    probe = (
        "import sys; from tests.support.taught import COURSE as e, judge; "
        "[judge(n, 1, {'exercise': n, 'cases': {c.name: {'outputs': {}} "
        "for c in e.get(n).cases(1)}}) for n in e.names('02-conv1d-baseline')]; "
        "sys.exit(any(m.split('.')[0] in ('tensorflow', 'keras', 'IPython') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0
