"""Explanations that nobody wrote: found by search, and proved by execution."""

import copy
import re

import numpy as np
import pytest

from autograder.judging import search, solutions
from autograder.judging.candidates import candidates
from autograder.judging.judge import Asked, judge_in_order, response_of
from autograder.judging.keys import Key, KnownMistake, key_of
from autograder.judging.marking import BY_CAUSE, Marking
from autograder.judging.time_limit import judge_in_time
from course import COURSE
from selfcheck import Aspect, Case, Exercise
from selfcheck.verdicts import Verdict
from tests.conftest import responded

NAME = "attention.average_attention"
HEADS = "attention.separate_heads"
LAYER = "attention.multi_head_self_attention"
SEED = 3


def pooled(hidden, context, root=np.sqrt):
    hidden, context = np.asarray(hidden), np.asarray(context)
    scores = hidden @ context / root(hidden.shape[-1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return (weights[..., None] * hidden).sum(axis=1)


def squared(hidden, context):
    """A mistake that the key doesn't know."""
    return pooled(hidden, context) ** 2


def judged(answer, name=NAME, marking=BY_CAUSE):
    asked = Asked(name, SEED, responded(name, answer, SEED))
    (verdict,) = judge_in_time(COURSE, [asked], marking)
    (alone,) = judge_in_order(COURSE, [asked], marking)
    return verdict, alone


def test_an_answer_that_no_known_mistake_explains_is_explained_by_search():
    verdict, alone = judged(squared)
    assert not alone.mistakes and not alone.found
    assert verdict.found and not verdict.mistakes
    assert "as if `output` was squared" in verdict.explanation
    assert verdict.explanation.startswith("Found by search")
    assert [loss.percent for loss in verdict.losses] == [15]
    assert alone.percent <= verdict.percent == 85


def test_what_was_found_is_kept_in_the_record():
    verdict, _ = judged(squared)
    assert Verdict.from_json(verdict.to_json()) == verdict
    earlier = verdict.to_json()
    del earlier["found"]
    assert not Verdict.from_json(earlier).found


def test_a_known_mistake_is_not_searched_for(monkeypatch):
    monkeypatch.setattr(search, "explain", None)
    verdict, alone = judged(lambda h, c: pooled(h, c, root=lambda size: 1.0))
    assert verdict == alone
    assert verdict.mistakes == ("unscaled_scores",)


def test_two_mistakes_are_found_that_nobody_wrote(monkeypatch):
    monkeypatch.setattr(key_of(COURSE, NAME), "mistakes", [])
    verdict, _ = judged(lambda h, c: pooled(h, c, root=float) / h.shape[1])
    assert len(verdict.losses) == 2
    assert "`sqrt` was left out in `scores`" in verdict.explanation
    assert "`mean` was used in place of `sum`" in verdict.explanation


def test_where_aspects_decide_a_found_mistake_is_only_named():
    verdict, alone = judged(squared, marking=Marking("aspects"))
    assert verdict.found and not verdict.losses
    assert verdict.percent == alone.percent


def test_a_found_mistake_takes_no_points_that_the_aspects_leave():
    dear = Marking(costs={f"{NAME}.found": 100})
    verdict, alone = judged(squared, marking=dear)
    assert verdict.found and not verdict.losses
    assert verdict.percent == alone.percent > 0


def test_a_mistake_that_was_found_in_an_earlier_answer_costs_nothing_again(monkeypatch):
    earlier, later = key_of(COURSE, HEADS), key_of(COURSE, LAYER)
    straight = earlier.find("reshaped_straight")
    on_top = KnownMistake.edit("", later.solution, straight.edits, hints=()).variant
    given = {
        key: {
            case.name: case.asked(solutions.outputs(variant, case.inputs))
            for case in solutions.cases(key.exercise, SEED)
        }
        for key, variant in ((earlier, straight.variant), (later, on_top))
    }
    for key in (earlier, later):
        monkeypatch.setattr(key, "mistakes", [])
    asked = [Asked(k.exercise.name, SEED, response_of(k.exercise.name, given[k])) for k in given]
    first, second = judge_in_time(COURSE, asked)
    assert first.found and sum(loss.percent for loss in first.losses) > 0
    assert [(loss.percent, loss.earlier) for loss in second.losses] == [(0, HEADS)]


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


@pytest.mark.parametrize(("seed", "found"), [(SEED, False), (SEED + 1, True)])
def test_two_explanations_that_differ_on_other_inputs_are_both_withheld(seed, found):
    """With a factor of 2, squaring it and doubling the result give the same."""
    exercise = _Scaled()
    key = Key(exercise, scaled)
    (case,) = exercise.cases(seed)
    response = response_of("scaled", {"some": {"result": 2 * scaled(**case.inputs)["result"]}})
    made = search.search(key, seed, response)
    assert bool(made) == found
    assert not made or "`result` was doubled" in made.hint


def test_a_search_changes_no_inputs_that_others_also_get():
    key = key_of(COURSE, "documents.overlapping_chunks")
    cases = solutions.cases(key.exercise, SEED)
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


def test_an_error_in_a_search_leaves_the_verdict_as_it_is(monkeypatch, caplog):
    def fail(*args):
        raise ZeroDivisionError

    monkeypatch.setattr(search, "explain", fail)
    verdict, alone = judged(squared)
    assert verdict == alone
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("name", [NAME, HEADS, "documents.overlapping_chunks"])
def test_no_sentence_quotes_the_solution(name):
    """Only names, numbers and signs are in backticks."""
    sentences = [str(one.said) for one in candidates(key_of(COURSE, name))]
    pieces = {piece for each in sentences for piece in re.findall("`([^`]*)`", each)}
    assert len(pieces) > 5
    quoted = {x for x in pieces if not re.fullmatch(r"[\w.]+|-?[\w.]+|len\(\w+\)|[-+*/%]+", x)}
    assert quoted == set()
