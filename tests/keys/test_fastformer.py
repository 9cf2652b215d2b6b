"""Fastformer: the reference against Keras, scikit-learn, the paper's formulas and numbers worked
out by hand; the exercises on answers as students write them."""

import subprocess
import sys
from math import exp, sqrt

import keras
import numpy as np
import pytest
from sklearn.metrics import classification_report, f1_score

from course import COURSE
from tests import taught
from tests.conftest import responded
from tests.submitted import Lesson
from tests.taught import judge

LESSON = Lesson("06-fastformer")
SEEDS = range(5)
# Float32 rounds at 1e-7; the sums of a layer have some hundred terms.
TOLERANCE = 1e-5
# Keras warns about what some of these answers do.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:keras")


def cases(function, seed):
    return taught.cases(f"fastformer.{function}", seed)


# --- additive_pooling ----------------------------------------------------------------------------


def test_pooling_three_tokens_by_hand():
    # The exponentials of the scores are 1, 2 and 5; without the last token, 1 and 2.
    x = np.array([[8.0, 0], [0, 8], [8, 8]])
    scores = np.log([1.0, 2, 5])
    pooled = taught.solution("fastformer.additive_pooling")(x, scores)["summary"]
    np.testing.assert_allclose(pooled, [6, 7], rtol=0, atol=1e-12)
    pooled = taught.solution("fastformer.additive_pooling")(
        x, scores, np.array([True, True, False])
    )["summary"]
    np.testing.assert_allclose(pooled, [8 / 3, 16 / 3], rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_pooling_agrees_with_keras_attention(seed):
    # One query 1 and keys of one feature, the scores: their products are the scores again.
    exercise = COURSE.get("fastformer.additive_pooling")
    expected = taught.expected(exercise, seed)
    layer = keras.layers.Attention()
    for case in exercise.cases(seed):
        x, scores, mask = case.inputs.values()
        mask = np.broadcast_to(True if mask is None else mask, scores.shape)
        *leading, time, features = x.shape
        scores, mask = scores.reshape(-1, time), mask.reshape(-1, time)
        query = np.ones((len(scores), 1, 1), np.float32)
        values = x.reshape(-1, time, features)
        theirs = np.array(layer([query, values, scores[..., None]], mask=[None, mask]))
        theirs = theirs.reshape(*leading, features)
        judged = ~np.broadcast_to(case.free.get("output", False), theirs.shape)
        (ours,) = expected[case.name].outputs.values()
        np.testing.assert_allclose(ours[judged], theirs[judged], rtol=0, atol=TOLERANCE)


def test_a_fully_padded_sample_pools_to_the_mean():
    inputs = cases("additive_pooling", 1)["padded sample"].inputs
    output = taught.outputs(taught.solution("fastformer.additive_pooling"), inputs)["output"]
    expected = inputs["x"][0].astype(np.float64).mean(axis=-2)
    np.testing.assert_allclose(output[0], expected, rtol=0, atol=TOLERANCE)


# --- fastformer ----------------------------------------------------------------------------------


def test_fastformer_on_two_tokens_by_hand():
    # One head of depth 1, q = x = (1, 3), k = 2x = (2, 6), v = -x = (-1, -3); scores are half of
    # what is scored. The global query is (e^0.5·1 + e^1.5·3) / (e^0.5 + e^1.5), p = (2, 6) times
    # it, and so on.
    x = np.array([[[1.0], [3.0]]])
    one, half = np.ones((1, 1)), np.full((1, 1), 0.5)
    result = taught.solution("fastformer.fastformer")(
        x, 1, one, 2 * one, -one, half, half, 10 * one, np.ones(1)
    )
    query = (exp(0.5) * 1 + exp(1.5) * 3) / (exp(0.5) + exp(1.5))
    p = [2 * query, 6 * query]
    alpha, beta = exp(p[0] / 2), exp(p[1] / 2)
    key = (alpha * p[0] + beta * p[1]) / (alpha + beta)
    np.testing.assert_allclose(result["queries"], x, rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        result["attended"], [[[-10 * key + 1], [-30 * key + 1]]], rtol=0, atol=1e-10
    )


def test_scores_are_divided_by_the_root_of_the_depth_of_one_head():
    # Two heads of depth 4. Only the first feature of each head differs from 0; the scores of the
    # queries 0 and ln 9 become 0 and ln 3, and those of the keys are 0.
    x = np.zeros((1, 2, 8))
    x[0, 1, ::4] = 2
    score = np.zeros((8, 2))
    score[0, 0] = score[4, 1] = np.log(9) / 2
    eye = np.eye(8)
    attended = taught.solution("fastformer.fastformer")(
        x, 2, eye, eye, eye, score, 0 * score, eye, np.zeros(8)
    )["attended"]
    # Global query 1/4·0 + 3/4·2 = 1.5; p = (0, 3), global key 1.5; times the values 0 and 2.
    np.testing.assert_allclose(attended[0, :, ::4], [[0, 0], [3, 3]], rtol=0, atol=1e-12)


def token_by_token(inputs):
    """The paper's sums for one sample, head and token at a time, in plain Python."""
    x, heads = inputs["inputs"], inputs["num_heads"]
    q, k, v = (x @ inputs[f"{role}_kernel"] for role in ("query", "key", "value"))
    batch, time, size = q.shape
    d = size // heads
    mask = np.ones((batch, time), bool) if inputs["mask"] is None else inputs["mask"]
    u = np.zeros((batch, time, size))

    def weights(vectors, kernel, visible):
        scores = [float(vectors[t] @ kernel) / sqrt(d) for t in visible]
        powers = [exp(score - max(scores)) for score in scores]
        return [power / sum(powers) for power in powers]

    for b in range(batch):
        visible, p = np.flatnonzero(mask[b]), np.zeros((time, size))
        for h in range(heads):
            head = slice(h * d, (h + 1) * d)
            alpha = weights(q[b], inputs["query_score_kernel"][:, h], visible)
            query = sum(a * q[b, t, head] for a, t in zip(alpha, visible, strict=True))
            for t in range(time):
                p[t, head] = query * k[b, t, head]
        for h in range(heads):
            head = slice(h * d, (h + 1) * d)
            beta = weights(p, inputs["key_score_kernel"][:, h], visible)
            key = sum(a * p[t, head] for a, t in zip(beta, visible, strict=True))
            for t in range(time):
                u[b, t, head] = key * v[b, t, head]
    return u @ inputs["output_kernel"] + inputs["output_bias"], q


@pytest.mark.parametrize("seed", SEEDS)
def test_fastformer_agrees_with_the_papers_sums_token_by_token(seed):
    exercise = COURSE.get("fastformer.fastformer")
    expected = taught.expected(exercise, seed)
    for case in exercise.cases(seed):
        widened = {
            name: value.astype(float)
            if isinstance(value, np.ndarray) and value.dtype == np.float32
            else value
            for name, value in case.inputs.items()
        }
        for output, theirs in zip(("attended", "queries"), token_by_token(widened), strict=True):
            judged = ~np.broadcast_to(case.free.get(output, False), theirs.shape)
            ours = expected[case.name].outputs[output]
            scale = max(1.0, float(np.abs(theirs).max()))
            np.testing.assert_allclose(ours[judged], theirs[judged], rtol=0, atol=1e-10 * scale)


@pytest.mark.parametrize("seed", SEEDS)
def test_fastformer_agrees_with_keras_layers_under_copied_weights(seed):
    for name in ("plain", "other width", "padding mask"):
        case = cases("fastformer", seed)[name]
        w, x, heads = case.inputs, case.inputs["inputs"], case.inputs["num_heads"]
        size = len(w["output_bias"])

        def dense(x, kernel, *bias):
            layer = keras.layers.Dense(kernel.shape[1], use_bias=bool(bias))
            layer.build(x.shape)
            layer.set_weights([kernel, *bias])
            return layer(x)

        def pooled(x, kernel, heads=heads, size=size, mask=w["mask"], dense=dense):
            scores = keras.layers.Permute((2, 1))(dense(x, kernel)) / np.sqrt(size / heads)
            mask = None if mask is None else np.repeat(mask[:, None], heads, axis=1)
            alpha = keras.layers.Softmax()(scores, mask=mask)
            # Every head pools all features; its own ones are a block on the diagonal.
            blocks = keras.layers.Dot(axes=(2, 1))([alpha, x])
            own = np.kron(np.eye(heads), np.ones(size // heads)).astype(np.float32)
            return keras.ops.sum(blocks * own, axis=1, keepdims=True)

        q, k, v = (dense(x, w[f"{role}_kernel"]) for role in ("query", "key", "value"))
        p = pooled(q, w["query_score_kernel"]) * k
        u = pooled(p, w["key_score_kernel"]) * v
        theirs = np.array(dense(u, w["output_kernel"], w["output_bias"]))
        ours = taught.outputs(taught.solution("fastformer.fastformer"), w)
        judged = ~np.broadcast_to(case.free.get("attended", False), theirs.shape)
        np.testing.assert_allclose(
            ours["attended"][judged], theirs[judged], rtol=0, atol=5 * TOLERANCE
        )
        np.testing.assert_allclose(ours["queries"], q, rtol=0, atol=TOLERANCE)


# --- build_fastformer_classifier -----------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_padding_cut_off_gives_the_same_probabilities(seed):
    inputs = cases("build_fastformer_classifier", seed)["padding"].inputs
    result = taught.outputs(taught.solution("fastformer.build_fastformer_classifier"), inputs)[
        "probabilities"
    ]
    np.testing.assert_allclose(result.sum(axis=1), 1, rtol=0, atol=1e-12)
    for number, row in enumerate(inputs["ids"]):
        cut = inputs | {"ids": row[None, row != 0]}
        alone = taught.outputs(taught.solution("fastformer.build_fastformer_classifier"), cut)[
            "probabilities"
        ][0]
        np.testing.assert_allclose(alone, result[number], rtol=0, atol=1e-12)


def test_a_classifier_without_layers_is_a_softmax_of_mean_embeddings_by_hand():
    # hidden = 4: embeddings are doubled. Words 1 and 2 have the means (2, 0, 0, 0) after that;
    # a kernel that picks the first feature gives the logits 2 and 0.
    table = np.array([[9.0, 9, 9, 9], [0.5, 0, 0, 0], [1.5, 0, 0, 0]])
    kernel = np.zeros((4, 2))
    kernel[0, 0] = 1
    result = taught.solution("fastformer.build_fastformer_classifier")(
        np.array([[1, 2, 0]]), 2, 0, 0.5, table, kernel, np.zeros(2)
    )
    right = [exp(2) / (1 + exp(2)), 1 / (1 + exp(2))]
    np.testing.assert_allclose(result["probabilities"], [right], rtol=0, atol=1e-12)
    assert result["parameters"].tolist() == [12 + 8 + 2]


@pytest.mark.parametrize("seed", SEEDS)
def test_silent_layers_and_moved_features_agree_with_a_keras_model_without_layers(seed):
    drawn = cases("build_fastformer_classifier", seed)
    expected = taught.expected(COURSE.get("fastformer.build_fastformer_classifier"), seed)
    for name in ("silent layers", "moved features"):
        w = drawn[name].inputs
        size, table = w["table"].shape[1], w["table"]
        if name == "moved features":
            table = table @ w["query_kernel"][0] @ w["query_kernel"][1]
        model = keras.Sequential(
            [
                keras.layers.Embedding(*table.shape, weights=[table], mask_zero=True),
                keras.layers.GlobalAveragePooling1D(),
                keras.layers.Rescaling(sqrt(size)),
                keras.layers.Dense(len(w["class_bias"]), activation="softmax"),
            ]
        )
        model.build(w["ids"].shape)
        model.layers[-1].set_weights([w["class_kernel"], w["class_bias"]])
        ours = expected[name].outputs["probabilities"]
        np.testing.assert_allclose(ours, model(w["ids"]), rtol=0, atol=TOLERANCE)


# --- weighted_f1 ---------------------------------------------------------------------------------


def test_weighted_f1_by_hand():
    # Class 3: 2 hits of 3 true, 3 predicted: F1 = 2/3. Class 5: 1 hit, 2 true, 1 predicted: 2/3.
    # Class 8: true once, never predicted: 0. Class 9: predicted twice, never true.
    true = np.array([3, 3, 3, 5, 5, 8])
    predicted = np.array([3, 3, 9, 5, 9, 3])
    score = taught.solution("fastformer.weighted_f1")(true, predicted)["score"]
    assert score == pytest.approx((3 * 2 / 3 + 2 * 2 / 3 + 0) / 6, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_weighted_f1_agrees_with_scikit_learn(seed):
    for case in cases("weighted_f1", seed).values():
        ours = taught.solution("fastformer.weighted_f1")(**case.inputs)["score"]
        theirs = f1_score(**case.inputs, average="weighted", zero_division=0)
        report = classification_report(**case.inputs, output_dict=True, zero_division=0)
        assert ours == pytest.approx(theirs, abs=1e-12)
        assert ours == pytest.approx(report["weighted avg"]["f1-score"], abs=1e-12)


# --- the cases -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_axes_have_different_sizes_and_masks_are_what_their_cases_say(seed):
    drawn = cases("additive_pooling", seed)
    assert len(set(drawn["heads"].inputs["x"].shape)) == 4
    layers = cases("fastformer", seed)
    inputs = layers["plain"].inputs
    batch, time, size = inputs["inputs"].shape
    heads, width = inputs["num_heads"], layers["other width"].inputs["inputs"].shape[2]
    assert len({batch, time, size, heads, size // heads, width}) == 6
    for padding, padded in (
        (drawn["padding mask"], drawn["padded sample"]),
        (layers["padding mask"], layers["padded sample"]),
    ):
        lengths = padding.inputs["mask"].sum(axis=1)
        assert len(set(lengths)) == len(lengths)
        assert lengths.min() >= 2
        assert padded.inputs["mask"][0].sum() == 0
        assert not padded.inputs["mask"].all(axis=1)[1:].all()
    inputs = cases("build_fastformer_classifier", seed)["padding"].inputs
    (vocabulary_size, size), heads = inputs["table"].shape, inputs["num_heads"]
    sizes = {*inputs["ids"].shape, vocabulary_size, size, heads, size // heads, 4}
    assert len(sizes) >= 5
    assert size not in {*inputs["ids"].shape, vocabulary_size, heads, size // heads, 4}
    lengths = (inputs["ids"] != 0).sum(axis=1)
    assert len(set(lengths)) == len(lengths)


@pytest.mark.parametrize("seed", range(20))
def test_large_scores_overflow_an_unstable_softmax_in_both_poolings(seed):
    w = cases("fastformer", seed)["large scores"].inputs
    depth = len(w["output_bias"]) // w["num_heads"]
    q, k = w["inputs"] @ w["query_kernel"], w["inputs"] @ w["key_kernel"]
    # The first feature of every head is the same in all queries, so in the global query as well.
    assert (q[..., ::depth] == 30).all()
    assert (k[..., ::depth] == 1).all()
    largest = np.log(np.finfo(np.float32).max)
    scores = (q @ w["query_score_kernel"]) / np.sqrt(depth)
    assert (scores[..., 1:] > largest).all()
    assert (scores[..., 0] < -largest).all()


@pytest.mark.parametrize("seed", range(20))
def test_labels_are_what_their_cases_say(seed):
    pairs = {name: case.inputs for name, case in cases("weighted_f1", seed).items()}
    classes = {name: [set(labels.tolist()) for labels in pair.values()]
               for name, pair in pairs.items()}  # fmt: skip
    assert classes["plain"] == [{0, 1, 2, 3, 4}] * 2
    assert len(set(np.bincount(pairs["plain"]["y_true"]))) == 5
    assert classes["never predicted"][0] - classes["never predicted"][1] == {0, 4}
    assert classes["never true"][1] - classes["never true"][0] == {0, 4}
    true, predicted = pairs["never right"].values()
    assert len(set(true[true == predicted])) == 4
    assert (np.diff(sorted(classes["gaps"][0])) > 1).all()


@pytest.mark.parametrize("name", COURSE.names("06-fastformer"))
def test_there_are_enough_known_mistakes(name):
    fewest = 4 if name.endswith("f1") else 8
    assert len(taught.misconceptions(COURSE.get(name))) >= fewest


# --- answers -------------------------------------------------------------------------------------


def verdict_on(function, answer, seed=1):
    name = f"fastformer.{function}"
    return judge(name, seed, responded(name, answer, seed))


def passed(verdict):
    return {finding.title: finding.passed for finding in verdict.findings}


def test_a_model_that_drops_while_predicting_loses_points():
    keras.utils.set_random_seed(1)

    def dropping(length, vocabulary_size, classes, heads, depth, count, rate):
        model = LESSON.answered(LESSON.files("right")[0])["build_fastformer_classifier"](
            length, vocabulary_size, classes, heads, depth, count, rate
        )
        ids = keras.Input((length,), dtype="int32")
        return keras.Model(ids, model(ids, training=True))

    titles = passed(verdict_on("build_fastformer_classifier", dropping))
    assert not titles["the probabilities are right"]
    assert not titles["the embeddings are scaled by the square root of the hidden size"]
    assert titles["the model has exactly the weights of these layers"]


def test_a_model_with_other_layers_keeps_the_points_for_what_holds():
    def mean_of_words(length, vocabulary_size, classes, heads, depth, count, rate):
        ids = keras.Input((length,), dtype="int32")
        x = keras.layers.Embedding(vocabulary_size, heads * depth)(ids)
        x = keras.layers.GlobalAveragePooling1D()(x)
        return keras.Model(ids, keras.layers.Dense(classes, activation="softmax")(x))

    verdict = verdict_on("build_fastformer_classifier", mean_of_words)
    assert verdict.percent == 15
    assert "parameters" in verdict.explanation


def test_what_the_layers_lack_costs_the_model_no_points_elsewhere():
    # Aspects of the model use layers whose output_linear adds nothing.
    answered = LESSON.answered(LESSON.files("right")[0])

    class Halved(answered["Fastformer"]):
        def call(self, inputs, mask=None):
            queries = self.query_linear(inputs)
            return queries + (super().call(inputs, mask=mask) - queries) / 2

    answered["Fastformer"] = Halved
    verdict = verdict_on("build_fastformer_classifier", answered["build_fastformer_classifier"])
    failed = [finding.title for finding in verdict.findings if not finding.passed]
    assert failed == [
        "the probabilities are right",
        "padding changes nothing: the mask reaches every layer",
    ]


@pytest.mark.parametrize(
    ("function", "answer", "seen"),
    [
        ("additive_pooling", lambda *a, **k: None, "output is None"),
        ("additive_pooling", lambda *a, **k: (a[0], a[1]), "returned a tuple of 2"),
        ("fastformer", lambda *a: lambda *b, **k: None, "AttributeError"),
        ("build_fastformer_classifier", lambda *a: None, "returned None; expected a model"),
        ("weighted_f1", lambda *a: None, "returned None; expected a number"),
        ("weighted_f1", lambda *a: "0.5", "returned a str; expected a number"),
        ("weighted_f1", lambda *a: [0.5, 0.5], "score has shape (2,)"),
        ("weighted_f1", lambda *a: {"f1": 0.5}, "returned a dict of 1; expected a number"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_whatever_comes_back_is_judged_and_described(function, answer, seen):
    verdict = verdict_on(function, answer)
    assert verdict.percent == 0
    assert seen in verdict.findings[0].seen


@pytest.mark.parametrize("returned", [None, (1, 2)], ids=("nothing", "a pair"))
def test_a_layer_that_returns_no_array_is_told_so(returned):
    class Returning(LESSON.answered(LESSON.files("right")[0])["Fastformer"]):
        def call(self, inputs, mask=None):
            super().call(inputs, mask=mask)
            return returned

    verdict = verdict_on("fastformer", Returning)
    assert verdict.percent == 0
    assert "expected a single array" in verdict.findings[0].seen


@pytest.mark.parametrize("function", LESSON.points)
def test_the_stub_earns_nothing(function):
    def stub(*args, **kwargs):
        raise NotImplementedError

    verdict = verdict_on(function, stub)
    assert (verdict.percent, verdict.reason) == (0, "not answered")


def test_labels_that_an_answer_changes_are_its_own():
    def score(y_true, y_pred):
        right = taught.solution("fastformer.weighted_f1")(y_true.copy(), y_pred.copy())["score"]
        y_true[:], y_pred[:] = 0, 0
        return right

    assert verdict_on("weighted_f1", score).percent == 100


def test_the_reference_and_the_mistakes_need_no_tensorflow():
    probe = (
        "import sys; from tests.taught import judge; "
        "[judge(f'fastformer.{name}', 1, {}) for name in sys.argv[1:]]; "
        "sys.exit(any(m.split('.')[0] in ('tensorflow', 'keras', 'IPython') for m in sys.modules))"
    )
    assert (
        subprocess.run([sys.executable, "-c", probe, *LESSON.points], check=False).returncode == 0
    )
