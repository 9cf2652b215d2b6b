"""The key of ``preprocessing.stem``."""

from __future__ import annotations

import re  # noqa: F401 - a mistake uses it

from autograder.judging.keys import Key
from course.exercises.preprocessing.stem import EXERCISE


def stem(tokens: list[str]) -> dict[str, list[str]]:
    """Each token's stem, by M. F. Porter, "An algorithm for suffix stripping" (1980).

    Returns:
        stems.

    Example:
        >>> stem(["ponies", "walked"])["stems"]
        ['poni', 'walk']
    """
    from nltk.stem import PorterStemmer  # takes a second, which other exercises need not wait for

    stemmer = PorterStemmer()
    stems = [stemmer.stem(token) for token in tokens]
    return {"stems": stems}


KEY = Key(EXERCISE, stem)

KEY.mistake(
    "tokens_not_stemmed",
    "The tokens came back unchanged: nothing was stemmed.",
    "stemmer.stem(token)",
    "token",
    alone=True,
)
KEY.mistake(
    "sentence_stemmed",
    "You stemmed the whole sentence as one word, which changes only its ending: stem each token.",
    "[stemmer.stem(token) for token in tokens]",
    'stemmer.stem(" ".join(tokens)).split()',
)
KEY.mistake(
    "only_the_last",
    "Only the last token's stem came back: where do you create the list?",
    '{"stems": stems}',
    '{"stems": stems[-1:]}',
)
KEY.mistake(
    "lancaster",
    "These are the stems of the Lancaster stemmer, which cuts off more than Porter's.",
    "stemmer = PorterStemmer()",
    "from nltk.stem import LancasterStemmer\n    stemmer = LancasterStemmer()",
)
KEY.mistake(
    "snowball",
    "These are the stems of Snowball, Porter's second stemmer: the task asks for the first one.",
    "stemmer = PorterStemmer()",
    'from nltk.stem import SnowballStemmer\n    stemmer = SnowballStemmer("english")',
)
KEY.mistake(
    "letters_stripped",
    "You stripped letters from both ends of the words: strip takes a set of letters, not an "
    "ending, and just cutting off an ending isn't Porter's algorithm yet.",
    "stemmer.stem(token)",
    'token.strip("ing")',
    alone=True,
)
KEY.mistake(
    "endings_cut",
    "You cut off endings without Porter's rules, which also repair what's left.",
    "stemmer.stem(token)",
    're.sub("(ing|ed|s)$", "", token)',
    alone=True,
)
KEY.mistake(
    "stems_once_each",
    "There are fewer stems than tokens: a repeated token gets its stem again.",
    '{"stems": stems}',
    '{"stems": list(dict.fromkeys(stems))}',
)
KEY.mistake(
    "stems_in_one_text",
    "You returned a single text: the task asks for a list with one stem per token.",
    '{"stems": stems}',
    '{"stems": " ".join(stems)}',
)
