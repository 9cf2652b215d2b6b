"""The results of executing a submission, kept on disk so that it isn't executed again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.execution.job import Outcome
from autograder.grading.staging import write_json_durably


@dataclass(frozen=True)
class Journal:
    """The outcomes of one submission.

    Args:
        digest: of the submission and the lesson that were executed.
        notebooks: their file names.
        seeds: of each notebook's inputs.
        outcomes: of each notebook.
    """

    digest: str
    notebooks: Sequence[str]
    seeds: Sequence[int]
    outcomes: tuple[Outcome, ...]

    @classmethod
    def read(cls, path: Path) -> Journal | None:
        """Read a journal; None if there is none that can be read."""
        try:
            content = json.loads(path.read_text("utf8"))
            outcomes = tuple(map(Outcome.from_json, content["outcomes"]))
            return cls(content["digest"], content["notebooks"], content["seeds"], outcomes)
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def write(self, path: Path) -> None:
        """Write it to disk, completely or not at all."""
        outcomes = [outcome.to_json() for outcome in self.outcomes]
        write_json_durably(path, vars(self) | {"outcomes": outcomes})
