"""A class of a course without TensorFlow, graded by nbgrader alone and by ``autograder grade``.

    python benchmarks/another_course.py --size 100

Both grade the same submissions in turns, in an environment with the engine's wheels alone. nbgrader
has a configuration that names nothing of ours.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).parents[1]
LESSON = "01-motion"
STOCK = 'c = get_config()\nc.CourseDirectory.course_id = "mechanics"\n'


def main() -> None:
    """Build the environment and the class, grade it both ways, print the seconds."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--size", type=int, default=100, help="how many hand in")
    size = options.parse_args().size
    with tempfile.TemporaryDirectory(prefix="another-course-") as folder:
        scratch = Path(folder)
        environment = scratch / "environment"
        course = Path(shutil.copytree(ROOT / "tests" / "another_course", scratch / "course"))
        _install(environment, course)
        _type(environment, course, "autograder", "release")
        _type(environment, course, "autograder", "simulate", LESSON)
        _multiply(course / "submitted", size)
        stock = Path(shutil.copytree(course, scratch / "stock"))
        (stock / "gradebook.db").unlink()
        (stock / "nbgrader_config.py").write_text(STOCK)
        _type(environment, stock, "nbgrader", "generate_assignment", LESSON, "--force", "--create")
        ours = _type(environment, course, "autograder", "grade", LESSON)
        theirs = _type(environment, stock, "nbgrader", "autograde", LESSON)
        assert _graded(course) == _graded(stock) == size
        print(f"{size} submissions: nbgrader alone {theirs:.1f} s, autograder grade {ours:.1f} s")
        print(f"{theirs / ours:.1f} times as fast")


def _install(environment: Path, course: Path) -> None:
    uv: list[str | Path] = [Path(sys.executable).with_name("uv")]
    subprocess.run([*uv, "venv", "-q", "--python", sys.executable, environment], check=True)
    install = [*uv, "pip", "install", "-q", "--compile-bytecode", "--python", environment]
    locked: list[str | Path] = ["--constraints", ROOT / "requirements.lock"]
    subprocess.run([*install, *locked, ROOT / "selfcheck", ROOT / "autograder"], check=True)
    editable: list[str | Path] = ["--no-deps", "--no-build-isolation", "-e", course]
    subprocess.run([*install, *editable], check=True)


def _multiply(submitted: Path, size: int) -> None:
    """Have as many students hand in what the made-up ones do."""
    templates = sorted(submitted.iterdir())
    for number in range(size):
        shutil.copytree(templates[number % len(templates)], submitted / f"s{number:03}")
    for template in templates:
        shutil.rmtree(template)


def _type(environment: Path, folder: Path, *command: str) -> float:
    """Run a command; return its seconds."""
    path = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
    begun = time.perf_counter()
    done = subprocess.run(
        command,
        cwd=folder,
        env={"PATH": path, "HOME": str(folder), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{command} failed:\n{done.stdout}{done.stderr}")
    return time.perf_counter() - begun


def _graded(course: Path) -> int:
    with closing(sqlite3.connect(course / "gradebook.db")) as database:
        return database.execute("SELECT count(*) FROM submitted_assignment").fetchone()[0]


if __name__ == "__main__":
    main()
