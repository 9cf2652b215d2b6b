"""Explanations that nobody wrote: found by search, and proved by execution."""

import copy
import re

import numpy as np
import pytest

from autograder.judging import search, solutions
from autograder.judging.candidates import candidates
from autograder.judging.judge import response_of
from autograder.judging.keys import PART, SLIP, Key, key_of
from autograder.reports.unexplained import _search
from course import COURSE
from selfcheck import Aspect, Case, Exercise
from tests.conftest import REPOSITORY, responded

NAME = "attention.average_attention"
HEADS = "attention.separate_heads"
DOT_PRODUCT = "attention.scaled_dot_product_attention"
SEED = 3


def pooled(hidden, context, root=np.sqrt, of=np.asarray):
    hidden, context = np.asarray(hidden), np.asarray(context)
    scores = of(hidden @ context / root(hidden.shape[-1]))
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return (weights[..., None] * hidden).sum(axis=1)


def squared(hidden, context):
    """A mistake that the key doesn't know."""
    return pooled(hidden, context) ** 2


def found(answer, name=NAME):
    """The sentences on what a search finds."""
    made = search.search(key_of(COURSE, name), SEED, responded(name, answer, SEED))
    return [hint.sentence for hint in made.hints] if made else []


def test_an_answer_that_no_known_mistake_explains_is_explained_by_search():
    assert found(squared) == ["Your results are as if `output` was squared."]


def test_two_mistakes_are_found_that_nobody_wrote():
    first, second = sorted(found(lambda h, c: pooled(h, c, root=float) / h.shape[1]))
    assert "`mean` was used in place of `sum`" in first
    assert "`sqrt` was left out in `scores`" in second


def test_far_fetched_mistakes_are_found_together_if_others_made_each():
    """One searches no further than to what is likely; what others did is."""
    key = key_of(COURSE, NAME)
    answers = (
        squared,
        lambda hidden, context: pooled(hidden, context, of=np.tanh),
        lambda hidden, context: pooled(hidden, context, of=np.tanh) ** 2,
    )
    first, second, both = (responded(NAME, answer, SEED) for answer in answers)
    made = [search.search(key, SEED, each).name for each in (first, second)]
    assert search.search(key, SEED, both) is None
    assert {*search.search(key, SEED, both, made).names} == {*made}
    assert search.search(key, SEED, both, made[:1]) is None
    *_, changes = _search(REPOSITORY, NAME, [(SEED, each) for each in (first, second, both)])
    assert {change.name for change in changes} == {*made}


def test_an_answer_that_takes_no_computation_is_not_explained():
    assert found(lambda hidden, context: hidden[:, 0]) == []
    assert found(lambda hidden, context: np.zeros_like(hidden[:, 0])) == []


class _Scaled(Exercise):
    """Values times a factor, which is 2 with one seed and 5 with all others."""

    name, lesson, section = "scaled", "scaled", 1
    axes = {"result": ("values",)}
    aspects = (Aspect("the numbers are right", 100, ("some",), lambda seen: ""),)

    def cases(self, seed):
        random = np.random.default_rng(seed)
        factor = 2.0 if seed == SEED else 5.0
        return (Case("some", {"values": random.uniform(1, 2, 7), "factor": factor}),)

    def call(self, obj, case):
        return {"result": obj(**case.inputs)}


def scaled(values, factor):
    return {"result": values * factor}


@pytest.mark.parametrize(("seed", "clear"), [(SEED, False), (SEED + 1, True)])
def test_two_explanations_that_differ_on_other_inputs_are_both_withheld(seed, clear):
    """With a factor of 2, squaring it and doubling the result give the same."""
    exercise = _Scaled()
    key = Key(exercise, scaled)
    (case,) = exercise.cases(seed)
    response = response_of("scaled", {"some": {"result": 2 * scaled(**case.inputs)["result"]}})
    made = search.search(key, seed, response)
    assert bool(made) == clear
    assert not made or "`result` was doubled" in made.hint


def test_a_search_changes_no_inputs_that_others_also_get():
    key = key_of(COURSE, "documents.overlapping_chunks")
    cases = solutions.cases(key.exercise, SEED).values()
    before = copy.deepcopy([dict(case.inputs) for case in cases])
    response = responded(key.exercise.name, lambda tokens, size, overlap: [tokens[:size]], SEED)
    search.search(key, SEED, response)
    assert [dict(case.inputs) for case in cases] == before


def test_a_search_ends_when_its_runs_are_used_up(monkeypatch):
    """Numbers that nothing explains are compared with all that there is."""
    calls = []
    monkeypatch.setattr(search, "_RUNS", 500)
    monkeypatch.setattr(search, "gives", lambda *args: calls.append(args) or False)
    key = key_of(COURSE, NAME)
    random = np.random.default_rng(0)
    response = responded(NAME, lambda h, c: random.normal(size=h[:, 0].shape), SEED)
    assert search.search(key, SEED, response) is None
    assert 400 < len(calls) <= 500


def test_a_change_that_gives_text_for_numbers_does_not_end_a_search(caplog):
    """Nor explain anything."""
    lengths = found(lambda labels: np.array(list(map(len, labels))), "preprocessing.label_encode")
    assert lengths == []
    assert caplog.text == ""


def test_an_error_in_a_search_finds_nothing(monkeypatch, caplog):
    def fail(*args):
        raise ZeroDivisionError

    monkeypatch.setattr(search, "explain", fail)
    assert found(squared) == []
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(
    "given",
    [None, [], {"cases": 7}, {"exercise": NAME, "cases": {"plain": {"outputs": {"output": []}}}}],
)
def test_a_response_that_cannot_be_read_finds_nothing(given):
    assert search.search(key_of(COURSE, NAME), SEED, given) is None


@pytest.mark.parametrize(
    ("name", "said", "cost"),
    [
        (DOT_PRODUCT, "`key` was used in place of the quotient in `logits`", PART),
        (NAME, "the mean of `hidden` along axis 1 was used for all", PART),
        (NAME, "the mean of `scores` along axis 1 was used for all", SLIP),
        (NAME, "`output` was squared", SLIP),
        ("documents.overlapping_chunks", "`2` was used in place of `overlap` in `chunks`", PART),
        (HEADS, "the size of axis 0 of `x` was used in place of `num_heads` in `separated`", SLIP),
    ],
)
def test_a_part_is_missing_if_an_argument_makes_no_difference(name, said, cost):
    costs = {one.cost for one in candidates(key_of(COURSE, name)) if str(one.said) == said}
    assert costs == {cost}


@pytest.mark.parametrize("name", [NAME, HEADS, "documents.overlapping_chunks"])
def test_no_sentence_quotes_the_solution(name):
    """Only names, numbers and signs are in backticks."""
    sentences = [str(one.said) for one in candidates(key_of(COURSE, name))]
    pieces = {piece for each in sentences for piece in re.findall("`([^`]*)`", each)}
    assert len(pieces) > 5
    quoted = {x for x in pieces if not re.fullmatch(r"[\w.]+|-?[\w.]+|len\(\w+\)|[-+*/%]+", x)}
    assert quoted == set()
