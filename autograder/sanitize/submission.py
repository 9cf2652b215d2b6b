"""Check the files of a submission; doesn't import nbgrader."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from nbformat import NotebookNode

from autograder.kernels.transfer import in_pages
from autograder.sanitize.program_files import walk_work
from autograder.sanitize.reader import (
    MOST_VALUES,
    NotANotebook,
    has_too_many_values,
    parse_notebook,
)
from autograder.sanitize.recognition import ENDINGS
from selfcheck.responses import printable

MOST_FILES = 5_000
"""Maximum number of files and folders in a submission: half of a sandbox's limit."""

LONGEST_PATH = 3_000
"""Maximum length of its paths in bytes: within Linux's limit in all folders it's copied to."""

LARGEST_NOTEBOOKS = 100_000_000
"""Maximum size of its notebooks in bytes."""

LONGEST_TIME = 100
"""Maximum size of ``timestamp.txt``: nbgrader takes hours to parse some megabytes of digits."""

_NAMED = 5

TIMESTAMP = "timestamp.txt"
"""The file with the submission time, next to the notebooks."""


class SubmissionRefused(Exception):
    """A submission can't be graded as it was handed in; the message says why.

    Only ``StagedAutograde.needs_grading`` and ``prepare`` blame a submission by raising it; any
    other exception is the grader's own failure.
    """


def read_timestamp(folder: Path) -> str:
    """The content of a submission's ``timestamp.txt``; "" if that can't be a time."""
    path = folder / TIMESTAMP
    with suppress(OSError, UnicodeError):
        about = path.lstat()
        if stat.S_ISREG(about.st_mode) and about.st_size <= LONGEST_TIME:
            return path.read_text("utf8").strip()
    return ""


def too_much(folder: Path, disk: int) -> str:
    """Say which limit the submitted files exceed, or "".

    Only notebooks are read, and none that is too large. nbgrader reads ``timestamp.txt`` of
    submissions that pass.

    Args:
        folder: the submission.
        disk: the size of the sandbox's disk in bytes. Half of it is for the submission, the other
            half for the lesson's own files and for what the code writes.
    """
    with suppress(OSError):
        if (folder / TIMESTAMP).lstat().st_size > LONGEST_TIME:
            return f"{TIMESTAMP} has no time"
    count = files = in_notebooks = 0
    dropped: list[Path] = []
    for root, folders, names in walk_work(folder, dropped):
        count += len(folders) + len(names)
        if count + len(dropped) > MOST_FILES:
            return f"more than {MOST_FILES:,} files and folders were handed in"
        for path in (Path(root) / name for name in (*folders, *names)):
            if len(os.fsencode(path.relative_to(folder))) > LONGEST_PATH:
                return f"the path of a file is longer than {LONGEST_PATH:,} bytes"
            about = path.lstat()
            if stat.S_ISREG(about.st_mode) and path.suffix == ".ipynb":
                in_notebooks += about.st_size
            elif stat.S_ISREG(about.st_mode):
                # A sparse file takes its full size when it's copied.
                files += in_pages(about.st_size)
    if in_notebooks > LARGEST_NOTEBOOKS:
        most = LARGEST_NOTEBOOKS / 1e6
        return f"the notebooks are {in_notebooks / 1e6:,.0f} MB large, more than {most:,.0f} MB"
    if files > disk // 2:
        return (
            f"the files that were handed in take {files / 2**20:,.0f} MB, more than "
            f"{disk / 2**21:,.0f} MB (half of c.ExecuteSubmission.disk_limit)"
        )
    for path in sorted(folder.glob("*.ipynb")):
        if stat.S_ISREG(path.lstat().st_mode) and has_too_many_values(path.read_bytes()):
            return f"{path.name} has more than {MOST_VALUES:,} lists and dictionaries"
    return ""


def missing(folder: Path, names: Sequence[str]) -> str:
    """Say that none of the lesson's notebooks was handed in; "" if one was.

    Args:
        folder: the submission.
        names: the names of the lesson's notebooks.
    """
    if any((folder / f"{name}.ipynb").is_file() for name in names):
        return ""
    others: list[str] = []
    for other in sorted(folder.iterdir()):
        deeper = sorted(other.glob("*.ipynb")) if other.is_dir() and not other.is_symlink() else []
        others += [str(path.relative_to(folder)) for path in deeper or [other]]
    others = [name for name in others if name != TIMESTAMP]
    shown = [printable(name)[:80] for name in others[:_NAMED]]
    shown += ["..."] if len(others) > _NAMED else []
    found = f"only {', '.join(shown)}" if shown else "no notebook"
    return f"{' or '.join(names)}.ipynb is missing: {found} was handed in"


def unreadable(folder: Path, names: Sequence[str]) -> str:
    """What is wrong with the submitted notebooks, or "".

    Args:
        folder: the submission.
        names: the names of the lesson's notebooks.
    """
    if problem := missing(folder, names):
        return problem
    for path in (path for name in names if (path := folder / f"{name}.ipynb").is_file()):
        try:
            read_submitted(path, [])
        except SubmissionRefused as error:
            return str(error)
    return ""


def first_line(error: BaseException) -> str:
    """An error's message, cut to what fits into a table."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:200]


def check_files(folder: Path, disk: int) -> None:
    """Check that the submitted files can be read, and aren't too large.

    Args:
        folder: the submission.
        disk: the size of the sandbox's disk in bytes.

    Raises:
        SubmissionRefused: when they aren't.
    """
    if folder.is_symlink():
        raise SubmissionRefused("what was handed in is a link to another folder")
    stamp = folder / TIMESTAMP
    if os.path.lexists(stamp) and not stat.S_ISREG(stamp.lstat().st_mode):
        raise SubmissionRefused("timestamp.txt isn't a regular file but a link, a pipe or a folder")
    if problem := too_much(folder, disk):
        raise SubmissionRefused(problem)


def notebook_files(folder: Path) -> list[Path]:
    """Everything named like a notebook in a submission, in order, without macOS's hidden files."""
    return sorted(
        path
        for path in folder.iterdir()
        if path.name.lower().endswith(ENDINGS) and not path.name.startswith(".")
    )


def notebooks_in(folder: Path, names: Sequence[str]) -> list[Path]:
    """The notebooks that were handed in, in order.

    Args:
        folder: the submission.
        names: of the lesson's notebooks.

    Raises:
        SubmissionRefused: when there are none, or one isn't a file.
    """
    found = notebook_files(folder)
    for path in found:
        if not stat.S_ISREG(path.lstat().st_mode):  # reading a pipe could block forever
            raise SubmissionRefused(
                f"{path.name} isn't a regular file but a link, a pipe or a folder"
            )
    if not found:
        raise SubmissionRefused(missing(folder, names))
    return found


def read_submitted(path: Path, repairs: list[str]) -> NotebookNode:
    """Read a notebook that was handed in.

    Args:
        path: the file's.
        repairs: a line is added for everything that had to be dropped or replaced.

    Raises:
        SubmissionRefused: when it can't be read.
    """
    try:
        return parse_notebook(path.read_bytes(), repairs)
    except NotANotebook as error:
        raise SubmissionRefused(
            f"{path.name} cannot be read as a notebook: {first_line(error)}"
        ) from None
