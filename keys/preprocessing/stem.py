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
    "The tokens came back as they were: nothing was stemmed.",
    "stemmer.stem(token)",
    "token",
    alone=True,
)
KEY.mistake(
    "sentence_stemmed",
    "The whole sentence was stemmed as one word, which changes its end only: stem each token.",
    "[stemmer.stem(token) for token in tokens]",
    'stemmer.stem(" ".join(tokens)).split()',
)
KEY.mistake(
    "only_the_last",
    "Only the last token's stem is there: where is the list made?",
    '{"stems": stems}',
    '{"stems": stems[-1:]}',
)
KEY.mistake(
    "lancaster",
    "These are the stems of Lancaster's stemmer, which cuts more than Porter's.",
    "stemmer = PorterStemmer()",
    "from nltk.stem import LancasterStemmer\n    stemmer = LancasterStemmer()",
)
KEY.mistake(
    "snowball",
    "These are the stems of Snowball, Porter's second stemmer: the first one is asked for.",
    "stemmer = PorterStemmer()",
    'from nltk.stem import SnowballStemmer\n    stemmer = SnowballStemmer("english")',
)
KEY.mistake(
    "letters_stripped",
    "Letters were stripped from both ends of the words: strip takes a set of letters, not an "
    "ending, and cutting an ending is not yet Porter's algorithm.",
    "stemmer.stem(token)",
    'token.strip("ing")',
    alone=True,
)
KEY.mistake(
    "endings_cut",
    "Endings were cut off without Porter's rules, which also repair what is left.",
    "stemmer.stem(token)",
    're.sub("(ing|ed|s)$", "", token)',
    alone=True,
)
KEY.mistake(
    "stems_once_each",
    "There are fewer stems than tokens: a repeated token has its stem again.",
    '{"stems": stems}',
    '{"stems": list(dict.fromkeys(stems))}',
)
KEY.mistake(
    "stems_in_one_text",
    "One text came back: a list with one stem for each token is asked for.",
    '{"stems": stems}',
    '{"stems": " ".join(stems)}',
)
