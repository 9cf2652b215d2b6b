"""Moodle's grading worksheet, in any language.

No column is recognized by its name: the columns have the same order in all languages
(``mod/assign/gradingtable.php``), and their content shows which of them are there:

- the participant, as a word and a number
- unless marking is blind, the full name and whatever else identifies people
- the status; the team or the marker, if there are any
- the grade and its maximum; the workflow's state, if there is one; whether the grade can be changed
- when the submission was last modified, unless nothing is handed in; the texts that were typed
- when the grade was last modified; feedback comments, if they are enabled
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

_SEPARATORS = (",", ";", "\t", ":")
_SEPARATOR_LINE = re.compile(r"\A\"?sep=.\"?\s*?\n")  # Excel's, which Moodle wouldn't understand
_PARTICIPANT = re.compile(r"(?P<word>\D+)(?P<number>\d+)")
_NUMBER = re.compile(r"\d+(?:(?P<point>[^\d\s])\d+)?")
_TIME = re.compile(r"-|(?=.*\d[:.hH]\d\d).{5,80}")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
# Only a draft's status has a part in parentheses: "Draft (not submitted)", 草稿（未提交）.
_DRAFT = re.compile(r"[(（]")
_STATUS_PARTS = " - "
# Moodle's translations for a grade that can't be changed, in lower case.
_NO = {
    *("no", "nein", "non", "nee", "nej", "nei", "ei", "não", "nie", "ne", "nē", "nem", "nu", "ez"),
    *("jo", "hayır", "không", "tidak", "нет", "ні", "не", "όχι", "ոչ", "არა", "לא", "لا", "نہیں"),
    *("خیر", "नहीं", "ไม่", "ไม่ใช่", "いいえ", "아니오", "아니요", "否", "不", "不是"),
}

# Moodle's word for a participant in blind marking (in mod_assign's language packs "participant" in
# archives, "hiddenuser" in worksheets): its letters alone. Where more than two hand in blindly, all
# of them have one name, and no word is needed.
_PARTICIPANT_WORDS = {
    *("teilnehmer", "teilnehmerin", "teilnehmerinnen"),
    *("participant", "participante", "partecipante", "deelnemer", "deltagare"),
    *("deltager", "deltaker", "osallistuja", "uczestnik", "účastník", "résztvevő", "katılımcı"),
    *("участник", "учасник", "participantă", "partaidea", "参与者", "參與者", "参加者", "참여자"),
    *("المشارك", "συμμετέχων", "dalyvis", "شریک", "参与人", "참가자"),
}


@dataclass(frozen=True)
class Line:
    """A worksheet's data on one participant.

    Args:
        number: the participant's number.
        names: the person's names, the most reliable first: e-mail addresses, other unique ids, the
            full name; empty if marking is anonymous.
        group: the team, or "".
        submitted: the submission time, as the worksheet writes it; "-" if there is none.
        status: in parts, such as "Submitted for grading" and "3 hours late".
        locked: whether the grade can't be changed, because it's locked or overridden in the
            gradebook.
    """

    number: str
    names: tuple[str, ...]
    group: str
    submitted: str
    status: tuple[str, ...]
    locked: bool = False

    @property
    def draft(self) -> bool:
        """Whether it was uploaded but not handed in."""
        return self.submitted != "-" and bool(_DRAFT.search(self.status[0]))


@dataclass(frozen=True)
class _Columns:
    """The positions of the columns; None for those that are missing."""

    status: int
    group: int | None
    grade: int
    changeable: int
    submitted: int | None
    comments: int | None


class Worksheet:
    """A worksheet that can be read, and written again with grades.

    Args:
        text: the file's text, without a byte order mark.

    Raises:
        ValueError: when it isn't one.
    """

    def __init__(self, text: str) -> None:
        text = _SEPARATOR_LINE.sub("", text)
        self._newline = "\r\n" if "\r\n" in text.partition("\n")[0] + "\n" else "\n"
        for self._separator in _SEPARATORS:
            try:
                lines = csv.reader(io.StringIO(text, newline=""), delimiter=self._separator)
                self._header, *self._rows = filter(None, lines)
                self._columns = _columns(self._rows, len(self._header))
            except (csv.Error, ValueError):
                continue
            return
        raise ValueError("no column order of Moodle's")

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """All participants, in its order."""
        return tuple(self._line(row) for row in self._rows)

    @property
    def maximum(self) -> float | None:
        """The maximum points; None if grades are words on a scale."""
        cell = self._rows[0][self._columns.grade + 1]
        found = _NUMBER.fullmatch(cell)
        return float(cell.replace(found["point"] or ".", ".")) if found else None

    @property
    def locked(self) -> frozenset[str]:
        """The numbers of those whose grade can't be changed."""
        return frozenset(line.number for line in self.lines if line.locked)

    @property
    def without_submission(self) -> frozenset[str]:
        """The numbers of those who handed in nothing, if others did hand in something."""
        without = {line.number for line in self.lines if line.submitted == "-"}
        return frozenset(without if len(without) < len(self.lines) else ())

    @property
    def has_comments(self) -> bool:
        """Whether there is a column for feedback comments."""
        return self._columns.comments is not None

    def filled(self, grades: Mapping[str, tuple[float, str]]) -> str:
        """The worksheet with grades and comments, and otherwise unchanged.

        Args:
            grades: by participant's number, points and a comment; if the comment is "", the one in
                the worksheet is kept.
        """
        found = _NUMBER.fullmatch(self._rows[0][self._columns.grade + 1])
        point = (found and found["point"]) or "."
        rows = [list(row) for row in self._rows]
        for row, line in zip(rows, self.lines, strict=True):
            if line.number in grades:
                points, comment = grades[line.number]
                row[self._columns.grade] = f"{round(points, 5):.15g}".replace(".", point)
                if comment and self._columns.comments is not None:
                    row[self._columns.comments] = comment
        return "".join(
            self._separator.join(map(self._quoted, row)) + self._newline
            for row in (self._header, *rows)
        )

    def _quoted(self, cell: str) -> str:
        """A cell as PHP writes it."""
        special = {self._separator, '"', "\n", "\r", "\t", " "}
        return '"' + cell.replace('"', '""') + '"' if special & set(cell) else cell

    def _line(self, row: Sequence[str]) -> Line:
        columns = self._columns
        cells = [" ".join(unicodedata.normalize("NFC", cell).split()) for cell in row]
        participant = _PARTICIPANT.fullmatch(cells[0])
        assert participant  # else it would be no worksheet
        return Line(
            participant["number"],
            tuple(dict.fromkeys(self._names(cells))),
            "" if columns.group is None else cells[columns.group],
            "-" if columns.submitted is None else cells[columns.submitted],
            tuple(part.strip(" -") for part in cells[columns.status].split(_STATUS_PARTS)),
            cells[columns.changeable].casefold() in _NO,
        )

    @cached_property
    def _counts(self) -> Sequence[Counter[str]]:
        """By column, how often each cell is there."""
        return [Counter(map(str.strip, column)) for column in zip(*self._rows, strict=False)]

    def _names(self, cells: Sequence[str]) -> Iterator[str]:
        whole = range(1, self._columns.status)
        ids = [cells[at] for at in whole[1:] if cells[at] and self._counts[at][cells[at]] == 1]
        yield from sorted(ids, key=lambda cell: not _EMAIL.fullmatch(cell))
        yield from (cells[at] for at in whole[:1] if cells[at])


