"""Known mistakes about text and about convolutions can be told apart."""

import numpy as np
import pytest

from course import COURSE
from tests import taught

LESSONS = ("01-text-preprocessing", "02-conv1d-baseline")


def told_by(outputs):
    """What tells some outputs from others. Printing a model's numbers would take many seconds."""
    return tuple(
        (name, array.shape, np.where(np.isnan(array), np.nan, array).astype(float).tobytes())
        if (array := np.array(value)).dtype.kind == "f"
        else (name, repr(array.tolist()))
        for name, value in outputs.items()
    )


@pytest.mark.parametrize("name", [name for lesson in LESSONS for name in COURSE.names(lesson)])
def test_mistakes_differ_from_one_another_in_every_seed(name):
    exercise = COURSE.get(name)
    for seed in range(20):
        mistakes = taught.known(exercise, seed).single
        seen = {
            # Where a mistake fails it has no outputs, but a message that tells it.
            (mistake.failure, *((case, told_by(out or {})) for case, out in mistake.outputs.items()))
            for mistake in mistakes
        }
        assert len(seen) == len(mistakes) >= 4
