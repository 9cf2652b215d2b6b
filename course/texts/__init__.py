"""What students read in a check or a verdict, in their language.

English stands in the code. ``course.pot`` lists all of it in one place; ``<language>/LC_MESSAGES/
course.po`` says it in another language, for gettext. ``make texts`` writes and compiles them.
"""

from __future__ import annotations

import gettext
import os
from functools import cache
from pathlib import Path
from typing import Any

VARIABLE = "COURSE_LANGUAGE"
"""Names the language in the environment, such as ``de``."""

FOLDER = Path(__file__).parent
DOMAIN = "course"
ENGLISH = "en"


class UnknownLanguage(ValueError):
    """The texts are not there in the language that was asked for."""


@cache
def languages() -> tuple[str, ...]:
    """The languages in which the texts are there.

    Example:
        >>> languages()
        ('de', 'en')
    """
    translated = (path.parts[-3] for path in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    return tuple(sorted([ENGLISH, *translated]))


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
        sentence: in English, as it stands in ``course.pot``; one that is not there stays English.
        values: for the names in braces. They are put in as they are, whatever they hold.

    Example:
        >>> say("{output} did not come back", output="weights")
        'weights did not come back'
    """
    text = _translations(language()).gettext(sentence) if sentence else ""
    return text.format(**values) if values else text


@cache
def _translations(named: str) -> gettext.NullTranslations:
    if named == ENGLISH:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, FOLDER, [named])
