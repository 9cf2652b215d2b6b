"""Submission times: read from the platforms' data, never guessed.

The times of the files in an archive are those of the download; only in Moodle's archives are they
those of the uploads, on the server's clock. Submission times are in

- Moodle's grading worksheet (``worksheet.py``: written by ``userdate()`` in the teacher's language
  and time zone, without naming the zone),
- the answer of Canvas' API on an assignment's submissions
  (``lib/api/v1/submission.rb``: ``submitted_at``, in UTC),
- the ``submission_metadata.yml`` in Gradescope's export of submissions (``gradescope.py``), and
  "Submission Time" in its export of grades, both with their offset from UTC, and
- the names in Brightspace's and Blackboard's archives, without a zone.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import cache
from pathlib import Path
from typing import Any

from autograder.collect.filenames import Platform
from autograder.errors import CourseError
from autograder.roster.csv_lists import read_table, read_text
from autograder.roster.worksheet import Line, Worksheet
from selfcheck.responses import printable

_LOCALES = (
    *("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "fi", "pl", "cs", "sk", "hu"),
    *("ro", "tr", "el", "ru", "uk", "ca", "hr", "sl", "et", "lv", "lt", "ja", "zh", "ko"),
    *("ar", "bg", "eu", "gl", "he", "hi", "id", "is", "mk", "ms", "sr", "ur"),
)
# Words in dates besides numbers and the names of days and months.
_FILLERS = {
    *("de", "del", "d", "den", "à", "às", "a", "at", "um", "kl", "klo", "uhr", "om", "г", "ob"),
    *("la", "в", "e", "ko", "an", "tan"),
}
_CLOCK = re.compile(
    r"(?<![\d:.])(?P<hour>\d{1,2})[:.hH](?P<minute>\d\d)(:(?P<second>\d\d))?(?!\d|\.\d)"
    r"(\s*(?P<half>[AaPp])\.?\s?[Mm]\b\.?)?"
)
_DOTTED = re.compile(r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})")
_EAST = re.compile(r"(?P<year>\d{4})[年년]\s?(?P<month>\d{1,2})[月월]\s?(?P<day>\d{1,2})[日일]")
_KOREAN = re.compile(r"(?P<day>\d{1,2}) (?P<month>\d{1,2})월 (?P<year>\d{4})")
_DIGITS = re.compile(
    r"(\d{4})[-_. ]?(\d\d)[-_. ]?(\d\d)[-_. T]*(\d\d)[-_.:h ]?(\d\d)(?:[-_.: ]?(\d\d))?", re.ASCII
)
_HALF_DAY = re.compile(r"\s(\d{1,2}):?(\d\d)\s?([AP])M$", re.ASCII | re.IGNORECASE)
_YEAR, _DAY = re.compile(r"(?<!\d)\d{4}(?!\d)"), re.compile(r"(?<!\d)\d{1,2}(?!\d)")


@dataclass(frozen=True)
class PlatformSubmission:
    """A platform's data on one submission.

    Args:
        platform: the platform.
        number: its number next to the name in archives: Moodle's participant, Canvas' user.
        names: what identifies the owner, the most reliable first: e-mail address, id, full name.
        group: the group that handed in together, or "".
        time: the submission time in UTC; None if it's unknown.
        attempt: the number of the attempt; 0 if attempts aren't counted.
        late: whether the platform calls it late.
        draft: whether it was uploaded, but not handed in.
        until: the student's extended deadline in UTC, or None.
    """

    platform: Platform
    number: str = ""
    names: tuple[str, ...] = ()
    group: str = ""
    time: datetime | None = None
    attempt: int = 0
    late: bool = False
    draft: bool = False
    until: datetime | None = None


@dataclass(frozen=True)
class Times:
    """The content of lists of times.

    Args:
        entries: one per submission, or per member of a group.
        remarks: what could not be understood, for the instructor.
        zone: the time zone of times without one; None if it's unknown.
    """

    entries: tuple[PlatformSubmission, ...] = ()
    remarks: tuple[str, ...] = ()
    zone: tzinfo | None = None


def read_times(paths: Sequence[Path], zone: tzinfo | None = None) -> Times:
    """Read lists of times from any of the platforms.

    Args:
        paths: Moodle's grading worksheet, Canvas' submissions as JSON or CSV, Gradescope's grades.
        zone: the time zone of times without one.

    Raises:
        CourseError: when a file is none of these, or its times need a zone and there is none.
    """
    entries: list[PlatformSubmission] = []
    remarks: list[str] = []
    for path in paths:
        text = read_text(path).removeprefix("\ufeff")
        read = _from_json if text.lstrip().startswith(("[", "{", "while(1);")) else _from_csv
        found, unclear = read(text, path, zone)
        entries += found
        remarks += not_understood(path, unclear)
    return Times(tuple(entries), tuple(remarks), zone)


def not_understood(path: Path, unclear: Sequence[str]) -> Sequence[str]:
    """A sentence on times that couldn't be parsed, and what to do about them; none if there are
    none.

    Args:
        path: the file that has them.
        unclear: the times, as the file writes them.
    """
    if not unclear:
        return ()
    example = printable(unclear[0])[:60]
    count = "1 time" if len(unclear) == 1 else f"{len(unclear)} times"
    return (
        f"{path.name}: {count} not understood, such as {example!r}, and treated as unknown. "
        "Expected one such as 'Montag, 2. März 2026, 21:30', 'lundi 2 mars 2026, 21:30', "
        "'02.03.2026 21:30' or '2026-03-02 21:30': download the file again, or write the times "
        "like the last one there, and give --timezone, such as Europe/Berlin.",
    )


def parse_time(text: str) -> datetime | None:
    """Parse a date with a time as Moodle writes it in the reader's language; None if ambiguous.

    A month in numbers is understood if only one order is possible: after the year, or between dots.
    The name of the day, if there is one, must agree.

    Example:
        >>> parse_time("Monday, 2 March 2026, 9:30 PM") == parse_time("Montag, 2. März 2026, 21:30")
        True
        >>> parse_time("02.03.2026 21:30")
        datetime.datetime(2026, 3, 2, 21, 30)
        >>> parse_time("3/2/2026 21:30"), parse_time("Friday, 2 March 2026, 9:30 PM")
        (None, None)
    """
    text = unicodedata.normalize("NFKC", text).strip()
    try:
        if re.match(r"\d{4}-\d\d-\d\d[T ]\d", text):
            return datetime.fromisoformat(_spaced_offset(text))
        found = set()
        for time, certain in _readings(text):
            if certain:
                return time
            found.add(time)
    except (ValueError, OverflowError):
        return None
    return found.pop() if len(found) == 1 else None


def time_in_name(text: str) -> datetime | None:
    """Parse a time in a file name, which can't have colons; None if it isn't understood.

    Example:
        >>> time_in_name("2026-03-02-09-30-00") == time_in_name("Mar 2, 2026 930 AM")
        True
        >>> time_in_name("202603020930")
        datetime.datetime(2026, 3, 2, 9, 30)
    """
    with suppress(ValueError):
        if digits := _DIGITS.fullmatch(text):
            year, month, day, *clock = (int(part or 0) for part in digits.groups())
            hour, minute, second = clock
            return datetime(year, month, day, hour, minute, second)
        # English, whatever the machine's language: Python's own months are English.
        return datetime.strptime(_HALF_DAY.sub(r" \1:\2 \3M", text).strip(), "%b %d, %Y %I:%M %p")
    return None


def _spaced_offset(text: str) -> str:
    """Convert Gradescope's and Ruby's `2026-03-02 09:30:00 -0800` and `... UTC` to ISO 8601."""
    return re.sub(r"\s*(UTC|Z)$", "+00:00", re.sub(r"\s+(?=[+-]\d)", "", text))


def _readings(text: str) -> Iterator[tuple[datetime, bool]]:
    """All times that a text may mean in some language, and whether the name of the day agrees."""
    clocks = list(_CLOCK.finditer(text))
    if not clocks:
        return
    clock = clocks[-1]
    hour, minute, second = (int(clock[part] or 0) for part in ("hour", "minute", "second"))
    if clock["half"]:
        after_noon = clock["half"] in "pP"
        if 1 <= hour <= 12:
            hour = hour % 12 + 12 * after_noon
        elif after_noon != (hour > 12):  # Ukrainian has 23:59 PM
            return
    rest = f"{text[: clock.start()]} {text[clock.end() :]}"
    months: Iterable[tuple[str, int, frozenset[str]]]
    if numbers := _DOTTED.search(rest) or _EAST.search(rest) or _KOREAN.search(rest):
        year, month, day = (int(numbers[part]) for part in ("year", "month", "day"))
        words = _words(rest.replace(numbers[0], " "))
        months = ((locale, month, frozenset()) for locale in _LOCALES)
    else:
        years, days = _YEAR.findall(rest), _DAY.findall(rest)
        if len(years) != 1 or len(days) != 1:
            return
        year, day, words = int(years[0]), int(days[0]), _words(rest)
        months = (
            (locale, number, frozenset({word}))
            for locale in _LOCALES
            for word, number in _calendar(locale)[0].items()
            if word in words
        )
    for locale, month, named in months:
        time = datetime(year, month, day, hour, minute, second)
        left = words - named - _FILLERS
        if not left or left in _calendar(locale)[1][time.weekday()]:
            yield time, bool(left)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W\d_]+", text.casefold()))


@cache
def _calendar(locale: str) -> tuple[Mapping[str, int], Sequence[frozenset[frozenset[str]]]]:
    """The months by name, and each weekday's names, split into words."""
    from babel import Locale  # takes a while: not before it is needed

    known = Locale.parse(locale)
    months: dict[str, int] = {}
    days: list[frozenset[frozenset[str]]] = []
    for form in ("format", "stand-alone"):
        for number, name in known.months[form]["wide"].items():
            words = _words(name) - _FILLERS
            if locale == "eu":  # which declines them: azaroa, azaroaren
                words |= {f"{word}ren" for word in words}
            months |= dict.fromkeys(words, number)
    for day in range(7):
        names = (known.days[form]["wide"][day] for form in ("format", "stand-alone"))
        days.append(frozenset(_words(name) - _FILLERS for name in names))
    return months, days


