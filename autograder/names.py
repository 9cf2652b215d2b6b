"""Check names, and format lists of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_MOST_DEPTH = 20
_MOST_NAME = 255
_MOST_PATH = 1_000
# What some system takes for more than a letter: a drive, a stream, a pattern, a folder's end.
_SPECIAL = set('\\:*?"<>|')
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
_ID = re.compile(r"[^\W_][\w.@+-]{0,63}")


def join_names(names: Sequence[str], most: int = 10) -> str:
    """The first names, and how many more there are.

    Args:
        names: such as students' ids.
        most: the maximum number of names.

    Example:
        >>> join_names(["ada", "ben", "cem"], 2)
        'ada, ben and 1 more'
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def folded(*parts: str) -> str:
    """A form that is equal for names that some file system considers the same.

    Example:
        >>> folded("Zo\\u00eb") == folded("ZOE\\u0308")
        True
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", "/".join(parts)).casefold())


def path_problem(path: tuple[str, ...]) -> str:
    """Why a path is unsafe, whatever its folders become, else "".

    Example:
        >>> path_problem(("alice", "..", "bob")), path_problem(("al:ice", "notes.txt"))
        ('a .. in its path', '')
    """
    if path[0] == "" and len(path) > 1:
        return "an absolute path"
    if len(path) > _MOST_DEPTH:
        return f"more than {_MOST_DEPTH} nested folders"
    if sum(map(len, path)) > _MOST_PATH:
        return f"a path of more than {_MOST_PATH:,} characters"
    for part in path:
        if part in ("", ".", ".."):
            return f"a {part} in its path" if part else "an empty name in its path"
    return ""


def name_problem(path: tuple[str, ...]) -> str:
    """Why these names are unsafe for files, else "".

    Example:
        >>> name_problem(("al:ice", "notes.txt")), name_problem(("alice", "notes.txt"))
        ('a : in its name', '')
    """
    if problem := path_problem(path):
        return problem
    for part in path:
        if not part.isprintable():
            return "a control character in its name"
        if special := sorted(_SPECIAL & set(part)):
            return f"a {special[0]} in its name"
        if len(part.encode()) > _MOST_NAME:
            return f"a name of more than {_MOST_NAME} bytes"
        if part != part.strip() or part.endswith("."):
            return "a name that begins or ends with a space, or ends with a dot"
        if _RESERVED.fullmatch(part):
            return f"a name that is reserved on Windows, {part}"
    return ""


def is_student_id(name: str) -> bool:
    """Whether a name is a valid student id: up to 64 letters, digits and ``. _ @ + -``, beginning
    with a letter or a digit.

    Example:
        >>> is_student_id("jane.doe@school.org"), is_student_id("Jane Doe"), is_student_id("..")
        (True, False, False)
    """
    return bool(_ID.fullmatch(name)) and not name_problem((name,))
