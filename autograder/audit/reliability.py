"""How often the judge was wrong on answers of known worth: what ``autograder audit`` keeps."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

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
    path = answers / FILE
    found = json.loads(path.read_text("utf8")) if path.is_file() else {}
    return {exercise: Reliability(**each) for exercise, each in found.items()}


def write_reliability(answers: Path, found: Mapping[str, Reliability]) -> None:
    """Keep what an audit of a lesson found, by exercise."""
    content = {exercise: asdict(each) for exercise, each in found.items()}
    (answers / FILE).write_text(json.dumps(content, indent=2) + "\n", "utf8")