def is_participant(word: str) -> bool:
    """Whether this is Moodle's placeholder for a hidden name.

    Example:
        >>> is_participant("Participant "), is_participant("Teilnehmer/in"), is_participant("Jo")
        (True, True, False)
    """
    return "".join(filter(str.isalnum, word)).casefold() in _PARTICIPANT_WORDS


def _columns(rows: Sequence[Sequence[str]], width: int) -> _Columns:
    """Find the columns.

    Raises:
        ValueError: when the rows aren't a worksheet's.
    """
    found = (_PARTICIPANT.fullmatch(row[0].strip()) for row in rows)
    participants = [each for each in found if each]
    if len(participants) < len(rows) or len({each["word"] for each in participants}) != 1:
        raise ValueError("its first column doesn't list participants")
    columns = list(zip(*(row[:width] for row in rows), strict=True))
    times = [at for at, cells in enumerate(columns) if all(map(_TIME.fullmatch, cells))]
    grade = max(at for at in range(2, width - 3) if _is_graded(columns, at, times))
    # Before the first time is whether the grade can be changed, and before that the workflow.
    first, second, *_ = *(at for at in times if at > grade + 1), None, None
    submitted, graded = (first, second) if second else (None, first)
    status = _status(columns, grade)
    between = list(range(status + 1, grade))
    has_workflow = first == grade + 4
    is_team = len(between) == 2 or (between and not has_workflow) or all(columns[grade - 1])
    return _Columns(
        status,
        between[0] if between and is_team else None,
        grade,
        first - 1,
        submitted,
        graded + 1 if graded + 1 < width else None,
    )


def _is_graded(columns: Sequence[Sequence[str]], at: int, times: Sequence[int]) -> bool:
    """Whether a column may be the grades': empty or numbers, then one maximum for all, or one scale
    (one word per line, or with commas), then something for everybody, and then a time."""
    maximum = set(columns[at + 1])
    whole = next(iter(maximum))
    if len(maximum) > 1 or not (_NUMBER.fullmatch(whole) or any(each in whole for each in ",\n")):
        return False
    if not all(cell == "" or _NUMBER.fullmatch(cell) or cell in whole for cell in columns[at]):
        return False
    return all(columns[at + 2]) and bool({at + 3, at + 4} & set(times))


def _status(columns: Sequence[Sequence[str]], grade: int) -> int:
    """The status's position: before the team and the marker, with few different values."""
    candidates = [at for at in range(max(1, grade - 3), grade) if all(columns[at])]
    kinds = {at: {cell.split(_STATUS_PARTS)[0] for cell in columns[at]} for at in candidates}

    def unlike(at: int) -> tuple[bool, bool, int, int]:
        parts = [_STATUS_PARTS in f"{cell} " for cell in columns[at]]
        names = any(map(_EMAIL.fullmatch, columns[at]))
        return not all(parts), names or not any(parts), len(kinds[at]), -at

    return min(candidates, key=unlike)
