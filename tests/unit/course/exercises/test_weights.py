"""What an answer leaves behind must not reach the next one."""

import keras
import numpy as np
import pytest

from autograder.audit.questions import LessonQuestions
from autograder.course_folder import CourseFolder
from course import COURSE
from tests.conftest import REPOSITORY


class NothingReturned(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.supports_masking = True

    def call(self, inputs, mask=None):
        keras.ops.abs(inputs)  # and no return


@pytest.fixture
def a_layer_has_returned_nothing():
    mask = keras.ops.ones((2, 3), "bool")
    with pytest.raises(TypeError, match="weak reference"):
        NothingReturned()(keras.ops.ones((2, 3, 4)), mask=mask)


@pytest.mark.usefixtures("a_layer_has_returned_nothing")
def test_a_right_layer_is_right_after_one_that_forgot_its_return():
    names = LessonQuestions.read(CourseFolder(REPOSITORY), "06-fastformer").names("solution", {})
    exercise = COURSE.get("fastformer.fastformer_block")
    for case in exercise.cases(1):
        outputs = exercise.call(names["FastformerBlock"], case)
        assert np.isfinite(outputs.get("output", outputs.get("shares"))).all()
