"""What a class guessed before demonstrations, from the outputs that were handed in.

Nobody's points depend on it, so nothing is checked but that it can be shown.
"""

from __future__ import annotations

import ast
import stat
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from autograder.cells import parse
from autograder.course_folder import CourseFolder
from autograder.sanitize.reader import NotANotebook, cells_in
from autograder.sanitize.submission import LARGEST_NOTEBOOKS
from selfcheck.guesses import MIME

_LONGEST = 200
_LARGEST = 1e15


@dataclass(frozen=True)
class Guesses:
    """What was guessed before one demonstration.

    Args:
        name: of the question.
        count: how many students guessed.
        right: how many of them were right.
        commonest: the guess that most of those made who were wrong; "" where nobody was.
    """

    name: str
    count: int
    right: int
    commonest: str

    @property
    def share(self) -> float:
        """Of those who guessed, so many were right, from 0 to 1."""
        return self.right / self.count


def read_guesses(course: CourseFolder, lesson: str, students: Iterable[str]) -> tuple[Guesses, ...]:
    """Count guesses at what the lesson asks, in the order of the notebooks.

    Args:
        course: the course folder.
        lesson: the lesson.
        students: whose submissions can be read.
    """
    asked = set(_strings(course, lesson))
    right: Counter[str] = Counter()
    wrong: dict[str, Counter[str]] = {}
    for student in students:
        for name, (guess, is_right) in _of(course.submitted(student, lesson), asked).items():
            wrong.setdefault(name, Counter())
            if is_right:
                right[name] += 1
            else:
                wrong[name][guess] += 1
    return tuple(
        Guesses(
            name,
            right[name] + guesses.total(),
            right[name],
            guesses.most_common(1)[0][0] if guesses else "",
        )
        for name, guesses in wrong.items()
    )


def _strings(course: CourseFolder, lesson: str) -> Iterator[str]:
    """All texts in the lesson's code: what asks for a guess names the question."""
    for path in course.source(lesson).parent.glob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            tree = parse(cell.source if cell.cell_type == "code" else "")
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value


def _of(folder: Path, asked: Container[str]) -> dict[str, tuple[str, bool]]:
    """A student's last guess to every question that is asked."""
    found: dict[str, tuple[str, bool]] = {}
    for path in sorted(folder.glob("*.ipynb")):
        for data in _outputs(path):
            match data.get(MIME):
                case {"name": str(name), "guess": guess, "right": right} if name in asked:
                    found[name] = _in_words(guess), right is True
    return found


def _outputs(path: Path) -> Iterator[dict[str, Any]]:
    """The data of all outputs of a notebook; none where it can't be read."""
    try:
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > LARGEST_NOTEBOOKS:
            return
        content = path.read_bytes()
        if MIME.encode() not in content:
            return
        for cell in cells_in(content, []):
            match cell:
                case {"outputs": list(outputs)}:
                    yield from (data for each in outputs if (data := _data(each)))
    except (OSError, NotANotebook):
        return


def _data(output: Any) -> dict[str, Any]:
    """What an output shows, by type."""
    match output:
        case {"data": dict(data)}:
            return data
    return {}


def _in_words(guess: Any) -> str:
    """A guess on one line: a sentence, a number, or a place counted from 1."""
    if isinstance(guess, list):
        return ", ".join(_number(part, 1) for part in guess[:2])
    return guess[:_LONGEST] if isinstance(guess, str) else _number(guess)


def _number(value: Any, more: int = 0) -> str:
    """A number in digits, or a question mark: Python doesn't write integers of any length."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _LARGEST:
        return "?"
    return f"{value + more:g}" if isinstance(value, float) else str(value + more)
