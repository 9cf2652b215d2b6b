"""Every answer of the simulated classes, on one seed: ``make audit`` runs these.

The audit counts how often the judge is wrong; here each file is held to all that it states.
"""

import pytest

from tests.conftest import REPOSITORY
from tests.submitted import Lesson

# Keras warns about what some of these answers do, and some divide 0 by 0.
pytestmark = [
    pytest.mark.answers,
    pytest.mark.filterwarnings("ignore::UserWarning:keras", "ignore:invalid value"),
]

LESSONS = [Lesson(folder.name) for folder in sorted((REPOSITORY / "source").iterdir())]


def files(kind):
    return [
        pytest.param(lesson, path, id=f"{lesson.name}-{path.stem}")
        for lesson in LESSONS
        for path in lesson.files(kind)
    ]


@pytest.mark.parametrize(("lesson", "path"), files("right"))
def test_right_answers_written_differently_earn_everything(lesson, path):
    for cell in lesson.points:
        lesson.assert_right(path, cell)


@pytest.mark.parametrize(("lesson", "path"), files("wrong"))
def test_wrong_answers_lose_points_for_the_reason_that_their_file_states(lesson, path):
    lesson.assert_wrong_as_stated(path)
