"""A submission between its preparation and its record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode

from autograder.execution.job import Outcome, Plan


@dataclass(frozen=True)
class PreparedNotebook:
    """One notebook of a submission, sanitized.

    Args:
        notebook: before its execution.
        resources: nbgrader's.
        plan: how to execute it.
        judging: nbgrader's preprocessors that follow the execution.
        saving: those that follow them, from the one that saves the grades on.
    """

    notebook: NotebookNode
    resources: ResourcesDict
    plan: Plan
    judging: Sequence[Preprocessor]
    saving: Sequence[Preprocessor]


@dataclass(frozen=True)
class PreparedSubmission:
    """A submission that is ready to be executed.

    Args:
        student: whose.
        folder: the kernels' working directory.
        notebooks: one for each notebook.
        outcomes: those of an interrupted run; then nothing is executed.
        seconds: the time for preparing it.
    """

    student: str
    folder: Path
    notebooks: tuple[PreparedNotebook, ...]
    outcomes: tuple[Outcome, ...] = ()
    seconds: float = 0.0
