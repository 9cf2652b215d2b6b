"""Fastformer: the reference against Keras, scikit-learn, the paper's formulas and numbers worked
out by hand; the exercises on answers as students write them."""

import subprocess
import sys
from math import erf, exp, sqrt

import keras
import numpy as np
import pytest
from sklearn.metrics import classification_report, f1_score

from course import COURSE
from course.exercises.fastformer import common
from tests.conftest import responded
from tests.support import taught
from tests.support.submitted import Lesson
from tests.support.taught import judge

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
    # One head of depth 1, q = x = (1, 3), k = 2x = (2, 6), values are queries; scores are half of
    # what is scored. The global query is (e^0.5·1 + e^1.5·3) / (e^0.5 + e^1.5), p = (2, 6) times
    # it, and so on.
    x = np.array([[[1.0], [3.0]]])
    one, half = np.ones((1, 1)), np.full((1, 1), 0.5)
    result = taught.solution("fastformer.fastformer")(x, 1, one, 2 * one, half, half, 10 * one)
    query = (exp(0.5) * 1 + exp(1.5) * 3) / (exp(0.5) + exp(1.5))
    p = [2 * query, 6 * query]
    alpha, beta = exp(p[0] / 2), exp(p[1] / 2)
    key = (alpha * p[0] + beta * p[1]) / (alpha + beta)
    np.testing.assert_allclose(result["residual"], x, rtol=0, atol=1e-12)
    np.testing.assert_allclose(result["attended"], [[[10 * key], [30 * key]]], rtol=0, atol=1e-10)


def test_scores_are_divided_by_the_root_of_the_depth_of_one_head():
    # Two heads of depth 4. Only the first feature of each head differs from 0; the scores of the
    # queries 0 and ln 9 become 0 and ln 3, and those of the keys are 0.
    x = np.zeros((1, 2, 8))
    x[0, 1, ::4] = 2
    score = np.zeros((8, 2))
    score[0, 0] = score[4, 1] = np.log(9) / 2
    eye = np.eye(8)
    attended = taught.solution("fastformer.fastformer")(x, 2, eye, eye, score, 0 * score, eye)[
        "attended"
    ]
    # Global query 1/4·0 + 3/4·2 = 1.5; p = (0, 3), global key 1.5; times the queries 0 and 2.
    np.testing.assert_allclose(attended[0, :, ::4], [[0, 0], [3, 3]], rtol=0, atol=1e-12)


BLOCK_WEIGHTS = {*common.BLOCK_WEIGHTS.values()}


def authors_layer(inputs, heads, mask, w):
    """The authors' formula for one sample, head and token at a time, in plain Python.

    The values are the queries, a head's scores are those of a dense layer on all heads, padding's
    scores are lowered, and there are no biases: https://github.com/wuch15/Fastformer, for Keras.
    """
    batch, time, _ = inputs.shape
    size = w["query_kernel"].shape[1]
    d = size // heads
    mask = np.ones((batch, time), bool) if mask is None else mask
    output = np.zeros((batch, time, size))

    def weights(vectors, kernel, visible):
        scores = [float(vectors[t] @ kernel) / sqrt(d) for t in visible]
        powers = [exp(score - max(scores)) for score in scores]
        return [power / sum(powers) for power in powers]

    for b in range(batch):
        q, k = inputs[b] @ w["query_kernel"], inputs[b] @ w["key_kernel"]
        # Of a sample that's all padding, nobody reads anything.
        visible = np.flatnonzero(mask[b]) if mask[b].any() else np.arange(time)
        p, u = np.zeros((time, size)), np.zeros((time, size))
        for h in range(heads):
            head = slice(h * d, (h + 1) * d)
            alpha = weights(q, w["query_score_kernel"][:, h], visible)
            query = sum(a * q[t, head] for a, t in zip(alpha, visible, strict=True))
            for t in range(time):
                p[t, head] = query * k[t, head]
        for h in range(heads):
            head = slice(h * d, (h + 1) * d)
            beta = weights(p, w["key_score_kernel"][:, h], visible)
            key = sum(a * p[t, head] for a, t in zip(beta, visible, strict=True))
            for t in range(time):
                u[t, head] = key * q[t, head]
        output[b] = u @ w["output_kernel"] + q
    return output


