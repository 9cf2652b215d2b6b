"""What is found out about a transformer classifier in the student's process."""

import keras
import numpy as np
import pytest

from course.exercises.transformer.build_transformer_classifier import _drops_inside

SHAPE = (4, 2)


class Model:
    """Gives the same rows at every call, whatever its weights."""

    def __init__(self, first):
        self.trainable_weights = [keras.Variable(np.zeros(SHAPE, np.float32))]
        self._first = np.asarray(first, np.float32)

    def __call__(self, texts, training):
        first = np.resize(self._first, len(texts))
        return np.stack([first, 1 - first], axis=1)


@pytest.mark.parametrize("in_doubt", [True, False])
def test_a_feature_that_is_kept_or_not_makes_two_numbers(in_doubt):
    rounded = [0.5 + 1e-7, 0.5, 0.5013, 0.5013 + 1e-7]
    assert not _drops_inside(Model(rounded), np.ones((1, 3), int), SHAPE, in_doubt)


def test_what_is_dropped_inside_shows_however_little_it_changes():
    """After two softmaxes, for example, 200 numbers lie close together."""
    close = np.linspace(0.5, 0.5012, 200)
    assert _drops_inside(Model(close), np.ones((1, 3), int), SHAPE)
    # Where nothing may be dropped, only what is clear counts against the student.
    assert not _drops_inside(Model(close), np.ones((1, 3), int), SHAPE, otherwise=False)
