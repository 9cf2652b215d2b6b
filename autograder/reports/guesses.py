"""A class's guesses before demonstrations, from the submitted outputs.

They don't affect points, so the only check is that they can be shown.
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

from autograder.cells import parse_code
from autograder.course_folder import CourseFolder
from autograder.sanitize.reader import NotANotebook, cells_in
from autograder.sanitize.submission import LARGEST_NOTEBOOKS
from selfcheck.responses import GUESS_MIME

_LONGEST = 200
_LARGEST = 1e15


@dataclass(frozen=True)
class Guesses:
    """The guesses before one demonstration.

    Args:
        name: the question's name.
        count: the number of students who guessed.
        right: the number of right guesses.
        commonest: the most common wrong guess; "" if there is none.
    """

    name: str
    count: int
    right: int
    commonest: str

    @property
    def share(self) -> float:
        """The share of right guesses, from 0 to 1."""
        return self.right / self.count


def read_guesses(course: CourseFolder, lesson: str, students: Iterable[str]) -> tuple[Guesses, ...]:
    """Count guesses by question, in the order of the notebooks.

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
    """All strings in the lesson's code, among them the names of questions."""
    for path in course.source(lesson).parent.glob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            tree = parse_code(cell.source if cell.cell_type == "code" else "")
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value


def _of(folder: Path, asked: Container[str]) -> dict[str, tuple[str, bool]]:
    """A student's last guess for every question."""
    found: dict[str, tuple[str, bool]] = {}
    for path in sorted(folder.glob("*.ipynb")):
        for data in _outputs(path):
            match data.get(GUESS_MIME):
                case {"name": str(name), "guess": guess, "right": right} if name in asked:
                    found[name] = _in_words(guess), right is True
    return found


def _outputs(path: Path) -> Iterator[dict[str, Any]]:
    """The data of all outputs of a notebook; none if it can't be read."""
    try:
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > LARGEST_NOTEBOOKS:
            return
        content = path.read_bytes()
        if GUESS_MIME.encode() not in content:
            return
        for cell in cells_in(content, []):
            match cell:
                case {"outputs": list(outputs)}:
                    yield from (data for each in outputs if (data := _data(each)))
    except (OSError, NotANotebook):
        return


def _data(output: Any) -> dict[str, Any]:
    """An output's data, by type."""
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
    """A number in digits, or a question mark if the integer is too long for Python to format."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _LARGEST:
        return "?"
    return f"{value + more:g}" if isinstance(value, float) else str(value + more)
