"""A class that hands in at random moments: how long until each submission is graded.

    python benchmarks/arrivals.py --size 300 --minutes 10

The simulated class of ``03-attention``, repeated under other names, arrives in ``submitted/`` while
``autograder watch`` runs there. A submission is graded when its result is in ``autograded/``; the
watching process doesn't measure itself.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from autograder.course_folder import CourseFolder
from autograder.release.generate import copy_of, release
from autograder.simulate import simulate

ROOT = Path(__file__).parents[1]
LESSON = "03-attention"
PATIENCE = 600.0
"""Seconds after the last arrival until what isn't graded counts as lost."""


def main() -> int:
    """Let the class hand in, and print how long everybody waited."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--size", type=int, default=300, help="the number of submissions")
    options.add_argument("--minutes", type=float, default=10.0, help="in which they arrive")
    options.add_argument("--publish", choices=("never", "now"), default="now")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="arrivals-") as name:
        folder = Path(name) / "course"
        folder.mkdir()
        course = copy_of(CourseFolder(ROOT), folder)
        release(course, LESSON)
        simulate(course, LESSON, ROOT / "tests" / "submissions" / LESSON)
        submissions = course.folder("submitted")
        answers = submissions.rename(submissions.with_name("answers"))
        submissions.mkdir()
        watch: list[str | Path] = [Path(sys.executable).with_name("autograder"), "watch", LESSON]
        with (Path(name) / "log.txt").open("w") as log:
            watching = subprocess.Popen(
                [*watch, "--publish", chosen.publish], cwd=course.root, stdout=log, stderr=log
            )
            try:
                arrived = hand_in(answers, course, chosen.size, chosen.minutes)
                waited = wait(course, arrived)
            finally:
                watching.send_signal(signal.SIGINT)
                watching.wait(60)
    usage = os.times()
    seconds = np.array(sorted(waited))
    print(f"{chosen.size} submissions in {chosen.minutes:g} minutes, publish {chosen.publish}:")
    print(f"{len(seconds)} graded, {np.mean(seconds <= 60):.1%} of them within a minute;")
    print(
        f"median {np.median(seconds):.0f} s, 99 in 100 within {np.percentile(seconds, 99):.0f} s, "
        f"longest {seconds.max():.0f} s; {usage.children_user + usage.children_system:.0f} CPU s."
    )
    return 0 if len(seconds) == chosen.size and np.mean(seconds <= 60) >= 0.99 else 1


def hand_in(answers: Path, course: CourseFolder, size: int, minutes: float) -> dict[str, float]:
    """Copy submissions at random moments; return when each was there."""
    moments = random.Random(0)
    kinds = sorted(answers.iterdir())
    arrivals = sorted(moments.uniform(0, 60 * minutes) for _ in range(size))
    started, arrived = time.time(), {}
    for number, moment in enumerate(arrivals):
        time.sleep(max(0.0, started + moment - time.time()))
        student = f"s{number}"
        shutil.copytree(kinds[number % len(kinds)] / LESSON, course.submitted(student, LESSON))
        arrived[student] = time.time()
    return arrived


def wait(course: CourseFolder, arrived: dict[str, float]) -> list[float]:
    """Wait until all are graded; return how many seconds each took."""
    until = time.time() + PATIENCE
    while time.time() < until:
        made = {student: course.autograded(student, LESSON) for student in arrived}
        if all(path.is_file() for path in made.values()):
            break
        time.sleep(1)
    return [
        path.parent.stat().st_ctime - arrived[student]
        for student, path in made.items()
        if path.is_file()
    ]


if __name__ == "__main__":
    sys.exit(main())
