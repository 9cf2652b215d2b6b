"""What ``preprocessing.find_emails`` asks for, and what is judged."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.invented import written
from course.exercises.preprocessing.common import draw, own_items, remembers_nothing
from selfcheck.aspects import equals
from selfcheck.exercise import Aspect, Case, Exercise
from selfcheck.sampling import random_state

# Where a text has several addresses, the letters they begin with are out of alphabetical order.
# §t is drawn from endings of three letters: shorter and longer ones are written out.
# Names and labels of the web end at 64 characters.
_LONG = "§w" * 11
_PATTERNS = {
    "running text": "Please bring the §w\nto §w@§w.§t\nbefore the §w opens",
    "punctuation": (
        "Ask ~t§w@§w.§t, then !e§w@§w.§t; or both (d§w@§w.§t). Did you write to #c§w@§w.§t? "
        "Copies: |b§w@§w.§t,a§w@§w.§t. Or:m§w@§w.§t! <k§w@§w.§t> \"j§w@§w.§t\" 'i§w@§w.§t' "
        "[h§w@§w.§t] /g§w@§w.§t=f§w@§w.§t&u§w@§w.§t*r§w@§w.§t: "
        "The §w is with \\q§w@§w.§t."
    ),
    "local part": (
        "from v§w.§w+§w.@§w.§t and c§w_§n@§w.§t and b§w-§w%§n@§w.§t and §n@§w.§t and x@§w.§t "
        f"and .t§w..§w@§w.§t and r{_LONG}@§w.§t and s§w-@§w.§t here"
    ),
    "domain": (
        "from v§w@mail.§w-§w§n.§t and c§w@§w-§w.§t and b§w@§w§n.co.uk and y§w@§n.§t and "
        "x§w@-§w-.§t here"
    ),
    "capital letters": "from R§w@§C.§t and B§U@§U.§T and A§w@§w.Info here",
    "repeated": "z§w1@§w2.org to m§w@§w.§t and back to z§w1@§w2.org again",
    "only an @": (
        "Meet me @ the §w, thank @§w and §w@§w for it, or log in as §w@§w or §w@§w.7 instead"
    ),
    "any sign first": (
        "from +§w@§w.§t and -.§w@§w.§t and %§w@§w.§t and _§w@§w.§t and "
        "andréd§w@§w.§t and n\N{ARABIC-INDIC DIGIT THREE}b§w@§w.§t and §w@c§w@§w.§t and "
        "§w@§w.§t@§w.§t here"
    ),
    "many labels": (
        "from v§w@a.b.c.d.e.f.g.h.i.j.§w.§t and u§w@§w.museum and g§w@§w.international "
        "and t§w@§w.info and s§w@§w.§t|§w and r§w@§w.§t2 and q§w@§w.§t_§w and p§w@§w.§t-§w "
        f"and o§w@§w.§té and n§w@§w.§t.x and m§w@{_LONG}.§t and l§w@§w.{_LONG} here"
    ),
    "broken rules": (
        "Neither §w@§w..§t nor §w@§w_§w.§t nor §w@§w+§w.§t nor §w@§w%§w.§t "
        "nor §w@§w.x nor §w@.§w.§t nor @§w.§t nor §w@§n.§n.§n nor "
        "§w @§w.§t nor §w@ §w.§t nor §w@§w. §t nor §w@§w,§w.§t nor §w@é§w.§t nor §w.§t nor "
        "§w@§w\N{ARABIC-INDIC DIGIT THREE}.§t can be written to"
    ),
    "nothing else": "§w@§w.§t",
    "no address": "The §w and the §w are in the §w.",
}
_ENDINGS = ("com", "org", "net", "edu")


def _text(random: np.random.RandomState, pattern: str) -> str:
    pattern = re.sub("§t", lambda _: draw(random, _ENDINGS, 1)[0], pattern)
    return written(random, pattern.replace("§T", draw(random, _ENDINGS, 1)[0].upper()))


class FindEmails(Exercise):
    """All addresses of a text, by a regular expression."""

    name = "preprocessing.find_emails"
    lesson = "01-text-preprocessing"
    section = 1
    axes = {"addresses": (), "remembered": ()}
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
            "every address counts, in the order of the text",
            10,
            ("repeated", "nothing else"),
            remembers_nothing(equals("addresses")),
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
        texts = {name: _text(random, pattern) for name, pattern in _PATTERNS.items()}
        return tuple(Case(name, {"text": text}) for name, text in texts.items())

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a text."""
        found, remembered = own_items(
            lambda: obj(case.inputs["text"]), small=lambda: obj("to k@k.org")
        )
        return {"addresses": found, "remembered": remembered}


EXERCISE = FindEmails()
