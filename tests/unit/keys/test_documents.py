"""Long documents: the reference against other implementations and numbers worked out by hand; the
exercises on answers as students write them."""

import math
import re
import subprocess
import sys
from functools import cache
from math import exp, sqrt
from pathlib import Path
from types import SimpleNamespace

import keras
import nbformat
import numpy as np
import pytest
import tensorflow as tf

from course import COURSE
from keys.documents.overlapping_chunks import all_chunks
from tests.conftest import responded
from tests.support import taught
from tests.support.submitted import Lesson
from tests.support.taught import judge

LESSON = Lesson("05-long-documents")
SEEDS = range(5)
# Float32 rounds at 1e-7; the sums of a layer have some hundred terms.
TOLERANCE = 1e-5
# Keras warns about what some of these answers do.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:keras")


def cases(function, seed):
    return taught.cases(f"documents.{function}", seed)


# --- overlapping_chunks --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "size", "overlap", "chunks"),
    [
        # Ten tokens in chunks of four that share one begin at 0, 3, 6 and end at 3, 6, 9.
        ("abcdefghij", 4, 1, ["abcd", "defg", "ghij"]),
        ("abcdefghijk", 4, 1, ["abcd", "defg", "ghij", "jk"]),
        ("abcdef", 4, 3, ["abcd", "bcde", "cdef"]),
        ("abcde", 2, 0, ["ab", "cd", "e"]),
        ("abcd", 4, 1, ["abcd"]),
        ("abc", 4, 3, ["abc"]),
        ("a", 4, 3, ["a"]),
        ("", 4, 1, []),
    ],
)
def test_chunks_by_hand(text, size, overlap, chunks):
    result = taught.solution("documents.overlapping_chunks")(list(text), size, overlap)
    assert result["chunks"] == [list(chunk) for chunk in chunks]


@pytest.mark.parametrize("seed", SEEDS)
def test_whole_chunks_agree_with_tensorflows_frames(seed):
    for case in cases("overlapping_chunks", seed).values():
        tokens, size, overlap = case.inputs.values()
        frames = tf.signal.frame(np.arange(len(tokens)), size, size - overlap).numpy()
        whole = [[tokens[number] for number in frame] for frame in frames]
        chunks = all_chunks(**case.inputs)
        assert [chunk for chunk in chunks if len(chunk) == size] == whole


@pytest.mark.parametrize("seed", SEEDS)
def test_chunks_cover_the_text_once_when_their_overlap_is_cut_off(seed):
    for case in cases("overlapping_chunks", seed).values():
        tokens, size, overlap = case.inputs.values()
        first, *others = all_chunks(**case.inputs) or [[]]
        assert first + [token for chunk in others for token in chunk[overlap:]] == tokens
        assert all(overlap < len(chunk) <= size for chunk in others)


# --- relative_position_index ---------------------------------------------------------------------


