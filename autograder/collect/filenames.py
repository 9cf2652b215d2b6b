"""Parse the names that learning platforms give files in archives.

The names are those that the platforms' own code writes:

- Moodle: ``mod/assign/classes/downloader.php`` (``get_student_prefix``,
  ``load_submissionplugin_filelist``), ``PARAM_FILE`` of ``clean_param``, which drops a slash and
  leaves a star, and ``filterFilename`` of ZipStream, with which Moodle packs since 3.10: of a star
  it makes an underscore
- Canvas: ``lib/content_zipper.rb`` (``get_filename``, ``sanitize_user_name``,
  ``sanitize_file_name``, ``add_text_or_url``) and ``Assignment#representatives`` for groups
- Brightspace's and Blackboard's source isn't public: theirs are as in downloads that programs on
  GitHub read, "39786-640693 - Jane Doe - Oct 10, 2025 234 PM" as a folder or before a file's name,
  and "ps1_jdoe_attempt_2026-03-02-09-30-00_notes.txt"
- Microsoft documents no names for Teams' submissions, only that they are in SharePoint's library
  *Student Work*. "Submitted files/Jane Doe/Homework 1/Version 2/notes.txt", with names in the
  class's language, is what programs on GitHub read: lwchkg/teams_assignment_explorer, and
  rtotheb2000/Microsoft-Teams-Retrieve-Assignments-Hand-In ("Gesendete Dateien")
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from enum import StrEnum
from pathlib import Path

from autograder.errors import CourseError
from autograder.names import is_student_id
from autograder.roster.csv_lists import cell_text, changed_id, read_table, read_text
from autograder.roster.worksheet import is_participant
from selfcheck.responses import printable

COLUMNS = ("name", "student")
"""The header of a names file."""


class Platform(StrEnum):
    """The platform that an archive comes from."""

    moodle = "Moodle"
    canvas = "Canvas"
    gradescope = "Gradescope"
    brightspace = "Brightspace"
    blackboard = "Blackboard"
    unknown = ""


# Jane Doe_12345_assignsubmission_file, as a folder or before a file's name; the number is the
# participant's, in a group submission the group's. Members of no group share a folder without one.
_MOODLE = re.compile(
    r"(?P<name>.+?)(_(?P<number>\d+))?_assignsubmission_[a-z]+(_(?P<file>.*))?", re.DOTALL
)
# doejane_LATE_12345_67890_notes.txt: the user's number, then the file's. Of a name, letters, digits
# and underscores are left. In a group submission the name is the group's. Where somebody handed in
# a web address or typed a text, a page follows the user's number.
_CANVAS_FILE = r"((?P<upload>\d+)_(?P<file>.+)|(?P<page>(link|text)\.html))"
_CANVAS = re.compile(
    r"(?P<name>.*?)_(?P<late>LATE_)?(?P<number>\d+)_" + _CANVAS_FILE, re.DOTALL | re.IGNORECASE
)
_CANVAS_ANONYMOUS = re.compile(
    r"(?P<late>LATE_)?(?P<name>anon)_(?P<number>[A-Za-z0-9]+)_" + _CANVAS_FILE, re.DOTALL
)
# 39786-640693 - Jane Doe - Oct 10, 2025 234 PM: the user's number, then the assignment's.
_BRIGHTSPACE = re.compile(
    r"(?P<number>\d+)-\d+ - (?P<name>.+?) - (?P<time>[^-]*\b\d{4}\b[^-]*?)( - (?P<file>.+))?",
    re.DOTALL,
)
# ps1_jdoe_attempt_2026-03-02-09-30-00_notes.txt: the assignment, then the login; "attempt" is in
# the teacher's language. Without a file's name it is a description of the attempt.
_BLACKBOARD = re.compile(
    r"(?P<name>.+?)_[^\W\d_]+_(?P<time>\d{4}(-\d\d){5})(_(?P<file>.+)|\.txt)", re.DOTALL
)
_NAMINGS = {
    _MOODLE: Platform.moodle,
    _CANVAS_ANONYMOUS: Platform.canvas,
    _CANVAS: Platform.canvas,
    _BRIGHTSPACE: Platform.brightspace,
    _BLACKBOARD: Platform.blackboard,
}
# As whom teachers try a course: Canvas' "Student, Test", Blackboard's preview user.
_TEST_STUDENTS = {
    Platform.canvas: re.compile("studenttest"),
    Platform.blackboard: re.compile(".+_previewuser", re.DOTALL | re.IGNORECASE),
}
_VERSION = re.compile(r"(?P<stem>.+?)(-| ?\()(?P<number>\d{1,4})\)?(?P<kind>\.[^.]+)?")


# "Version 2" in European languages: the folder of all that a student handed in at once.
_TURN = re.compile(r"([vw]er[sz]|верс)[^\W\d_]* (?P<number>\d{1,4})", re.IGNORECASE)


@dataclass(frozen=True)
class Origin:
    """The owner of a file, according to an archive.

    Args:
        name: the name of the person or the group.
        number: the platform's number, which distinguishes people with the same name, or "".
        path: the file's path among this person's files.
        platform: the platform whose naming it is.
        anonymous: whether the platform hides the name.
        late: whether the platform says that it was handed in late.
        upload: a number that grows with every upload; 0 if there is none.
        time: the submission time in the name, in an unknown time zone, or "".
    """

    name: str
    number: str
    path: tuple[str, ...]
    platform: Platform = Platform.unknown
    anonymous: bool = False
    late: bool = False
    upload: int = 0
    time: str = ""

    @property
    def label(self) -> str:
        """The name with the number."""
        return f"{self.name}_{self.number}" if self.number else self.name

    @property
    def is_test_student(self) -> bool:
        """Whether the platform made up this person for teachers who try a course."""
        pattern = _TEST_STUDENTS.get(self.platform)
        return bool(pattern and pattern.fullmatch(self.name))


@dataclass(frozen=True)
class Naming:
    """How to read the names in archives.

    Args:
        students: student ids by the names of people and groups.
        pattern: a pattern for a file's whole path in the archive, with the groups ``student``,
            ``file`` and optionally ``time``; None for the platforms' own names.
        zone: the time zone of times in names; if it's None, they only tell which of two
            submissions is later.
    """

    students: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pattern: re.Pattern[str] | None = None
    zone: tzinfo | None = None


def read_pattern(text: str) -> re.Pattern[str]:
    """Compile an instructor's own pattern for the names in an archive.

    Raises:
        CourseError: if it isn't a regular expression, or has no group for students or files.

    Example:
        >>> pattern = read_pattern(r"(?P<student>.+) - (?P<file>[^/]+)")
        >>> pattern_origin(("Jane Doe - 03-attention.ipynb",), pattern).name
        'Jane Doe'
    """
    example = r"'(?P<student>[^/]+)/(?P<time>[\d-]+)_(?P<file>.+)'"
    try:
        pattern = re.compile(text, re.DOTALL)
    except re.error as error:
        raise CourseError(
            f"{text!r} isn't a regular expression: {error}. Write one such as {example}."
        ) from None
    groups = set(pattern.groupindex)
    if not {"student", "file"} <= groups <= {"student", "file", "time"}:
        raise CourseError(
            f"{text!r} must have the groups student and file, and optionally time; it has "
            f"{', '.join(sorted(groups)) or 'none with a name'}. Write one such as {example}."
        )
    return pattern


def pattern_origin(path: tuple[str, ...], pattern: re.Pattern[str]) -> Origin | None:
    """The owner of a file by an instructor's own pattern; None if it doesn't match."""
    found = pattern.fullmatch("/".join(path))
    if not found or not found["student"] or not found["file"]:
        return None
    own = tuple(found["file"].split("/"))
    return Origin(found["student"].strip(), "", own, time=found.groupdict().get("time") or "")


def origin(path: tuple[str, ...]) -> Origin | None:
    """The owner of a file in an archive; None if it isn't in anybody's folder.

    Example:
        >>> origin(("Jane Doe_12_assignsubmission_file", "03-attention.ipynb")).label
        'Jane Doe_12'
        >>> origin(("vandenberg_smithzoë_LATE_12_34_03-attention.ipynb",)).label
        'vandenberg_smithzoë_12'
        >>> origin(("doejane_12_link.html",)).path
        ('link.html',)
        >>> origin(("jane", "03-attention.ipynb")).path
        ('03-attention.ipynb',)
        >>> origin(("jane.zip",)).label
        'jane'
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
    """The owner of a file with a platform's name; else None.

    Example:
        >>> platform_origin(("LATE_anon_x7Qp2_34_03-attention.ipynb",)).anonymous
        True
        >>> platform_origin(("Participant_12_assignsubmission_file", "a.ipynb")).anonymous
        True
        >>> platform_origin(("Default group_assignsubmission_file", "a.ipynb")).label
        'Default group'
        >>> platform_origin(("39-64 - Jane Doe - Oct 10, 2025 234 PM", "a.ipynb")).label
        'Jane Doe_39'
        >>> platform_origin(("ps1_jdoe_attempt_2026-03-02-09-30-00_a.ipynb",)).path
        ('a.ipynb',)
    """
    first, *rest = path
    found = {pattern: match for pattern in _NAMINGS if (match := pattern.fullmatch(first))}
    if not found:
        return None
    # What comes after a platform's own mark is the student's, even if it looks like another mark.
    pattern = min(found, key=lambda each: found[each].end("name"))
    parts = {"number": "", "file": "", "time": "", "late": "", "upload": "", "page": ""}
    parts |= {key: value or "" for key, value in found[pattern].groupdict().items()}
    platform = _NAMINGS[pattern]
    own = (*filter(None, [parts["file"] or parts["page"]]), *rest)
    if platform == Platform.blackboard and not own:
        own = (first,)
    if not own or (rest and platform in (Platform.canvas, Platform.blackboard)):
        return None
    # In Moodle, a team's name and a hyphen may come first.
    participant = platform == Platform.moodle and is_participant(parts["name"].rpartition("-")[2])
    return Origin(
        parts["name"],
        parts["number"],
        own,
        platform,
        pattern is _CANVAS_ANONYMOUS or bool(parts["number"] and participant),
        bool(parts["late"]),
        int((parts["upload"] or "0")[:18]),
        parts["time"],
    )


