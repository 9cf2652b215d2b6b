"""The key of ``preprocessing.remove_stopwords``."""

from __future__ import annotations

from autograder.judging.keys import Key
from course import language  # noqa: F401 - a mistake uses it
from course.exercises.preprocessing.remove_stopwords import EXERCISE


def remove_stopwords(tokens: list[str], stopwords: set[str]) -> dict[str, list[str]]:
    """The tokens that are no stop words.

    Returns:
        kept; tokens and stopwords (sorted), as they are afterwards.

    Example:
        >>> remove_stopwords(["the", "cat", "the"], {"the"})["kept"]
        ['cat']
    """
    kept = [token for token in tokens if token not in stopwords]
    return {"kept": kept, "tokens": list(tokens), "stopwords": sorted(stopwords)}


KEY = Key(EXERCISE, remove_stopwords)

_KEPT = "kept = [token for token in tokens if token not in stopwords]"

KEY.mistake(
    "removed_while_iterating",
    "You changed the list while looping over it: after each removal the loop skips one token.",
    _KEPT,
    "kept = tokens = list(tokens)\n"
    "    for token in kept:\n"
    "        if token in stopwords:\n"
    "            kept.remove(token)",
    alone=True,
)
KEY.mistake(
    "tokens_changed",
    "You changed the caller's tokens: build a new list.",
    "list(tokens)",
    "list(kept)",
)
KEY.mistake(
    "sorted_set_difference",
    "Sets have no order and no duplicates: the tokens lost both.",
    "[token for token in tokens if token not in stopwords]",
    "sorted(set(tokens) - stopwords)",
)
KEY.mistake(
    "repetitions_lost",
    "You kept duplicate tokens only once: all of them stay.",
    "for token in tokens",
    "for token in dict.fromkeys(tokens)",
)
KEY.mistake(
    "stopwords_kept",
    "You kept the stop words and removed the other tokens.",
    "not in",
    "in",
)
KEY.mistake(
    "cut_out_of_the_text",
    "You cut stop words out of longer words: compare whole tokens, not pieces of text.",
    _KEPT,
    'text = " ".join(tokens)\n'
    "    for word in sorted(stopwords):\n"
    '        text = text.replace(word, "")\n'
    "    kept = text.split()",
)
KEY.mistake(
    "words_containing_one_removed",
    "You removed words that merely contain a stop word: compare whole tokens.",
    "token not in stopwords",
    "not any(word in token for word in stopwords)",
)
KEY.mistake(
    "looked_up_in_one_text",
    "You removed words that are part of a stop word: did the set become a single text?",
    "not in stopwords",
    'not in " ".join(sorted(stopwords))',
)
KEY.mistake(
    "another_list",
    "The words you removed aren't the ones passed in: which list does the function look at?",
    "not in stopwords",
    "not in language.stopwords()",
)
KEY.mistake(
    "removed_once_each",
    "You removed each stop word only once: it may appear again later.",
    _KEPT,
    "seen: set[str] = set()\n"
    "    kept = [t for t in tokens if t not in stopwords or t in seen or seen.add(t)]",
)
