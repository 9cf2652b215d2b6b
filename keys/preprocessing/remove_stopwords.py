"""The key of ``preprocessing.remove_stopwords``."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from autograder.judging.keys import PART, SLIP, Key
from course.data import language
from course.exercises.preprocessing.common import (
    NOTHING,
    SOMETHING,
)
from course.exercises.preprocessing.remove_stopwords import EXERCISE
from keys.preprocessing.common import KEPT_BETWEEN_CALLS
from selfcheck.exercise import Case


def remove_stopwords(tokens: list[str], stopwords: set[str]) -> dict[str, list[str]]:
    """The tokens that are no stop words.

    Returns:
        kept; tokens and stopwords (sorted), as they are afterwards.

    Example:
        >>> remove_stopwords(["the", "cat", "the"], {"the"})["kept"]
        ['cat']
    """
    kept = [token for token in tokens if token not in stopwords]
    return {
        "kept": kept,
        "tokens": list(tokens),
        "stopwords": sorted(stopwords),
        "remembered": NOTHING,
    }


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
    cost=SLIP,
)
KEY.mistake(
    "tokens_changed",
    "You changed the caller's tokens: build a new list.",
    "list(tokens)",
    "list(kept)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "sorted_set_difference",
    "Sets have no order and no duplicates: the tokens lost both.",
    "[token for token in tokens if token not in stopwords]",
    "sorted(set(tokens) - stopwords)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "repetitions_lost",
    "You kept duplicate tokens only once: all of them stay.",
    "for token in tokens",
    "for token in dict.fromkeys(tokens)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "stopwords_kept",
    "You kept the stop words and removed the other tokens.",
    "not in",
    "in",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "cut_out_of_the_text",
    "You cut stop words out of longer words: compare whole tokens, not pieces of text.",
    _KEPT,
    'text = " ".join(tokens)\n'
    "    for word in sorted(stopwords):\n"
    '        text = text.replace(word, "")\n'
    "    kept = text.split()",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "words_containing_one_removed",
    "You removed words that merely contain a stop word: compare whole tokens.",
    "token not in stopwords",
    "not any(word in token for word in stopwords)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "looked_up_in_one_text",
    "You removed words that are part of a stop word: did the set become a single text?",
    "not in stopwords",
    'not in " ".join(sorted(stopwords))',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "another_list",
    "The words you removed aren't the ones passed in: which list does the function look at?",
    "not in stopwords",
    "not in language.stopwords()",
    paired=True,
)
KEY.mistake(
    "removed_once_each",
    "You removed each stop word only once: it may appear again later.",
    _KEPT,
    "seen: set[str] = set()\n"
    "    kept = [t for t in tokens if t not in stopwords or t in seen or seen.add(t)]",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "capitals_of_tokens_ignored",
    "You compared the tokens in lower case: remove only tokens that match a stop word exactly.",
    "token not in stopwords",
    "token.lower() not in stopwords",
    cost=SLIP,
)
KEY.mistake(
    "capitals_of_stop_words_ignored",
    "You compared with the stop words in lower case: remove only tokens that match a stop word "
    "exactly.",
    "token not in stopwords",
    "token not in {word.lower() for word in stopwords}",
    cost=SLIP,
)
KEY.mistake(
    "stop_words_tokenized",
    "You cut the stop words to tokens first, which takes their capitals and apostrophes: they're "
    "compared as they are.",
    "token not in stopwords",
    'token not in {re.sub(r"[^\\w-]", "", word.lower()) for word in stopwords}',
    cost=SLIP,
)
KEY.mistake(
    "capitals_ignored",
    "You didn't tell capitals from small letters: remove only tokens that match a stop word "
    "exactly.",
    "token not in stopwords",
    "token.lower() not in {word.lower() for word in stopwords}",
    cost=SLIP,
)
KEY.mistake(
    "negations_kept",
    "You kept a negation that is one of the stop words: here the stop words alone decide.",
    "token not in stopwords",
    'token not in stopwords - {"no", "not", "nor"}',
    cost=SLIP,
)
KEY.mistake(
    "more_words_removed",
    "You also removed words that aren't among the stop words passed in: does the function look "
    "at another list as well?",
    "token not in stopwords",
    "token not in stopwords | language.stopwords()",
    cost=SLIP,
)
KEY.mistake(
    "own_list_for_none",
    "With an empty set of stop words you removed some words all the same: an empty set means "
    "that all tokens stay.",
    "token not in stopwords",
    "token not in (stopwords or language.stopwords())",
    cost=SLIP,
)
KEY.mistake(
    "short_words_removed",
    "You removed short words as well: only stop words go.",
    "token not in stopwords",
    "len(token) > 2 and token not in stopwords",
    cost=SLIP,
)
KEY.mistake(
    "beginnings_compared",
    "You removed words that begin with a stop word: compare whole tokens.",
    "token not in stopwords",
    "not token.startswith(tuple(stopwords))",
    cost=SLIP,
)
for _name, _hint, _matches in (
    ("beginnings", "words that begin with a stop word", "re.match"),
    ("words_containing_one", "words that merely contain a stop word", "re.search"),
):
    KEY.mistake(
        f"{_name}_matched",
        f"You removed {_hint}, and everything where there are no stop words: a pattern of nothing "
        "matches anywhere. Compare whole tokens.",
        "token not in stopwords",
        f'not {_matches}("|".join(map(re.escape, stopwords)), token)',
        cost=SLIP,
    )
KEY.mistake(
    "first_stop_word_only",
    "You removed only the first stop word: the others have to go, too.",
    _KEPT,
    "place = next((i for i, token in enumerate(tokens) if token in stopwords), len(tokens))\n"
    "    kept = [*tokens[:place], *tokens[place + 1 :]]",
    cost=SLIP,
)
KEY.mistake(
    "stopwords_changed",
    "You changed the caller's set of stop words: it's used again for the next text.",
    "sorted(stopwords)",
    "sorted(stopwords - set(tokens))",
    cost=SLIP,
)
KEY.mistake(
    "stop_words_used_up",
    "You took each stop word out of the set when you found it: the next one like it stays, and the "
    "caller's set is changed.",
    _KEPT,
    "kept, left = [], set(stopwords)\n"
    "    for token in tokens:\n"
    "        if token in left:\n"
    "            left.remove(token)\n"
    "        else:\n"
    "            kept.append(token)",
    "sorted(stopwords)",
    "sorted(left)",
    cost=SLIP,
)
KEY.mistake(
    "nothing_removed",
    "All tokens came back: no stop word was removed.",
    "if token not in stopwords",
    "",
    cost=PART,
)
KEY.mistake(
    "removed_from_a_copy_while_iterating",
    "You changed the list while looping over it: after each removal the loop skips one token, also "
    "where the list is a copy.",
    _KEPT,
    "kept = list(tokens)\n"
    "    for token in kept:\n"
    "        if token in stopwords:\n"
    "            kept.remove(token)",
    cost=SLIP,
)
KEY.mistake(
    "deleted_by_place",
    "You deleted from the list while counting through its places: it gets shorter, so the later "
    "places don't exist any more.",
    _KEPT,
    "kept = list(tokens)\n"
    "    for place in range(len(kept)):\n"
    "        if kept[place] in stopwords:\n"
    "            del kept[place]",
    cost=SLIP,
)
KEY.mistake(
    "stopwords_emptied",
    "You emptied the caller's set of stop words: it's used again for the next text, so only look "
    "words up in it.",
    "sorted(stopwords)",
    "sorted(set())",
    cost=SLIP,
)
for _name, _hint, _condition in (
    (
        "letters_only",
        "You also removed tokens that aren't made of letters only: only stop words go.",
        "token.isalpha()",
    ),
    (
        "letters_and_digits_only",
        "You also removed tokens with an apostrophe or a hyphen: only stop words go.",
        "token.isalnum()",
    ),
    ("numbers_removed", "You also removed numbers: only stop words go.", "not token.isdigit()"),
    (
        "single_letters_removed",
        "You also removed tokens of one character: only stop words go.",
        "len(token) > 1",
    ),
    (
        "apostrophes_ignored",
        "You also removed tokens that match a stop word but for an apostrophe: remove only those "
        "that match one exactly.",
        """token.replace("'", "") not in {word.replace("'", "") for word in stopwords}""",
    ),
):
    KEY.mistake(
        _name,
        _hint,
        "token not in stopwords",
        f"{_condition} and token not in stopwords",
        cost=SLIP,
    )
KEY.mistake(
    "kept_in_lower_case",
    "You changed the tokens that stay: they keep their capitals.",
    "[token for token",
    "[token.lower() for token",
    cost=SLIP,
)
KEY.mistake(
    "compared_by_identity",
    "You asked whether a token and a stop word are the same object: two words with the same "
    "letters often aren't. Ask whether they're equal.",
    "token not in stopwords",
    "len(token) > 1 or token not in stopwords",  # a single letter is one object
    cost=SLIP,
)
KEY.mistake(
    "stop_words_as_patterns",
    "You made a pattern of the stop words: some have signs with a meaning there, such as a dot, "
    "which matches any character. Compare whole tokens, letter for letter.",
    "token not in stopwords",
    'not re.fullmatch("|".join(stopwords), token)',
    cost=SLIP,
)
for _name, _word in (("", "word"), ("_escaped", "re.escape(word)")):
    KEY.mistake(
        f"whole_words_cut_out{_name}",
        "You cut stop words out of one text by a pattern with word boundaries: there is one at a "
        "hyphen and at an apostrophe, too. Compare whole tokens.",
        _KEPT,
        f'any_word = "|".join({_word} for word in stopwords)\n'
        r'    kept = re.sub(rf"\b(?:{any_word})\b", "", " ".join(tokens)).split()',
        cost=SLIP,
    )
KEY.mistake(
    "list_of_ones_own",
    "The words you removed aren't the ones passed in: which list does the function look at?",
    "not in stopwords",
    # Lists that one writes have no contractions, and seldom "us".
    """not in {w for w in language.stopwords() - {"us"} if "'" not in w}""",
)
KEY.mistake(
    "remembered_between_calls",
    "You remembered from an earlier call which tokens are stop words: only the stop words of this "
    "call count.",
    "not in stopwords",
    'not in (stopwords or {"the", "and", "committee"})',  # which earlier cases removed
    cost=SLIP,
)
KEY.mistake(
    "kept_between_calls",
    KEPT_BETWEEN_CALLS,
    '"remembered": NOTHING',
    '"remembered": SOMETHING',
    cost=SLIP,
)


def _given(cases: Sequence[Case]) -> Iterator[tuple[list[str], set[str]]]:
    """The tokens and the stop words of each case."""
    return ((case.inputs["tokens"], case.inputs["stopwords"]) for case in cases)


def _kept_and_stop_words(cases: Sequence[Case]) -> Iterator[tuple[str, str]]:
    """Each token that stays, with each stop word of its case."""
    for tokens, stopwords in _given(cases):
        yield from itertools.product((t for t in tokens if t not in stopwords), stopwords)


def _stopped(cases: Sequence[Case]) -> Iterator[set[str]]:
    """The stop words among the tokens of all cases before each."""
    earlier: set[str] = set()
    for tokens, stopwords in _given(cases):
        yield earlier
        earlier = earlier | ({*tokens} & stopwords)


INPUT_CLASSES = {
    "a stop word at the start and at the end": lambda cases: all(
        any(tokens and tokens[place] in stopwords for tokens, stopwords in _given(cases))
        for place in (0, -1)
    ),
    "three stop words in a row": lambda cases: any(
        {*tokens[place : place + 3]} <= stopwords
        for tokens, stopwords in _given(cases)
        for place in range(len(tokens) - 2)
    ),
    "a word with a stop word in it, and a part of one": lambda cases: all(
        any(test(token, word) for token, word in _kept_and_stop_words(cases))
        for test in (lambda token, word: word in token, lambda token, word: token in word)
    ),
    "a stop word and another token again": lambda cases: all(
        any(
            tokens.count(token) > 1 and (token in stopwords) is stops
            for tokens, stopwords in _given(cases)
            for token in tokens
        )
        for stops in (True, False)
    ),
    "a negation that is a stop word, and one that isn't": lambda cases: any(
        {"no", "not"} <= {*tokens} and "no" in stopwords and "not" not in stopwords
        for tokens, stopwords in _given(cases)
    ),
    "a stop word of this call's list only": lambda cases: any(
        "committee" in tokens for tokens, _ in _given(cases)
    ),
    "tokens and stop words that differ in capitals": lambda cases: all(
        any(pair == differing for pair in _kept_and_stop_words(cases))
        for differing in (("The", "the"), ("us", "US"))
    ),
    "a stop word with an ending behind an apostrophe": lambda cases: any(
        pair == ("that's", "that") for pair in _kept_and_stop_words(cases)
    ),
    "a token that differs in an apostrophe": lambda cases: any(
        pair == ("dont", "don't") for pair in _kept_and_stop_words(cases)
    ),
    "a stop word of one letter, and one that is a pattern of a token": lambda cases: any(
        {"I", "a.m"} <= stopwords and {"I", "arm"} <= {*tokens}
        for tokens, stopwords in _given(cases)
    ),
    "a short word that stays": lambda cases: any("ox" in tokens for tokens, _ in _given(cases)),
    "tokens that stay, out of alphabetical order": lambda cases: any(
        kept != sorted(kept)
        for kept in ([t for t in tokens if t not in stop] for tokens, stop in _given(cases))
    ),
    "without stop words, some of earlier calls": lambda cases: any(
        not stopwords and {"the", "and", "committee"} <= earlier & {*tokens}
        for (tokens, stopwords), earlier in zip(_given(cases), _stopped(cases), strict=True)
    ),
    "stop words only": lambda cases: any(
        tokens and {*tokens} <= stopwords for tokens, stopwords in _given(cases)
    ),
    "no tokens": lambda cases: any(not tokens for tokens, _ in _given(cases)),
    "no stop words, and tokens of every list of them": lambda cases: any(
        not stopwords and {"the", "and"} <= {*tokens} for tokens, stopwords in _given(cases)
    ),
}
