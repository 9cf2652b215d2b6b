"""What ``preprocessing.stem`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.exercises.invented import written
from course.exercises.preprocessing.common import draw, draw_unlike, shuffled
from selfcheck.aspects import equals
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise

# NLTK's modes of the algorithm agree on all words of these patterns. In each list there are some
# on which other stemmers, or cutting off letters, come out differently.
_PLURALS = ("§y§o§v§ps", "§y§o§v§pons", "§y§o§vrses", "§y§o§vdges", "§y§o§vsses", "§y§o§vtches")

_PLURALS_IN_IES = ("§y§o§v§pies", "§y§o§vnnies")

_VERBS = ("§y§o§v§ped", "§y§o§v§ping", "§y§o§vnned", "§y§o§vmming", "§y§o§vlling")

_VERBS_IN_E = ("§o§v§sed", "§o§v§sing")

_DERIVED = (
    "§y§o§v§pational", "§y§o§v§pousness", "§y§o§v§pfulness", "§y§o§v§pality", "§y§o§v§pivity",
    "§y§o§v§pical", "§y§o§v§pation",
)  # fmt: skip

_ADVERB = "§y§o§v§ply"

_SEVERAL = (
    ("plurals", 0), ("plurals", -1), ("verbs", 0), ("verbs", -1), ("derived words", 0),
)  # fmt: skip


class Stem(Exercise):
    """Porter's stemmer on each token."""

    name = "preprocessing.stem"
    lesson = "01-text-preprocessing"
    section = 4
    axes = {"stems": ()}
    aspects = (
        Aspect("plurals are stemmed", 30, ("plurals",), equals("stems")),
        Aspect("verb forms are stemmed", 30, ("verbs",), equals("stems")),
        Aspect("derived words are stemmed", 30, ("derived words",), equals("stems")),
        Aspect("there is one stem per token, in order", 10, ("repeated",), equals("stems")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Tokens."""
        random = random_state(seed)
        kinds = {
            "plurals": [*draw(random, _PLURALS, 3), *_PLURALS_IN_IES],
            "verbs": [*draw(random, _VERBS, 3), *_VERBS_IN_E],
            "derived words": [*draw(random, _DERIVED, 3), _ADVERB, _ADVERB],
        }
        some = [kinds[name][place] for name, place in _SEVERAL]
        again, *others = [written(random, kind) for kind in shuffled(random, some)]
        tokens = {
            name: draw_unlike(
                lambda kinds=patterns: [written(random, x) for x in shuffled(random, kinds)]
            )
            for name, patterns in kinds.items()
        }
        tokens["repeated"] = [again, others[0], again, *others[1:], others[0]]
        return tuple(Case(name, {"tokens": words}) for name, words in tokens.items())

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a list of tokens."""
        return {"stems": obj(list(case.inputs["tokens"]))}


EXERCISE = Stem()
