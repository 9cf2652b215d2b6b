"""Translations of the texts in checks and verdicts.

The English texts are in the code. ``<language>.po`` has translations in gettext's format: the
engine's here, a course's in its own ``texts``. ``make release`` updates them.
"""

from __future__ import annotations

import ast
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

VARIABLE = "COURSE_LANGUAGE"
"""The environment variable that sets the language, such as ``de``."""

ENGLISH = "en"

_folders = [Path(__file__).parent]


class UnknownLanguage(ValueError):
    """There is no translation into the requested language."""


def add(folder: Path) -> None:
    """Also look for sentences in a course's catalogues."""
    if folder not in _folders:
        _folders.append(folder)
        languages.cache_clear()
        _translations.cache_clear()


@cache
def languages() -> tuple[str, ...]:
    """The available languages.

    Example:
        >>> languages()
        ('de', 'en')
    """
    found = [path.stem for folder in _folders for path in folder.glob("*.po")]
    return tuple(sorted({ENGLISH, *found}))


def language() -> str:
    """The language in use: that of the environment, else English.

    Raises:
        UnknownLanguage: when there is no translation into it.
    """
    named = os.environ.get(VARIABLE) or ENGLISH
    if named not in languages():
        there = ", ".join(languages())
        raise UnknownLanguage(f"{VARIABLE} is {named!r}, but the available languages are: {there}")
    return named


def say(sentence: str, /, **values: Any) -> str:
    """Translate a sentence into the language in use.

    Args:
        sentence: the English sentence in the code; one without a translation stays English.
        values: for the names in braces. They are inserted unchanged, whatever they contain.

    Example:
        >>> say("{output} couldn't be compared", output="`weights`")
        "`weights` couldn't be compared"
    """
    text = _translations(language()).get(sentence, sentence)
    return text.format(**values) if values else text


@cache
def _translations(named: str) -> dict[str, str]:
    """A language's translations by the English sentences."""
    known: dict[str, str] = {}
    for path in (folder / f"{named}.po" for folder in _folders):
        if path.is_file():
            known |= _read(path.read_text("utf8"))
    return known


_ENTRY = re.compile(r'^msgid ((?:".*"\n)+)msgstr ((?:".*"\n?)+)', re.MULTILINE)
_FUZZY = re.compile(r"^#,.*\bfuzzy\b", re.MULTILINE)


def _read(catalogue: str) -> dict[str, str]:
    """A catalogue's translations, except those that are missing or marked as fuzzy."""
    known = {}
    for entry in catalogue.split("\n\n"):
        if (found := _ENTRY.search(entry)) and not _FUZZY.search(entry):
            english, other = (
                "".join(map(ast.literal_eval, lines.splitlines())) for lines in found.groups()
            )
            if english and other:
                known[english] = other
    return known
