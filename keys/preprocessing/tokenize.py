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
    "You didn't convert the text to lower case.",
    ".lower()",
    "",
)
KEY.mistake(
    "punctuation_to_spaces",
    "You replaced punctuation with white space: delete it instead, so that a contraction stays "
    "one word.",
    'str.maketrans("", "", string.punctuation)',
    'str.maketrans(dict.fromkeys(string.punctuation, " "))',
)
KEY.mistake(
    "line_breaks_deleted",
    "You removed the line breaks without leaving white space: the words around them ran together.",
    '"<br />", " "',
    '"<br />", ""',
)
KEY.mistake(
    "line_breaks_left",
    "A token contains the remains of a line break: do you replace it before you remove the "
    "punctuation, and do you keep the resulting text?",
    '.replace("<br />", " ")',
    "",
)
KEY.mistake(
    "split_at_single_spaces",
    "You split the text at single spaces: two spaces in a row leave an empty token, and tabs "
    "and line ends are missed.",
    "bare.split()",
    'bare.split(" ")',
)
KEY.mistake(
    "runs_of_word_characters",
    "You took runs of word characters: that splits at apostrophes and hyphens, and keeps "
    "underscores.",
    _BARE,
    r'" ".join(re.findall(r"\w+", words))',
    alone=True,
)
KEY.mistake(
    "punctuation_stripped_at_the_ends",
    "You removed punctuation only at the ends of each word: look inside the words as well.",
    _BARE,
    '" ".join(word.strip(string.punctuation) for word in words.split())',
    alone=True,
)
KEY.mistake(
    "digits_lost",
    "You removed more than punctuation: digits are part of the tokens.",
    _BARE,
    r're.sub(r"[^a-z\s]", "", words)',
)
KEY.mistake(
    "ascii_only",
    "You removed accented letters and other characters: only what's in the list of punctuation "
    "should go.",
    _BARE,
    r're.sub(r"[^a-z0-9\s]", "", words)',
)
KEY.mistake(
    "letters_and_digits_only",
    "You removed characters that aren't in the list of punctuation: dashes and curly quotation "
    "marks stay.",
    _BARE,
    '" ".join("".join(filter(str.isalnum, word)) for word in words.split())',
    alone=True,
)
KEY.mistake(
    "every_tag_cut_out",
    "You removed other markup besides the line break: the task names only the line break.",
    'text.lower().replace("<br />", " ")',
    're.sub(r"<[^>]+>", " ", text.lower())',
)
KEY.mistake(
    "one_text",
    "You returned a single text: the task asks for a list of its words.",
    "bare.split()",
    '" ".join(bare.split())',
)
