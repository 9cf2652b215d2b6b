"""Known mistakes about text and about convolutions can be told apart."""

import numpy as np
import pytest

from course import COURSE
from tests.support import taught

LESSONS = ("01-text-preprocessing", "02-conv1d-baseline")


@pytest.mark.parametrize("name", [name for lesson in LESSONS for name in COURSE.names(lesson)])
def test_mistakes_differ_from_one_another_in_every_seed(name):
    exercise = COURSE.get(name)
    for seed in range(20):
        mistakes = taught.known(exercise, seed).single
        seen = [
            repr({case: {k: np.array(v).tolist() for k, v in out.items()} for case, out in outputs})
            + failure
            for outputs, failure in (
                # Where a mistake fails it has no outputs, but a message that tells it.
                ([(case, out or {}) for case, out in mistake.outputs.items()], mistake.failure)
                for mistake in mistakes
            )
        ]
        assert len(set(seen)) == len(seen) >= 4
