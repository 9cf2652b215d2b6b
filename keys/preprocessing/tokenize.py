"""The key of ``preprocessing.tokenize``."""

from __future__ import annotations

import re  # noqa: F401 - a mistake uses it
import string

from autograder.judging.keys import Key
from course.exercises.preprocessing.tokenize import EXERCISE


def tokenize(text: str) -> dict[str, list[str]]:
    """Lower-case words without punctuation; ``<br />`` separates as white space does.

    Returns:
        tokens.

    Example:
        >>> tokenize("I don't!<br />You do.")["tokens"]
        ['i', 'dont', 'you', 'do']
    """
    words = text.lower().replace("<br />", " ")
    bare = words.translate(str.maketrans("", "", string.punctuation))
    return {"tokens": bare.split()}


KEY = Key(EXERCISE, tokenize)

_BARE = 'words.translate(str.maketrans("", "", string.punctuation))'

KEY.mistake(
    "capitals_kept",
    "The text was not put into lower case.",
    ".lower()",
    "",
)
KEY.mistake(
    "punctuation_to_spaces",
    "Punctuation became white space: it is to vanish, so that a contraction stays one word.",
    'str.maketrans("", "", string.punctuation)',
    'str.maketrans(dict.fromkeys(string.punctuation, " "))',
)
KEY.mistake(
    "line_breaks_deleted",
    "The line breaks vanished without leaving white space: the words around them grew together.",
    '"<br />", " "',
    '"<br />", ""',
)
KEY.mistake(
    "line_breaks_left",
    "A token holds what is left of a line break: is it replaced before the punctuation goes, and "
    "is the text without it kept?",
    '.replace("<br />", " ")',
    "",
)
KEY.mistake(
    "split_at_single_spaces",
    "The text was split at single spaces: two spaces in a row leave an empty token, tabs and line "
    "ends are overlooked.",
    "bare.split()",
    'bare.split(" ")',
)
KEY.mistake(
    "runs_of_word_characters",
    "Runs of word characters were taken: an apostrophe or hyphen then separates, and an underscore "
    "stays.",
    _BARE,
    r'" ".join(re.findall(r"\w+", words))',
    alone=True,
)
KEY.mistake(
    "punctuation_stripped_at_the_ends",
    "Punctuation was removed at both ends of each word only: look inside the words as well.",
    _BARE,
    '" ".join(word.strip(string.punctuation) for word in words.split())',
    alone=True,
)
KEY.mistake(
    "digits_lost",
    "More than punctuation was removed: digits belong to the tokens.",
    _BARE,
    r're.sub(r"[^a-z\s]", "", words)',
)
KEY.mistake(
    "ascii_only",
    "Letters with accents vanished, and so did other signs: only what is on the list of "
    "punctuation is to go.",
    _BARE,
    r're.sub(r"[^a-z0-9\s]", "", words)',
)
KEY.mistake(
    "letters_and_digits_only",
    "Signs vanished that the list of punctuation does not have: dashes and quotation marks of "
    "print stay.",
    _BARE,
    '" ".join("".join(filter(str.isalnum, word)) for word in words.split())',
    alone=True,
)
KEY.mistake(
    "every_tag_cut_out",
    "Other markup than the line break was cut out: the task names it alone.",
    'text.lower().replace("<br />", " ")',
    're.sub(r"<[^>]+>", " ", text.lower())',
)
KEY.mistake(
    "one_text",
    "One text came back: a list of its words is asked for.",
    "bare.split()",
    '" ".join(bare.split())',
)
