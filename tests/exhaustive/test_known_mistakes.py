"""The bank: every known mistake must cost points and be called by its name."""

import itertools
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest

from autograder.judging.keys import key_of
from autograder.release.answer_sheets import sheet_text
from course import COURSE
from selfcheck import Failure, sheets
from selfcheck.equality import same_outputs
from selfcheck.verdicts import evaluate, observe
from tests.support import taught

EVERY = [
    (COURSE.get(name), mistake)
    for name in COURSE.names()
    for mistake in taught.known_mistakes(COURSE.get(name))
]
NAMED = pytest.mark.parametrize(
    ("exercise", "mistake"), EVERY, ids=lambda part: getattr(part, "name", "")
)


@cache
def right_and_wrong(exercise, seed):
    return taught.expected(exercise, seed), taught.known(exercise, seed)


@cache
def sheet(exercise):
    return sheets.load(COURSE.answers, exercise)


def in_float32(outputs):
    """Outputs as a student's float32 program gives them; text stays text."""
    return {
        name: value.astype(np.float32) if getattr(value, "dtype", "") == np.float64 else value
        for name, value in outputs.items()
    }


@cache
def verdicts_on(exercise, seed, published=False):
    """The verdicts on students whose outputs, in float32, are those of a known mistake, by its
    name: as the judge gives them, or the published answer sheet."""
    judged = right_and_wrong(exercise, seed)
    expected, known = sheet(exercise) if published else judged
    return {
        mistake.name: evaluate(exercise, seen(exercise, seed, mistake, expected), known)
        for mistake in judged[1].single
    }


def seen(exercise, seed, mistake, expected):
    """What a student's float32 program with a mistake gives, beside what is expected."""
    failed = Failure("ValueError", "shapes do not fit")
    if mistake.failure:  # the first of the alternatives, which is to be the message itself
        first = mistake.failure.split("|")[0]
        failed = Failure("TypeError", first.replace(r"\d", "3"))
    received = {
        case: failed if outputs is None else in_float32(outputs)
        for case, outputs in mistake.outputs.items()
    }
    return observe(exercise, seed, received, expected)


@NAMED
def test_a_mistake_costs_the_same_points_whatever_the_seed_and_is_named(exercise, mistake):
    percents = set()
    for seed in range(5):
        verdict = verdicts_on(exercise, seed)[mistake.name]
        percents.add(verdict.percent)
        assert verdict.mistakes == (mistake.name,)
        assert verdict.hints == (mistake.hint,)
    assert len(percents) == 1
    assert percents.pop() < 100


@NAMED
def test_the_answer_sheet_says_what_the_judge_says(exercise, mistake):
    seed = sheets.PUBLISHED_SEED
    published = verdicts_on(exercise, seed, published=True)[mistake.name]
    judged = verdicts_on(exercise, seed)[mistake.name]
    assert published == replace(judged, losses=())


def has_pairs(exercise):
    paired = [one for one in taught.known_mistakes(exercise) if one.paired]
    return any(one.fits(two) for one, two in itertools.combinations(paired, 2))


WITH_PAIRS = [name for name in COURSE.names() if has_pairs(COURSE.get(name))]
LEAST_NAMED = 0.9


@pytest.mark.parametrize("name", WITH_PAIRS)
@pytest.mark.parametrize("by", ["judge", "answer sheet"])
def test_two_mistakes_at_once_are_both_named(name, by):
    exercise = COURSE.get(name)
    seed = sheets.PUBLISHED_SEED
    pairs = list(taught.known(exercise, seed).pairs)
    expected, known = (sheet if by == "answer sheet" else partial(right_and_wrong, seed=seed))(
        exercise
    )
    everything = {one.name: one for one in (*taught.known(exercise, seed).single, *pairs)}
    named = 0
    for pair in pairs:
        came_back = seen(exercise, seed, pair, expected)
        verdict = evaluate(exercise, came_back, known)
        assert verdict.percent < 100
        (name,) = verdict.mistakes
        # Two mistakes may be one of the others: what is divided by its sum needs no scale.
        named += name == pair.name or all(
            same_outputs(everything[name].outputs[case], observation)
            for case, observation in came_back.items()
        )
    assert named >= LEAST_NAMED * len(pairs)


