"""Folders that programs keep next to a student's work: versions, packages, caches, settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from autograder.sanitize.recognition import shortened

_NAMES = {
    *(".git", ".hg", ".svn", ".venv", ".conda", "site-packages", "node_modules"),
    *(".cache", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".idea", ".vscode", ".vs"),
}
_NAMED = 5


def is_programs(folder: str, has: Callable[[str], bool]) -> bool:
    """Whether a folder belongs to a program and isn't the student's work.

    Args:
        folder: its name.
        has: whether a file with a given name is in it.
    """
    return folder.lower() in _NAMES or has("pyvenv.cfg")


def drop_programs(folders: list[str], is_there: Callable[[str], bool]) -> list[str]:
    """Remove programs' folders from the list with which ``os.walk`` continues.

    Their content isn't listed, because it may be any number of files.

    Args:
        folders: their names.
        is_there: whether a given path below their parent folder exists.

    Returns:
        The removed folders.
    """
    work: list[str] = []
    dropped: list[str] = []

    def has(folder: str, file: str) -> bool:
        return is_there(f"{folder}/{file}")

    for name in folders:
        of_programs = is_programs(name, partial(has, name))
        (dropped if of_programs else work).append(name)
    folders[:] = work
    return dropped


def walk_work(
    folder: Path, dropped: list[Path] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Like ``os.walk``, but without programs' folders.

    Args:
        folder: a submission.
        dropped: the skipped folders, relative to the submission, are added to it.
    """
    for root, folders, names in os.walk(folder):
        inside = Path(root)
        found = drop_programs(folders, partial(_is_there, inside))
        if dropped is not None:
            dropped += ((inside / name).relative_to(folder) for name in found)
        yield root, folders, names


def _is_there(above: Path, file: str) -> bool:
    """Whether a folder, which must not be a link, has a file."""
    path = above / file
    return not path.parent.is_symlink() and os.path.lexists(path)


def left_out(folder: Path) -> list[str]:
    """A line for each programs' folder that was skipped; if there are many, only for some."""
    dropped: list[Path] = []
    for _ in walk_work(folder, dropped):
        pass
    lines = [f"{shortened(str(each))}: left out, a program's own folder" for each in dropped]
    if more := lines[_NAMED:]:
        lines[_NAMED:] = [f"left out: {len(more):,} more folders of programs"]
    return lines
