"""A class at full size, from the roster to exported grades: what each step takes.

    python benchmarks/classroom.py --size 300 --platform canvas

The class, its habits and its archives are those of ``tests/support/classroom.py``, whose test does
the same with twenty. Every step is the installed command; it is checked that everybody who handed
something in has the grade that the answers are worth, with name and ids.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.classroom import LESSON, Classroom, by_login


def main() -> None:
    """Run the steps and print a line each."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--size", type=int, default=300, help="how many are in the class")
    options.add_argument("--platform", choices=("canvas", "moodle"), default="canvas")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="classroom-") as folder:
        root = Path(folder) / "course"
        root.mkdir()
        classroom = Classroom(root, chosen.size)
        if chosen.platform == "canvas":
            roster, downloads, times = classroom.write_canvas(Path(folder))
            listed = ["--times", times]
        else:
            roster, downloads, sheets = classroom.write_moodle(Path(folder))
            listed = [option for sheet in sheets for option in ("--times", sheet)]
            listed += ["--timezone", "Etc/GMT-1"]
        size = sum(path.stat().st_size for path in downloads) / 1e6
        print(
            f"{chosen.size} people, {len(classroom.handed_in)} hand in; archives of {size:.1f} MB"
        )
        _run(root, "roster", roster)
        for archives in [[path] for path in downloads] if len(listed) == 2 else [downloads]:
            _run(
                root,
                "collect",
                LESSON,
                *archives,
                *(listed if archives[-1] is downloads[-1] else []),
            )
        _run(root, "grade", LESSON)
        _run(root, "export", chosen.platform)
        _check(classroom, root / "reports" / f"{chosen.platform}.csv", chosen.platform)


def _run(root: Path, *arguments: object) -> None:
    """Run a command of the course, and print what it took and its last line."""
    command: list[str | Path] = [Path(sys.executable).with_name("autograder"), *map(str, arguments)]
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = time.perf_counter() - started
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    last = next((line for line in reversed(done.stdout.splitlines()) if line.strip()), "")
    print(f"{arguments[0]:8} {seconds:7.1f} s, {processor:7.1f} s of processor time: {last}")
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)


def _check(classroom: Classroom, path: Path, platform: str) -> None:
    """See that the exported grades are what the answers are worth."""
    rows = by_login(path, platform)
    points = classroom.expected(groups=platform == "moodle")
    wrong = [
        login
        for login, expected in points.items()
        if (rows[login][LESSON] in ("", "-")) != (expected is None)
        or (expected is not None and abs(float(rows[login][LESSON]) - expected) > 1e-6)
    ]
    print(f"{len(points)} people exported, {len(wrong)} with another grade than their answers earn")
    if wrong:
        raise SystemExit(f"wrong: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
