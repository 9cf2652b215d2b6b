"""The key of ``preprocessing.lemmatize``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from autograder.judging.keys import PART, SLIP, Key
from course.data import language
from course.exercises.preprocessing.common import (
    NOTHING,
    SOMETHING,
)
from course.exercises.preprocessing.lemmatize import (
    ADJECTIVES,
    ADJECTIVES_IN_Y,
    ADVERBS_IN_LY,
    EXERCISE,
    IRREGULAR_NOUNS,
    NOUN_WITH_THREE_STEPS,
    NOUNS,
    NOUNS_IN_IES,
    NOUNS_LIKE_VERBS,
    NOUNS_WITH_OTHER_STEMS,
    PLAIN_ADVERBS,
    REGULAR_VERBS,
    SHORT_VERBS,
    SINGULARS_IN_S,
    TWO_FORMS,
    VERBS_LIKE_NOUNS,
    VERBS_OF_TWO_LETTERS,
    VERBS_WITH_TWO_STEPS,
)
from keys.input_classes import Contain
from keys.preprocessing.common import KEPT_BETWEEN_CALLS, in_the_tokens
from keys.preprocessing.stem import stem
from selfcheck.exercise import Case


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
    return {"lemmas": lemmas, "remembered": NOTHING}


KEY = Key(EXERCISE, lemmatize)

# As which part of speech words were looked up in an earlier case, by that of this one.
_EARLIER = {("r", "better"): "a", ("r", "mice"): "n"} | {
    ("v", noun): "n" for noun in NOUNS_LIKE_VERBS
}

KEY.mistake(
    "all_as_nouns",
    "Every word was treated as a noun: does the part of speech reach the lemmatizer, as one of the "
    "letters that it knows?",
    "(token, pos)",
    '(token, "n")',
    cost=PART,
    paired=True,
)
KEY.mistake(
    "all_as_verbs",
    "You looked up every word as a verb: use the part of speech you're given.",
    "(token, pos)",
    '(token, "v")',
    cost=PART,
    paired=True,
)
KEY.mistake(
    "stemmed",
    "These are stems: a lemma is a word from the dictionary.",
    "[lemmatizer.lemmatize(token, pos) for token in tokens]",
    'stem(tokens)["stems"]',
    paired=True,
)
KEY.mistake(
    "sentence_lemmatized",
    "The tokens came back unchanged: did you look up a whole sentence as one word?",
    "[lemmatizer.lemmatize(token, pos) for token in tokens]",
    'lemmatizer.lemmatize(" ".join(tokens), pos).split()',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "endings_cut_off",
    "You cut off endings: a lemmatiser looks words up, and knows the irregular ones.",
    "lemmatizer.lemmatize(token, pos)",
    're.sub("(ing|ed|s)$", "", token)',
    paired=True,
)
KEY.mistake(
    "any_part_of_speech",
    "You took the first part of speech that changes a word: use the one you're given.",
    "lemmatizer.lemmatize(token, pos)",
    'next((x for x in (lemmatizer.lemmatize(token, p) for p in "nvar") if x != token), token)',
    paired=True,
)
KEY.mistake(
    "lemmas_once_each",
    "There are fewer lemmas than tokens: a repeated token gets its lemma again.",
    '"lemmas": lemmas',
    '"lemmas": list(dict.fromkeys(lemmas))',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "then_as_verbs",
    "You looked up each word twice, the second time as a verb: use only the part of speech you're "
    "given.",
    "lemmatizer.lemmatize(token, pos)",
    'lemmatizer.lemmatize(lemmatizer.lemmatize(token, pos), "v")',
    cost=SLIP,
)
KEY.mistake(
    "then_as_nouns",
    "You looked up each word twice, the second time as a noun: use only the part of speech you're "
    "given.",
    "lemmatizer.lemmatize(token, pos)",
    "lemmatizer.lemmatize(lemmatizer.lemmatize(token, pos))",
    cost=SLIP,
)
KEY.mistake(
    "all_as_adjectives",
    "You looked up every word as an adjective: use the part of speech you're given.",
    "(token, pos)",
    '(token, "a")',
    cost=PART,
)
KEY.mistake(
    "lemmas_in_one_text",
    "You returned a single text: the task asks for a list with one lemma per token.",
    '"lemmas": lemmas',
    '"lemmas": " ".join(lemmas)',
    cost=SLIP,
)
KEY.mistake(
    "only_the_last",
    "Only the last token's lemma came back: where do you create the list?",
    '"lemmas": lemmas',
    '"lemmas": lemmas[-1:]',
    cost=SLIP,
)
KEY.mistake(
    "only_the_first",
    "Only the first token's lemma came back: the part of speech is one letter, and it's that of "
    "all tokens.",
    "for token in tokens]",
    "for token in tokens[:1]]",
    cost=SLIP,
)
KEY.mistake(
    "as_nouns_first",
    "You looked up each word twice, the first time as a noun: use only the part of speech you're "
    "given.",
    "lemmatizer.lemmatize(token, pos)",
    "lemmatizer.lemmatize(lemmatizer.lemmatize(token), pos)",
    cost=SLIP,
)
KEY.mistake(
    "adverbs_as_nouns",
    "You looked up adverbs as nouns: the part of speech may also be r.",
    "(token, pos)",
    '(token, pos.replace("r", "n"))',
    cost=SLIP,
)
KEY.mistake(
    "adjectives_as_nouns",
    "You looked up adjectives as nouns: here, their part of speech is a, not j.",
    "(token, pos)",
    '(token, pos.replace("a", "n"))',
    cost=SLIP,
)
KEY.mistake(
    "adverbs_as_adjectives",
    "You looked up adverbs as adjectives: the part of speech may also be r.",
    "(token, pos)",
    '(token, pos.replace("r", "a"))',
    cost=SLIP,
)
KEY.mistake(
    "looked_up_twice",
    "You looked up the lemma itself once more: look up each token once, because a lemma may happen "
    "to look like a form of another word.",
    "lemmatizer.lemmatize(token, pos)",
    "lemmatizer.lemmatize(lemmatizer.lemmatize(token, pos), pos)",
    cost=SLIP,
)
KEY.mistake(
    "looked_up_until_nothing_changes",
    "You looked up each lemma again until nothing changed: look up each token once, because a "
    "lemma may happen to look like a form of another word.",
    "lemmas = [",
    "for _ in range(3):\n"
    "        tokens = [lemmatizer.lemmatize(token, pos) for token in tokens]\n"
    "    lemmas = [",
    cost=SLIP,
)
KEY.mistake(
    "other_parts_of_speech_tried",
    "Where the given part of speech changed nothing, you tried the others: a word that stays the "
    "same is its own lemma.",
    "lemmatizer.lemmatize(token, pos)",
    "next((x for p in (pos, *'nvar') if (x := lemmatizer.lemmatize(token, p)) != token), token)",
    cost=SLIP,
)
KEY.mistake(
    "verbs_tried_as_well",
    "Where the given part of speech changed nothing, you looked the word up as a verb: a word that "
    "stays the same is its own lemma.",
    "lemmatizer.lemmatize(token, pos)",
    "next((x for p in (pos, 'v') if (x := lemmatizer.lemmatize(token, p)) != token), token)",
    cost=SLIP,
)
KEY.mistake(
    "nouns_tried_as_well",
    "Where the given part of speech changed nothing, you looked the word up as a noun: a word that "
    "stays the same is its own lemma.",
    "lemmatizer.lemmatize(token, pos)",
    "next((x for p in (pos, 'n') if (x := lemmatizer.lemmatize(token, p)) != token), token)",
    cost=SLIP,
)
KEY.mistake(
    "rest_stemmed",
    "You stemmed the words that the lemmatiser left as they were: a word that is its own lemma, or "
    "that WordNet doesn't know, stays as it is.",
    "lemmatizer.lemmatize(token, pos)",
    'x if (x := lemmatizer.lemmatize(token, pos)) != token else stem([token])["stems"][0]',
    cost=SLIP,
)
KEY.mistake(
    "lemmas_stemmed",
    "You stemmed the lemmas: they're words from the dictionary already, so leave them as they are.",
    '"lemmas": lemmas',
    '"lemmas": stem(lemmas)["stems"]',
    cost=SLIP,
)
KEY.mistake(
    "unchanged_left_out",
    "You left out the words that didn't change: every token has a lemma, which may be the word "
    "itself.",
    "for token in tokens]",
    "for token in tokens if lemmatizer.lemmatize(token, pos) != token]",
    cost=SLIP,
)
KEY.mistake(
    "none_for_unknown_words",
    "You returned None for words that WordNet doesn't know: they stay as they are.",
    "lemmatizer.lemmatize(token, pos)",
    "lemmatizer.morphy(token, pos)",
    cost=SLIP,
)
KEY.mistake(
    "unknown_left_out",
    "You left out the words that WordNet doesn't know: they stay as they are.",
    "for token in tokens]",
    "for token in tokens if lemmatizer.morphy(token, pos)]",
    cost=SLIP,
)
KEY.mistake(
    "remembered_without_part_of_speech",
    "You returned lemmas from earlier calls with another part of speech: what a function remembers "
    "between calls must include the part of speech.",
    "(token, pos)",
    "(token, _EARLIER.get((pos, token), pos))",
    cost=SLIP,
)
KEY.mistake(
    "short_words_left",
    "You left short words as they are: they may have another lemma, too.",
    "lemmatizer.lemmatize(token, pos)",
    "lemmatizer.lemmatize(token, pos) if len(token) > 3 else token",
    cost=SLIP,
)
KEY.mistake(
    "words_of_two_letters_left",
    "You left words of two letters as they are: they may have another lemma, too.",
    "lemmatizer.lemmatize(token, pos)",
    "lemmatizer.lemmatize(token, pos) if len(token) > 2 else token",
    cost=SLIP,
)
KEY.mistake(
    "first_entry_found",
    "You took the first entry that was found, which may be the word itself: take what the "
    "lemmatiser's lemmatize returns.",
    "lemmatizer.lemmatize(token, pos)",
    "lemmatizer.morphy(token, pos) or token",
    cost=SLIP,
)
KEY.mistake(
    "letters_only",
    "There are fewer lemmas than tokens: tokens with non-letters keep their place, too.",
    "for token in tokens]",
    "for token in tokens if token.isalpha()]",
    cost=SLIP,
)
KEY.mistake(
    "tokens_once_each",
    "There are fewer lemmas than tokens: a repeated token gets its lemma again.",
    "for token in tokens",
    "for token in dict.fromkeys(tokens)",
    cost=SLIP,
)
KEY.mistake(
    "pairs_of_token_and_lemma",
    "You returned each token beside its lemma: the task asks for a list of the lemmas alone.",
    "lemmatizer.lemmatize(token, pos)",
    "(token, lemmatizer.lemmatize(token, pos))",
    cost=SLIP,
)
_LOOKED_UP = "lemmatizer.lemmatize(token, pos)"
for _name, _hint, _lemma, _cost in (
    (
        "stems_looked_up",
        "You stemmed the tokens before you looked them up: a dictionary has words, and few stems.",
        'lemmatizer.lemmatize(stem([token])["stems"][0], pos)',
        SLIP,
    ),
    (
        "nouns_and_verbs_only",
        "You left adjectives and adverbs as they are: they have lemmas, too.",
        'lemmatizer.lemmatize(token, pos) if pos in "nv" else token',
        SLIP,
    ),
    (
        "adverbs_left",
        "You left adverbs as they are: they have lemmas, too.",
        'lemmatizer.lemmatize(token, pos) if pos != "r" else token',
        SLIP,
    ),
    (
        "adjectives_and_adverbs_as_nouns",
        "You looked up adjectives and adverbs as nouns: the part of speech may also be a or r.",
        'lemmatizer.lemmatize(token, pos if pos in "nv" else "n")',
        SLIP,
    ),
    (
        "other_first_letters_refused",
        "You kept the token where its lemma begins with a different letter: the lemma of an "
        "irregular word may begin with any.",
        "x if (x := lemmatizer.lemmatize(token, pos))[0] == token[0] else token",
        SLIP,
    ),
    (
        "parts_looked_up",
        "You looked up the parts of a token with a hyphen one by one: look up the token as it is.",
        '"-".join(lemmatizer.lemmatize(part, pos) for part in token.split("-"))',
        SLIP,
    ),
    (
        "accents_lost",
        "You took the accents off: a word that WordNet doesn't know stays as it is.",
        "lemmatizer.lemmatize("
        'unicodedata.normalize("NFKD", token).encode("ascii", "ignore").decode(), pos)',
        SLIP,
    ),
):
    KEY.mistake(_name, _hint, _LOOKED_UP, _lemma, cost=_cost)
KEY.mistake(
    "arguments_exchanged",
    "The word and its part of speech have changed places: the lemmatizer takes the word first.",
    "lemmas = [",
    "raise ValueError\n    lemmas = [",
    failure=r"""KeyError: 'painting'|KeyError: ("|'.{2,}')""",
    cost=SLIP,
)
KEY.mistake(
    "kept_between_calls",
    KEPT_BETWEEN_CALLS,
    '"remembered": NOTHING',
    '"remembered": SOMETHING',
    cost=SLIP,
)


