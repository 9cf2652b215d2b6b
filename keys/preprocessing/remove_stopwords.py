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
    "The list was changed while a loop ran over it: after each removal the loop skips one token.",
    _KEPT,
    "kept = tokens = list(tokens)\n"
    "    for token in kept:\n"
    "        if token in stopwords:\n"
    "            kept.remove(token)",
    alone=True,
)
KEY.mistake(
    "tokens_changed",
    "The tokens of the caller were changed: build a new list.",
    "list(tokens)",
    "list(kept)",
)
KEY.mistake(
    "sorted_set_difference",
    "Sets have neither order nor repetition: the tokens lost both.",
    "[token for token in tokens if token not in stopwords]",
    "sorted(set(tokens) - stopwords)",
)
KEY.mistake(
    "repetitions_lost",
    "Tokens that came twice were kept once: all of them stay.",
    "for token in tokens",
    "for token in dict.fromkeys(tokens)",
)
KEY.mistake(
    "stopwords_kept",
    "The stop words were kept and the other tokens removed.",
    "not in",
    "in",
)
KEY.mistake(
    "cut_out_of_the_text",
    "Stop words were cut out of longer words: compare whole tokens, not pieces of text.",
    _KEPT,
    'text = " ".join(tokens)\n'
    "    for word in sorted(stopwords):\n"
    '        text = text.replace(word, "")\n'
    "    kept = text.split()",
)
KEY.mistake(
    "words_containing_one_removed",
    "Words that merely contain a stop word were removed: compare whole tokens.",
    "token not in stopwords",
    "not any(word in token for word in stopwords)",
)
KEY.mistake(
    "looked_up_in_one_text",
    "Words that are a part of some stop word were removed: did the set become one text?",
    "not in stopwords",
    'not in " ".join(sorted(stopwords))',
)
KEY.mistake(
    "another_list",
    "Other words were removed than those handed over: which list does the function look at?",
    "not in stopwords",
    "not in language.stopwords()",
)
KEY.mistake(
    "removed_once_each",
    "Each stop word was removed only once: it may come back later.",
    _KEPT,
    "seen: set[str] = set()\n"
    "    kept = [t for t in tokens if t not in stopwords or t in seen or seen.add(t)]",
)
