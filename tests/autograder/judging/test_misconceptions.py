"""The bank: every known mistake must cost points and be called by its name."""

import re
from functools import cache

import nbformat
import numpy as np
import pytest

from autograder.cells import graded_exercise
from course import COURSE
from selfcheck import Failure, sheets
from selfcheck.verdicts import observe, reach
from tests import taught
from tests.conftest import REPOSITORY

EVERY = [
    (COURSE.get(name), misconception)
    for name in COURSE.names()
    for misconception in taught.misconceptions(COURSE.get(name))
]
NAMED = pytest.mark.parametrize(
    ("exercise", "misconception"), EVERY, ids=lambda part: getattr(part, "name", "")
)


@cache
def right_and_wrong(exercise, seed):
    return taught.expected(exercise, seed), taught.mistakes(exercise, seed)


@cache
def sheet(exercise):
    return sheets.load(COURSE.answers, exercise)


def in_float32(outputs):
    """Outputs as a student's float32 program gives them; text stays text."""
    return {
        name: value.astype(np.float32) if isinstance(value, np.ndarray) else value
        for name, value in outputs.items()
    }


def verdict_on(exercise, misconception, seed, written=None):
    """The verdict on a student whose outputs, in float32, are the variant's."""
    judged = right_and_wrong(exercise, seed)
    mistake = next(mistake for mistake in judged[1] if mistake.name == misconception.name)
    expected, *known = written or judged
    return reach(exercise, seen(exercise, seed, mistake, expected), *known)


def seen(exercise, seed, mistake, expected):
    """What a student's float32 program with a mistake gives, beside what is expected."""
    received = {
        case: Failure("ValueError", "shapes do not fit") if outputs is None else in_float32(outputs)
        for case, outputs in mistake.outputs.items()
    }
    return observe(exercise, seed, received, expected)


@NAMED
def test_a_mistake_costs_the_same_points_whatever_the_seed_and_is_named(exercise, misconception):
    percents = set()
    for seed in range(5):
        verdict = verdict_on(exercise, misconception, seed)
        percents.add(verdict.percent)
        assert misconception.name in verdict.mistakes
        assert misconception.hint in verdict.hints
    assert len(percents) == 1
    assert percents.pop() < 100


@NAMED
def test_the_answer_sheet_says_what_the_judge_says(exercise, misconception):
    seed = sheets.PUBLISHED_SEED
    published = verdict_on(exercise, misconception, seed, sheet(exercise))
    judged = verdict_on(exercise, misconception, seed)
    assert published == judged


WITH_PAIRS = [name for name in COURSE.names() if any(taught.pairs(COURSE.get(name), 0))]
# Two wrong ideas that together are one of the others: what is divided by its sum needs no scale.
LEAST_NAMED = 0.9


@pytest.mark.answers
@pytest.mark.parametrize("name", WITH_PAIRS)
@pytest.mark.parametrize("by", ["judge", "answer sheet"])
def test_two_mistakes_at_once_are_both_named(name, by):
    exercise = COURSE.get(name)
    seed = sheets.PUBLISHED_SEED
    pairs = list(taught.pairs(exercise, seed))
    judged = *right_and_wrong(exercise, seed), pairs
    expected, *known = sheet(exercise) if by == "answer sheet" else judged
    named = 0
    for pair in pairs:
        verdict = reach(exercise, seen(exercise, seed, pair, expected), *known)
        assert verdict.percent < 100
        assert verdict.mistakes, pair.name
        named += pair.name in verdict.mistakes and pair.hint in verdict.hints
    assert named >= LEAST_NAMED * len(pairs)


ATTENTION = (
    "transformer.positional_encoding",
    "transformer.encoder_layer",
    "documents.relative_position_self_attention",
    "fastformer.additive_pooling",
    "fastformer.fastformer",
)
"""What belongs to attention in the other topics."""


@pytest.mark.parametrize("name", COURSE.names())
def test_names_are_unique_and_hints_give_no_code_away(name):
    known = taught.misconceptions(COURSE.get(name))
    fewest = 8 if name.startswith("attention.") or name in ATTENTION else 4
    assert len({misconception.name for misconception in known}) == len(known) >= fewest
    for misconception in known:
        assert misconception.hint.endswith((".", "?"))
        assert not any(sign in misconception.hint for sign in ("=", "tf.", "np.", "axis=-1"))


@pytest.mark.parametrize("name", COURSE.names())
def test_the_reference_itself_is_no_mistake(name):
    exercise = COURSE.get(name)
    for seed in range(5):
        judged = right_and_wrong(exercise, seed)
        received = {case: in_float32(entry.outputs) for case, entry in judged[0].items()}
        expected, mistakes = judged
        verdict = reach(exercise, observe(exercise, seed, received, expected), mistakes)
        assert (verdict.percent, verdict.mistakes) == (100, ())


@pytest.mark.parametrize("name", COURSE.names())
def test_hints_point_to_a_section_of_the_lesson(name):
    exercise = COURSE.get(name)
    path = REPOSITORY / "source" / exercise.lesson / f"{exercise.lesson}.ipynb"
    above, sections = 0, {}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            above = int((re.findall(r"^## (\d+) · ", cell.source, re.MULTILINE) or [above])[-1])
        sections[graded_exercise(cell)] = above
    assert sections[name] == exercise.section
    for misconception in taught.misconceptions(exercise):
        section = int(re.search(r" See section (\d+)\.$", misconception.hint)[1])
        assert 1 <= section <= exercise.section


def held(verdict):
    return {finding.title for finding in verdict.findings if finding.passed}


# Weights of 1, divided by their number, make the plain mean, which is another mistake.
CANCELLING = {"softmax_over_one_score and weighted_mean_of_mean"}


@pytest.mark.answers
@pytest.mark.parametrize("name", WITH_PAIRS)
def test_who_mends_one_of_two_mistakes_never_loses_points(name):
    exercise = COURSE.get(name)
    seed = sheets.PUBLISHED_SEED
    expected, mistakes = right_and_wrong(exercise, seed)
    pairs = list(taught.pairs(exercise, seed))
    verdicts = {
        mistake.name: reach(exercise, seen(exercise, seed, mistake, expected), mistakes)
        for mistake in [*mistakes, *pairs]
    }
    for pair in pairs:
        alone = [verdicts[one].percent for one in pair.name.split(" and ")]
        assert verdicts[pair.name].percent <= min(alone) or pair.name in CANCELLING


# What no variant in NumPy can fail: a condition on a tensor, which a compiled step does not allow.
COMPILED = "it works inside a compiled training step"


@pytest.mark.parametrize("name", COURSE.names())
def test_every_aspect_can_be_earned_by_a_wrong_answer_or_lost_by_a_nearly_right_one(name):
    exercise = COURSE.get(name)
    verdicts = [verdict_on(exercise, one, 0) for one in taught.misconceptions(exercise)]
    earned = [{finding.title for finding in v.findings if finding.passed} for v in verdicts]
    titles = {aspect.title for aspect in exercise.aspects}
    for title in titles - {COMPILED}:
        assert any(title in held or held == titles - {title} for held in earned), title
