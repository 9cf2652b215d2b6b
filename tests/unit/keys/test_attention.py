"""The reference against independent sources: Keras, and numbers worked out by hand."""

import keras
import numpy as np
import pytest

from course import COURSE
from keys.attention.common import combine_heads, separate_heads
from tests.conftest import responded
from tests.support import taught
from tests.support.taught import cases, judge

SEEDS = range(5)
TOLERANCE = 1e-5


def test_attention_on_three_tokens_by_hand():
    # One query (1, 0) and three keys with d_k = 2: the logits are the keys' first entries over √2.
    # With first entries 0, √2·ln 2 and √2·ln 5 the exponentials are 1, 2 and 5.
    root = np.sqrt(2)
    keys = np.array([[[0, 9], [root * np.log(2), 9], [root * np.log(5), 9]]])
    values = np.array([[[8.0, 0], [0, 8], [8, 8]]])
    result = taught.solution("attention.scaled_dot_product_attention")(
        np.array([[[1.0, 0]]]), keys, values
    )
    np.testing.assert_allclose(result["weights"], [[[1 / 8, 2 / 8, 5 / 8]]], atol=1e-12)
    np.testing.assert_allclose(result["output"], [[[6, 7]]], atol=1e-12)
    # With the last token hidden, the first two share the weight 1 : 2.
    mask = np.array([[[True, True, False]]])
    masked = taught.solution("attention.scaled_dot_product_attention")(
        np.array([[[1.0, 0]]]), keys, values, mask
    )
    np.testing.assert_allclose(masked["weights"], [[[1 / 3, 2 / 3, 0]]], atol=1e-12)
    np.testing.assert_allclose(masked["output"], [[[8 / 3, 16 / 3]]], atol=1e-12)


