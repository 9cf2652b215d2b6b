"""What ``preprocessing.remove_stopwords`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
