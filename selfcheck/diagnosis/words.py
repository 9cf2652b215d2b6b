"""Facts about wrong text and lists."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

from selfcheck.aspects import in_code
from selfcheck.diagnosis.relation import Relation, one_off
from selfcheck.exercise import Untransferable
from selfcheck.texts import say


def of_words(output: str, value: Any, expected: Any) -> Relation | None:
    """Text, or lists of text or of numbers."""
    if isinstance(expected, int) and isinstance(value, int):
        return one_off(output, value - expected)
    if isinstance(value, Untransferable) and value.name == "set":
        hint = say(
            "{output} is a set: sets have no order and drop duplicates.", output=in_code(output)
        )
        return Relation("wrong_type", hint)
    if isinstance(expected, list) and isinstance(value, str | dict | Untransferable):
        return Relation("wrong_type", "")
    if isinstance(expected, str) and isinstance(value, str):
        given, right = [value], [expected]
    elif isinstance(expected, list | tuple) and isinstance(value, list | tuple):
        given, right = list(value), list(expected)
    else:
        return None
    if not all(isinstance(item, str | int | float) for item in (*given, *right)):
        return None
    if Counter(given) == Counter(right):
        hint = say("{output} has the right entries in the wrong order.", output=in_code(output))
        return Relation("other_order", hint)
    texts = [[str(item) for item in items] for items in (given, right)]
    for name, said, change in (
        (
            "other_case",
            say("{output} is right, except for upper and lower case.", output=in_code(output)),
            str.casefold,
        ),
        (
            "other_spaces",
            say("{output} is right, except for spaces.", output=in_code(output)),
            lambda text: "".join(text.split()),
        ),
    ):
        one, other = ([change(text) for text in items] for items in texts)
        if one == other:
            return Relation(name, said, complete=True)
    missing, extra = Counter(right) - Counter(given), Counter(given) - Counter(right)
    if missing and not extra:
        hint = say(
            "{output} lacks {entries}.",
            output=in_code(output),
            entries=_listed(missing),
        )
        return Relation("entries_missing", hint)
    if extra and right and not missing:  # of nothing, there is no rest
        hint = say(
            "{output} also contains {entries}.",
            output=in_code(output),
            entries=_listed(extra),
        )
        return Relation("entries_too_many", hint)
    return None


def _listed(items: Counter[str]) -> str:
    first = [repr(item)[:30] for item in itertools.islice(items, 3)]
    listed, more = ", ".join(first), sum(items.values()) - len(first)
    return say("{entries} and {count} more", entries=listed, count=more) if more > 0 else listed
