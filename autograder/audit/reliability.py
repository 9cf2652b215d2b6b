"""How often the judge was wrong on answers of known worth: what ``autograder audit`` keeps."""

from __future__ import annotations

import hashlib
import importlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from autograder.course_folder import CourseFolder

FILE = "audited.json"
"""The file, in a lesson's folder of simulated students, that ``autograder audit`` writes."""

_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Reliability:
    """The judge's errors in one exercise.

    Args:
        judged: answers of known worth, written by hand or made by a change of a right one.
        errors: right ones that lost points, and wrong ones that didn't.
    """

    judged: int
    errors: int

    @property
    def most(self) -> float:
        """The largest share of errors among answers of this kind that is compatible with so few:
        the upper end of Clopper and Pearson's one-sided interval, with 95 % confidence.

        Example:
            >>> round(Reliability(60, 0).most, 3), round(Reliability(60, 1).most, 3)
            (0.049, 0.077)
        """
        low, high = 0.0, 1.0
        while high - low > 1e-6:
            share = (low + high) / 2
            too_few = sum(
                math.comb(self.judged, n) * share**n * (1 - share) ** (self.judged - n)
                for n in range(self.errors + 1)
            )
            low, high = (share, high) if too_few > 1 - _CONFIDENCE else (low, share)
        return high

    def __str__(self) -> str:
        return f"{self.errors} of {self.judged} (at most {100 * self.most:.1f} %)"


def read_reliability(answers: Path) -> Mapping[str, Reliability]:
    """By exercise, what the last audit of a lesson found.

    Args:
        answers: the lesson's folder of simulated students.
    """
    exercises = _read(answers).get("exercises", {})
    return {exercise: Reliability(**each) for exercise, each in exercises.items()}


def write_reliability(answers: Path, found: Mapping[str, Reliability], inputs: str = "") -> None:
    """Keep what an audit of a lesson found.

    Args:
        answers: the lesson's folder of simulated students.
        found: by exercise.
        inputs: the fingerprint of what was audited, if nothing was wrong.
    """
    exercises = {exercise: asdict(each) for exercise, each in found.items()}
    content = {"inputs": inputs, "exercises": exercises}
    (answers / FILE).write_text(json.dumps(content, indent=2) + "\n", "utf8")


def is_unchanged(answers: Path, inputs: str) -> bool:
    """Whether an audit of the same inputs has found nothing wrong."""
    return _read(answers).get("inputs") == inputs


def _read(answers: Path) -> dict[str, Any]:
    path = answers / FILE
    return dict(json.loads(path.read_text("utf8"))) if path.is_file() else {}


def inputs_fingerprint(course: CourseFolder, lesson: str, answers: Path) -> str:
    """A fingerprint of all that decides what an audit of a lesson finds: the judge, the course and
    its keys, the lesson, its answers, and the versions of what is installed.

    Args:
        course: the course folder.
        lesson: the lesson.
        answers: its folder of simulated students.
    """
    declared = course.declared
    names = ("selfcheck", "autograder.judging", "autograder.audit", declared.package, declared.keys)
    folders = {name: _folder_of(name) for name in names if name}
    folders |= {"lesson": course.folder("source") / lesson, "answers": answers}
    digest = hashlib.sha256()
    for name, folder in folders.items():
        for path in sorted(folder.rglob("*")):
            parts = path.relative_to(folder).parts
            hidden = any(part.startswith((".", "__pycache__")) for part in parts)
            if path.is_file() and not hidden and path.name != FILE:
                digest.update(f"{name} {path.relative_to(folder).as_posix()}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    for installed in sorted({(each.name, each.version) for each in metadata.distributions()}):
        digest.update("\0".join(installed).encode())
    return digest.hexdigest()


def _folder_of(package: str) -> Path:
    (folder,) = importlib.import_module(package).__path__
    return Path(folder)
