"""Text for the cells of spreadsheets."""

from __future__ import annotations

from selfcheck.responses import printable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def defused(text: str) -> str:
    """Text on one line that is safe in terminals, and that no spreadsheet evaluates.

    Example:
        >>> defused("=1+1"), defused("two\\nlines")
        ("'=1+1", 'two lines')
    """
    line = printable(" ".join(text.splitlines()))
    return f"'{line}" if line.startswith(_FORMULA) or text.startswith(_FORMULA) else line
