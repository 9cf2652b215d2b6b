"""What ``preprocessing.remove_stopwords`` asks for, and what is judged."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from course.exercises.preprocessing.common import (
    WORDS,
    draw,
    own_items,
    remembers_nothing,
    shuffled,
)
from selfcheck.aspects import equals
from selfcheck.exercise import Aspect, Case, Exercise
from selfcheck.sampling import random_state

_LONG = ("through", "between", "against", "during", "myself")
_SHORT = ("cat", "sun", "tea", "map", "egg")


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


class RemoveStopwords(Exercise):
    """Tokens without stop words; neither input is changed."""

    name = "preprocessing.remove_stopwords"
    lesson = "01-text-preprocessing"
    section = 3
    axes = {"kept": (), "tokens": (), "stopwords": (), "remembered": ()}
    aspects = (
        Aspect(
            "single stop words are removed, and nothing else",
            20,
            ("plain", "other words", "no stop words"),
            equals("kept"),
        ),
        Aspect("consecutive stop words are removed", 20, ("neighbours",), equals("kept")),
        Aspect("only whole tokens are stop words", 20, ("parts of words",), equals("kept")),
        Aspect("repeated tokens are treated alike", 20, ("repeated",), equals("kept")),
        Aspect(
            "the result may be empty",
            10,
            ("nothing left", "no tokens"),
            remembers_nothing(equals("kept")),
        ),
        Aspect("the inputs are not changed", 10, ("plain",), equals("tokens", "stopwords")),
    )

    input_classes: ClassVar = {
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

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Tokens and a set of stop words."""
        random = random_state(seed)
        # Three of them are in words of the case "parts of words", and two hold words of it.
        stop = ["the", "for", "and", "that", "with"]
        # The length of a word doesn't tell whether it stays.
        others = [*draw(random, ("was", "has"), 1), *draw(random, _LONG, 1)]
        *more, one, two, unused = draw(random, WORDS, 7)
        rare, first, second = sorted([one, two, *draw(random, _SHORT, 1)], reverse=True)
        # With these, so many that a set has them in their order in one of thousands of runs.
        more.sort(reverse=True)
        s = shuffled(random, [*stop, *others])
        inside = ["theme", "forest", "sand", "hat", "wit"]
        mixed = [*inside, first, second]
        # The stop word gets the second place, whatever stands around it.
        order = [int(place) for place in random.permutation(len(mixed))]
        order.insert(1, len(mixed))
        tokens = {
            "plain": [rare, s[0], first, s[1], second, s[2]],
            "neighbours": [rare, s[0], s[1], first, s[2], s[3], s[4], second, *more],
            "parts of words": [[*mixed, s[0]][place] for place in order],
            "repeated": [s[0], rare, s[1], first, s[0], rare, s[1], second, s[0], first],
            "nothing left": ["the", others[0], "and", others[1]],
            # One that no list of stop words has, some that every list has, and some that differ
            # from a stop word in a capital letter or an apostrophe. No stop word is part of
            # another: an answer that cuts them out of words would depend on the order of a set.
            "other words": [
                rare, "committee", first, "not", s[0], "no", "The", "us", "US", "dont", "don't",
                "ox", "x", "7", "can't", "that's", "I", "arm", "mid-day", second,
            ],
            "no stop words": [rare, "the", first, "and", "committee", second],
            "no tokens": [],
        }  # fmt: skip
        every = {*stop, *others, "committee", "no", "US", "don't"}
        special = {
            "other words": every | {"can", "mid", "I", "a.m"},
            "no stop words": set(),
            "no tokens": every | {unused},
        }
        return tuple(
            Case(name, {"tokens": words, "stopwords": special.get(name, every)})
            for name, words in tokens.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on copies, and look at these afterwards."""
        # Equal words are not the same object, as after a split.
        tokens = [word[:1] + word[1:] for word in case.inputs["tokens"]]
        stopwords = set(case.inputs["stopwords"])
        kept, remembered = own_items(
            lambda: obj(tokens, stopwords), small=lambda: obj(["k"], {"j"})
        )
        # A function that returns its own input shows what is in it.
        return {
            "kept": kept,
            "tokens": list(tokens),
            "stopwords": sorted(stopwords),
            "remembered": remembered,
        }


EXERCISE = RemoveStopwords()
