"""What ``preprocessing.tokenize`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.exercises.invented import written
from course.exercises.preprocessing.common import shuffled
from selfcheck.aspects import equals
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise


class Tokenize(Exercise):
    """Lower-case, without line breaks and punctuation, split at white space."""

    name = "preprocessing.tokenize"
    lesson = "01-text-preprocessing"
    section = 2
    axes = {"tokens": ()}
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
        Aspect("punctuation alone gives no tokens", 10, ("only punctuation",), equals("tokens")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """One text each."""
        random = random_state(seed)
        patterns = {
            "capital letters": "§C §w §U §w",
            "line breaks": "§w §w<br />§w <br /><br />§w §w<br />",
            "apostrophes and hyphens": "§w §c §w-§w §w",
            "punctuation": '§w1, (§w2): "§w3" §w_§w! §d.§d §w1/§w2; #§w3?',
            # Letters and signs that string.punctuation does not have, and another tag.
            "beyond ASCII": "café §w – “§w” <b>§w</b> naïve §w",
            "white space": "  §w  §w\t§w\n§w\n\n§w ",
            "only punctuation": "".join(shuffled(random, (" ", "...", "!", "?", " - ", "' "))),
        }
        texts = {name: written(random, pattern) for name, pattern in patterns.items()}
        return tuple(Case(name, {"text": text}) for name, text in texts.items())

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a text."""
        return {"tokens": obj(case.inputs["text"])}


EXERCISE = Tokenize()
