"""Points: by the cause, once, as the configuration says, and never more for one mistake more."""

import re

import numpy as np
import pytest
from traitlets.config import Config, Configurable

from autograder.audit import questions
from autograder.course_folder import CourseFolder
from autograder.judging.edits import run
from autograder.judging.judge import Asked, judge_in_order
from autograder.judging.keys import Cost, key_of
from autograder.judging.marking import ASPECTS, DEFAULTS, Marking, MarkingError, marking_of
from autograder.judging.mistakes import ComputedMistakes, Earlier
from course import COURSE
from selfcheck import responses
from selfcheck.explaining import Loss
from selfcheck.verdicts import Finding, Verdict
from tests.conftest import REPOSITORY
from tests.support.pages import block
from tests.support.submitted import Lesson

BLOCKS = [block("guide.md", "What a mistake costs", "python")]

INNER = "attention.scaled_dot_product_attention"
OUTER = "attention.multi_head_self_attention"
SEED = 11


def answered(name, *changes, scale=1.0):
    """The response of somebody whose answer is the solution with some edits."""
    key = key_of(COURSE, name)
    edits = frozenset().union(*(made.edits for made in changes))
    cases = {}
    for case in key.exercise.cases(SEED):
        outputs = run(key.solution, edits, **case.inputs)
        given = {
            output: scale * np.float32(value) if isinstance(value, np.ndarray) else value
            for output, value in outputs.items()
        }
        cases[case.name] = {"outputs": {o: responses.encode(v) for o, v in given.items()}}
    return Asked(name, SEED, {"exercise": name, "cases": cases})


def mistake(name, *, of=INNER):
    return key_of(COURSE, of).find(name)


def judged(*asked, marking=None):
    return judge_in_order(COURSE, asked, marking or Marking())


@pytest.mark.parametrize("name", ["no_scaling", "softmax_over_queries", "mask_inverted"])
def test_a_slip_costs_what_a_slip_costs(name):
    (verdict,) = judged(answered(INNER, mistake(name)))
    assert verdict.mistakes == (name,)
    assert verdict.percent == max(verdict.held, 100 - verdict.losses[0].percent)
    assert 60 <= verdict.percent <= 90


def test_two_mistakes_cost_both_and_three_cost_more():
    names = ["no_scaling", "mask_inverted", "unstable_softmax"]
    percents = [100]
    for count in (1, 2, 3):
        (verdict,) = judged(answered(INNER, *map(mistake, names[:count])))
        (made,) = verdict.mistakes
        assert set(made.split(" and ")) == set(names[:count])
        assert len(verdict.losses) == count
        percents.append(verdict.percent)
    assert percents == sorted(percents, reverse=True)
    assert verdict.hints[0].startswith("Three mistakes at once.")


def test_a_mistake_is_paid_for_once():
    made = mistake("no_scaling")
    alone = judged(answered(OUTER, made))[0]
    assert alone.percent < 100
    inner, outer = judged(answered(INNER, made), answered(OUTER, made))
    assert inner.percent < 100
    assert outer.percent == 100
    assert outer.held < 100
    assert [loss.earlier for loss in outer.losses] == [INNER]
    said = list(outer.losses_in_words(5))
    assert f"this mistake was made in {INNER}, and counted there" in said[0]
    assert said[0] in outer.to_html(5).replace("&#x27;", "'")


@pytest.mark.parametrize("own", [None, "no_output_projection"])
def test_what_an_earlier_mistake_explains_is_searched_no_further(monkeypatch, own):
    """Such answers once took 60 % of the time for judging a class."""
    made = mistake("no_scaling")
    later = [made] if own is None else [made, mistake(own, of=OUTER)]
    handed_in = answered(INNER, made), answered(OUTER, *later)
    monkeypatch.setattr(ComputedMistakes, "joined", lambda *several: pytest.fail("a search"))
    _, outer = judged(*handed_in)
    assert outer.losses
    assert outer.mistakes == (() if own is None else (own,))


