"""The key of ``conv1d.standardize``."""

from __future__ import annotations

import string  # noqa: F401 - a mistake uses it
from functools import partial
from typing import Any

import numpy as np

from autograder.judging.keys import Key
from course.exercises.conv1d.standardize import EXERCISE
from keys.conv1d.common import standardized


def standardize(texts: Any) -> dict[str, Any]:
    """Each text of a tensor standardized.

    Args:
        texts: text, or nested lists of texts.

    Returns:
        standardized: the texts in one list, row by row; shape: the tensor's, as text.

    Example:
        >>> standardize([["One!", "two"]])
        {'standardized': ['one', 'two'], 'shape': '(1, 2)'}
    """
    array = np.array(texts, dtype=object)
    return {
        "standardized": [standardized(text) for text in array.ravel()],
        "shape": str(array.shape),
    }


KEY = Key(EXERCISE, standardize)

_standardize = partial(KEY.mistake, alone=True)

_MARKS = 'f"[{re.escape(string.punctuation)}]"'
_MARKS_GONE = 're.sub(f"[{re.escape(string.punctuation)}]", "", text)'

_standardize(
    "capitals_kept",
    "Capital letters are still there: one word would get two ids.",
    ".lower()",
    "",
)
_standardize(
    "line_breaks_left",
    "A line break left its letters behind: which step has to come before the punctuation is "
    "removed?",
    '.replace("<br />", " ")',
    "",
)
_standardize(
    "line_breaks_deleted",
    "The words around a line break ran together: what should replace it?",
    '"<br />", " "',
    '"<br />", ""',
)
_standardize(
    "punctuation_kept",
    "The punctuation is still there: it has to be removed.",
    _MARKS_GONE,
    "text",
)
_standardize(
    "punctuation_to_spaces",
    "You replaced punctuation with spaces, which cuts contractions in two: remove it without a "
    "trace.",
    '"", text',
    '" ", text',
)
_standardize(
    "backslash_left",
    "The backslash is still there: inside square brackets it escapes what follows, unless it's "
    "escaped itself.",
    "re.escape(string.punctuation)",
    "string.punctuation",
)
_standardize(
    "sentence_marks_only",
    "You removed only the marks that end or divide sentences: Python has a list of all "
    "punctuation.",
    _MARKS,
    '"[.,!?]"',
)
_standardize(
    "plain_letters_only",
    "You removed everything but plain letters, digits and spaces, even accents and tabs: say "
    "what has to go, not what may stay.",
    _MARKS,
    '"[^a-z0-9 ]"',
)
_standardize(
    "word_characters_only",
    "Accented letters are gone and the underscore is still there: what counts as a word "
    "character here isn't what you want to keep.",
    _MARKS,
    r'r"(?a)[^\w\s]"',  # as TensorFlow has it: ASCII alone
)
_standardize(
    "ends_stripped",
    "White space at the ends is gone: the task doesn't ask for that, and splitting into words "
    "ignores it anyway.",
    "standardized(text) for",
    "standardized(text).strip() for",
)
_standardize(
    "flattened",
    "The texts came back flattened: keep the shape of the tensor.",
    "array.shape",
    "array.ravel().shape",
)