def test_index_by_hand():
    # Distances -2 ... 2 have the rows 0 ... 4. The last query has the keys -3, -2, -1, 0, 1 away.
    index = taught.solution("documents.relative_position_index")(4, 5, 3)["index"]
    assert index.tolist() == [
        [2, 3, 4, 4, 4],
        [1, 2, 3, 4, 4],
        [0, 1, 2, 3, 4],
        [0, 0, 1, 2, 3],
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_index_agrees_with_shaws_formula_entry_by_entry(seed):
    for case in cases("relative_position_index", seed).values():
        queries, keys, max_length = case.inputs.values()
        index = taught.solution("documents.relative_position_index")(**case.inputs)["index"]
        k = max_length - 1
        for i in range(queries):
            for j in range(keys):
                clip = max(-k, min(k, j - i))
                assert index[i, j] == clip + k
        assert 0 <= index.min() <= index.max() <= 2 * max_length - 2


# --- relative_position_self_attention ------------------------------------------------------------


def test_relative_attention_on_two_tokens_by_hand():
    # One head of depth 1 and unit kernels: q = k = v = x = (1, 2). Distances -1, 0, 1 have the
    # embeddings 3, 0, -1. The logits q·k + q·a + k·a are
    #   token 0 to 0: 1·1 + 1·0 + 1·0 = 1,    token 0 to 1: 1·2 + 1·(-1) + 2·(-1) = -1,
    #   token 1 to 0: 2·1 + 2·3 + 1·3 = 11,   token 1 to 1: 2·2 + 2·0 + 2·0 = 4.
    one = np.ones((1, 1))
    x, table = np.array([[[1.0], [2.0]]]), np.array([[3.0], [0.0], [-1.0]])
    output = taught.solution("documents.relative_position_self_attention")(
        x, 1, 2, one, one, one, one, table
    )
    first = (exp(1) * 1 + exp(-1) * 2) / (exp(1) + exp(-1))
    second = (exp(11) * 1 + exp(4) * 2) / (exp(11) + exp(4))
    np.testing.assert_allclose(output["output"], [[[first], [second]]], rtol=0, atol=1e-12)


def test_the_logits_of_two_tokens_are_scaled_by_the_depth():
    # As above in depth 4, where three features are 0: the logits 1 and -1 are divided by 2.
    x, table = np.zeros((1, 2, 4)), np.zeros((3, 4))
    x[0, :, 0], table[:, 0] = (1, 2), (3, 0, -1)
    kernels = [np.eye(4)] * 4
    output = taught.solution("documents.relative_position_self_attention")(
        x, 1, 2, *kernels, table
    )["output"]
    first = (exp(0.5) * 1 + exp(-0.5) * 2) / (exp(0.5) + exp(-0.5))
    np.testing.assert_allclose(output[0, 0], [first, 0, 0, 0], rtol=0, atol=1e-12)


def entry_by_entry(inputs):
    """The paper's formula for one query, key and head at a time, in plain Python."""
    x, heads, max_length = inputs["inputs"], inputs["num_heads"], inputs["max_length"]
    batch, time, size = x.shape
    d, k = size // heads, max_length - 1
    q, keys, values = (x @ inputs[f"{role}_kernel"] for role in ("query", "key", "value"))
    mask = np.ones((batch, time), bool) if inputs["mask"] is None else inputs["mask"]
    output = np.zeros((batch, time, size))
    for b in range(batch):
        for h in range(heads):
            head = slice(h * d, (h + 1) * d)
            for i in range(time):
                visible = np.flatnonzero(mask[b])
                logits = []
                for j in visible:
                    a = inputs["distance_embedding"][max(-k, min(k, j - i)) + k]
                    query, key = q[b, i, head], keys[b, j, head]
                    logits.append((query @ key + query @ a + key @ a) / sqrt(d))
                powers = np.exp(np.array(logits) - max(logits, default=0))
                for j, power in zip(visible, powers, strict=True):
                    output[b, i, head] += power / powers.sum() * values[b, j, head]
    return output @ inputs["output_kernel"] + inputs["output_bias"]


@pytest.mark.parametrize("seed", SEEDS)
def test_relative_attention_agrees_with_the_formula_entry_by_entry(seed):
    exercise = COURSE.get("documents.relative_position_self_attention")
    expected = taught.expected(exercise, seed)
    for case in exercise.cases(seed):
        widened = {
            name: value.astype(float)
            if isinstance(value, np.ndarray) and value.dtype == np.float32
            else value
            for name, value in case.inputs.items()
        }
        judged = ~np.broadcast_to(case.free.get("output", False), case.inputs["inputs"].shape)
        ours = expected[case.name].outputs["output"]
        np.testing.assert_allclose(
            ours[judged], entry_by_entry(widened)[judged], rtol=0, atol=1e-10
        )


@pytest.mark.parametrize("seed", SEEDS)
def test_without_distances_it_is_keras_multi_head_attention_under_copied_weights(seed):
    inputs = cases("relative_position_self_attention", seed)["table of zeros"].inputs
    x, heads = inputs["inputs"], inputs["num_heads"]
    size = x.shape[-1]
    layer = keras.layers.MultiHeadAttention(heads, size // heads, use_bias=False)
    layer.build(x.shape, x.shape)
    split = (size, heads, size // heads)
    layer.set_weights(
        [inputs[f"{role}_kernel"].reshape(split) for role in ("query", "key", "value")]
        + [inputs["output_kernel"].reshape(heads, size // heads, size)]
    )
    ours = taught.outputs(taught.solution("documents.relative_position_self_attention"), inputs)[
        "output"
    ]
    theirs = layer(x, x) + inputs["output_bias"]
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("seed", SEEDS)
def test_distances_agree_with_keras_attention_on_longer_vectors(seed):
    # For one query i, q_i·k_j + (q_i + k_j)·a_ij = (q_i, 1)·(k_j + a_ij, k_j·a_ij): scaled dot
    # products of vectors with one feature more, which Keras's own layer can compute.
    inputs = cases("relative_position_self_attention", seed)["far apart"].inputs
    x, heads, L = inputs["inputs"], inputs["num_heads"], inputs["max_length"]
    batch, time, size = x.shape
    d = size // heads
    q, k, v = (x @ inputs[f"{role}_kernel"] for role in ("query", "key", "value"))
    attention, columns = keras.layers.Attention(), []
    for h in range(heads):
        head, rows = slice(h * d, (h + 1) * d), []
        for i in range(time):
            a = inputs["distance_embedding"][np.clip(np.arange(time) - i, 1 - L, L - 1) + L - 1]
            extra = (k[..., head] * a).sum(axis=-1, keepdims=True)
            key = np.concatenate([k[..., head] + a, extra], axis=-1)
            query = np.concatenate([q[:, i : i + 1, head], np.ones((batch, 1, 1))], axis=-1)
            query = (query / np.sqrt(d)).astype(np.float32)
            rows.append(np.array(attention([query, v[..., head], key])))
        columns.append(np.concatenate(rows, axis=1))
    theirs = np.concatenate(columns, axis=-1) @ inputs["output_kernel"] + inputs["output_bias"]
    ours = taught.outputs(taught.solution("documents.relative_position_self_attention"), inputs)[
        "output"
    ]
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=TOLERANCE)


def test_a_fully_padded_sample_gets_the_mean_of_its_values():
    inputs = cases("relative_position_self_attention", 1)["padded sample"].inputs
    output = taught.outputs(taught.solution("documents.relative_position_self_attention"), inputs)[
        "output"
    ]
    values = inputs["inputs"][0].astype(np.float64) @ inputs["value_kernel"]
    mean = values.mean(axis=0) @ inputs["output_kernel"] + inputs["output_bias"]
    expected = np.broadcast_to(mean, output[0].shape)
    np.testing.assert_allclose(output[0], expected, rtol=0, atol=TOLERANCE)


# --- the papers that the lesson speaks of, formula by formula ------------------------------------

SOURCE = Path(__file__).parents[3] / "source" / "05-long-documents" / "05-long-documents.ipynb"


@cache
def in_the_lesson():
    """What these cells of the solved lesson define."""
    cells = {cell.id: cell.source for cell in nbformat.read(SOURCE, as_version=4).cells}
    names = {"keras": keras, "layers": keras.layers, "math": math, "np": np, "ops": keras.ops}
    names["tf"] = tf
    exec(cells["rotation"].partition("\n\n\n")[0], names)  # its function, without what is shown
    for name in ("relative_position_index", "relative_position_self_attention", "position-methods"):
        exec(cells[name], names)
    return SimpleNamespace(**names)


def drawn(*shape, seed=0):
    return np.random.RandomState(seed).standard_normal(shape)


def relative_to(layer, query, key, table=None):
    """The logits of one of the lesson's layers, for float64 (heads, time, d)."""
    heads, _, depth = query.shape
    rows = 1 if table is None else len(table)
    made = layer(heads * depth, heads, (rows + 1) // 2)
    query, key = (keras.ops.convert_to_tensor(x[None], "float32") for x in (query, key))
    if table is not None:
        made.distance_embedding.build()
        made.distance_embedding.set_weights([table])
    return np.array(made.logits(query, key))[0]


def test_the_lessons_logits_are_huangs_term_by_term():
    # Their equation for method 4, with distances clipped at k as Shaw et al. do.
    query, key, table, k = drawn(2, 6, 4), drawn(2, 6, 4, seed=1), drawn(5, 4, seed=2), 2
    logits = relative_to(in_the_lesson().RelativePositionSelfAttention, query, key, table)
    for h in range(2):
        for i in range(6):
            for j in range(6):
                a = table[max(-k, min(k, j - i)) + k]
                terms = 0.0
                for q, key_feature, distance in zip(query[h, i], key[h, j], a, strict=True):
                    terms += q * key_feature + q * distance + key_feature * distance
                assert logits[h, i, j] == pytest.approx(terms / sqrt(4), abs=TOLERANCE)


def test_without_the_keys_term_they_are_shaws_term_by_term():
    query, key, table, k = drawn(2, 6, 4), drawn(2, 6, 4, seed=1), drawn(5, 4, seed=2), 2
    logits = relative_to(in_the_lesson().Shaw, query, key, table)
    for h in range(2):
        for i in range(6):
            for j in range(6):
                shifted = key[h, j] + table[max(-k, min(k, j - i)) + k]
                expected = sum(query[h, i, n] * shifted[n] for n in range(4)) / sqrt(4)
                assert logits[h, i, j] == pytest.approx(expected, abs=TOLERANCE)


def transformer_xl(x, W_q, W_k_E, W_k_R, u, v):
    """The logits A of Dai et al. (2019), section 3.3, one number at a time, before scaling.

    In their words: terms (a) to (d), with R the sinusoidal encoding of the distance i - j, sines
    first and cosines after them, as their code has it.
    """
    time, d = x.shape
    A = np.zeros((time, time))
    for i in range(time):
        for j in range(time):
            frequencies = [10_000 ** (-2 * n / d) for n in range(d // 2)]
            R = [math.sin((i - j) * f) for f in frequencies]
            R = np.array(R + [math.cos((i - j) * f) for f in frequencies])
            query, key, relative = W_q @ x[i], W_k_E @ x[j], W_k_R @ R
            a = sum(query[n] * key[n] for n in range(d))
            b = sum(query[n] * relative[n] for n in range(d))
            c = sum(u[n] * key[n] for n in range(d))
            A[i, j] = a + b + c + sum(v[n] * relative[n] for n in range(d))
    return A


def test_the_layer_can_be_transformer_xl():
    # Twice the depth: queries are (q + u, q + v), keys (k, 0), distances (0, r). Then q·k gives the
    # terms (a) and (c), q·a gives (b) and (d), and k·a is 0. A feature that is always 1 brings u
    # and v in, and the root of 2 undoes the scaling by a depth that is twice as large.
    time, d = 5, 4
    x = drawn(time, d)
    W_q, W_k_E, W_k_R, W_v = drawn(4, d, d, seed=1)
    u, v = drawn(2, d, seed=2)
    inputs = np.zeros((1, time, 2 * d))
    inputs[0, :, :d], inputs[0, :, d] = x, 1
    query, key, value = np.zeros((3, 2 * d, 2 * d))
    query[:d] = sqrt(2) * np.concatenate([W_q.T, W_q.T], axis=1)
    query[d] = sqrt(2) * np.concatenate([u, v])
    key[:d, :d], value[:d, :d] = W_k_E.T, W_v.T
    table = np.zeros((2 * time - 1, 2 * d))
    for distance in range(1 - time, time):  # of the layer, j - i
        frequencies = 10_000 ** (-2 * np.arange(d // 2) / d)
        R = np.concatenate([np.sin(-distance * frequencies), np.cos(-distance * frequencies)])
        table[distance + time - 1, d:] = W_k_R @ R
    output = taught.solution("documents.relative_position_self_attention")(
        inputs, 1, time, query, key, value, np.eye(2 * d), table
    )["output"]

    A = transformer_xl(x, W_q, W_k_E, W_k_R, u, v) / sqrt(d)
    expected = np.zeros((time, d))
    for i in range(time):
        powers = [exp(logit) for logit in A[i]]
        for j in range(time):
            expected[i] += powers[j] / sum(powers) * (W_v @ x[j])
    np.testing.assert_allclose(output[0, :, :d], expected, rtol=0, atol=1e-10)


def test_rotary_positions_are_complex_numbers_that_turn():
    # Su et al. (2021), section 3.2: pairs of features are complex numbers, multiplied by
    # exp(i m theta), and a logit is the real part of the one times the other's conjugate.
    heads, time, d = 2, 7, 6
    query, key = drawn(heads, time, d), drawn(heads, time, d, seed=1)
    logits = relative_to(in_the_lesson().Rotary, query, key)
    for h in range(heads):
        for m in range(time):
            for n in range(time):
                product = 0
                for pair in range(d // 2):
                    theta = 10_000 ** (-2 * pair / d)
                    q, k = (complex(*x[2 * pair : 2 * pair + 2]) for x in (query[h, m], key[h, n]))
                    turned = q * np.exp(1j * m * theta), k * np.exp(1j * n * theta)
                    product += (turned[0] * turned[1].conjugate()).real
                assert logits[h, m, n] == pytest.approx(product / sqrt(d), abs=TOLERANCE)


def test_turning_keeps_lengths_and_knows_only_distances():
    same = np.broadcast_to(drawn(1, 1, 1, 8), (1, 1, 40, 8)).astype(np.float32)
    turned = np.array(in_the_lesson().rotated(same))[0, 0]
    np.testing.assert_allclose((turned**2).sum(-1), (same[0, 0] ** 2).sum(-1), rtol=1e-5)
    products = turned @ turned.T
    for distance in range(1, 40):
        np.testing.assert_allclose(np.ptp(np.diag(products, distance)), 0, atol=1e-4)


@pytest.mark.parametrize(
    ("heads", "slopes"),
    [
        (8, [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256]),
        (4, [1 / 4, 1 / 16, 1 / 64, 1 / 256]),
        (1, [1 / 256]),
    ],
)
def test_alibi_subtracts_the_distance_times_a_slope_of_each_head(heads, slopes):
    # Press et al. (2022), section 3; both ways alike, as for an encoder.
    time, d = 5, 4
    bias = np.array(in_the_lesson().alibi(time, heads))
    query, key = drawn(heads, time, d), drawn(heads, time, d, seed=1)
    logits = relative_to(in_the_lesson().ALiBi, query, key)
    for h, slope in enumerate(slopes):
        for i in range(time):
            for j in range(time):
                assert bias[h, i, j] == -slope * abs(i - j)
                expected = query[h, i] @ key[h, j] / sqrt(d) - slope * abs(i - j)
                assert logits[h, i, j] == pytest.approx(expected, abs=TOLERANCE)


# --- aggregate_chunk_predictions -----------------------------------------------------------------


def test_aggregated_predictions_by_hand():
    # Document 4 has two chunks, document 9 three, document 2 one.
    ids = np.array([9, 4, 9, 2, 4, 9])
    probabilities = np.array(
        [[0.1, 0.9], [0.2, 0.8], [0.3, 0.7], [1.0, 0.0], [0.6, 0.4], [0.8, 0.2]]
    )
    predictions = taught.solution("documents.aggregate_chunk_predictions")(probabilities, ids)[
        "predictions"
    ]
    np.testing.assert_allclose(predictions, [[1, 0], [0.4, 0.6], [0.4, 0.6]], rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_aggregated_predictions_agree_with_tensorflows_segments(seed):
    for case in cases("aggregate_chunk_predictions", seed).values():
        probabilities, ids = case.inputs.values()
        means = tf.math.unsorted_segment_mean(probabilities, ids, int(ids.max()) + 1).numpy()
        ours = taught.outputs(taught.solution("documents.aggregate_chunk_predictions"), case.inputs)
        np.testing.assert_allclose(
            ours["predictions"], means[sorted(set(ids.tolist()))], rtol=0, atol=1e-6
        )


# --- the cases -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_texts_are_as_long_as_their_cases_say(seed):
    drawn = cases("overlapping_chunks", seed)
    for name, case in drawn.items():
        repeated = len(set(case.inputs["tokens"])) < len(case.inputs["tokens"])
        assert repeated == (name in ("repeated numbers", "zeros at the end"))
    length = {name: len(case.inputs["tokens"]) for name, case in drawn.items()}
    size, overlap = (drawn["whole chunks"].inputs[name] for name in ("size", "overlap"))
    step = size - overlap
    assert 2 < overlap < step
    assert length["whole chunks"] > size
    assert (length["whole chunks"] - size) % step == 0
    assert 1 < (length["shorter last chunk"] - size) % step < step - overlap
    assert (length["one token left"] - size) % step == 1
    assert step < length["short text"] < size == length["one whole chunk"]
    assert 0 < length["less than the overlap"] < overlap
    assert length["no tokens"] == drawn["no overlap"].inputs["overlap"] == 0
    assert drawn["large overlap"].inputs["overlap"] > size / 2


@pytest.mark.parametrize("seed", range(20))
def test_axes_have_different_sizes_and_the_tables_end_where_their_cases_say(seed):
    drawn = cases("relative_position_self_attention", seed)
    for name in ("plain", "far apart"):
        inputs = drawn[name].inputs
        batch, time, size = inputs["inputs"].shape
        heads, max_length = inputs["num_heads"], inputs["max_length"]
        sizes = {batch, heads, time, size // heads, size, len(inputs["distance_embedding"])}
        assert len(sizes) == 6
        assert (max_length < time) == (name == "far apart")
    lengths = drawn["padding mask"].inputs["mask"].sum(axis=1)
    assert len(set(lengths)) == len(lengths)
    assert lengths.min() >= 2
    assert drawn["padded sample"].inputs["mask"][0].sum() == 0
    lengths = {name: case.inputs for name, case in cases("relative_position_index", seed).items()}
    for name in ("more keys", "more queries"):
        assert len(set(lengths[name].values())) == 3
        assert max(lengths[name].values()) == lengths[name]["max_length"]
    far = lengths["far apart"]
    assert min(far["query_length"], far["key_length"]) > far["max_length"]


@pytest.mark.parametrize("seed", range(20))
def test_chunks_of_documents_are_scattered_or_have_gaps_as_their_cases_say(seed):
    ids = {
        name: case.inputs["document_ids"].tolist()
        for name, case in cases("aggregate_chunk_predictions", seed).items()
    }
    assert ids["plain"] == sorted(ids["plain"])
    assert set(ids["plain"]) == set(ids["unsorted"]) == {0, 1, 2, 3}
    assert list(dict.fromkeys(ids["unsorted"])) != [0, 1, 2, 3]
    assert all(np.diff(ids["unsorted"]) != 0)
    assert ids["gaps"] == sorted(ids["gaps"])
    assert all(np.diff(sorted(set(ids["gaps"]))) > 1)
    assert len(set(ids["one document"])) == 1


@pytest.mark.parametrize("name", COURSE.names("05-long-documents"))
def test_there_are_enough_known_mistakes(name):
    fewest = 8 if name.endswith("attention") else 4
    assert len(taught.known_mistakes(COURSE.get(name))) >= fewest


# --- answers -------------------------------------------------------------------------------------


def verdict_on(function, answer):
    name = f"documents.{function}"
    return judge(name, 1, responded(name, answer))


@pytest.mark.parametrize(
    "returned",
    [
        None,
        "one text",
        [1, 2],
        [["a", 1]],
        [[np.zeros(2)]],
        [["a"], None],
        {"a": ["b"]},
        np.zeros((2, 2)),
        iter(()),
        [()],
    ],
    ids=lambda returned: type(returned).__name__,
)
def test_whatever_comes_back_where_chunks_are_due_is_judged_and_described(returned):
    verdict = verdict_on("overlapping_chunks", lambda tokens, size, overlap: returned)
    assert verdict.percent == 0
    assert verdict.findings[0].seen.strip("`").startswith("chunk")


@pytest.mark.parametrize(
    ("answer", "seen"),
    [
        (lambda *sizes: None, "`index` is None"),
        (lambda *sizes: 0, "`index` is one number; expected an array"),
        (lambda *sizes: [[1], [2, 3]], "`index` is a list of 2"),
        (lambda *sizes: np.zeros(sizes), "`index` has shape"),
    ],
)
def test_whatever_comes_back_where_an_index_is_due_is_judged_and_described(answer, seen):
    verdict = verdict_on("relative_position_index", answer)
    assert verdict.percent == 0
    assert seen in verdict.findings[0].seen


@pytest.mark.parametrize("function", LESSON.points)
def test_the_stub_earns_nothing(function):
    def stub(*args):
        raise NotImplementedError

    verdict = verdict_on(function, stub)
    assert (verdict.percent, verdict.reason) == (0, "not answered")


def test_inputs_that_an_answer_changes_are_its_own_and_cost_points():
    def chunks(tokens, size, overlap):
        right = all_chunks(list(tokens), size, overlap)
        tokens.clear()
        return right

    def predictions(probabilities, document_ids):
        right = taught.solution("documents.aggregate_chunk_predictions")(
            probabilities, document_ids
        )["predictions"]
        probabilities[:], document_ids[:] = 0, 0
        return right

    for function, answer in (
        ("overlapping_chunks", chunks),
        ("aggregate_chunk_predictions", predictions),
    ):
        verdict = verdict_on(function, answer)
        failed = [finding.title for finding in verdict.findings if not finding.passed]
        assert [title.endswith("the inputs are not changed") for title in failed] == [True]
        assert verdict.percent == 95


def seen_where_tokens_become(change):
    """What is said of right chunks in which each token was changed."""

    def chunks(tokens, size, overlap):
        right = all_chunks(tokens, size, overlap)
        return [[change(place, token) for place, token in enumerate(chunk)] for chunk in right]

    verdict = verdict_on("overlapping_chunks", chunks)
    return next(finding.seen for finding in verdict.findings if not finding.passed)


def test_a_chunk_with_the_right_ends_is_told_by_the_first_token_that_differs():
    seen = seen_where_tokens_become(lambda place, token: "other" if place in (3, 5) else token)
    assert re.fullmatch(r"chunk 0, token 3: 'other'; expected '\w+'", seen)


def test_numbers_and_text_look_different_where_one_takes_the_others_place():
    numbers_as_text = seen_where_tokens_become(lambda place, token: str(token))
    assert re.fullmatch(
        r"chunk 0: 13 tokens from '\d' to '\d'; expected 13 tokens from \d to \d", numbers_as_text
    )
    text_as_numbers = seen_where_tokens_become(
        lambda place, token: int(token) if str(token).isdecimal() else token
    )
    assert re.search(r"; expected .*'\d+'", text_as_numbers)
    assert "number" not in text_as_numbers


@pytest.mark.parametrize("of", [int, np.int64], ids=["int", "int64"])
def test_chunks_of_numbers_may_be_of_numpys_numbers(of):
    def chunks(tokens, size, overlap):
        right = all_chunks(tokens, size, overlap)
        return [[of(x) if isinstance(x, int) else x for x in chunk] for chunk in right]

    assert verdict_on("overlapping_chunks", chunks).percent == 100


def test_the_reference_and_the_mistakes_need_no_tensorflow():
    probe = (
        "import sys; from tests.support.taught import judge; "
        "[judge(f'documents.{name}', 1, {}) for name in sys.argv[1:]]; "
        "sys.exit(any(m.split('.')[0] in ('tensorflow', 'keras', 'IPython') for m in sys.modules))"
    )
    assert (
        subprocess.run([sys.executable, "-c", probe, *LESSON.points], check=False).returncode == 0
    )
