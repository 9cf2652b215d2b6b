"""The transformer encoder: the reference against Keras, the formulas and numbers worked out by
hand; the exercises on answers as students write them."""

import math

import keras
import numpy as np
import pytest

from course import COURSE
from course.exercises import classifiers
from keys.transformer.common import layer_norm, masked_mean
from tests.conftest import responded
from tests.support import taught
from tests.support.submitted import Lesson
from tests.support.taught import judge

LESSON = Lesson("04-transformer-encoder")
(KERAS,) = (path for path in LESSON.files("right") if path.stem == "right_keras")
SEEDS = range(5)
# Keras warns about what some of these answers do.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:keras")


def cases(function, seed):
    return taught.cases(f"transformer.{function}", seed)


# --- the reference -------------------------------------------------------------------------------


def test_positional_encoding_by_hand():
    # depth = 4: the second pair of columns turns 10000^(2/4) = 100 times slower than the first.
    encoding = taught.solution("transformer.positional_encoding")(3, 4)["encoding"]
    expected = [
        [0, 1, 0, 1],
        [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)],
        [math.sin(2), math.cos(2), math.sin(0.02), math.cos(0.02)],
    ]
    np.testing.assert_allclose(encoding, expected, atol=1e-15)


def test_the_dot_product_of_two_encodings_depends_on_their_distance_alone():
    # sin a sin b + cos a cos b = cos(a - b), for every frequency.
    encoding = taught.solution("transformer.positional_encoding")(40, 16)["encoding"]
    products = encoding @ encoding.T
    for distance in (0, 1, 7):
        diagonal = np.diagonal(products, distance)
        np.testing.assert_allclose(diagonal, diagonal[0], atol=1e-12)


