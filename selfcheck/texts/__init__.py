"""What students read in a check or a verdict, in their language.

English is in the code. ``<language>.po`` says it in another language, in the format of gettext's
tools: here what the engine says, in a course's own ``texts`` what the course says. ``make release``
brings them up to date.
"""

from __future__ import annotations

import ast
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

VARIABLE = "COURSE_LANGUAGE"
"""Names the language in the environment, such as ``de``."""

ENGLISH = "en"

_folders = [Path(__file__).parent]


class UnknownLanguage(ValueError):
    """The texts are not there in the language that was asked for."""


def add(folder: Path) -> None:
    """Look for sentences in a course's catalogues, too."""
    if folder not in _folders:
        _folders.append(folder)
        languages.cache_clear()
        _translations.cache_clear()


@cache
def languages() -> tuple[str, ...]:
    """The languages in which the texts are there.

    Example:
        >>> languages()
        ('de', 'en')
    """
    found = [path.stem for folder in _folders for path in folder.glob("*.po")]
    return tuple(sorted({ENGLISH, *found}))


def language() -> str:
    """The language in use: that of the environment, else English.

    Raises:
        UnknownLanguage: when the texts are not there in it.
    """
    named = os.environ.get(VARIABLE) or ENGLISH
    if named not in languages():
        there = ", ".join(languages())
        raise UnknownLanguage(f"{VARIABLE} is {named!r}; the texts are there in: {there}")
    return named


def say(sentence: str, /, **values: Any) -> str:
    """A sentence in the language in use.

    Args:
        sentence: in English, as it is in the code; one without a translation stays English.
        values: for the names in braces. They are put in as they are, whatever they hold.

    Example:
        >>> say("{output} couldn't be compared", output="`weights`")
        "`weights` couldn't be compared"
    """
    text = _translations(language()).get(sentence, sentence)
    return text.format(**values) if values else text


@cache
def _translations(named: str) -> dict[str, str]:
    """The sentences of a language by the English ones."""
    known: dict[str, str] = {}
    for path in (folder / f"{named}.po" for folder in _folders):
        if path.is_file():
            known |= _read(path.read_text("utf8"))
    return known


_ENTRY = re.compile(r'^msgid ((?:".*"\n)+)msgstr ((?:".*"\n?)+)', re.MULTILINE)
_FUZZY = re.compile(r"^#,.*\bfuzzy\b", re.MULTILINE)


def _read(catalogue: str) -> dict[str, str]:
    """What a catalogue says, but for what is missing there or marked as fuzzy."""
    known = {}
    for entry in catalogue.split("\n\n"):
        if (found := _ENTRY.search(entry)) and not _FUZZY.search(entry):
            english, other = (
                "".join(map(ast.literal_eval, lines.splitlines())) for lines in found.groups()
            )
            if english and other:
                known[english] = other
    return known