def test_a_mistake_that_makes_answers_fail_is_paid_for_once():
    made = mistake("mask_always_expected")
    failed = {"failure": {"kind": "TypeError", "message": "'NoneType' is not subscriptable"}}

    def fails_without_a_mask(name):
        """The response of somebody who made this mistake in the first of two tasks."""
        asked = answered(name)
        for case in key_of(COURSE, name).exercise.cases(SEED):
            if case.inputs["mask"] is None:
                asked.response["cases"][case.name] = failed
        return asked

    inner, outer = judged(fails_without_a_mask(INNER), fails_without_a_mask(OUTER))
    assert (inner.mistakes, outer.percent) == ((made.name,), 100)
    assert [loss.earlier for loss in outer.losses] == [INNER]


@pytest.mark.parametrize("name", CourseFolder(REPOSITORY).lessons())
def test_every_later_answer_that_calls_an_earlier_one_is_reached_by_its_mistakes(name):
    lesson = questions.LessonQuestions.read(CourseFolder(REPOSITORY), name)
    for number, later in enumerate(lesson.questions):
        for earlier in lesson.questions[:number]:
            if re.search(rf"\b{earlier.object}\b", lesson.right[later.cell]):
                key = key_of(COURSE, earlier.exercise)
                made = next(made for made in key.mistakes if made.edits)
                assert Earlier(key, made).reaches(key_of(COURSE, later.exercise))


def test_a_later_answer_pays_for_what_is_its_own():
    made, own = mistake("no_scaling"), mistake("no_output_projection", of=OUTER)
    _, outer = judged(answered(INNER, made), answered(OUTER, made, own))
    assert outer.mistakes == ("no_output_projection",)
    assert sorted(loss.percent for loss in outer.losses)[0] == 0
    alone = judged(answered(OUTER, own))[0]
    assert outer.percent == alone.percent


def test_a_mistake_follows_a_text_into_the_layer_that_standardizes_texts():
    """The later answer calls the earlier one for each text, and differs by a mistake of its own."""
    texts, layer = "conv1d.standardize", "conv1d.build_vectorizer"
    made, own = mistake("punctuation_kept", of=texts), mistake("two_tokens_more", of=layer)
    alone = judged(answered(layer, own))[0]
    earlier, later = judged(answered(texts, made), answered(layer, made, own))
    assert (earlier.mistakes, later.mistakes) == ((made.name,), (own.name,))
    assert [loss.earlier for loss in later.losses if loss.earlier] == [texts]
    # Alone it costs less than its kind, as one aspect fails that is worth less.
    assert later.percent == alone.percent == alone.held > 100 - alone.losses[0].percent


def test_a_right_answer_beside_a_wrong_earlier_one_keeps_all_points():
    _, outer = judged(answered(INNER, mistake("no_scaling")), answered(OUTER))
    assert (outer.percent, outer.losses) == (100, ())


def test_an_earlier_mistake_that_explains_nothing_takes_no_hint_away():
    lesson = Lesson("01-text-preprocessing")
    (path,) = (path for path in lesson.files("wrong") if path.stem == "wrong_limits")
    names = lesson.answered(path)

    def responded(name):
        exercise = COURSE.get(f"preprocessing.{name}")
        response = responses.respond(exercise, names[name], exercise.cases(SEED))
        return Asked(exercise.name, SEED, response)

    counts, weights = judged(responded("bag_of_words"), responded("tf_idf"))
    assert counts.mistakes == ("letters_only",)
    assert weights.mistakes == ("letters_only and one_norm_for_all",)


def test_what_nothing_explains_is_marked_by_its_aspects():
    (verdict,) = judged(answered(INNER, mistake("no_scaling"), scale=1.5))
    assert verdict.losses == ()
    assert verdict.percent == verdict.held


def test_what_an_answer_leaves_out_hides_no_mistake():
    """A layer that is only watched while training hands over fewer outputs than the solution."""
    name = "transformer.encoder_layer"
    asked = answered(name, mistake("pre_norm", of=name))
    for case, given in asked.response["cases"].items():
        given["outputs"].pop("output" if case == "training" else "shares", None)
    (verdict,) = judged(asked)
    assert verdict.mistakes == ("pre_norm",)
    assert verdict.losses


def test_aspects_decide_where_the_teacher_says_so():
    made = mistake("no_scaling")
    marked = judged(answered(INNER, made), answered(OUTER, made), marking=Marking(ASPECTS))
    assert [verdict.percent for verdict in marked] == [verdict.held for verdict in marked]
    assert all(verdict.hints for verdict in marked)


