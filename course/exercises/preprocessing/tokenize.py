"""What ``preprocessing.tokenize`` asks for, and what is judged."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any

from course.exercises.preprocessing.common import (
    own_items,
    remembers_nothing,
    shuffled,
    written_unlike,
)
from selfcheck.aspects import equals
from selfcheck.exercise import Aspect, Case, Exercise
from selfcheck.sampling import random_state

_MARKS = tuple(zip(string.punctuation[::-2], string.punctuation[-2::-2], strict=True))
"""All punctuation in twos, backwards: > comes before <."""


class Tokenize(Exercise):
    """Lower-case, without line breaks and punctuation, split at white space."""

    name = "preprocessing.tokenize"
    lesson = "01-text-preprocessing"
    section = 2
    axes = {"tokens": (), "remembered": ()}
    aspects = (
        Aspect("tokens are in lower case", 20, ("capital letters",), equals("tokens")),
        Aspect("a <br /> separates words and is removed", 20, ("line breaks",), equals("tokens")),
        Aspect(
            "apostrophes and hyphens are removed without splitting words",
            20,
            ("apostrophes and hyphens",),
            equals("tokens"),
        ),
        Aspect(
            "all other punctuation is removed too, and nothing else",
            20,
            ("punctuation", "beyond ASCII"),
            equals("tokens"),
        ),
        Aspect("any run of white space separates once", 10, ("white space",), equals("tokens")),
        Aspect(
            "punctuation alone gives no tokens",
            10,
            ("only punctuation",),
            remembers_nothing(equals("tokens")),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """One text each."""
        random = random_state(seed)
        inside = [f"x§y{mark}§y{other}§y" for mark, other in _MARKS]
        patterns = {
            "capital letters": "§C z§w1 a§w2 z§w1 §U §w§C §w",
            "line breaks": (
                "<br />z§w a§w<br />§w <br /> §w <br /><br />§wbr §wbr§w §w<BR />§w §w<br />§w"
                "<br />"
            ),
            "apostrophes and hyphens": "I §c §w's §w-§w a §w -- §w-",
            "punctuation": (
                '§w1, (§w2): "§w3" §w_§w! §d.§d §w1/§w2; #§w3? §n - §w§n '
                f"§w&amp;§w {' '.join(inside)}."
            ),
            # Letters and signs that string.punctuation does not have, and other tags.
            "beyond ASCII": (
                "café §w – “§w” §w’s §w… <b>§w</b> §w<br>§w §w<br/>§w naïve É§w §wß §w"
            ),
            "white space": "  z§w  a§w\t§w\n§w\n\n§w \r\n§w ",
            "only punctuation": "".join(shuffled(random, (" ", "...", "!", "?", " - ", "' "))),
        }
        texts = {name: written_unlike(random, pattern) for name, pattern in patterns.items()}
        return tuple(Case(name, {"text": text}) for name, text in texts.items())

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a text."""
        tokens, remembered = own_items(lambda: obj(case.inputs["text"]), small=lambda: obj("k"))
        return {"tokens": tokens, "remembered": remembered}


EXERCISE = Tokenize()
