"""The lock of a course folder: one command at a time, and none after an interrupted renaming."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager

from autograder.course_folder import STAGING, CourseFolder
from autograder.errors import CourseBusy, CourseError

RENAMING = ".renaming.json"
"""In ``STAGING``: the old and the new id of a student during a rename."""


@contextmanager
def locked(course: CourseFolder, *, shared: bool = False) -> Iterator[None]:
    """Keep other commands out, also where a student's renaming was interrupted.

    Args:
        course: the course folder.
        shared: let in those who say so too, since they keep out of each other's way.

    Raises:
        CourseBusy: when another command is running.
    """
    path = course.root / STAGING / ".lock"  # no student's name begins with a dot
    path.parent.mkdir(exist_ok=True)
    # On a network's file system, a shared lock needs a file that is open for reading.
    with path.open("a+") as lock:
        try:
            fcntl.flock(lock, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError:
            raise CourseBusy(
                f"Another command is at work in {course.root}: wait until it is done."
            ) from None
        yield


def check_renamed(course: CourseFolder, *unless: str) -> bool:
    """See that no renaming of a student was interrupted.

    Args:
        course: the course folder.
        unless: the old and the new id of a renaming that may have been.

    Returns:
        Whether that one was.

    Raises:
        CourseError: when another one was.
    """
    path = course.root / STAGING / RENAMING
    begun = tuple(json.loads(path.read_text("utf8"))) if path.is_file() else ()
    if begun and begun != unless:
        raise CourseError(
            f"Renaming {begun[0]} was interrupted: complete it first: autograder rename-student "
            f"{begun[0]} {begun[1]}"
        )
    return bool(begun)