def authors_norm(vector, gamma, beta):
    mean = sum(vector) / len(vector)
    variance = sum((number - mean) ** 2 for number in vector) / len(vector)
    return (vector - mean) / sqrt(variance + 1e-6) * gamma + beta


def authors_block(inputs, heads, mask, w):
    """Sum and norm around the layer as in the authors' Keras version, and around a network with
    gelu as in their version for PyTorch; nothing is dropped."""
    output = np.zeros_like(inputs)
    context = authors_layer(inputs, heads, mask, w)
    for place in np.ndindex(*inputs.shape[:2]):
        x = authors_norm(inputs[place] + context[place], w["gamma_1"], w["beta_1"])
        hidden = x @ w["expand_kernel"] + w["expand_bias"]
        hidden = np.array([number * (1 + erf(number / sqrt(2))) / 2 for number in hidden])
        network = hidden @ w["contract_kernel"] + w["contract_bias"]
        output[place] = authors_norm(x + network, w["gamma_2"], w["beta_2"])
    return output


def authors_pooling(x, mask, w):
    """tanh, a dense layer, exponentials times the mask, over their sum, as for PyTorch."""
    pooled = []
    for text, tokens in zip(x, mask, strict=True):
        hidden = np.tanh(text @ w["pool_kernel"] + w["pool_bias"])
        powers = np.exp(hidden @ w["pool_score_kernel"] + w["pool_score_bias"])[:, 0] * tokens
        pooled.append(
            sum(power * row for power, row in zip(powers, text, strict=True)) / sum(powers)
        )
    return np.array(pooled)


def widened(inputs):
    return {
        name: value.astype(float)
        if isinstance(value, np.ndarray) and value.dtype == np.float32
        else value
        for name, value in inputs.items()
    }


def theirs_of(function, given):
    """What the authors' formulas give for a case's inputs."""
    if function == "fastformer":
        return authors_layer(given["inputs"], given["num_heads"], given["mask"], given)
    if function == "fastformer_block":
        return authors_block(given["inputs"], given["num_heads"], given["mask"], given)
    x, mask = given["table"][given["ids"]], given["ids"] != 0
    for number in range(given["num_blocks"]):
        own = {name: value[number] for name, value in given.items() if name in BLOCK_WEIGHTS}
        x = authors_block(x, given["num_heads"], mask, own)
    logits = authors_pooling(x, mask, given) @ given["class_kernel"] + given["class_bias"]
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def ours_of(function, outputs):
    """The same of what a solution or an answer gives: a layer's output is in two parts."""
    if function == "fastformer":
        return outputs["attended"] + outputs["residual"]
    return outputs["output" if function == "fastformer_block" else "probabilities"]


PUBLISHED = {
    # What the answer is called, and the output that says which numbers are free.
    "fastformer": ("Fastformer", "residual"),
    "fastformer_block": ("FastformerBlock", "output"),
    "build_fastformer_classifier": ("build_fastformer_classifier", "probabilities"),
}


def predicting(exercise, seed):
    """The cases in which nothing is trained: the block's have no rate then."""
    block = exercise.function == "fastformer_block"
    return [case for case in exercise.cases(seed) if not (block and "rate" in case.inputs)]


def agree(function, case, ours, theirs, tolerance):
    """Whether numbers agree that aren't free."""
    judged = ~np.broadcast_to(case.free.get(PUBLISHED[function][1], False), theirs.shape)
    scale = max(1.0, float(np.abs(theirs).max()))
    np.testing.assert_allclose(ours[judged], theirs[judged], rtol=0, atol=tolerance * scale)


