"""What every exercise must be for its verdicts to mean something."""

import numpy as np
import pytest

from course import COURSE
from selfcheck import UnknownExercise

EVERY = [COURSE.get(name) for name in COURSE.names()]
SEEDS = [1, 2, 3, 4, 5, 123456789, 2**32 - 1]


@pytest.mark.parametrize("exercise", EVERY, ids=lambda exercise: exercise.name)
def test_aspects_share_all_points_and_name_existing_cases(exercise):
    cases = {case.name for case in exercise.cases(1)}
    assert sum(aspect.percent for aspect in exercise.aspects) == 100
    assert {name for aspect in exercise.aspects for name in aspect.cases} == cases


def same(value, other):
    """Whether two inputs, arrays or not, are equal."""
    both = isinstance(value, np.ndarray) and isinstance(other, np.ndarray)
    return np.array_equal(value, other) if both else value == other


@pytest.mark.parametrize("exercise", EVERY, ids=lambda exercise: exercise.name)
def test_a_seed_gives_the_same_inputs_again_and_another_seed_gives_others(exercise):
    others = []
    for first, again, other in zip(
        exercise.cases(7), exercise.cases(7), exercise.cases(8), strict=True
    ):
        for name, value in first.inputs.items():
            assert same(value, again.inputs[name])
            others.append(not same(value, other.inputs[name]))
    assert any(others)  # a case of a few small numbers may come again


@pytest.mark.parametrize("seed", SEEDS)
def test_attention_inputs_have_axes_of_different_size(seed):
    inputs = {
        case.name: case.inputs
        for case in COURSE.get("attention.scaled_dot_product_attention").cases(seed)
    }
    batch, heads, queries, d_k = inputs["heads"]["query"].shape
    keys, d_v = inputs["heads"]["value"].shape[2:]
    assert len({batch, heads, queries, d_k, keys, d_v}) == 6


@pytest.mark.parametrize("seed", SEEDS)
def test_padding_masks_have_different_lengths_and_one_sample_can_be_all_padding(seed):
    inputs = {
        case.name: case.inputs
        for case in COURSE.get("attention.multi_head_self_attention").cases(seed)
    }
    lengths = inputs["padding mask"]["mask"].sum(axis=1)
    assert len(set(lengths)) == len(lengths)
    assert lengths.min() >= 1
    assert inputs["padded sample"]["mask"][0].sum() == 0


def test_an_unknown_exercise_gets_the_nearest_name():
    with pytest.raises(UnknownExercise, match=r"did you mean 'attention\.average_attention'"):
        COURSE.get("attention.avarage_attention")