def _from_csv(
    text: str, path: Path, zone: tzinfo | None
) -> tuple[list[PlatformSubmission], list[str]]:
    """Read Moodle's worksheet, or a table whose header says which platform's it is."""
    with suppress(ValueError):
        return _from_worksheet(Worksheet(text), path, zone)
    if rows := read_table(text, path, lambda row: bool(_TIMES & set(map(_plain, row)))):
        _, header = next(rows)
        names = [_plain(name) for name in header]
        table = [dict(zip(names, row, strict=False)) for _, row in rows]
        if _GRADESCOPE_TIME in names:
            return _table(table, _GRADESCOPE_COLUMNS, Platform.gradescope, path, zone)
        return _table(table, _CANVAS_COLUMNS, Platform.canvas, path, zone)
    begin = printable(next((line for line in text.splitlines() if line.strip()), "nothing"))
    raise CourseError(
        f"{path} has no submission times that can be read: it begins with {begin[:150]!r}. "
        "Expected Moodle's grading worksheet with all its columns, in any language, Canvas' "
        "submissions as JSON or CSV (with submitted_at), or Gradescope's grades (with 'Submission "
        "Time')."
    )


def _from_worksheet(
    worksheet: Worksheet, path: Path, zone: tzinfo | None
) -> tuple[list[PlatformSubmission], list[str]]:
    entries, unclear = [], []
    for line in worksheet.lines:
        time, problem = _time(line.submitted, path, zone)
        until, unclear_until = granted_until(line, path, zone)
        unclear += [*problem, *unclear_until]
        entries.append(
            PlatformSubmission(
                Platform.moodle,
                line.number,
                line.names,
                line.group,
                time,
                draft=line.draft,
                until=until,
            )
        )
    return entries, unclear


