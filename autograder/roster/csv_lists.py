"""Read class lists as exported by Canvas, Moodle and Gradescope.

The formats are taken from the systems' sources: Canvas' ``lib/gradebook_exporter.rb``, and Moodle's
``user/action_redir.php``, ``grade/export/lib.php``,
``mod/assign/feedback/offline/importgradeslib.php`` and ``mod/assign/gradingtable.php``.
Gradescope's source isn't public: its format is taken from its help pages and from files that it
exported.
"""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from autograder.errors import CourseError
from autograder.roster.worksheet import Worksheet, is_participant
from selfcheck.responses import printable

_SEPARATORS = (",", ";", "\t", ":")
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # of today's Excel, and of Excel's before 2007
_LONGEST = 128
"""Maximum number of characters in a gradebook's field."""

# The headers of columns, by content. The German ones are from Moodle's language pack.
_HEADERS: Mapping[str, Sequence[str]] = {
    "sortable": ("student",),
    "full_name": ("full name", "name", "student name", "user full name", "vollständiger name"),
    "first_name": ("first name", "firstname", "vorname"),
    "last_name": ("last name", "lastname", "surname", "nachname"),
    "email": ("email address", "email", "e-mail", "e-mail-adresse", "e-mail address"),
    "lms_user_id": ("id", "user id", "canvas user id"),
    "login": ("sis login id", "username", "login id", "anmeldename", "user name"),
    "sis_id": (
        *("sis user id", "sid", "student id", "student sis id", "id number", "sis id"),
        *("id-nummer", "matrikelnummer"),
    ),
    "participant": ("identifier", "participant number"),
    "sections": ("section", "sections", "section name"),
    "groups": ("group", "groups", "gruppe", "gruppen"),
    "role": ("role", "roles", "rolle", "rollen"),
}
_NAMES = {"sortable", "full_name", "first_name", "last_name"}
_IDS = {"email", "lms_user_id", "login", "sis_id", "participant"}
# As col_recordid writes it: the string "hiddenuser" of mod_assign's language pack, which ends with
# a space in English and in hardly any other language, and the number: "Teilnehmer/in5001".
_PARTICIPANT = re.compile(r"(?P<word>\D+)(?P<number>\d+)")
_STAFF = {
    *("instructor", "teacher", "ta", "tas", "reader", "manager", "trainer", "trainerin"),
    *("tutor", "tutorin", "lehrende", "lehrender", "dozent", "dozentin", "designer", "observer"),
}
# 123456789012, 501E2, 1001 and the login jan5, as spreadsheets in English, German and French save
# them.
_MONTH = "jan|feb|fév|mar|mrz|mär|avr|apr|ma[iy]|ju[nil]|aoû|aug|sep|o[ck]t|nov|d[eé][cz]"
_CHANGED = re.compile(
    rf"\d([.,]\d+)?E\+\d+|\d+[.,]0|\d\d?[-. ]{{1,2}}({_MONTH})[a-z]{{0,2}}\.?|({_MONTH})[-. ]\d\d",
    re.IGNORECASE,
)
# "Doe, Jane", but not "John Smith, Jr."
_SORTABLE = re.compile(r"[^,]+,(?!\s*(jr|sr|i{2,3}|iv|ph\.?d|m\.?d)\.?\s*$)[^,]+", re.IGNORECASE)
_POINTS_POSSIBLE = "Points Possible"
# Who each course in Canvas has, with a hash as the login, if the list has logins at all.
_TEST_STUDENT = ({"student, test", "test student"}, re.compile(r"([0-9a-f]{40})?"))


@dataclass(frozen=True)
class ListedPerson:
    """One person in a line of a list.

    Args:
        place: the file and the line.
        fields: fields of a ``roster.Person`` that the line has.
        full_name: the full name if the list doesn't separate first and last names, else "".
    """

    place: str
    fields: Mapping[str, Any]
    full_name: str = ""


@dataclass
class ClassList:
    """The contents of a list.

    Args:
        entries: the people in it.
        left_out: lines that aren't students, each with the reason.
        problems: lines that could not be read, each with the reason.
        refused: the people in these lines, as far as they are known.
    """

    entries: list[ListedPerson] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    refused: list[ListedPerson] = field(default_factory=list)

    def add(self, entry: ListedPerson) -> None:
        """Add a person, unless a field is too long for the gradebook."""
        values = entry.fields.values()
        texts = (value if isinstance(value, str) else max(value, key=len) for value in values)
        if long := next((text for text in texts if len(text) > _LONGEST), ""):
            self.refuse(
                entry,
                f"{long[:40]!r}... has {len(long)} characters: a cell may have {_LONGEST}",
            )
        else:
            self.entries.append(entry)

    def refuse(self, entry: ListedPerson, why: str) -> None:
        """Record that a line is skipped."""
        self.problems.append(f"{entry.place}: {why}")
        self.refused.append(entry)


