"""Attacks in pairs: an honest neighbour keeps its grade and its time beside every hostile one."""

import json
import shutil
import statistics
import sys

import pytest

from autograder.execution.notebook_client import GRACE, WALL_FACTOR
from tests.conftest import QUICK_LESSON, REPOSITORY, needs_sandbox, write_quick_course
from tests.hostile.test_hostile import CONFIGURATION, TIME_LIMIT
from tests.support.hostile import bank, can_contain, contained, maximum

pytestmark = [
    needs_sandbox,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(
        not can_contain(),
        reason="exhausts the machine without limits that only root can set: run it as root",
    ),
]

# What is put right before anything runs has no neighbour.
BANK = [attack for attack in bank() if attack.family != "surgery" and not attack.refused]
FEW = ("exhausting_crowd_of_sessions", "exhausting_semaphores", "reaching_other_kernels")
HONEST_PAIRS = 3

SLOWER = 3
"""So many times as long as beside an honest one may an honest submission take ..."""

DELAY = WALL_FACTOR * TIME_LIMIT + GRACE
"""... and as many seconds more as a hostile cell may last, until it has used its time up."""


def parameters():
    """Attacks to be graded in one go: a few, and a family after the other."""
    few = [attack for attack in BANK if attack.student in FEW]
    yield pytest.param(few, id="few")
    for family in sorted({attack.family for attack in BANK}):
        attacks = [attack for attack in BANK if attack.family == family]
        yield pytest.param(attacks, id=family, marks=pytest.mark.slow)


@pytest.mark.parametrize("attacks", list(parameters()))
def test_an_honest_neighbour_keeps_its_grade_and_its_time(attacks, tmp_path):
    folder, temporary = tmp_path / "course", tmp_path / "tmp"
    folder.mkdir()
    temporary.mkdir()
    beside_honest = [f"honest{number}" for number in range(2 * HONEST_PAIRS)]
    neighbours = {f"{attack.student}_neighbour": attack for attack in attacks}
    course = write_quick_course(folder, [*beside_honest, *neighbours])
    with (folder / "nbgrader_config.py").open("a") as configuration:
        configuration.write(CONFIGURATION)
    reference = course.submitted(beside_honest[0], QUICK_LESSON) / f"{QUICK_LESSON}.ipynb"
    pairs = list(beside_honest)
    for student, attack in neighbours.items():
        attack.submit(reference, course.submitted(attack.student, QUICK_LESSON))
        pairs += [attack.student, student]
    finished = contained(
        [sys.executable, "-m", "tests.support.pairs", *pairs],
        folder=folder,
        variables={
            "HOME": str(tmp_path),
            "TMPDIR": str(temporary),
            "PYTHONPATH": str(REPOSITORY),
        },
        secrets={"process": "", "socket": ""},
        limit=3000,
    )
    assert finished.code == 0, finished.out[-5000:]
    found = json.loads(finished.out.splitlines()[-1])
    (tmp_path / "found.json").write_text(json.dumps(found))
    honest = {name: found[name] for name in (*beside_honest, *neighbours)}
    full = {f"test_{name}": points for name, points in maximum().items()}
    assert {
        name: (row["problem"], row["points"])
        for name, row in honest.items()
        if row["points"] != full
    } == {}
    usual = statistics.median(_seconds(found[name]) for name in beside_honest)
    taken = {name: _seconds(found[name]) for name in neighbours}
    late = {name: taken[name] for name in taken if taken[name] > SLOWER * usual + DELAY}
    assert late == {}, f"beside honest ones: {usual:.1f} s"
    assert statistics.median(taken.values()) <= SLOWER * usual
    shutil.rmtree(folder)


def _seconds(row):
    """From the start of a submission's kernel until the end of its last cell."""
    return row["seconds"]["start"] + row["seconds"]["cells"]
