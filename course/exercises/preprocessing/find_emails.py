"""What ``preprocessing.find_emails`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.exercises.invented import written
from selfcheck.aspects import equals
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise

# --- text to tokens ------------------------------------------------------------------------------


class FindEmails(Exercise):
    """All addresses of a text, by a regular expression."""

    name = "preprocessing.find_emails"
    lesson = "01-text-preprocessing"
    section = 1
    axes = {"addresses": ()}
    aspects = (
        Aspect("an address in running text is found", 20, ("running text",), equals("addresses")),
        Aspect(
            "the punctuation around an address isn't part of it",
            20,
            ("punctuation",),
            equals("addresses"),
        ),
        Aspect(
            "the part before the @ is complete",
            15,
            ("local part", "any sign first"),
            equals("addresses"),
        ),
        Aspect(
            "the part after the @ is complete", 15, ("domain", "many labels"), equals("addresses")
        ),
        Aspect("capital letters are included", 10, ("capital letters",), equals("addresses")),
        Aspect(
            "every address counts, in the order of the text", 10, ("repeated",), equals("addresses")
        ),
        Aspect(
            "text that breaks a rule isn't an address",
            10,
            ("only an @", "no address", "broken rules"),
            equals("addresses"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """One text each."""
        random = random_state(seed)
        patterns = {
            "running text": "Please bring the §w to §w@§w.§t before the §w opens",
            "punctuation": (
                "Ask §w@§w.§t, then §w@§w.§t; or both (§w@§w.§t). Did you write to §w@§w.§t? "
                "Copies: §w@§w.§t,§w@§w.§t. The §w is with §w@§w.§t."
            ),
            "local part": ("from §w.§w+§w@§w.§t and §w_§n@§w.§t and §w-§w%§n@§w.§t here"),
            "domain": "from §w@mail.§w.§t and §w@§w-§w.§t and §w@§w§n.co.uk here",
            "capital letters": "from §C@§C.§t and §U@§U.§T here",
            "repeated": "from §w1@§w2.§t1 to §w@§w.§t and back to §w1@§w2.§t1 again",
            "only an @": (
                "Meet me @ the §w, thank @§w and §w@ for it, or log in as §w@§w or §w@§w.7 instead"
            ),
            "any sign first": "from +§w@§w.§t and -.§w@§w.§t and andré§w@§w.§t here",
            "many labels": "from §w@a.b.§w.§t and §w@§w.museum and §w@§w.§t|§w here",
            "broken rules": ("Neither §w@§w..§t nor §w@§w_§w.§t nor §w@§w.x can be written to"),
            "no address": "The §w and the §w are in the §w.",
        }
        texts = {name: written(random, pattern) for name, pattern in patterns.items()}
        return tuple(Case(name, {"text": text}) for name, text in texts.items())

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a text."""
        return {"addresses": obj(case.inputs["text"])}


EXERCISE = FindEmails()
