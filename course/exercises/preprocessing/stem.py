"""What ``preprocessing.stem`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.exercises.invented import written
from course.exercises.preprocessing.common import (
    draw,
    draw_unlike,
    listed,
    own_items,
    remembers_nothing,
    shuffled,
)
from selfcheck.aspects import equals
from selfcheck.exercise import Aspect, Case, Exercise
from selfcheck.sampling import random_state

# In each list there are some on which other stemmers, or cutting off letters, come out differently.
_PLURALS = ("§y§o§v§ps", "§y§o§v§pons", "§y§o§vdges", "§y§o§vsses", "§y§o§vtches")

_PLURALS_IN_IES = ("§y§o§v§pies", "§y§o§vnnies")

_SHORT = "was"

_VERBS = ("§y§o§v§ped", "§y§o§v§ping")

_VERBS_WITH_PAIRS = ("§y§o§vnned", "§y§o§vmming")

# Its e stays, as the word is short.
_PLURAL_IN_E = "§o§v§ses"

# Those who look words up first get the stems of child, go and so on.
IRREGULAR_PLURALS = listed("children feet geese knives mice oxen wolves")
IRREGULAR_VERBS = listed("broke caught drove gave thought went wrote")

_VERB_IN_LL = "§y§o§vlling"

# With v for the b, one of them may be the stop word having.
_VERBS_IN_E = ("§o§v§sed", "§o§vbing")

_DERIVED = (
    "§y§o§v§pational", "§y§o§v§pousness", "§y§o§v§pfulness", "§y§o§v§pality", "§y§o§v§pivity",
    "§y§o§v§pical",
)  # fmt: skip

_NOUN_IN_ION = "§y§o§v§pation"

_ADVERB = "§y§o§v§ply"

# Words of these endings lose more when they are stemmed again. One of them begins with letters of
# the ending ing.
_PLURAL_TWICE, _VERB_TWICE, _DERIVED_TWICE = "§y§o§vrses", "gil§o§v§peed", "§y§o§vseness"

# Without a vowel in front of it the ending stays.
_NO_ENDING = ("§oing", "§oed")

# The only words on which NLTK's modes of the algorithm differ.
_BY_MODE = ("§y§o§v§poy", "as")

# All but three have stems of their own.
_NOT_OF_LETTERS = ("§n", "don't", "§y§ns", "§y§o§v§ped-§o§v§ped", "§y's", "§y§o§vés", "§y§o§vlks'")

_SEVERAL = (
    ("plurals", 0), ("plurals", 5), ("plurals", 3), ("verbs", 0), ("verbs", 3),
    ("derived words", 0),
)  # fmt: skip


class Stem(Exercise):
    """Porter's stemmer on each token."""

    name = "preprocessing.stem"
    lesson = "01-text-preprocessing"
    section = 4
    axes = {"stems": (), "remembered": ()}
    aspects = (
        Aspect("plurals are stemmed", 30, ("plurals",), equals("stems")),
        Aspect("verb forms are stemmed", 30, ("verbs",), equals("stems")),
        Aspect("derived words are stemmed", 30, ("derived words",), equals("stems")),
        Aspect(
            "every token has its stem, in order",
            10,
            ("repeated", "no tokens"),
            remembers_nothing(equals("stems")),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Tokens."""
        random = random_state(seed)
        kinds = {
            "plurals": [
                *draw(random, _PLURALS, 3),
                _PLURAL_TWICE,
                *_PLURALS_IN_IES,
                _SHORT,
                _PLURAL_IN_E,
                *draw(random, IRREGULAR_PLURALS, 1),
            ],
            "verbs": [
                *draw(random, _VERBS, 1),
                *draw(random, _VERBS_WITH_PAIRS, 1),
                _VERB_IN_LL,
                _VERB_TWICE,
                *_NO_ENDING,
                *_VERBS_IN_E,
                *draw(random, IRREGULAR_VERBS, 1),
            ],
            "derived words": [
                *draw(random, _DERIVED, 2),
                _NOUN_IN_ION,
                _DERIVED_TWICE,
                *_BY_MODE,
                _ADVERB,
                _ADVERB,
            ],
        }
        some = [kinds[name][place] for name, place in _SEVERAL]
        again, *others = [written(random, kind) for kind in shuffled(random, some)]
        tokens = {
            name: draw_unlike(
                lambda kinds=patterns: [written(random, x) for x in shuffled(random, kinds)]
            )
            for name, patterns in kinds.items()
        }
        mixed = [written(random, kind) for kind in shuffled(random, _NOT_OF_LETTERS)]
        tokens["repeated"] = [again, others[0], again, *others[1:3], *mixed, *others[3:], others[0]]
        tokens["no tokens"] = []
        return tuple(Case(name, {"tokens": words}) for name, words in tokens.items())

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a list of tokens."""
        stems, remembered = own_items(
            lambda: obj(list(case.inputs["tokens"])), small=lambda: obj(["k"])
        )
        return {"stems": stems, "remembered": remembered}


EXERCISE = Stem()
