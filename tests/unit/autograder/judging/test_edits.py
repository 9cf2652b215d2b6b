"""Mistakes as edits of a solution: where they apply, what they change, and how they combine."""

import numpy as np
import pytest

from autograder.judging import edits
from autograder.judging.keys import Key
from autograder.judging.marking import BY_CAUSE
from autograder.judging.mistakes import ComputedMistakes
from course import COURSE
from keys.attention.average_attention import average_attention
from tests.support import taught

SOLUTION = taught.solution("attention.scaled_dot_product_attention")
LOGITS = np.array([[[1.0, 3.0]]])  # of one query and one feature, with keys of 1 and 3


def attend(*changes):
    """The weights of two keys after some edits."""
    pairs = zip(changes[::2], changes[1::2], strict=True)
    made = frozenset(edits.find_edit(SOLUTION, old, new) for old, new in pairs)
    keys = np.array([[[1.0], [3.0]]])
    found = edits.run(SOLUTION, made, query=np.array([[[1.0]]]), key=keys, value=keys)
    return found["weights"].ravel()


def test_an_edit_changes_what_its_text_computes_and_leaves_the_solution_alone():
    np.testing.assert_allclose(attend("softmax(logits)", "logits"), LOGITS.ravel())
    shares = np.exp([1.0, 3.0]) / np.exp([1.0, 3.0]).sum()
    np.testing.assert_allclose(attend(), shares)


def test_a_mistake_takes_its_inputs_as_the_solution_does():
    """In order or by name."""
    (unscaled,) = (
        one
        for one in taught.known_mistakes(COURSE.get("attention.average_attention"))
        if one.name == "unscaled_scores"
    )
    hidden, context = np.arange(8.0).reshape(1, 2, 4), np.array([0.1, 0.0, 0.2, 0.0])
    in_order = unscaled.variant(hidden, context)["output"]
    np.testing.assert_array_equal(
        in_order, unscaled.variant(hidden=hidden, context=context)["output"]
    )


def test_an_edit_reaches_into_what_the_solution_calls():
    np.testing.assert_allclose(
        attend("shifted / shifted.sum(", "shifted / shifted.max("), [np.exp(-2), 1]
    )


def test_edits_of_different_places_combine():
    weights = attend(
        "query @ transposed(key)", "2 * query @ transposed(key)", "softmax(logits)", "logits"
    )
    np.testing.assert_allclose(weights, [2, 6])


def test_edits_whose_texts_overlap_combine_if_they_change_different_words():
    weights = attend(
        *("query @ transposed(key) /", "2 * query @ transposed(key) /"),
        *("transposed(key) / np.sqrt", "transposed(key) / np.square"),
    )
    np.testing.assert_allclose(weights, np.exp([2, 6]) / np.exp([2, 6]).sum())


def test_edits_of_the_same_text_are_ways_to_do_one_thing():
    solution, text = taught.solution("attention.separate_heads"), ".transpose(0, 2, 1, 3)"
    one = edits.find_edit(solution, text, ".transpose(1, 2, 0, 3)")
    other = edits.find_edit(solution, text, ".transpose(0, 2, 3, 1)")
    assert one.overlaps(other)


@pytest.mark.parametrize(
    ("text", "times"), [("mask", "7 times"), ("tanh", "0 times"), ("Attention(Q", "0 times")]
)
def test_a_text_that_does_not_stand_there_once_is_refused(text, times):
    with pytest.raises(edits.EditError, match=times):
        edits.find_edit(SOLUTION, text, "x")


def test_an_edit_that_leaves_no_python_is_refused():
    with pytest.raises(edits.EditError, match="no longer parses"):
        attend("softmax(logits)", "softmax(logits")