@pytest.mark.parametrize("function", PUBLISHED)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_solution_is_the_authors_formula(function, seed):
    exercise = COURSE.get(f"fastformer.{function}")
    expected = taught.expected(exercise, seed)
    for case in predicting(exercise, seed):
        theirs = theirs_of(function, widened(case.inputs))
        agree(function, case, ours_of(function, expected[case.name].outputs), theirs, 1e-10)


@pytest.mark.parametrize("function", PUBLISHED)
@pytest.mark.parametrize("answer", ["right_as_asked", "right_keras_layers"])
def test_answers_in_keras_are_the_authors_formula_under_copied_weights(function, answer):
    exercise = COURSE.get(f"fastformer.{function}")
    (path,) = [path for path in LESSON.files("right") if path.stem == answer]
    built = LESSON.answered(path)[PUBLISHED[function][0]]
    for case in predicting(exercise, 1):
        theirs = theirs_of(function, widened(case.inputs))
        ours = np.array(ours_of(function, exercise.call(built, case)))
        agree(function, case, ours, theirs, TOLERANCE)


@pytest.mark.parametrize("seed", SEEDS)
def test_padding_gets_no_weight_in_either_pooling(seed):
    # Whatever stands in the padding, the tokens' outputs stay the same.
    for function, place in (("fastformer", "attended"), ("fastformer_block", "output")):
        inputs = widened(cases(function, seed)["padding mask"].inputs)
        mask = inputs["mask"]
        changed = inputs["inputs"].copy()
        changed[~mask] = 7 - 3 * changed[~mask]
        solution = taught.solution(f"fastformer.{function}")
        one, other = (
            taught.outputs(solution, inputs | {"inputs": x})[place]
            for x in (inputs["inputs"], changed)
        )
        np.testing.assert_allclose(one[mask], other[mask], rtol=0, atol=1e-10)
        assert not np.allclose(one[~mask], other[~mask])


# --- fastformer_block ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_dropped_in_training_decides_the_signs(seed):
    exercise = COURSE.get("fastformer.fastformer_block")
    shares = taught.expected(exercise, seed)["training"].outputs["shares"]
    dropped = [0.4, 0.6, 0, 0, 0, 0]
    once = [1, 0, 0, 0, 0, 0]
    np.testing.assert_allclose(shares, [dropped, dropped, once, once], rtol=0, atol=1e-12)


# --- build_fastformer_classifier -----------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_padding_cut_off_gives_the_same_probabilities(seed):
    solution = taught.solution("fastformer.build_fastformer_classifier")
    for name in ("padding", "padding without blocks"):
        inputs = cases("build_fastformer_classifier", seed)[name].inputs
        result = taught.outputs(solution, inputs)["probabilities"]
        np.testing.assert_allclose(result.sum(axis=1), 1, rtol=0, atol=1e-12)
        for number, row in enumerate(inputs["ids"]):
            cut = inputs | {"ids": row[None, row != 0]}
            alone = taught.outputs(solution, cut)["probabilities"][0]
            np.testing.assert_allclose(alone, result[number], rtol=0, atol=1e-12)


