"""Whose a file is: the names that learning platforms write into archives, and student ids.

The names are those that the platforms' own code writes:

- Moodle: ``mod/assign/classes/downloader.php`` (``get_student_prefix``,
  ``load_submissionplugin_filelist``), ``PARAM_FILE`` of ``clean_param``, which drops a slash and
  leaves a star, and ``filterFilename`` of ZipStream, with which Moodle packs since 3.10: of a star
  it makes an underscore
- Canvas: ``lib/content_zipper.rb`` (``get_filename``, ``sanitize_user_name``,
  ``sanitize_file_name``, ``add_text_or_url``) and ``Assignment#representatives`` for groups
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from autograder.errors import CourseError
from autograder.exchange.archives import name_problem

COLUMNS = ("name", "student")
"""The header of a file of names."""


class Platform(StrEnum):
    """Where an archive comes from."""

    moodle = "Moodle"
    canvas = "Canvas"
    gradescope = "Gradescope"
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
# Moodle's word for a participant in blind marking, in its most used languages (in mod_assign's
# language packs "participant" in archives, "hiddenuser" in worksheets): its letters alone.
_PARTICIPANT = {
    *("teilnehmer", "teilnehmerin", "teilnehmerinnen"),
    *("participant", "participante", "partecipante", "deelnemer", "deltagare"),
    *("deltager", "deltaker", "osallistuja", "uczestnik", "účastník", "résztvevő", "katılımcı"),
    *("участник", "учасник", "participantă", "partaidea", "参与者", "參與者", "参加者", "참여자"),
}
_ID = re.compile(r"[^\W_][\w.@+-]{0,63}")
_VERSION = re.compile(r"(?P<stem>.+?)(-| ?\()(?P<number>\d{1,4})\)?(?P<kind>\.[^.]+)?")


@dataclass(frozen=True)
class Origin:
    """Whose a file is, as an archive says.

    Args:
        name: of the person or the group.
        number: what the platform adds to tell people of one name apart, or "".
        path: the file's, among this person's files.
        platform: whose naming it is.
        anonymous: whether the platform hides the name.
        late: whether the platform says that it was handed in late.
        upload: a number that grows with every upload; 0 where there is none.
    """

    name: str
    number: str
    path: tuple[str, ...]
    platform: Platform = Platform.unknown
    anonymous: bool = False
    late: bool = False
    upload: int = 0

    @property
    def label(self) -> str:
        """The name with the number."""
        return f"{self.name}_{self.number}" if self.number else self.name


def origin(path: tuple[str, ...]) -> Origin | None:
    """Whose a file of an archive is; None for one that isn't in anybody's folder.

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
    """Whose a file is that Moodle or Canvas named; else None.

    Example:
        >>> platform_origin(("LATE_anon_x7Qp2_34_03-attention.ipynb",)).anonymous
        True
        >>> platform_origin(("Participant_12_assignsubmission_file", "a.ipynb")).anonymous
        True
        >>> platform_origin(("Default group_assignsubmission_file", "a.ipynb")).label
        'Default group'
    """
    first, *rest = path
    if moodle := _MOODLE.fullmatch(first):
        own = (*filter(None, [moodle["file"]]), *rest)
        name, number = moodle["name"], moodle["number"] or ""
        # A team's name and a hyphen may come first.
        anonymous = bool(number) and is_participant(name.rpartition("-")[2])
        return Origin(name, number, own, Platform.moodle, anonymous) if own else None
    if rest:
        return None
    anonymous = _CANVAS_ANONYMOUS.fullmatch(first)
    if canvas := anonymous or _CANVAS.fullmatch(first):
        return Origin(
            canvas["name"],
            canvas["number"],
            (canvas["file"] or canvas["page"],),
            Platform.canvas,
            bool(anonymous),
            bool(canvas["late"]),
            int((canvas["upload"] or "0")[:18]),
        )
    return None


def is_participant(word: str) -> bool:
    """Whether Moodle calls somebody so whose name it hides.

    Example:
        >>> is_participant("Participant "), is_participant("Teilnehmer/in"), is_participant("Jo")
        (True, True, False)
    """
    return "".join(filter(str.isalpha, word)).casefold() in _PARTICIPANT


def moodle_name(full_name: str) -> str:
    """A name as Moodle puts it before the files in an archive.

    Example:
        >>> moodle_name("Sinéad O'Brien_Smith")
        'Sinéad OBrien Smith'
    """
    kept = (letter for letter in full_name.replace("_", " ") if letter not in "&<>\"`|':\\/")
    return "".join(letter for letter in kept if unicodedata.category(letter) != "Cc")


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


def read_names(path: Path) -> Mapping[str, tuple[str, ...]]:
    """Which students are meant by a name, from a CSV file with the columns name and student.

    Several students, with spaces between them, are a group that handed in together.

    Returns:
        Student ids by name.

    Raises:
        CourseError: when the file is none such; the message names the line.
    """
    names: dict[str, tuple[str, ...]] = {}
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
                name, cell = (_text(row[column]) for column in COLUMNS)
                students = tuple(dict.fromkeys(cell.split()))
                where = f"{path}, line {reader.line_num}"
                wrong = next((each for each in students if not is_student_id(each)), None)
                if not name or not students or wrong is not None:
                    raise CourseError(
                        f"{where}: {wrong or cell!r} for {name!r} isn't a student id, which has up "
                        "to 64 letters, digits and . _ @ + -"
                    )
                if names.setdefault(name, students) != students:
                    before = " ".join(names[name])
                    raise CourseError(f"{where}: {name!r} is {before!r} further up.")
    except (UnicodeError, csv.Error) as error:
        raise CourseError(f"{path} cannot be read as CSV in UTF-8: {error}") from None
    return names


def _text(cell: str | None) -> str:
    return unicodedata.normalize("NFC", (cell or "").strip())