def test_layer_norm_by_hand():
    # Mean 3 and variance ((-2)² + 0 + 2²) / 3 = 8/3.
    root = math.sqrt(8 / 3)
    normed = layer_norm(np.array([1.0, 3, 5]), np.array([1.0, 1, 2]), np.array([0.0, 1, 0]))
    np.testing.assert_allclose(normed, [-2 / root, 1, 4 / root], atol=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_token_and_position_embedding_agrees_with_keras(seed):
    inputs = cases("token_and_position_embedding", seed)["short"].inputs
    tables = [inputs["token_table"], inputs["position_table"]]
    tokens, positions = (keras.layers.Embedding(*table.shape, weights=[table]) for table in tables)
    ids = inputs["ids"]
    theirs = tokens(ids) + positions(np.arange(ids.shape[1]))
    ours = taught.outputs(taught.solution("transformer.token_and_position_embedding"), inputs)[
        "output"
    ]
    np.testing.assert_allclose(ours, theirs, atol=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_encoder_layer_agrees_with_keras_under_copied_weights(seed):
    for case in cases("encoder_layer", seed).values():
        w, x, mask = case.inputs, case.inputs["inputs"], case.inputs["mask"]
        size, heads = x.shape[-1], w["num_heads"]
        attention = keras.layers.MultiHeadAttention(heads, size // heads)
        attention.build(x.shape, x.shape)
        split = (size, heads, size // heads)
        copied = []
        for role in ("query", "key", "value"):
            copied += [w[f"{role}_kernel"].reshape(split), w[f"{role}_bias"].reshape(split[1:])]
        output = w["output_kernel"].reshape(heads, size // heads, size)
        attention.set_weights([*copied, output, w["output_bias"]])
        norms = []
        for place in ("1", "2"):
            norm = keras.layers.LayerNormalization(epsilon=1e-6)
            norm.build(x.shape)
            norm.set_weights([w[f"gamma_{place}"], w[f"beta_{place}"]])
            norms.append(norm)
        y = norms[0](x + attention(x, x, attention_mask=None if mask is None else mask[:, None]))
        hidden = keras.ops.relu(y @ w["expand_kernel"] + w["expand_bias"])
        theirs = np.array(norms[1](y + hidden @ w["contract_kernel"] + w["contract_bias"]))
        ours = taught.expected(COURSE.get("transformer.encoder_layer"), seed)[case.name]
        if "rate" in w:
            continue
        judged = ~np.broadcast_to(case.free.get("output", False), theirs.shape)
        # Logits of 200 carry rounding errors of 1e-5 in float32, which exp() passes on.
        atol = 1e-4 if case.name == "large logits" else 1e-5
        np.testing.assert_allclose(ours.outputs["output"][judged], theirs[judged], atol=atol)


def test_warmup_by_hand():
    # d_model = 64 and 100 steps of warm-up: the top is 1/8 · 100^-0.5 = 0.0125 at step 100. Half
    # way up it is half of that, and at four times the step, half of it again.
    inputs = {"d_model": 64, "warmup_steps": 100, "steps": np.array([0, 50, 100, 400])}
    rates = taught.outputs(taught.solution("transformer.warmup_schedule"), inputs)["rates"]
    np.testing.assert_allclose(rates, [0, 0.00625, 0.0125, 0.00625], atol=1e-15)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_classifiers_mean_agrees_with_keras(seed):
    x = np.random.RandomState(seed).standard_normal((3, 5, 4)).astype("float32")
    mask = np.arange(5) < np.array([[2], [5], [3]])
    theirs = keras.layers.GlobalAveragePooling1D()(x, mask=mask)
    np.testing.assert_allclose(masked_mean(x, mask), theirs, atol=1e-6)


def test_the_classifier_is_its_parts():
    inputs = cases("build_transformer_classifier", 3)["padding"].inputs
    result = taught.solution("transformer.build_transformer_classifier")(**inputs)
    np.testing.assert_allclose(result["probabilities"].sum(axis=1), 1, atol=1e-12)
    # The same texts with the padding behind them cut off give the same.
    for number, row in enumerate(inputs["ids"]):
        cut = inputs | {"ids": row[None, : 1 + np.flatnonzero(row)[-1]]}
        alone = taught.solution("transformer.build_transformer_classifier")(**cut)["probabilities"][
            0
        ]
        np.testing.assert_allclose(alone, result["probabilities"][number], atol=1e-12)


# --- answers -------------------------------------------------------------------------------------


def verdict_on(function, obj, seed=1):
    name = f"transformer.{function}"
    return judge(name, seed, responded(name, obj, seed))


def test_a_layer_that_drops_while_predicting_loses_points():
    answered = LESSON.answered(LESSON.files("right")[0])

    class Dropping(answered["EncoderLayer"]):
        def call(self, inputs, mask=None, training=None):
            return super().call(inputs, mask=mask, training=True)

    verdict = verdict_on("encoder_layer", Dropping)
    assert (verdict.held, verdict.percent) == (45, 85)
    assert verdict.mistakes == ("drops_while_predicting",)


def test_a_mask_in_the_place_of_the_keys_is_named():
    answered = LESSON.answered(KERAS)

    class Layer(answered["EncoderLayer"]):
        def call(self, inputs, mask=None, training=None):
            attended = self.attention(inputs, inputs, mask)
            x = self.norm_1(inputs + self.dropout_1(attended, training=training))
            network = self.contract(self.expand(x))
            return self.norm_2(x + self.dropout_2(network, training=training))

    assert verdict_on("encoder_layer", Layer).mistakes == ("mask_as_the_keys",)


@pytest.mark.parametrize(
    ("cast", "smaller", "mistake"),
    [
        (True, keras.ops.min, "smallest_of_one_tensor"),
        (False, keras.ops.minimum, "whole_numbers"),
    ],
)
def test_the_smallest_of_one_tensor_is_not_called_a_whole_number(cast, smaller, mistake):
    class Schedule(keras.optimizers.schedules.LearningRateSchedule):
        def __init__(self, d_model, warmup_steps):
            self.d_model, self.warmup_steps = d_model, warmup_steps

        def __call__(self, step):
            step = keras.ops.cast(step, "float32") if cast else step
            climbing = step * self.warmup_steps**-1.5
            return self.d_model**-0.5 * smaller(keras.ops.rsqrt(step), climbing)

    assert verdict_on("warmup_schedule", Schedule).mistakes == (mistake,)


def test_a_layer_that_is_never_called_is_spoken_of():
    answered = LESSON.answered(KERAS)

    class Layer(answered["EncoderLayer"]):
        def call(self, inputs, mask=None, training=None):
            x = self.norm_1(inputs + self.attention(inputs, inputs))
            return self.norm_2(x + self.contract(x))

    assert "never called" in verdict_on("encoder_layer", Layer).explanation


def test_a_model_that_gives_no_right_number_earns_a_fifth():
    def deeper(max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate):
        ids = keras.Input((max_length,), dtype="int32")
        x = keras.layers.Embedding(vocabulary_size, embedding_dim)(ids)
        x = keras.layers.GlobalAveragePooling1D()(x)
        return keras.Model(ids, keras.layers.Dense(num_classes, activation="softmax")(x))

    verdict = verdict_on("build_transformer_classifier", deeper)
    assert (verdict.held, verdict.percent) == (25, 20)


def test_what_is_no_model_is_said():
    verdict = verdict_on("build_transformer_classifier", lambda *sizes: None)
    assert verdict.percent == 0
    assert "returned None; expected a model" in verdict.explanation


@pytest.mark.parametrize("rows", [[[0.5, 0.5]], [[0.2, 0.9]], [[-0.5, 1.5]]])
def test_distributions_are_told_from_other_rows(rows):
    is_one = rows == [[0.5, 0.5]]
    assert (classifiers.kind_of_rows(np.array(rows)) == classifiers.DISTRIBUTIONS) is is_one


def test_a_layer_that_remembers_an_earlier_call_loses_points():
    """Cases with equal settings are asked of one layer, as in a model that is trained."""
    answered = LESSON.answered(KERAS)

    class Remembering(answered["EncoderLayer"]):
        built_so_far, remembered = 0, None

        def __init__(self, *arguments, **named):
            super().__init__(*arguments, **named)
            type(self).built_so_far += 1

        def call(self, inputs, mask=None, training=None):
            if self.remembered is None:
                self.remembered = mask
            return super().call(inputs, mask=self.remembered, training=training)

    verdict = verdict_on("encoder_layer", Remembering)
    assert Remembering.built_so_far == 3  # with a rate of 0.5, of 0, and in training
    failed = [finding.title for finding in verdict.findings if not finding.passed]
    assert failed[0] == "padded tokens are not attended to"  # in training, with other sizes
    assert any(title.startswith("in training, outputs of attention") for title in failed)
