"""Whose a file is: the names that learning platforms write into archives, and student ids."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.course_folder import CourseError
from autograder.exchange.archives import name_problem

COLUMNS = ("name", "student")
"""The header of a file of names."""

# Jane Doe_12345_assignsubmission_file_, as a folder or before a file's name.
_MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_[a-z]+(_(?P<file>.*))?")
# doejane_LATE_12345_67890_ before a file's name.
_CANVAS = re.compile(r"(?P<name>[^_]+)_(LATE_)?(?P<number>\d+)_\d+_(?P<file>.+)")
_ID = re.compile(r"[^\W_][\w.@+-]{0,63}")
_VERSION = re.compile(r"(?P<stem>.+?)(-| ?\()(?P<number>\d{1,4})\)?(?P<kind>\.[^.]+)?")


@dataclass(frozen=True)
class Origin:
    """Whose a file is, as an archive says.

    Args:
        name: of the person.
        number: what the platform adds to tell people of one name apart, or "".
        path: the file's, among this person's files.
    """

    name: str
    number: str
    path: tuple[str, ...]

    @property
    def label(self) -> str:
        """The name with the number."""
        return f"{self.name}_{self.number}" if self.number else self.name


def origin(path: tuple[str, ...]) -> Origin | None:
    """Whose a file of an archive is; None for one that lies in nobody's folder.

    Example:
        >>> origin(("Jane Doe_12_assignsubmission_file_", "03-attention.ipynb"))
        Origin(name='Jane Doe', number='12', path=('03-attention.ipynb',))
        >>> origin(("doejane_LATE_12_34_03-attention.ipynb",))
        Origin(name='doejane', number='12', path=('03-attention.ipynb',))
        >>> origin(("jane", "03-attention.ipynb"))
        Origin(name='jane', number='', path=('03-attention.ipynb',))
        >>> origin(("jane.zip",))
        Origin(name='jane', number='', path=('jane.zip',))
    """
    first, *rest = path
    if (named := platform_origin(path)) is not None:
        return named
    if rest:
        return Origin(first, "", tuple(rest))
    if is_zip(first):
        return Origin(first[:-4], "", path)
    return None


def platform_origin(path: tuple[str, ...]) -> Origin | None:
    """Whose a file is that Moodle or Canvas named; else None."""
    first, *rest = path
    if moodle := _MOODLE.fullmatch(first):
        own = (*filter(None, [moodle["file"]]), *rest)
        return Origin(moodle["name"], moodle["number"], own) if own else None
    if not rest and (canvas := _CANVAS.fullmatch(first)):
        return Origin(canvas["name"], canvas["number"], (canvas["file"],))
    return None


def is_zip(name: str) -> bool:
    """Whether a file calls itself a zip archive."""
    return name.lower().endswith(".zip")


def version(name: str) -> tuple[str, int]:
    """A file's name without the number that platforms and browsers add, and that number.

    Example:
        >>> version("03-attention-2.ipynb"), version("03-attention (1).ipynb")
        (('03-attention.ipynb', 2), ('03-attention.ipynb', 1))
        >>> version("notes.txt")
        ('notes.txt', 0)
    """
    found = _VERSION.fullmatch(name)
    return (found["stem"] + (found["kind"] or ""), int(found["number"])) if found else (name, 0)


def is_student_id(name: str) -> bool:
    """Whether a name will do for a student's folder: up to 64 letters, digits and ``. _ @ + -``,
    the first a letter or a digit.

    Example:
        >>> is_student_id("jane.doe@school.org"), is_student_id("Jane Doe"), is_student_id("..")
        (True, False, False)
    """
    return bool(_ID.fullmatch(name)) and not name_problem((name,))


def read_names(path: Path) -> Mapping[str, str]:
    """Which student is meant by a name, from a CSV file with the columns name and student.

    Returns:
        Student ids by name.

    Raises:
        CourseError: when the file is none such; the message names the line.
    """
    names: dict[str, str] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            header = [each.strip() for each in reader.fieldnames or ()]
            if not set(COLUMNS) <= set(header):
                raise CourseError(
                    f"{path} must begin with the line {','.join(COLUMNS)}; it begins with "
                    f"{','.join(header) or 'nothing'}."
                )
            reader.fieldnames = header
            for row in reader:
                name, student = (_text(row[column]) for column in COLUMNS)
                where = f"{path}, line {reader.line_num}"
                if not name or not is_student_id(student):
                    raise CourseError(
                        f"{where}: {student!r} for {name!r} is no student id, which has up to 64 "
                        "letters, digits and . _ @ + -"
                    )
                if names.setdefault(name, student) != student:
                    raise CourseError(f"{where}: {name!r} is {names[name]!r} further up.")
    except (UnicodeError, csv.Error) as error:
        raise CourseError(f"{path} cannot be read as CSV in UTF-8: {error}") from None
    return names


def _text(cell: str | None) -> str:
    return unicodedata.normalize("NFC", (cell or "").strip())
