"""The key of ``preprocessing.lemmatize``."""

from __future__ import annotations

import re  # noqa: F401 - a mistake uses it

from autograder.judging.keys import PART, SLIP, Key
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
    cost=PART,
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
    cost=SLIP,
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
    cost=SLIP,
)
KEY.mistake(
    "then_as_verbs",
    "You looked up each word twice, the second time as a verb: use only the part of speech you're "
    "given.",
    "lemmatizer.lemmatize(token, pos)",
    'lemmatizer.lemmatize(lemmatizer.lemmatize(token, pos), "v")',
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "all_as_adjectives",
    "You looked up every word as an adjective: use the part of speech you're given.",
    "(token, pos)",
    '(token, "a")',
    alone=True,
)
KEY.mistake(
    "lemmas_in_one_text",
    "You returned a single text: the task asks for a list with one lemma per token.",
    '{"lemmas": lemmas}',
    '{"lemmas": " ".join(lemmas)}',
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "only_the_last",
    "Only the last token's lemma came back: where do you create the list?",
    '{"lemmas": lemmas}',
    '{"lemmas": lemmas[-1:]}',
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "only_the_first",
    "Only the first token's lemma came back: the part of speech is one letter, and it's that of "
    "all tokens.",
    "for token in tokens]",
    "for token in tokens[:1]]",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "as_nouns_first",
    "You looked up each word twice, the first time as a noun: use only the part of speech you're "
    "given.",
    "lemmatizer.lemmatize(token, pos)",
    "lemmatizer.lemmatize(lemmatizer.lemmatize(token), pos)",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "adverbs_as_nouns",
    "You looked up adverbs as nouns: the part of speech may also be r.",
    "(token, pos)",
    '(token, pos.replace("r", "n"))',
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "adjectives_as_nouns",
    "You looked up adjectives as nouns: here, their part of speech is a, not j.",
    "(token, pos)",
    '(token, pos.replace("a", "n"))',
    alone=True,
    cost=SLIP,
)
