"""The key of ``preprocessing.lemmatize``."""

from __future__ import annotations

import re  # noqa: F401 - a mistake uses it

from autograder.judging.keys import Key
from course import language
from course.exercises.preprocessing.lemmatize import EXERCISE
from keys.preprocessing.stem import stem  # noqa: F401 - a mistake uses it


def lemmatize(tokens: list[str], pos: str) -> dict[str, list[str]]:
    """Each token's lemma in WordNet.

    Args:
        tokens: words.
        pos: the part of speech of all: "n", "v", "a" or "r".

    Returns:
        lemmas.

    Example:
        >>> lemmatize(["mice", "cities"], "n")["lemmas"]
        ['mouse', 'city']
    """
    lemmatizer = language.lemmatizer()
    lemmas = [lemmatizer.lemmatize(token, pos) for token in tokens]
    return {"lemmas": lemmas}


KEY = Key(EXERCISE, lemmatize)

KEY.mistake(
    "all_as_nouns",
    "You didn't pass on the part of speech: without it, every word is treated as a noun.",
    "(token, pos)",
    '(token, "n")',
)
KEY.mistake(
    "all_as_verbs",
    "You looked up every word as a verb: use the part of speech you're given.",
    "(token, pos)",
    '(token, "v")',
)
KEY.mistake(
    "stemmed",
    "These are stems: a lemma is a word from the dictionary.",
    "[lemmatizer.lemmatize(token, pos) for token in tokens]",
    'stem(tokens)["stems"]',
)
KEY.mistake(
    "sentence_lemmatized",
    "The tokens came back unchanged: did you look up a whole sentence as one word?",
    "[lemmatizer.lemmatize(token, pos) for token in tokens]",
    'lemmatizer.lemmatize(" ".join(tokens), pos).split()',
)
KEY.mistake(
    "endings_cut_off",
    "You cut off endings: a lemmatiser looks words up, and knows the irregular ones.",
    "lemmatizer.lemmatize(token, pos)",
    're.sub("(ing|ed|s)$", "", token)',
)
KEY.mistake(
    "any_part_of_speech",
    "You took the first part of speech that changes a word: use the one you're given.",
    "lemmatizer.lemmatize(token, pos)",
    'next((x for x in (lemmatizer.lemmatize(token, p) for p in "nvar") if x != token), token)',
)
KEY.mistake(
    "lemmas_once_each",
    "There are fewer lemmas than tokens: a repeated token gets its lemma again.",
    '{"lemmas": lemmas}',
    '{"lemmas": list(dict.fromkeys(lemmas))}',
)
