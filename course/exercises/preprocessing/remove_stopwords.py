"""What ``preprocessing.remove_stopwords`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.exercises.preprocessing.common import WORDS, draw, shuffled
from selfcheck.aspects import equals
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise


class RemoveStopwords(Exercise):
    """Tokens without stop words; neither input is changed."""

    name = "preprocessing.remove_stopwords"
    lesson = "01-text-preprocessing"
    section = 3
    axes = {"kept": (), "tokens": (), "stopwords": ()}
    aspects = (
        Aspect(
            "single stop words are removed, and nothing else",
            20,
            ("plain", "other words"),
            equals("kept"),
        ),
        Aspect("consecutive stop words are removed", 20, ("neighbours",), equals("kept")),
        Aspect("only whole tokens are stop words", 20, ("parts of words",), equals("kept")),
        Aspect("repeated tokens are treated alike", 20, ("repeated",), equals("kept")),
        Aspect("the result may be empty", 10, ("nothing left",), equals("kept")),
        Aspect("the inputs are not changed", 10, ("plain",), equals("tokens", "stopwords")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Tokens and a set of stop words."""
        random = random_state(seed)
        # Three of them are in words of the case "parts of words", and two hold words of it.
        stop = ["the", "for", "and", "that", "with"]
        others = draw(random, ("from", "this", "was", "has", "into"), 2)
        rare, first, second = sorted(draw(random, WORDS, 3), reverse=True)
        s = shuffled(random, [*stop, *others])
        inside = ["theme", "forest", "sand", "hat", "wit"]
        mixed = [*inside, first, second]
        # The stop word gets the second place, whatever stands around it.
        order = [int(place) for place in random.permutation(len(mixed))]
        order.insert(1, len(mixed))
        tokens = {
            "plain": [rare, s[0], first, s[1], second, s[2]],
            "neighbours": [rare, s[0], s[1], first, s[2], s[3], s[4], second],
            "parts of words": [[*mixed, s[0]][place] for place in order],
            "repeated": [s[0], rare, s[1], first, s[0], rare, s[1], second, s[0], first],
            "nothing left": s[:4],
            # One that no list of stop words has, and one that every list has.
            "other words": [rare, "committee", first, "not", s[0], second],
        }
        return tuple(
            Case(name, {"tokens": words, "stopwords": {*stop, *others, "committee"}})
            for name, words in tokens.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on copies, and look at these afterwards."""
        tokens, stopwords = list(case.inputs["tokens"]), set(case.inputs["stopwords"])
        kept = obj(tokens, stopwords)
        # A function that returns its own input shows what is in it.
        return {"kept": kept, "tokens": list(tokens), "stopwords": sorted(stopwords)}


EXERCISE = RemoveStopwords()