def read_worksheet(path: Path) -> Worksheet:
    """Read Moodle's grading worksheet.

    Raises:
        CourseError: when the file isn't one.
    """
    try:
        return Worksheet(read_text(path))
    except ValueError:
        raise CourseError(
            f"{path} isn't Moodle's grading worksheet: download it again (Submissions > Actions > "
            "Download grading worksheet), and save it as CSV if a spreadsheet had it open."
        ) from None


def granted_until(
    line: Line, path: Path, zone: tzinfo | None
) -> tuple[datetime | None, Sequence[str]]:
    """A participant's extended deadline in UTC, None without an extension; and parts of the status
    that seem to be one but aren't understood.

    Args:
        line: a line of the worksheet.
        path: the path of its file, for messages.
        zone: the time zone of its times.

    Raises:
        CourseError: when there is an extension and no zone.
    """
    # Nothing else in the status is a date.
    dates = [part for part in line.status if _CLOCK.search(part)]
    until = next(filter(None, map(_date_in, dates)), "")
    return _time(until, path, zone)[0], () if until else dates


def _date_in(text: str) -> str:
    """The longest part of a text that is a date with a time, or ""."""
    if not _CLOCK.search(text):
        return ""
    words = re.split(r"\s+|(?<!\d):|:(?!\d)", unicodedata.normalize("NFKC", text))
    parts = (
        " ".join(words[start : start + length])
        for length in range(len(words), 0, -1)
        for start in range(len(words) - length + 1)
    )
    return next(filter(parse_time, parts), "")


