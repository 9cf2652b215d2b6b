"""What is wrong with the files of a submission, in words; starts without nbgrader."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import nbformat


def missing(folder: Path, names: Sequence[str]) -> str:
    """Say that none of the lesson's notebooks was handed in, or "" where there is one.

    Args:
        folder: the submission.
        names: of the lesson's notebooks.
    """
    if any((folder / f"{name}.ipynb").is_file() for name in names):
        return ""
    others = sorted(other.name for other in folder.glob("*.ipynb"))
    found = f"only {', '.join(others)}" if others else "no notebook"
    return f"{' or '.join(names)}.ipynb is missing: {found} was handed in"


def unreadable(folder: Path, names: Sequence[str]) -> str:
    """What is wrong with the notebooks that were handed in, in words, or "".

    Args:
        folder: the submission.
        names: of the lesson's notebooks.
    """
    if problem := missing(folder, names):
        return problem
    for path in (path for name in names if (path := folder / f"{name}.ipynb").is_file()):
        try:
            nbformat.read(path, as_version=4)
        except Exception as error:
            return f"{path.name} cannot be read as a notebook: {first_line(error)}"
    return ""


def first_line(error: BaseException) -> str:
    """An error's message, cut to what fits into a table."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:200]
