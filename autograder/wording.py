"""Format lists of names."""

from __future__ import annotations

from collections.abc import Sequence


def listed(names: Sequence[str], most: int = 10) -> str:
    """The first names, and how many more there are.

    Args:
        names: such as students' ids.
        most: the maximum number of names.

    Example:
        >>> listed(["ada", "ben", "cem"], 2)
        'ada, ben and 1 more'
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