def participant_id(number: str) -> str:
    """The student id for somebody known only by Moodle's number: the same in all languages.

    Example:
        >>> participant_id("12")
        'participant-12'
    """
    return f"participant-{number}"


def moodle_name(full_name: str) -> str:
    """A name as Moodle writes it before file names in an archive.

    Example:
        >>> moodle_name("Sinéad O'Brien_Smith")
        'Sinéad OBrien Smith'
    """
    kept = (letter for letter in full_name.replace("_", " ") if letter not in "&<>\"`|':\\/")
    return "".join(letter for letter in kept if unicodedata.category(letter) != "Cc")


def is_zip(name: str) -> bool:
    """Whether a file has the name of a zip archive."""
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


def shared_start(names: Iterable[str]) -> str:
    """What all names begin with before an underscore: in Blackboard, the assignment's name.

    Example:
        >>> shared_start(["ps_1_ann_lee", "ps_1_ann", "ps_1_bo"]), shared_start(["ps_1_ann_lee"])
        ('ps_1', 'ps_1_ann')
    """
    starts = zip(*(name.split("_")[:-1] for name in names), strict=False)
    same = itertools.takewhile(lambda parts: len(set(parts)) == 1, starts)
    return "_".join(parts[0] for parts in same)


def turn(folder: str) -> int:
    """The number of a folder in which Microsoft Teams has what was handed in at once; else 0.

    Example:
        >>> turn("Version 10"), turn("Wersja 2"), turn("Version-10"), turn("Exercise 2")
        (10, 2, 0, 0)
    """
    found = _TURN.fullmatch(folder)
    return int(found["number"]) if found else 0