def read_list(path: Path) -> ClassList:
    """Read a class from a CSV file of Canvas', Moodle's or Gradescope's.

    Columns are recognized by their names; those of Moodle's grading worksheet by their content if
    it's in a language other than English or German.

    Args:
        path: in UTF-8, UTF-16 or Windows-1252; with commas, semicolons, tabs or colons between
            the cells.

    Raises:
        CourseError: when the file isn't a class list.
    """
    text = read_text(path)
    listed = ClassList()
    if not (rows := read_table(text, path, _lists_people)):
        listed.entries += _in_worksheet(text, path)
        return listed
    _, header = next(rows)
    columns = _columns(header)
    for place, row in rows:
        cells = [cell_text(cell) for cell in row]
        if any(cells):
            _read_row(cells, columns, place, listed)
    return _with_sections_apart(listed)


def read_table(
    text: str, path: Path, is_header: Callable[[Sequence[str]], bool]
) -> Iterator[tuple[str, list[str]]] | None:
    """Read a table that a platform or a spreadsheet wrote.

    Args:
        text: the file's text.
        path: its path, for messages.
        is_header: whether a row is the header.

    Returns:
        The header and the rows below it, each after its place; None if there is no header.

    Raises:
        CourseError: while the rows are read, when a row can't be.
    """
    lines = text.splitlines()[:3]  # Excel may write "sep=;" first
    for line, separator in itertools.product(lines, _SEPARATORS):
        if is_header(next(csv.reader([line], delimiter=separator), [])):
            return _rows(text, path, is_header, separator)
    return None


