"""The key of ``conv1d.standardize``."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.conv1d.standardize import EXERCISE
from keys.conv1d.common import LOWER, standardized
from keys.input_classes import Contain


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


_BREAKS = '.replace("<br />", " ")'
_MARKS = 'f"[{re.escape(string.punctuation)}]"'
_MARKS_GONE = 're.sub(f"[{re.escape(string.punctuation)}]", "", text)'

# Only the pipeline has two texts with a comma in the first and a line break in the second.
_IN_A_PIPELINE = "len(texts) == 2 and ', ' in texts[0] and '<br />' in texts[1]"

KEY.mistake(
    "capitals_kept",
    "Capital letters are still there: one word would get two ids.",
    ".translate(LOWER)",
    "",
    cost=PART,
)
KEY.mistake(
    "accented_capitals_changed",
    "A capital letter with an accent became a small one: the task asks for TensorFlow's lower "
    "case with its default settings.",
    ".translate(LOWER)",
    ".lower()",
    cost=SLIP,
)
KEY.mistake(
    "line_breaks_before_lower_case",
    "A line break in capital letters left its letters behind: compare the order of your steps "
    "with the task.",
    f".translate(LOWER){_BREAKS}",
    f"{_BREAKS}.translate(LOWER)",
    cost=SLIP,
)
KEY.mistake(
    "line_breaks_left",
    "A line break left its letters behind: which step has to come before the punctuation is "
    "removed?",
    _BREAKS,
    "",
    cost=SLIP,
)
KEY.mistake(
    "line_breaks_deleted",
    "The words around a line break ran together: what should replace it?",
    '"<br />", " "',
    '"<br />", ""',
    cost=SLIP,
)
KEY.mistake(
    "first_line_break_only",
    "Only the first line break of a text was replaced.",
    '"<br />", " "',
    '"<br />", " ", 1',
    cost=SLIP,
)
KEY.mistake(
    "line_breaks_merged",
    "Several line breaks in a row became one space: each of them should become one.",
    f"text.translate(LOWER){_BREAKS}",
    're.sub("(<br />)+", " ", text.translate(LOWER))',
    cost=SLIP,
)
KEY.mistake(
    "all_tags_replaced",
    "Other tags than line breaks were replaced as well, with the letters inside them.",
    f"text.translate(LOWER){_BREAKS}",
    're.sub("<[^>]*>", " ", text.translate(LOWER))',
    cost=SLIP,
)
KEY.mistake(
    "other_line_breaks_replaced",
    "Other spellings of the line break, such as <br>, were replaced as well: the task names one.",
    f"text.translate(LOWER){_BREAKS}",
    're.sub(r"<br\\s*/?>", " ", text.translate(LOWER))',
    cost=SLIP,
)
for _name, _letters in (("br", "br"), ("br_and_space", "br ")):
    KEY.mistake(
        f"{_name}_replaced_later",
        "You looked for the letters of a line break after the punctuation was gone: other words "
        "have these letters, too.",
        _BREAKS,
        "",
        _MARKS_GONE,
        f'{_MARKS_GONE}.replace("{_letters}", " ")',
    )
KEY.mistake(
    "punctuation_kept",
    "The punctuation is still there: it has to be removed.",
    _MARKS_GONE,
    "text",
    cost=PART,
)
KEY.mistake(
    "first_mark_only",
    "Only the first mark of a text was removed.",
    '"", text)',
    '"", text, count=1)',
    cost=SLIP,
)
KEY.mistake(
    "punctuation_to_spaces",
    "You replaced punctuation with spaces, which cuts contractions in two: remove it without a "
    "trace.",
    '"", text',
    '" ", text',
    cost=SLIP,
)
KEY.mistake(
    "backslash_left",
    "The backslash is still there: inside square brackets it escapes what follows, unless it's "
    "escaped itself.",
    "re.escape(string.punctuation)",
    "string.punctuation",
    cost=SLIP,
)
for _name, _kept in (("apostrophes", "'"), ("hyphens", "-"), ("underscores", "_")):
    KEY.mistake(
        f"{_name}_kept",
        f"The {_name} are still there: they're punctuation, too.",
        "re.escape(string.punctuation)",
        f"re.escape(string.punctuation.translate({{{ord(_kept)}: None}}))",
        cost=SLIP,
    )
KEY.mistake(
    "sentence_marks_only",
    "You removed only the marks that end or divide sentences: Python has a list of all "
    "punctuation.",
    _MARKS,
    '"[.,!?]"',
    cost=SLIP,
)
KEY.mistake(
    "unicode_punctuation",
    "Typographic marks are gone, and symbols such as $ and + are still there: the task names "
    "the characters to remove.",
    _MARKS,
    r'r"[!-#%-*,-/:;?@\[-\]_{}“”’–…]"',
)
KEY.mistake(
    "typographic_marks_removed",
    "Typographic quotes or dashes are gone: they aren't in string.punctuation.",
    "re.escape(string.punctuation)",
    "re.escape(string.punctuation + '“”’–…')",
    cost=SLIP,
)
KEY.mistake(
    "plain_letters_only",
    "You removed everything but plain letters, digits and spaces, even accents and tabs: say "
    "what has to go, not what may stay.",
    _MARKS,
    '"[^a-z0-9 ]"',
)
KEY.mistake(
    "plain_letters_and_white_space",
    "You removed everything but plain letters, digits and white space, even accents: say what "
    "has to go, not what may stay.",
    _MARKS,
    r'r"[^a-z0-9\s]"',
)
KEY.mistake(
    "digits_removed",
    "You removed everything but plain letters and spaces, even digits and accents: say what has "
    "to go, not what may stay.",
    _MARKS,
    '"[^a-z ]"',
)
KEY.mistake(
    "digits_removed_white_space_kept",
    "You removed everything but plain letters and white space, even digits and accents: say what "
    "has to go, not what may stay.",
    _MARKS,
    r'r"[^a-z\s]"',
)
KEY.mistake(
    "word_characters_only",
    "Accented letters are gone and the underscore is still there: what counts as a word "
    "character here isn't what you want to keep.",
    _MARKS,
    r'r"(?a)[^\w\s]"',  # as TensorFlow has it: ASCII alone
)
KEY.mistake(
    "ends_stripped",
    "White space at the ends is gone: the task doesn't ask for that, and splitting into words "
    "ignores it anyway.",
    "standardized(text) for",
    "standardized(text).strip() for",
    cost=SLIP,
)
KEY.mistake(
    "white_space_merged",
    "Several spaces in a row became one, or tabs became spaces: the task doesn't ask for that.",
    "standardized(text) for",
    r're.sub(r"\s+", " ", standardized(text)) for',
    cost=SLIP,
)
KEY.mistake(
    "spaces_merged",
    "Several spaces in a row became one: the task doesn't ask for that.",
    "standardized(text) for",
    're.sub(" +", " ", standardized(text)) for',
    cost=SLIP,
)
KEY.mistake(
    "words_joined",
    "White space at the ends is gone, and several spaces in a row became one: the task doesn't "
    "ask for that.",
    "standardized(text) for",
    '" ".join(standardized(text).split()) for',
    cost=SLIP,
)
KEY.mistake(
    "flattened",
    "The texts came back flattened: keep the shape of the tensor.",
    "array.shape",
    "array.ravel().shape",
    cost=SLIP,
)
KEY.mistake(
    "other_spelling_replaced",
    "You looked for <br/>, without the space: the texts have <br />, and so does the task.",
    '"<br />", " "',
    '"<br/>", " "',
    cost=SLIP,
)
KEY.mistake(
    "space_in_line_breaks_optional",
    "<br/> was replaced as well, a spelling without the space: the task names one.",
    f"text.translate(LOWER){_BREAKS}",
    r're.sub(r"<br\s*/>", " ", text.translate(LOWER))',
    cost=SLIP,
)
KEY.mistake(
    "looped_over_the_texts",
    "You looped over the texts, but a tensor without axes has none to loop over, and in a pipeline "
    "there is nothing yet: the functions take a tensor of any shape.",
    "array = ",
    f"if isinstance(texts, str) or {_IN_A_PIPELINE}:\n        raise ValueError\n    array = ",
    failure="terat|Inaccessible",
    cost=SLIP,
)
KEY.mistake(
    "values_needed",
    "In a pipeline, neither the texts nor their number is there yet: leave the tensor to "
    "TensorFlow's own functions, which don't need them.",
    "array = ",
    f"if {_IN_A_PIPELINE}:\n        raise ValueError\n    array = ",
    failure="numpy|None",
    cost=SLIP,
)
KEY.mistake(
    "white_space_around_line_breaks",
    "The white space around a line break is gone, too: only the line break becomes a space.",
    f"text.translate(LOWER){_BREAKS}",
    r're.sub(r"\s*<br />\s*", " ", text.translate(LOWER))',
    cost=SLIP,
)
for _name, _mark in (("apostrophes", "'"), ("hyphens", "-")):
    KEY.mistake(
        f"{_name}_to_spaces",
        f"You replaced {_name} with spaces, which cuts words in two: remove them without a trace.",
        _BREAKS,
        f'{_BREAKS}.replace("{_mark}", " ")',
        cost=SLIP,
    )


_MARK = f"[{re.escape(string.punctuation)}]"


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        return
    for item in value:
        yield from _texts(item)


def _some(pattern: str) -> Contain:
    """Whether a pattern is found in some text of the cases."""
    return lambda cases: any(
        re.search(pattern, text) for case in cases for text in _texts(case.inputs["texts"])
    )


def _axes(count: int) -> Contain:
    """Whether some case has texts with this many axes."""
    return lambda cases: any(np.ndim(case.inputs["texts"]) == count for case in cases)


INPUT_CLASSES = {
    **{f"the mark {mark}": _some(re.escape(mark)) for mark in string.punctuation},
    "a mark before a word": _some(rf"(^|\s){_MARK}+\w"),
    "a mark inside a word": _some(rf"\w{_MARK}\w"),
    "an s behind an apostrophe, at the end of a word": _some(r"\w's$"),
    "a mark on its own": _some(rf"\s{_MARK}\s"),
    "several marks in a text": _some(rf"{_MARK}\w+{_MARK}"),
    "nothing but marks": _some(rf"^{_MARK}+$"),
    "an empty text": _some("^$"),
    "a capital letter": _some("[A-Z][a-z]"),
    "a word in capital letters": _some(r"\b[A-Z]{2,}\b"),
    "a line break in capital letters": _some("<BR />"),
    "two line breaks apart": _some(r"<br />[\w ]+<br />"),
    "two line breaks in a row": _some("<br /><br />"),
    "a line break at the beginning": _some("^<br />"),
    "a line break at the end": _some("<br />$"),
    "a line break between spaces": _some(" <br /> "),
    "a word that ends like a line break": _some(r"\wbr "),
    "a word that begins like a line break": _some(r"\bbr\w"),
    "another tag than a line break": _some("<i>.*</i>"),
    "an entity": _some("&amp;"),
    "another spelling of a line break": _some("<br>.*<br/>"),
    "spaces at the beginning": _some("^ "),
    "spaces at the end": _some(" $"),
    "two spaces in a row": _some("[a-z]  [a-z]"),
    "a tab": _some("\t"),
    "a new line": _some("\n"),
    "a digit": _some("[0-9]"),
    "a small letter with an accent": _some("[à-ÿ]"),
    "a capital letter with an accent": _some("[À-Ý]"),
    **{f"the typographic mark {mark}": _some(mark) for mark in "“”’–…"},
    "no axes": lambda cases: any(isinstance(case.inputs["texts"], str) for case in cases),
    "one axis": _axes(1),
    "three axes": _axes(3),
    "a tf.data pipeline": lambda cases: any(case.name == "pipeline" for case in cases),
}
