"""Positions as clock hands that a matrix turns."""

import numpy as np
import pytest

from course.experiments import rotation
from tests.support import taught


@pytest.mark.parametrize("k", [-2, 0, 5])
@pytest.mark.parametrize("depth", [2, 10, 32])
def test_one_matrix_turns_every_position_by_the_same_number(k, depth):
    encoding = taught.solution("transformer.positional_encoding")(40, depth)["encoding"]
    turned = encoding @ rotation.turn(k, depth).T
    starts = np.arange(max(0, -k), 40 - max(0, k))
    np.testing.assert_allclose(turned[starts], encoding[starts + k], atol=1e-12)
