"""`autograder mistakes` from a graded class to everybody's hints, in a course just begun."""

import os
import re

import pytest

from autograder.course_folder import CONFIG, CourseFolder
from tests.conftest import REPOSITORY
from tests.support import commands
from tests.support.graded import verdicts_in

LESSON, CELL = "01-averages", "test_weighted_mean"

CLASS = {
    "ada": "weights**2 @ values / weights.sum()",
    "ben": "np.average(values * weights[:, None], axis=0, weights=weights)",
    "cem": "weights**2 @ values / weights.max()",
    "dia": "weights @ values / weights.sum()",
}
HINTS = {
    "`weights` was squared": "Each weight counts once.",
    "`max` was used in place of `sum`": "What do the weights add up to?",
}
"""By what is said of a change, the hint that a teacher gives it."""

WRITTEN = """
KEY.mistake(
    "unforeseen_0",
    "Each weight counts once.",
    "weights @ values",
    "weights ** 2 @ values",
    cost=SLIP,
)
KEY.mistake(
    "unforeseen_1",
    "What do the weights add up to?",
    "weights.sum()",
    "weights.max()",
)
"""


@pytest.fixture(scope="module")
def means(tmp_path_factory):
    """A command that runs in a course that was just begun, with a graded class."""
    root = tmp_path_factory.mktemp("begun") / "few-means"

    def run(*arguments, at=root):
        packages = f"{root}{os.pathsep}{REPOSITORY}"
        done = commands.run(at, "autograder", *arguments, PYTHONPATH=packages)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("init", str(root), at=root.parent)
    with (root / CONFIG).open("a") as config:
        config.write('c.ExecuteSubmission.sandbox = "none"\n')  # what isn't installed isn't in one
    (root / "class").mkdir()
    for student, answer in CLASS.items():
        code = f'# %% grade_id="weighted_mean"\nweighted_mean = lambda values, weights: {answer}\n'
        (root / "class" / f"{student}.py").write_text(code)
    run("release")
    run("simulate", LESSON, "--answers", "class")
    run("grade", LESSON)
    return root, run


def test_a_change_that_is_named_becomes_everybodys_hint(means):
    """Also of who makes two mistakes at once, when both are named."""
    root, run = means
    assert "explains 3 wrong answers: see `autograder mistakes" in run("report", LESSON)
    found = dict(re.findall(r"as if (.+)\.\n +(\S+): ", run("mistakes", LESSON)))
    assert found.keys() == HINTS.keys()
    for number, (said, hint) in enumerate(HINTS.items()):
        given = ["--change", found[said], "--name", f"unforeseen_{number}", "--hint", hint]
        given += ["--cost", "wrong idea"] if number else []
        assert f"Next: autograder release {LESSON}" in run("mistakes", LESSON, *given)
    key = (root / "few_means_keys" / "averages" / "weighted_mean.py").read_text("utf8")
    assert "from autograder.judging.keys import SLIP, Key\n" in key
    assert key.endswith(WRITTEN)
    run("release", LESSON)
    assert "3 with changed points" in run("rejudge", LESSON, "--apply")
    named = {
        student: verdicts_in(CourseFolder(root).autograded(student, LESSON))[CELL].mistakes
        for student in CLASS
    }
    both = "unforeseen_0 and unforeseen_1"
    assert named == {"ada": ("unforeseen_0",), "ben": ("unforeseen_0",), "cem": (both,), "dia": ()}
    assert "Known mistakes explain all wrong answers." in run("mistakes", LESSON)
