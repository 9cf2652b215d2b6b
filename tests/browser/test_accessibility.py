"""Pages that people get as files: nothing on them keeps anybody out."""

import shutil

import pytest

from tests.browser.pages import barriers
from tests.conftest import QUICK_LESSON, REPOSITORY

PUPIL = "wrong_first_attempts"


@pytest.fixture
def graded(instructor):
    """A class of three was graded, and got its feedback."""
    answers = instructor.folder / "answers"
    answers.mkdir()
    shutil.copy(REPOSITORY / "tests" / "submissions" / QUICK_LESSON / f"{PUPIL}.py", answers)
    instructor.run("autograder", "release", QUICK_LESSON)
    instructor.run("autograder", "simulate", QUICK_LESSON, "--answers", str(answers))
    instructor.run("autograder", "grade", QUICK_LESSON)
    instructor.run("nbgrader", "generate_feedback", QUICK_LESSON)
    instructor.run("autograder", "report", QUICK_LESSON)
    return instructor.folder


def test_feedback_and_report_keep_nobody_out(graded, look_at):
    files = {
        "feedback": graded / "feedback" / PUPIL / QUICK_LESSON / f"{QUICK_LESSON}.html",
        "report": graded / "reports" / f"{QUICK_LESSON}.html",
    }
    found = {}
    for name, file in files.items():
        for width in (400, 1400):
            window = look_at(f"{name}-{width}", file, width)
            window.shot("page")
            found[name, width] = barriers(window.page, "html")
    assert not any(found.values()), "\n\n".join(text for texts in found.values() for text in texts)