def _given(pos: str, *lists: Sequence[str]) -> Contain:
    """Whether words of each list are looked up as a part of speech."""

    def holds(cases: Sequence[Case]) -> bool:
        tokens = {
            token for case in cases if case.inputs["pos"] == pos for token in case.inputs["tokens"]
        }
        return all(tokens & {*words} for words in lists)

    return holds


INPUT_CLASSES = {
    "each part of speech": lambda cases: {case.inputs["pos"] for case in cases} >= {*"nvar"},
    "plurals in s and in ies": _given("n", NOUNS, NOUNS_IN_IES),
    "irregular plurals": _given("n", IRREGULAR_NOUNS, NOUNS_WITH_OTHER_STEMS),
    "a noun that is also a verb form": _given("n", NOUNS_LIKE_VERBS),
    "a verb form whose lemma has another one as a noun": _given("v", (NOUN_WITH_THREE_STEPS,)),
    "a singular in s": _given("n", SINGULARS_IN_S),
    "a noun and a verb form whose lemmas have another lemma": lambda cases: (
        _given("n", (NOUN_WITH_THREE_STEPS,))(cases) and _given("v", VERBS_WITH_TWO_STEPS)(cases)
    ),
    "verb forms of two and of three letters": _given("v", VERBS_OF_TWO_LETTERS, SHORT_VERBS),
    "regular verb forms, and two irregular ones of the same verb": lambda cases: (
        _given("v", REGULAR_VERBS)(cases)
        and any(_given("v", *([form] for form in both.split()))(cases) for both in TWO_FORMS)
    ),
    "a verb form that is also a plural": _given("v", VERBS_LIKE_NOUNS),
    "adjectives, a regular and an irregular one": _given(
        "a", ADJECTIVES, ADJECTIVES_IN_Y, ("better",)
    ),
    "adverbs, with and without a shorter form": _given(
        "r", PLAIN_ADVERBS, ADVERBS_IN_LY, ("harder",)
    ),
    "a plural as a noun and as an adverb": lambda cases: all(
        _given(pos, ("mice",))(cases) for pos in "nr"
    ),
    "the same word as noun and as verb": lambda cases: any(
        all(_given(pos, (word,))(cases) for pos in "nv") for word in NOUNS_LIKE_VERBS
    ),
    "the same word as adjective and as adverb": lambda cases: all(
        _given(pos, ("better",))(cases) for pos in "ar"
    ),
    "unknown words that look like plurals and verb forms": in_the_tokens(
        r"\w{6,}[ao](lk|lt|nd|lm)s\Z", r"\w{6,}[ao](lk|lt|nd|lm)ed\Z"
    ),
    "a word with an apostrophe, with a hyphen before a known word, with an accent": in_the_tokens(
        r"\w'\w", r"\w-leaves\Z", r"\wé\Z"
    ),
    "a token again": lambda cases: any(
        len(set(case.inputs["tokens"])) < len(case.inputs["tokens"]) for case in cases
    ),
}
