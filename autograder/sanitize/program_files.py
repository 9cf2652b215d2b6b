"""What programs keep beside a student's work: versions, packages, caches, settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from autograder.sanitize.recognition import shortened

_NAMES = {
    *(".git", ".hg", ".svn", ".venv", ".conda", "site-packages", "node_modules"),
    *(".cache", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".idea", ".vscode", ".vs"),
}
_NAMED = 5


def is_programs(folder: str, has: Callable[[str], bool]) -> bool:
    """Whether a folder isn't work, but what programs keep beside it.

    Args:
        folder: its name.
        has: tells of a name whether such a file is in it.
    """
    return folder.lower() in _NAMES or has("pyvenv.cfg")


def drop_programs(folders: list[str], is_there: Callable[[str], bool]) -> list[str]:
    """Take out of a list of folders, which ``os.walk`` goes on with, those of programs.

    Nothing is listed of what is in them: they may hold any number of files.

    Args:
        folders: their names.
        is_there: tells of a path below the folder that holds them whether it is there.

    Returns:
        What was taken out.
    """
    work, dropped = [], []
    for name in folders:
        of_programs = is_programs(name, lambda file, at=name: is_there(f"{at}/{file}"))
        (dropped if of_programs else work).append(name)
    folders[:] = work
    return dropped


def walk_work(
    folder: Path, dropped: list[Path] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """As ``os.walk``, but not into folders of programs.

    Args:
        folder: a submission.
        dropped: gets the folders that were left out, below the submission.
    """
    for root, folders, names in os.walk(folder):
        inside = Path(root)
        found = drop_programs(folders, lambda path, at=inside: _is_there(at / path))
        if dropped is not None:
            dropped += ((inside / name).relative_to(folder) for name in found)
        yield root, folders, names


def _is_there(path: Path) -> bool:
    """Whether a folder, and no link to one, has a file."""
    return not path.parent.is_symlink() and os.path.lexists(path)


def left_out(folder: Path) -> list[str]:
    """A line for each folder of programs that isn't graded with a submission; of many, for some."""
    dropped: list[Path] = []
    for _ in walk_work(folder, dropped):
        pass
    lines = [f"{shortened(str(each))}: left out, a program's own folder" for each in dropped]
    if more := lines[_NAMED:]:
        lines[_NAMED:] = [f"left out: {len(more):,} more folders of programs"]
    return lines