def _rows(
    text: str, path: Path, is_header: Callable[[Sequence[str]], bool], separator: str
) -> Iterator[tuple[str, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        for row in itertools.dropwhile(lambda row: not is_header(row), reader):
            yield f"{path.name}, line {reader.line_num}", row
    except csv.Error as error:
        raise CourseError(f"{path}, line {reader.line_num}: {error}") from None


def _with_sections_apart(listed: ClassList) -> ClassList:
    """Split several sections in one cell, which Canvas joins like words in a sentence: only if each
    part is also a section by itself, because names may contain commas and "and"."""
    known = {section for entry in listed.entries for section in entry.fields.get("sections", ())}
    for at, entry in enumerate(listed.entries):
        (whole,) = entry.fields.get("sections", ("",))
        parts = tuple(re.split(r",? and |, ", whole))
        if len(parts) > 1 and known.issuperset(parts):
            listed.entries[at] = replace(entry, fields={**entry.fields, "sections": parts})
    return listed


def read_text(path: Path) -> str:
    """A list's text, in UTF-8, UTF-16 or, without a byte order mark, Windows-1252.

    Raises:
        CourseError: when the file can't be read or isn't a text file.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {error.strerror}") from None
    if content.startswith(_WORKBOOKS):
        raise CourseError(f"{path} is a zip archive or an Excel workbook: save it as CSV.")
    return content.decode(_encoding(content), "replace").replace("\0", "")


def encoding_of(path: Path) -> str:
    """The encoding of a list, including its byte order mark if it has one."""
    return _encoding(path.read_bytes())


def _encoding(content: bytes) -> str:
    marked = (name for mark, name in _MARKS.items() if content.startswith(mark))
    encoding = next(marked, "utf-8")
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return "cp1252"  # Excel's, where nothing else is said
    return encoding


def _lists_people(row: Sequence[str]) -> bool:
    """Whether a row is the header of a list of people."""
    columns = _columns(row).keys()
    return bool(columns & _NAMES and columns & _IDS)


def _in_worksheet(text: str, path: Path) -> Iterator[ListedPerson]:
    """The people in a grading worksheet of Moodle's.

    Raises:
        CourseError: when it isn't one.
    """
    try:
        lines = Worksheet(text).lines
    except ValueError:
        found = printable(next((line for line in text.splitlines() if line.strip()), "nothing"))
        raise CourseError(
            f"{path} isn't a known class list: it begins with {found[:120]!r}. Expected "
            "a CSV file with a line of column names first: Canvas' gradebook export (Student, ID, "
            "SIS Login ID, Section), Moodle's grading worksheet, grades or participants (First "
            "name, Last name, Email address), or Gradescope's roster (First Name, Last Name, SID, "
            "Email)."
        ) from None
    if not any(line.names for line in lines):
        raise CourseError(
            f"{path} has no names, because its submissions are anonymous: read the worksheet of a "
            "different assignment, or Moodle's grades."
        )
    for line in lines:
        fields: dict[str, str | tuple[str, ...]] = {"participants": (line.number,)}
        if "@" in line.names[0]:
            fields["email"] = printable(line.names[0])
        if line.group:
            fields["groups"] = (printable(line.group),)
        yield ListedPerson(
            f"{path.name}, participant {line.number}", fields, printable(line.names[-1])
        )


def _columns(row: Sequence[str]) -> dict[str, list[int]]:
    """The positions of the columns with known names."""
    columns: dict[str, list[int]] = {}
    names = [cell_text(name).casefold() for name in row]
    for place, name in enumerate(names):
        for kind, known in _HEADERS.items():
            if name in known:
                columns.setdefault(kind, []).append(place)
    # Canvas' lists of people have the number as "Student ID" where they have a SIS ID besides.
    if "student id" in names and "student sis id" in names and "lms_user_id" not in columns:
        columns["lms_user_id"] = [names.index("student id")]
        columns["sis_id"].remove(names.index("student id"))
    return columns


def _read_row(
    cells: Sequence[str], columns: Mapping[str, Sequence[int]], place: str, listed: ClassList
) -> None:
    """Read one line and add it to the list."""

    def first(kind: str) -> str:
        found = (cells[at] for at in columns.get(kind, ()) if at < len(cells) and cells[at])
        return next(found, "")

    # Where a gradebook shows them apart, Canvas writes LastName and FirstName in place of Student.
    apart = ", ".join(filter(None, (first("last_name"), first("first_name"))))
    full_name, login = first("full_name"), first("login")
    sortable = first("sortable") or (full_name if _SORTABLE.fullmatch(full_name) else "")
    if _POINTS_POSSIBLE in (sortable or apart) or not any(map(first, _NAMES | _IDS)):
        return
    names, logins = _TEST_STUDENT
    is_named = (sortable or apart or full_name).casefold() in names
    has_own_ids = first("email") or first("sis_id") or not logins.fullmatch(login)
    if is_named and first("lms_user_id") and not has_own_ids:
        listed.left_out.append(f"{place}: Canvas' test student")
        return
    words = set(re.findall(r"\w+", first("role").casefold()))
    if words & _STAFF:
        listed.left_out.append(f"{place}: {printable(first('role'))}, not a student")
        return
    fields: dict[str, str | tuple[str, ...]] = {
        kind: first(kind)
        for kind in ("first_name", "last_name", "email", "lms_user_id", "login", "sis_id")
        if first(kind)
    }
    number = first("participant") or first("lms_user_id")
    participant = _PARTICIPANT.fullmatch(number)
    # The column is called ID in German, as Canvas' and other lists' columns of other ids are.
    if participant and (first("participant") or is_participant(participant["word"])):
        fields["participants"] = (participant["number"],)
        fields.pop("lms_user_id", None)
    elif columns.get("participant") and number.isdecimal():
        fields["participants"] = (number,)
    if sortable:
        last, _, own = sortable.partition(",")
        fields |= {"last_name": last.strip(), "first_name": own.strip()}
    if first("sections"):
        fields["sections"] = (first("sections"),)
    if groups := tuple(filter(None, re.split(r"\s*[,;]\s*", first("groups")))):
        fields["groups"] = groups
    entry = ListedPerson(place, fields, full_name if not sortable else "")
    ids = (str(fields.get(kind, "")) for kind in ("lms_user_id", "login", "sis_id"))
    if changed := next(filter(None, map(changed_id, ids)), ""):
        listed.refuse(entry, changed)
    else:
        listed.add(entry)


def changed_id(text: str) -> str:
    """Why an id isn't what it was, because a spreadsheet changed it; "" if it's whole.

    Example:
        >>> [bool(changed_id(each)) for each in ("1.23457E+11", "5. Jan", "1001,0", "jan5")]
        [True, True, True, False]
    """
    if not _CHANGED.fullmatch(text):
        return ""
    return (
        f"a spreadsheet took an id for a number or a date and wrote {text!r}: format the column as "
        "text and enter the id again, or use the file as downloaded"
    )


def cell_text(text: str) -> str:
    """A cell's text on one line, without control characters."""
    return printable(" ".join(unicodedata.normalize("NFC", text).split()))


def split_name(full_name: str) -> tuple[str, str]:
    """Guess first and last name from a full name.

    Example:
        >>> split_name("Zoë van den Berg"), split_name("Mary Ann Smith"), split_name("Cher")
        (('Zoë', 'van den Berg'), ('Mary Ann', 'Smith'), ('', 'Cher'))
    """
    words = full_name.split()
    # A small word, and the one before "Jr.", begin the last name.
    inner = list(enumerate(words[:-1]))[1:]
    begins = (at for at, word in inner if word[0].islower() or word.endswith(","))
    cut = next(begins, len(words) - 1)
    return " ".join(words[:cut]), " ".join(words[cut:])