@pytest.mark.parametrize("name", COURSE.names())
def test_the_reference_itself_is_no_mistake(name):
    exercise = COURSE.get(name)
    for seed in range(5):
        judged = right_and_wrong(exercise, seed)
        received = {case: in_float32(entry.outputs) for case, entry in judged[0].items()}
        expected, known = judged
        verdict = evaluate(exercise, observe(exercise, seed, received, expected), known)
        assert (verdict.percent, verdict.mistakes) == (100, ())


def held(verdict):
    return {finding.title for finding in verdict.findings if finding.passed}


# Together they are a third mistake, which costs less than one of them alone.
CANCELLING = {
    # Weights of 1, divided by their number, make the plain mean.
    "softmax_over_one_score and weighted_mean_of_mean": "plain_mean",
    # The softmax runs over the one head that is left.
    "softmax_over_heads and first_head_for_all": "weights_all_one",
    # Scores that are masked are the only ones their softmax sees, so any number does.
    "mask_multiplied and softmax_over_queries": "softmax_over_queries",
    "mask_multiplied and mask_on_queries": "mask_on_queries",
    # Only the end of the text is stemmed, or its last word, on which the stemmers agree.
    "sentence_stemmed and snowball": "sentence_stemmed",
    "only_the_last and lancaster": "only_the_last",
    "only_the_last and snowball": "only_the_last",
    # What is swapped is never negative, so nothing shows that no text is too short.
    "fewer_than_none and kernel_and_strides_swapped": "kernel_and_strides_swapped_and_none_below",
}


@pytest.mark.parametrize("name", WITH_PAIRS)
def test_who_mends_one_of_two_mistakes_never_loses_points(name):
    exercise = COURSE.get(name)
    seed = sheets.PUBLISHED_SEED
    expected, known = right_and_wrong(exercise, seed)
    pairs = list(known.pairs)
    verdicts = {
        mistake.name: evaluate(exercise, seen(exercise, seed, mistake, expected), known)
        for mistake in [*known.single, *pairs]
    }
    for pair in pairs:
        alone = [verdicts[one].percent for one in pair.name.split(" and ")]
        verdict = verdicts[pair.name]
        assert verdict.percent <= min(alone) or verdict.mistakes == (CANCELLING[pair.name],)


# What no variant in NumPy can fail: a condition on a tensor, which a compiled step does not allow.
COMPILED = "it works inside a compiled training step"


@pytest.mark.parametrize("name", COURSE.names())
def test_every_aspect_can_be_earned_by_a_wrong_answer_or_lost_by_a_nearly_right_one(name):
    exercise = COURSE.get(name)
    verdicts = verdicts_on(exercise, 0).values()
    earned = [{finding.title for finding in v.findings if finding.passed} for v in verdicts]
    titles = {aspect.title for aspect in exercise.aspects}
    for title in titles - {COMPILED}:
        assert any(title in held or held == titles - {title} for held in earned), title


@pytest.mark.parametrize("name", COURSE.names())
def test_an_answer_sheet_keeps_what_a_hint_points_to(name, tmp_path):
    key = key_of(COURSE, name)
    written = sheet_text(key)
    (tmp_path / f"{name}.json").write_text(written, "utf8")
    known = sheets.load(tmp_path, key.exercise)[1]
    sections = [mistake.hints[0].section for mistake in known.single]
    assert sections == [one.hints[0].section for one in taught.known(key.exercise, 0).single]
    assert f'"section":{key.exercise.section},' not in written  # it's the usual one