def read_names(path: Path) -> Mapping[str, tuple[str, ...]]:
    """Read the student ids for names from a CSV file with the columns name and student.

    Several students, with spaces between them, are a group that handed in together.

    Args:
        path: in the encodings and with the separators of a class list.

    Returns:
        Student ids by name.

    Raises:
        CourseError: when the file has a different format; the message names the line.
    """
    text = read_text(path)
    rows = read_table(text, path, lambda row: set(COLUMNS) <= set(_titles(row)))
    if not rows:
        begin = next((line for line in text.splitlines() if line.strip()), "nothing")
        raise CourseError(
            f"{path} must begin with the line {','.join(COLUMNS)}; it begins with "
            f"{printable(begin)[:120]}."
        )
    _, header = next(rows)
    places = [_titles(header).index(column) for column in COLUMNS]
    names: dict[str, tuple[str, ...]] = {}
    for where, row in rows:
        cells = [_text(row[at]) if at < len(row) else "" for at in places]
        if not any(cells):
            continue
        name, cell = cells
        plain = " ".join(name.split())  # spreadsheets and web pages have spaces that don't break
        students = tuple(dict.fromkeys(cell.split()))
        if changed := next(filter(None, map(changed_id, students)), ""):
            raise CourseError(f"{where}: {changed}.")
        wrong = next((each for each in students if not is_student_id(each)), None)
        if not name or not students or wrong is not None:
            raise CourseError(
                f"{where}: {wrong or cell!r} for {name!r} isn't a student id, which has up "
                "to 64 letters, digits and . _ @ + -"
            )
        for spelled in (name, plain):
            if names.setdefault(spelled, students) != students:
                before = " ".join(names[spelled])
                raise CourseError(f"{where}: {name!r} is {before!r} further up.")
    return names


def _titles(row: Sequence[str]) -> list[str]:
    return [cell_text(cell).casefold() for cell in row]


def _text(cell: str) -> str:
    return unicodedata.normalize("NFC", cell.strip())
