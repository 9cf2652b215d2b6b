"""Grades submissions in pairs: the two of a pair begin at the same time, and nothing else runs.

A script, since attacks run where ``tests.support.hostile`` contains them: it grades the students
that its arguments name, two after two, in the course that is the working directory, and prints
JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path

from nbformat import NotebookNode

from autograder.course_folder import CourseFolder
from autograder.execution.executor import LocalPool
from autograder.execution.job import Outcome, Plan
from autograder.grading import batch
from tests.support.hostile import LESSON


class Pairs(LocalPool):
    """Executes submissions two at a time, and both begin together."""

    def __init__(self) -> None:
        super().__init__(jobs=2)
        self._held: list[tuple[tuple, Future[tuple[Outcome, ...]]]] = []

    def size(self) -> int:
        """One less than there may be here at a time."""
        return 1

    def submit(
        self, folder: Path, notebooks: Sequence[NotebookNode], plans: Sequence[Plan]
    ) -> Future[tuple[Outcome, ...]]:
        """Wait for the other one, then execute both."""
        answer: Future[tuple[Outcome, ...]] = Future()
        self._held.append(((folder, notebooks, plans), answer))
        if len(self._held) == 2:
            for task, waiting in self._held:
                super().submit(*task).add_done_callback(
                    lambda done, waiting=waiting: waiting.set_result(done.result())
                )
            self._held.clear()
        return answer


def main() -> None:
    """Grade, and print what came of each submission."""
    course, students = CourseFolder(Path.cwd()), sys.argv[1:]
    rows = batch.grade(course, LESSON, students, pool=Pairs())
    found = {
        row.student: {
            "points": {score.cell: score.points for score in row.scores if not score.manual},
            "problem": row.problem,
            "seconds": dict(row.seconds),
        }
        for row in rows
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