def test_a_classifier_without_blocks_pools_its_words_by_hand():
    # Words 1 and 2 are (1, 0) and (3, 0); tanh of a large number is 1, so their scores are those
    # of the features that are on: 0 and ln 3. Pooled: 1/4·1 + 3/4·3 = 2.5.
    table = np.array([[9.0, 9], [1, 0], [3, 0]])
    kernel, bias = np.array([[1000.0, 0], [0, 0]]), np.array([-2000.0, 0])
    result = taught.solution("fastformer.build_fastformer_classifier")(
        np.array([[1, 2, 0]]), 1, 0, 0.5, table, np.eye(2), np.zeros(2),
        pool_kernel=kernel, pool_bias=bias,
        pool_score_kernel=np.array([[np.log(3) / 2], [0]]), pool_score_bias=np.ones(1),
    )  # fmt: skip
    right = [exp(2.5) / (1 + exp(2.5)), 1 / (1 + exp(2.5))]
    np.testing.assert_allclose(result["probabilities"], [right], rtol=0, atol=1e-12)
    assert result["parameters"].tolist() == [6 + 4 + 2 + 2 + 1 + 4 + 2]


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
    blocks = cases("fastformer_block", seed)
    ff_dim = len(blocks["plain"].inputs["expand_bias"])
    assert ff_dim not in {*blocks["plain"].inputs["inputs"].shape, heads}
    for padding, padded in (
        (drawn["padding mask"], drawn["padded sample"]),
        (layers["padding mask"], layers["padded sample"]),
        (blocks["padding mask"], blocks["padded sample"]),
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
    depth = len(w["output_kernel"]) // w["num_heads"]
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
    assert len(taught.known_mistakes(COURSE.get(name))) >= fewest


# --- answers -------------------------------------------------------------------------------------


def verdict_on(function, answer, seed=1):
    name = f"fastformer.{function}"
    return judge(name, seed, responded(name, answer, seed))


def passed(verdict):
    return {finding.title: finding.passed for finding in verdict.findings}


def test_a_model_that_drops_while_predicting_loses_points():
    keras.utils.set_random_seed(1)

    def dropping(length, *sizes):
        model = LESSON.answered(LESSON.files("right")[0])["build_fastformer_classifier"](
            length, *sizes
        )
        ids = keras.Input((length,), dtype="int32")
        return keras.Model(ids, model(ids, training=True))

    titles = passed(verdict_on("build_fastformer_classifier", dropping))
    assert not titles["the probabilities are right"]
    assert not titles["without blocks, the words are pooled by their scores"]
    assert titles["the model has exactly the weights of these layers"]


def test_a_model_with_other_layers_keeps_the_points_for_what_holds():
    def mean_of_words(length, vocabulary_size, classes, heads, depth, ff_dim, count, rate):
        ids = keras.Input((length,), dtype="int32")
        x = keras.layers.Embedding(vocabulary_size, heads * depth)(ids)
        x = keras.layers.GlobalAveragePooling1D()(x)
        return keras.Model(ids, keras.layers.Dense(classes, activation="softmax")(x))

    verdict = verdict_on("build_fastformer_classifier", mean_of_words)
    assert verdict.percent == 15
    assert "without attention pooling" in verdict.explanation


def test_what_the_layers_lack_costs_the_model_no_points_elsewhere():
    # Aspects of the model are about what it does without blocks.
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
        "padding changes nothing: the mask reaches every block",
    ]


@pytest.mark.parametrize(
    ("function", "answer", "seen"),
    [
        ("additive_pooling", lambda *a, **k: None, "`output` is None"),
        ("additive_pooling", lambda *a, **k: (a[0], a[1]), "returned a tuple of 2"),
        ("fastformer", lambda *a: lambda *b, **k: None, "AttributeError"),
        ("fastformer_block", lambda *a: lambda *b, **k: None, "AttributeError"),
        ("build_fastformer_classifier", lambda *a: None, "returned None; expected a model"),
        ("weighted_f1", lambda *a: None, "returned None; expected a number"),
        ("weighted_f1", lambda *a: "0.5", "returned a str; expected a number"),
        ("weighted_f1", lambda *a: [0.5, 0.5], "`score` has shape (2,)"),
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
        "import sys; from tests.support.taught import judge; "
        "[judge(f'fastformer.{name}', 1, {}) for name in sys.argv[1:]]; "
        "sys.exit(any(m.split('.')[0] in ('tensorflow', 'keras', 'IPython') for m in sys.modules))"
    )
    assert (
        subprocess.run([sys.executable, "-c", probe, *LESSON.points], check=False).returncode == 0
    )