def test_average_attention_by_hand():
    # d = 4 and the context picks the first feature, so that the scores are h / 2 = 0, ln 3.
    hidden = np.array([[[0.0, 4, 0, 0], [2 * np.log(3), 0, 4, 0]]])
    output = taught.solution("attention.average_attention")(hidden, np.array([1.0, 0, 0, 0]))[
        "output"
    ]
    np.testing.assert_allclose(output, [[1.5 * np.log(3), 1, 3, 0]], atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_average_attention_agrees_with_keras(seed):
    for case in cases("attention.average_attention", seed).values():
        hidden, context = case.inputs["hidden"], case.inputs["context"]
        query = np.broadcast_to(context, (len(hidden), 1, len(context)))
        layer = keras.layers.Attention()
        theirs = layer([query / np.float32(np.sqrt(len(context))), hidden])[:, 0]
        ours = taught.outputs(taught.solution("attention.average_attention"), case.inputs)["output"]
        np.testing.assert_allclose(ours, theirs, atol=20 * TOLERANCE)


@pytest.mark.parametrize("seed", SEEDS)
def test_scaled_dot_product_attention_agrees_with_keras(seed):
    for name, case in cases("attention.scaled_dot_product_attention", seed).items():
        if name.startswith("heads"):
            continue  # this layer of Keras takes three axes; multi-head attention covers four
        query, key, value, mask = case.inputs.values()
        if mask is not None:
            mask = np.broadcast_to(mask, (*query.shape[:2], key.shape[1]))
        dot = keras.layers.Dot(axes=2)
        logits = dot([query, key]) / np.sqrt(np.float32(key.shape[-1]))
        weights = keras.layers.Softmax()(logits, mask=mask)
        theirs = {"weights": weights, "output": keras.ops.matmul(weights, value)}
        ours = taught.expected(COURSE.get("attention.scaled_dot_product_attention"), seed)[name]
        # Scores of 200 carry rounding errors of 1e-5 in float32, which exp() passes on.
        atol = 20 * TOLERANCE if name in ("large logits", "padding mask") else TOLERANCE
        for output, values in theirs.items():
            judged = ~np.broadcast_to(case.free.get(output, False), values.shape)
            np.testing.assert_allclose(
                ours.outputs[output][judged], np.array(values)[judged], atol=atol
            )


@pytest.mark.parametrize("seed", SEEDS)
def test_multi_head_attention_agrees_with_keras_under_copied_weights(seed):
    for name in ("plain", "padding mask"):
        inputs = cases("attention.multi_head_self_attention", seed)[name].inputs
        x, heads, mask = inputs["inputs"], inputs["num_heads"], inputs["mask"]
        size = x.shape[-1]
        layer = keras.layers.MultiHeadAttention(heads, size // heads, use_bias=False)
        layer.build(x.shape, x.shape)
        split = (size, heads, size // heads)
        layer.set_weights(
            [inputs[f"{role}_kernel"].reshape(split) for role in ("query", "key", "value")]
            + [inputs["output_kernel"].reshape(heads, size // heads, size)]
        )
        theirs = layer(x, x, attention_mask=None if mask is None else mask[:, None, :])
        theirs = theirs + inputs["output_bias"]
        ours = taught.outputs(taught.solution("attention.multi_head_self_attention"), inputs)[
            "output"
        ]
        np.testing.assert_allclose(ours, theirs, atol=TOLERANCE)


def test_a_causal_mask_by_hand():
    mask = taught.solution("attention.causal_mask")
    assert mask(1)["mask"].tolist() == [[1]]
    assert mask(4)["mask"].tolist() == [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_causal_mask_agrees_with_keras(seed):
    for name in ("few tokens", "more tokens"):  # of one token, Keras' softmax warns
        case = cases("attention.causal_mask", seed)[name]
        tokens = np.ones((1, case.inputs["length"], 2), np.float32)
        _, weights = keras.layers.Attention()(
            [tokens, tokens], use_causal_mask=True, return_attention_scores=True
        )
        ours = taught.outputs(taught.solution("attention.causal_mask"), case.inputs)["mask"]
        np.testing.assert_array_equal(ours, np.array(weights)[0] > 0)


@pytest.mark.parametrize(
    ("as_type", "percent", "mistakes"),
    [
        (np.array, 100, ()),
        (keras.ops.array, 100, ()),
        (np.ndarray.tolist, 100, ()),
        (np.int64, 90, ("numbers",)),
        (np.float32, 90, ("numbers",)),
        (lambda mask: [row[: n + 1].tolist() for n, row in enumerate(mask)], 0, ()),
    ],
)
def test_a_causal_mask_may_be_a_tensor_an_array_or_a_list_of_booleans(as_type, percent, mistakes):
    name = "attention.causal_mask"
    response = responded(name, lambda length: as_type(np.tri(length, dtype=bool)))
    verdict = judge(name, 1, response)
    assert (verdict.percent, verdict.mistakes) == (percent, mistakes)


def test_heads_are_columns_and_combining_undoes_separating():
    x = np.arange(2 * 3 * 8.0).reshape(2, 3, 8)
    heads = separate_heads(x, 4)
    for h in range(4):
        np.testing.assert_array_equal(heads[:, h], x[:, :, 2 * h : 2 * h + 2])
    np.testing.assert_array_equal(combine_heads(heads), x)


def test_a_query_that_may_attend_to_nothing_shares_its_weights_evenly():
    query, keys = np.ones((1, 1, 2)), np.array([[[3.0, 1.0], [0.0, 7.0]]])
    result = taught.solution("attention.scaled_dot_product_attention")(
        query, keys, keys, np.zeros((1, 1, 2), bool)
    )
    assert result["weights"].tolist() == [[[0.5, 0.5]]]


def test_a_sum_over_all_axes_is_an_array_as_a_tensor_without_axes_is():
    outputs = taught.outputs(lambda x: {"total": np.sum(x)}, {"x": np.ones(3, np.float32)})
    assert isinstance(outputs["total"], np.ndarray)
    assert (outputs["total"].shape, outputs["total"].dtype) == ((), np.float64)


@pytest.mark.parametrize("name", COURSE.names())
def test_the_tolerance_is_far_above_float32_noise_and_far_below_the_outputs(name):
    exercise = COURSE.get(name)
    for seed in SEEDS:
        for expected in taught.expected(exercise, seed).values():
            for output, values in expected.outputs.items():
                if not isinstance(values, np.ndarray) or not values.any():
                    continue  # text is compared to the letter, zeros are compared exactly
                scale = np.abs(values).max()
                assert 1e-7 * scale < expected.tolerance[output] < 5e-3 * scale