def test_costs_are_the_teachers():
    asked = answered(INNER, mistake("no_scaling"))
    (kind,) = mistake("no_scaling").costs
    (verdict,) = judged(asked, marking=Marking(costs={kind.value: 8}))
    assert verdict.losses[0].percent == 8
    own = Marking(costs={kind.value: 8, f"{INNER}.no_scaling": 3})
    assert judged(asked, marking=own)[0].losses[0].percent == 3


def test_another_cost_is_another_decision():
    key = key_of(COURSE, INNER)
    decided = {
        Marking(by, costs).decided_by(key)
        for by in ("causes", ASPECTS)
        for costs in ({}, {key.find("no_scaling").costs[0].value: 1})
    }
    assert len(decided) == 3  # costs decide nothing where aspects do


def test_never_fewer_points_than_the_aspects_that_hold_and_never_all_of_them():
    findings = (Finding("a", 90, True, ""), Finding("b", 10, False, "no"))
    assert Verdict("x", findings, losses=(Loss(40, "why"),)).percent == 90
    assert Verdict("x", findings, losses=(Loss(1, "why"),)).percent == 99


@pytest.mark.parametrize(
    ("costs", "said"),
    [
        ({"slips": 10}, "c.Judge.costs has 'slips': name a kind of mistake ('slip', 'wrong idea'"),
        ({"slip": 0}, "c.Judge.costs['slip'] is 0: write a whole number of percent"),
        ({"slip": "10"}, "c.Judge.costs['slip'] is '10'"),
    ],
)
def test_costs_that_cannot_be_are_refused(costs, said):
    with pytest.raises(MarkingError) as refused:
        marking_of(Configurable(config=Config(Judge={"costs": costs})))
    assert said in str(refused.value)


def test_the_guides_configuration_does_what_the_page_says():
    configuration = Config()
    exec(BLOCKS[0].text, {"c": configuration})
    marking = marking_of(Configurable(config=configuration))
    assert marking.by == ASPECTS
    by_cause = Marking(costs=marking.costs)
    assert judged(answered(INNER, mistake("no_scaling")), marking=by_cause)[0].percent == 95
    (slip,) = judged(answered(INNER, mistake("softmax_over_queries")), marking=by_cause)
    assert slip.percent == 90


def test_a_marking_that_is_not_there_is_refused():
    with pytest.raises(MarkingError, match=r"c\.Judge in nbgrader_config\.py"):
        marking_of(Configurable(config=Config(Judge={"marking": "cause"})))


def test_every_kind_of_mistake_has_a_cost():
    assert set(DEFAULTS) == {cost.value for cost in Cost}
    assert all(10 <= percent <= 40 for percent in DEFAULTS.values())


def test_a_fact_may_be_about_the_next_wrong_case():
    asked = answered(INNER, scale=3.0)
    key = key_of(COURSE, INNER)
    (plain,) = (case for case in key.exercise.cases(SEED) if case.name == "plain")
    random = np.random.default_rng(SEED)
    for output, right in key.solution(**plain.inputs).items():
        noise = responses.encode(random.random(right.shape, np.float32))
        asked.response["cases"]["plain"]["outputs"][output] = noise
    (verdict,) = judged(asked)
    assert not verdict.mistakes
    assert "3 times the expected value" in verdict.fact
    assert "“plain”" not in verdict.fact


def test_an_answer_near_thousands_of_combinations_is_judged_all_the_same(monkeypatch):
    """Without an encoder, and with one value broken: 14,000 combinations nearly explain that. Once
    the judge tried them all, took too long, and what still held earned nothing."""
    joined = ComputedMistakes.joined
    tried = []
    monkeypatch.setattr(
        ComputedMistakes, "joined", lambda *several: tried.append(1) or joined(*several)
    )
    name = "transformer.build_transformer_classifier"
    asked = answered(name, mistake("no_encoder", of=name))
    asked.response["cases"]["plain"]["outputs"]["untrained"] = {"type": "float", "value": "nan"}
    (verdict,) = judged(asked)
    assert not verdict.mistakes
    assert verdict.held > 0
    assert len(tried) < 3_000
