"""`autograder mistakes` from a graded class to everybody's hints, in a course just begun."""

import os
import re
import shutil

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

    def run(*arguments, at=root, code=0):
        packages = f"{root}{os.pathsep}{REPOSITORY}"
        done = commands.run(at, "autograder", *arguments, PYTHONPATH=packages)
        assert done.returncode == code, done.stdout + done.stderr
        assert bool(done.stderr) == bool(code)
        return done.stderr or done.stdout

    run("init", str(root), at=root.parent)
    shutil.rmtree(root / "tests")  # a class needs no simulated students
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


def key_of(root):
    return root / "few_means_keys" / "averages" / "weighted_mean.py"


BROKEN = {
    "no Python": ("def (", "SyntaxError"),
    "a name that nothing has": ("KEY.mistake(MEAN)", "NameError"),
    "an edit that doesn't fit any more": ('KEY.mistake("x", "No.", "sums(", "")', "EditError"),
}
NAMED = ("--change", "weighted_mean-0", "--name", "x", "--hint", "No.")


@pytest.mark.parametrize(("line", "error"), BROKEN.values(), ids=BROKEN)
def test_a_key_that_cannot_be_loaded_is_named_in_a_line(means, line, error):
    root, run = means
    before = key_of(root).read_text("utf8")
    key_of(root).write_text(f"{before}\n{line}\n")
    said = f"the key of averages.weighted_mean can't be loaded: {error}: "
    try:
        for more in ((), NAMED):
            told = run("mistakes", LESSON, *more, code=2)
            assert told.startswith(f"Error: {said}") and "Traceback" not in told
    finally:
        key_of(root).write_text(before)


def test_what_numpy_says_of_changed_solutions_is_not_shown(means):
    root, run = means
    before = key_of(root).read_text("utf8")
    warns = before.replace("/ weights.sum()}", "/ weights.sum() + 0 * values.std(axis=0, ddof=1)}")
    assert warns != before
    key_of(root).write_text(warns)
    try:
        assert "as if" in run("mistakes", LESSON)  # run() looks at stderr
    finally:
        key_of(root).write_text(before)


def test_a_change_that_is_named_becomes_everybodys_hint(means):
    """Also of who makes two mistakes at once, when both are named."""
    root, run = means
    assert "There are no simulated students" in run("audit", code=2)
    assert "explains 3 wrong answers: see `autograder mistakes" in run("report", LESSON)
    found = dict(re.findall(r"as if (.+)\.\n +(\S+): ", run("mistakes", LESSON)))
    assert found.keys() == HINTS.keys()
    for number, (said, hint) in enumerate(HINTS.items()):
        given = ["--change", found[said], "--name", f"unforeseen_{number}", "--hint", hint]
        given += ["--cost", "wrong idea"] if number else []
        told = run("mistakes", LESSON, *given)
        guess = "Counted as a slip (15 % off), which is a guess. If it's a wrong idea (30 % off)"
        assert (guess in told) == (number == 0)
        next_ = f"Next: autograder release {LESSON}; autograder rejudge {LESSON}, then with --apply"
        assert next_ in told
    key = key_of(root).read_text("utf8")
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