def test_a_later_solution_has_the_mistake_of_the_earlier_one():
    """What a right layer gives on top of a wrong attention: computed with a wrong attention."""
    exercise = COURSE.get("transformer.encoder_layer")
    inputs = exercise.cases(5)[0].inputs
    unscaled = edits.find_edit(SOLUTION, "/ np.sqrt(key.shape[-1])", "")
    output = edits.run(
        taught.solution("transformer.encoder_layer"), frozenset({unscaled}), **inputs
    )["output"]
    # Queries that are longer by the root of the depth make the same logits.
    root = np.sqrt(inputs["inputs"].shape[-1] // inputs["num_heads"])
    longer = {name: inputs[name] * root for name in ("query_kernel", "query_bias")}
    expected = taught.solution("transformer.encoder_layer")(**(inputs | longer))["output"]
    np.testing.assert_allclose(output, expected, rtol=0, atol=1e-5)


def test_one_statement_adds_a_mistake():
    exercise = COURSE.get("attention.average_attention")
    key = Key(exercise, average_attention)
    key.mistake(
        "sums",
        "A sum of all tokens.",
        "softmax(scores, axis=1)",
        "1 + 0 * scores",
        paired=True,
    )
    key.mistake("no_scale", "No scale.", "/ np.sqrt(hidden.shape[-1])", "", paired=True)
    key.mistake("one", "Ones.", "scores, axis=1", "0 * scores, axis=1", paired=True)
    sums, *_ = ComputedMistakes(key, 3, BY_CAUSE).single
    for case in exercise.cases(3):
        expected = case.inputs["hidden"].astype(np.float64).sum(axis=1)
        np.testing.assert_allclose(sums.outputs[case.name]["output"], expected)
    assert sums.hints[0].section == exercise.section
    # "sums" and "one" are about the same place.
    names = [pair.name for pair in ComputedMistakes(key, 3, BY_CAUSE).pairs]
    assert names == ["sums and no_scale", "no_scale and one"]


def test_two_mistakes_of_an_earlier_exercise_are_not_looked_for_at_once():
    exercise = COURSE.get("attention.average_attention")
    earlier = Key(exercise, average_attention)
    earlier.mistake("no_scale", "No scale.", "/ np.sqrt(hidden.shape[-1])", "")
    earlier.mistake("axis", "Another axis.", "scores, axis=1", "scores, axis=0")
    key = Key(exercise, average_attention)
    for mistake in earlier.mistakes:
        key.inherit(mistake, "Inside.", section=1, family="inside", paired=True)
    key.mistake("twice", "Twice.", '"output": ', '"output": 2 * ', paired=True)
    names = [pair.name for pair in ComputedMistakes(key, 3, BY_CAUSE).pairs]
    assert names == ["no_scale and twice", "axis and twice"]


def texts_of(*changes):
    pairs = zip(changes[::2], changes[1::2], strict=True)
    return edits.texts_of(SOLUTION, frozenset(edits.find_edit(SOLUTION, *pair) for pair in pairs))


@pytest.mark.parametrize(
    "changes",
    [
        ("softmax(logits)", "logits"),
        ("weights @ value", "weights @ key"),
        ("np.where(mask, logits, -1e9)", "logits"),
    ],
)
def test_an_edit_is_stated_as_people_state_it(changes):
    assert texts_of(*changes) == changes


def signed(values):
    return {"result": values[-1] - 2}


def test_an_edit_is_stated_with_a_name():
    made = frozenset({edits.find_edit(signed, "-1", "1")})
    assert edits.texts_of(signed, made) == ("values[-1]", "values[1]")
    made = frozenset({edits.find_edit(signed, "- 2", "+ 2")})
    assert edits.texts_of(signed, made) == ("values[-1] - 2", "values[-1] + 2")


def test_an_edit_is_stated_with_what_is_around_it_if_its_text_occurs_again():
    """The key's own texts need not be an expression, and of the edits' spaces none is kept."""
    texts = texts_of("weights = softmax(", "weights = 2*softmax(", "return {", "return  {**{}, ")
    assert texts == (
        "weights = softmax(logits)",
        "weights = 2 * softmax(logits)",
        'return {"output": weights @ value, "weights": weights}',
        'return  {**{}, "output": weights @ value, "weights": weights}',
    )