_CANVAS_TIME, _GRADESCOPE_TIME = "submitted_at", "submission time"
_TIMES = {_CANVAS_TIME, _GRADESCOPE_TIME}
_CANVAS_COLUMNS = (("user_id", "anonymous_id"), ("sis_user_id", "login_id", "user_name", "name"))
_GRADESCOPE_COLUMNS = (("submission id",), ("email", "sid", "name"))


def _table(
    rows: Sequence[Mapping[str, Any]],
    columns: tuple[Sequence[str], Sequence[str]],
    platform: Platform,
    path: Path,
    zone: tzinfo | None,
) -> tuple[list[PlatformSubmission], list[str]]:
    """Read a list from Canvas or Gradescope, with one submission per row."""
    entries, unclear = [], []
    for row in rows:
        names = tuple(filter(None, (_cell(row.get(name)) for name in columns[1])))
        cell = _cell(row.get(_CANVAS_TIME, row.get(_GRADESCOPE_TIME)))
        time, problem = _time(cell, path, zone)
        unclear += problem
        attempt, late = _cell(row.get("attempt")), _cell(row.get("late")).casefold() == "true"
        for number in filter(None, (_cell(row.get(name)) for name in columns[0])):
            attempts = int(attempt) if attempt.isdecimal() and len(attempt) < 6 else 0
            entries.append(PlatformSubmission(platform, number, names, "", time, attempts, late))
    return entries, unclear


def _from_json(
    text: str, path: Path, zone: tzinfo | None
) -> tuple[list[PlatformSubmission], list[str]]:
    """Read Canvas' answer to a browser, which begins with ``while(1);``."""
    try:
        found = json.loads(text.lstrip().removeprefix("while(1);"))
        rows = found if isinstance(found, list) else [found]
        if not all("submitted_at" in row for row in rows):
            raise ValueError("a submission has no submitted_at")
        for row in rows:
            user = row.get("user") or {}
            row["name"] = user.get("sortable_name", "")
        return _table(rows, _CANVAS_COLUMNS, Platform.canvas, path, zone)
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise CourseError(
            f"{path} isn't Canvas' list of an assignment's submissions: {error}. Expected JSON "
            "from /api/v1/courses/<course>/assignments/<assignment>/submissions?per_page=100"
        ) from None


def _time(cell: str, path: Path, zone: tzinfo | None) -> tuple[datetime | None, list[str]]:
    """A time in UTC; None and the cell if it has a time that isn't understood."""
    if cell in ("", "-", "null"):
        return None, []
    time = parse_time(cell)
    if time is None:
        return None, [cell]
    if time.tzinfo is None:
        if zone is None:
            raise CourseError(
                f"{path} has times without a time zone, such as {printable(cell)!r}: give the zone "
                "of your profile there, such as --timezone Europe/Berlin."
            )
        time = time.replace(tzinfo=zone)  # in an hour that comes twice, the earlier time
    return time.astimezone(UTC), []


def _plain(name: str) -> str:
    return _cell(name).casefold()


def _cell(value: object) -> str:
    """A cell on one line; for a JSON value, its text."""
    if value is None or isinstance(value, (list, dict)):
        return ""
    return " ".join(unicodedata.normalize("NFC", str(value)).split())
