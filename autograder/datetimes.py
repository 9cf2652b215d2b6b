"""Parse and format times and durations."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from autograder.errors import CourseError

_SPAN = re.compile(r"(?P<count>\d+(\.\d+)?)(?P<unit>[wdhm])")


_UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes"}


def read_span(text: str) -> timedelta:
    """Parse a duration as people type it.

    Raises:
        CourseError: when it isn't one.

    Example:
        >>> read_span("1d12h"), read_span("0")
        (datetime.timedelta(days=1, seconds=43200), datetime.timedelta(0))
    """
    found = list(_SPAN.finditer(text))
    if text != "0" and (not found or "".join(each[0] for each in found) != text):
        raise CourseError(
            f"{text!r} isn't a duration: write 3d, 36h, 90m, 1w or 1d12h; 0 removes the extension."
        )
    try:
        parts = (timedelta(**{_UNITS[each["unit"]]: float(each["count"])}) for each in found)
        return sum(parts, timedelta())
    except OverflowError:
        raise CourseError(f"{text!r} is too long.") from None


def parse_timestamp(text: str) -> datetime:
    """A time as nbgrader writes and reads it, in UTC.

    Raises:
        ValueError: when it isn't one.
        OverflowError: when it's in no calendar.

    Example:
        >>> parse_timestamp("2026-12-01 23:59:00.000000 UTC")
        datetime.datetime(2026, 12, 1, 23, 59)
    """
    if _WRITTEN.fullmatch(
        text
    ):  # nbgrader's parser, which reads everything, takes ten times longer
        return datetime.fromisoformat(text.removesuffix(" UTC"))
    from nbgrader.utils import parse_utc

    return parse_utc(text)


_WRITTEN = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{6})?( UTC)?", re.ASCII)


def read_zone(name: str | None) -> ZoneInfo | None:
    """A time zone by its name, such as Europe/Berlin; None is this machine's.

    Raises:
        CourseError: when there is none of this name.
    """
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise CourseError(
            f"Unknown time zone {name!r}: write one such as Europe/Berlin or UTC."
        ) from None


def read_time(text: str, zone: ZoneInfo | None) -> datetime:
    """Parse a date and time as people type it; a date alone means the end of the day.

    Args:
        text: 2026-12-01T23:59, 2026-12-01 23:59 or 2026-12-01; it may end with an offset.
        zone: the time zone if it has no offset.

    Raises:
        CourseError: when it isn't a date, or clocks skip that time.
    """
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise CourseError(
            f"{text!r} isn't a date: write 2026-12-01T23:59, or 2026-12-01 for the end of that day."
        ) from None
    if len(text) <= len("2026-12-01"):
        time = time.replace(hour=23, minute=59)
    if time.tzinfo:
        return time
    local = _local(time, zone)
    back = local.astimezone(UTC).astimezone(local.tzinfo)
    if back.replace(tzinfo=None, fold=0) != time:
        raise CourseError(f"{text} doesn't exist in {zone or 'this time zone'}: clocks skip it.")
    return local


def _local(time: datetime, zone: ZoneInfo | None) -> datetime:
    """The instant at which a clock shows a time. If it shows it twice, the later one, so that
    nobody counts as late too early."""
    return time.replace(tzinfo=zone, fold=1) if zone else time.replace(fold=1).astimezone()


def later(time: datetime, by: timedelta, zone: ZoneInfo | None) -> datetime:
    """Add a duration on a zone's clock: a day later, the clock shows the same time even if daylight
    saving time began or ended in between.

    Example:
        >>> due = datetime(2026, 10, 24, 18, tzinfo=UTC)  # 20:00 in Berlin
        >>> later(due, timedelta(days=1), ZoneInfo("Europe/Berlin")).astimezone(UTC).hour
        19
    """
    return _local(time.astimezone(zone).replace(tzinfo=None) + by, zone)


def span_on_clock(start: datetime, end: datetime, zone: ZoneInfo | None) -> timedelta:
    """The difference on a zone's clock: from 20:00 to 20:00 is a day."""
    return end.astimezone(zone).replace(tzinfo=None) - start.astimezone(zone).replace(tzinfo=None)


def shown_time(time: datetime, zone: ZoneInfo | None) -> str:
    """Format a time in a zone and in UTC.

    Example:
        >>> shown_time(datetime(2026, 12, 1, 22, 59, tzinfo=UTC), ZoneInfo("Europe/Berlin"))
        'Tue 2026-12-01 23:59 CET (22:59 UTC)'
    """
    local = time.astimezone(zone)
    utc = time.astimezone(UTC)
    form = "%H:%M" if utc.date() == local.date() else "%Y-%m-%d %H:%M"
    return f"{local:%a %Y-%m-%d %H:%M %Z} ({utc:{form}} UTC)"


def shown_span(seconds: float) -> str:
    """Format a duration.

    Example:
        >>> shown_span(3 * 86400 + 3600), shown_span(90)
        ('3 d 1 h', '2 min')
    """
    minutes = math.ceil(seconds / 60)
    parts = ((minutes // 1440, "d"), (minutes // 60 % 24, "h"), (minutes % 60, "min"))
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 min"
