"""Explain exceptions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from selfcheck.diagnosis.relation import Relation
from selfcheck.exercise import Failure
from selfcheck.texts import say


@dataclass(frozen=True)
class ExceptionCause:
    """The likely cause of an exception.

    Args:
        kinds: a regular expression for the names of exception classes.
        pattern: a regular expression to find in the message.
        sentence: the hint for students, in English; "" if the message says it all.
        relation: the name of this kind of fact.
    """

    kinds: str
    pattern: str
    sentence: str
    relation: str = "exception"


BAD_PATTERN = (
    "The regular expression is invalid: characters with a special meaning must be escaped."
)
SHAPES_DIFFER = (
    "The shapes of two arrays in this operation don't fit: write both down. Which axis isn't what "
    "you expected, or is missing?"
)
OTHER_COUNT = "A reshape keeps the number of entries: multiply the sizes in the new shape."
NO_SUCH_AXIS = "The array doesn't have that axis: count its axes, starting from 0."
WINDOW_TOO_LONG = (
    "A window is longer than its input: how long is the shortest one, and what is left of it "
    "after the earlier steps?"
)
ARRAY_AS_ITEM = (
    "A tensor is treated like a single text or number: there are functions that work on a "
    "whole tensor."
)

_OF_TEXT = "|".join(name for name in {*dir(str), *dir(bytes)} if not name.startswith("_"))

COMMON_CAUSES = (
    ExceptionCause(
        "WrongReturn",
        r"",
        "Compare what your last line returns with what the task asks for.",
        "wrong_return",
    ),
    ExceptionCause(
        "TypeError",
        r"missing \d+ required positional argument|takes .* positional arguments? but|"
        r"got an unexpected keyword",
        "A function is called with other arguments than its first line names: compare the call "
        "with that line, and that line with the task.",
    ),
    ExceptionCause(
        "error|PatternError|re.error",
        r"[Ii]nvalid pattern|repetition|unterminated|unbalanced|bad escape|nothing to repeat",
        BAD_PATTERN,
    ),
    ExceptionCause(
        "ValueError",
        r"(too many|not enough) values to unpack",
        "A line has more or fewer names on its left than there are values on its right: is that so "
        "for all inputs, or for some of them alone?",
    ),
    ExceptionCause(
        "ValueError",
        r"truth value of an array",
        "An array was used as a condition: to ask whether there is one, write `is not None`.",
    ),
    ExceptionCause(
        "ValueError",
        r"is not in list|unknown categor|unseen labels",
        "Something is looked up that isn't in the list: what should an unknown word give?",
    ),
    ExceptionCause(
        "ValueError",
        r"could not (be )?broadcast|mismatch in its core|must be equal",
        SHAPES_DIFFER,
    ),
    ExceptionCause(
        "ValueError",
        r"[Rr]eshape|into shape",
        OTHER_COUNT,
    ),
    ExceptionCause(
        "ValueError|AxisError",
        r"axis .* out of bounds|[Aa]xes",
        NO_SUCH_AXIS,
    ),
    ExceptionCause(
        "ValueError",
        r"[Nn]egative dimension",
        WINDOW_TOO_LONG,
    ),
    ExceptionCause(
        "AttributeError|TypeError",
        r"NoneType|None values",
        "Something is None here: does the function or method that made it return its result?",
    ),
    ExceptionCause(
        "AttributeError",
        r"'(list|tuple)' object has no attribute",
        "A list is treated like one of its items, or like a different object: take the items "
        "one at a time, and compare the type with the task's.",
    ),
    ExceptionCause(
        "AttributeError",
        rf"'numpy.ndarray' object has no attribute '({_OF_TEXT})'",
        ARRAY_AS_ITEM,
    ),
    ExceptionCause(
        "AttributeError",
        r"has no attribute",
        "There is no such attribute: compare its name with the task's, and check what the "
        "object before the dot really is.",
    ),
    ExceptionCause(
        "NameError|UnboundLocalError",
        r"",
        "A name has no value there: look for a typo, a missing import, a line that should come "
        "earlier, or something that only an example in the notebook sets.",
    ),
    ExceptionCause(
        "IndexError",
        r"range|bounds",
        "An index is out of range: which values can it take, counting from 0?",
    ),
    ExceptionCause(
        "IndexError|TypeError",
        r"must be of integer|only integers|indices must be integers|not valid indices",
        "An index isn't a whole number: which type does it have, also where there is nothing to "
        "look up?",
    ),
    ExceptionCause(
        "IndexError",
        r"[Tt]oo many indices",
        NO_SUCH_AXIS,
    ),
    ExceptionCause(
        "IndexError",
        r"boolean index did not match|shape mismatch",
        SHAPES_DIFFER,
    ),
    ExceptionCause(
        "IndexError",
        r"empty",
        "Something is taken out of a list that is empty: for which input is nothing left?",
    ),
    ExceptionCause(
        "KeyError",
        r"",
        "A dictionary doesn't have the key that is looked up.",
    ),
    ExceptionCause(
        "ZeroDivisionError",
        r"",
        "Something is divided by 0: for which input is there nothing to count?",
    ),
    ExceptionCause(
        "RecursionError",
        r"",
        "The function calls itself forever: what should stop it?",
    ),
    ExceptionCause(
        "Stopped",
        r"",
        "Does every loop come to its end? What changes in each round, and when does that stop it?",
    ),
    ExceptionCause(
        "SystemExit",
        r"",
        "The code ends the program: remove exit() or quit().",
    ),
)
"""Causes of exceptions that may occur in any course: Python's, NumPy's and the exercises' own."""


def of_failure(failure: Failure, causes: Sequence[ExceptionCause] = ()) -> Relation | None:
    """The likely cause of an exception.

    Args:
        failure: the exception.
        causes: the course's own causes, which are tried first.
    """
    for cause in (*causes, *COMMON_CAUSES):
        if re.fullmatch(cause.kinds, failure.kind) and re.search(cause.pattern, failure.message):
            return Relation(cause.relation, say(cause.sentence))
    return None
