"""What exceptions mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from selfcheck.diagnosis.relation import Relation
from selfcheck.exercise import Failure
from selfcheck.texts import say


@dataclass(frozen=True)
class Cause:
    """What an exception probably means.

    Args:
        kinds: a regular expression for the names of exception classes.
        pattern: one that is found in the message.
        sentence: what a student reads, in English; "" where the message says it all.
        relation: the name of such facts.
    """

    kinds: str
    pattern: str
    sentence: str
    relation: str = "exception"


BAD_PATTERN = (
    "The regular expression cannot be read: signs with a meaning of their own are escaped."
)
SHAPES_DIFFER = (
    "Two arrays that meet in this operation do not fit: write the shape of each beside it; an "
    "axis has to be moved, or one of size 1 to be added."
)
OTHER_COUNT = "A reshape keeps the number of entries: multiply the sizes of the new shape."
NO_SUCH_AXIS = "An axis is named that the array does not have: count its axes, from 0."
WINDOW_TOO_LONG = (
    "A window is longer than what it slides over: how long is the shortest input, and what do "
    "the steps before leave of it?"
)
ARRAY_AS_ITEM = (
    "A tensor is treated like one text or one number: there are functions that take all of it "
    "at once."
)

CAUSES = (
    Cause(
        "WrongReturn",
        r"",
        "Compare what the last line returns with what the task asks for.",
        "wrong_return",
    ),
    Cause(
        "TypeError",
        r"missing \d+ required positional argument|takes .* positional arguments? but|"
        r"got (an unexpected keyword|multiple values)",
        "It is called with other arguments than it takes: compare its first line with the task's.",
    ),
    Cause(
        "error|PatternError|re.error",
        r"[Ii]nvalid pattern|repetition|unterminated|unbalanced|bad escape|nothing to repeat",
        BAD_PATTERN,
    ),
    Cause(
        "ValueError",
        r"truth value of an array",
        "An array was asked whether it is true: ask whether it is there, with `is not None`.",
    ),
    Cause(
        "ValueError",
        r"is not in list|unknown categor|unseen labels",
        "Something is looked up that the list does not have: what is to come out for a word that "
        "nobody knows?",
    ),
    Cause(
        "ValueError",
        r"could not be broadcast|mismatch in its core|must be equal",
        SHAPES_DIFFER,
    ),
    Cause(
        "ValueError",
        r"[Rr]eshape|into shape",
        OTHER_COUNT,
    ),
    Cause(
        "ValueError|AxisError",
        r"axis .* out of bounds|[Aa]xes",
        NO_SUCH_AXIS,
    ),
    Cause(
        "ValueError",
        r"[Nn]egative dimension",
        WINDOW_TOO_LONG,
    ),
    Cause(
        "AttributeError|TypeError",
        r"'NoneType' object|None",
        "Something is None here: does the function or method before it return its result?",
    ),
    Cause(
        "AttributeError",
        r"'(list|tuple)' object has no attribute",
        "A list is treated like one of its items, or like another object: take the items one at a "
        "time, and compare the type with the task's.",
    ),
    Cause(
        "AttributeError",
        r"'numpy.ndarray' object has no attribute",
        ARRAY_AS_ITEM,
    ),
    Cause(
        "AttributeError",
        r"has no attribute",
        "A name after a dot does not exist there: compare it with the task's, and what stands "
        "before the dot with what was stored under that name.",
    ),
    Cause(
        "NameError|UnboundLocalError",
        r"",
        "A name is used before it has a value: look for a typo, a missing import, or a line that "
        "should come before.",
    ),
    Cause(
        "IndexError",
        r"",
        "An index lies beyond the end: which values may it take, counted from 0?",
    ),
    Cause(
        "KeyError",
        r"",
        "A dictionary is asked for a key that it does not have.",
    ),
    Cause(
        "ZeroDivisionError",
        r"",
        "Something is divided by 0: which input leaves nothing to count?",
    ),
    Cause(
        "RecursionError",
        r"",
        "The function calls itself again and again: what ends it?",
    ),
    Cause(
        "SystemExit",
        r"",
        "The code ends the program: leave exit() and quit() out.",
    ),
)
"""Of exceptions that any course can meet: Python's, NumPy's and the exercises' own."""


def of_failure(failure: Failure, causes: Sequence[Cause] = ()) -> Relation | None:
    """The likely cause of an exception.

    Args:
        failure: the exception.
        causes: a course's own, which are tried first.
    """
    for cause in (*causes, *CAUSES):
        if re.fullmatch(cause.kinds, failure.kind) and re.search(cause.pattern, failure.message):
            return Relation(cause.relation, say(cause.sentence))
    return None
