"""What exceptions mean."""

from __future__ import annotations

import re

from course.diagnosis.relation import Relation
from course.exercises import Failure
from course.texts import say

_COMPILED = (
    "A Python if, min or loop, or NumPy, needs a tensor's value, which a compiled function does "
    "not have yet: use an operation on tensors, such as a minimum or a where."
)

CAUSES = (
    (
        "TypeError",
        r"missing \d+ required positional argument|takes .* positional arguments? but|"
        r"got (an unexpected keyword|multiple values)",
        "It is called with other arguments than it takes: compare its first line with the task's.",
    ),
    (
        "TypeError|InvalidArgumentError",
        r"not in (the )?list of allowed values",
        "An operation for floating-point numbers was given integers: cast them first.",
    ),
    (
        "InvalidArgumentError",
        r"indices\[.*is not in \[",
        "A table is asked for a row that it does not have: is it too short, or was it asked with "
        "something else than what its rows stand for?",
    ),
    (
        "InvalidArgumentError|error|PatternError|re.error",
        r"[Ii]nvalid pattern|repetition|unterminated|unbalanced|bad escape|nothing to repeat",
        "The regular expression cannot be read: signs with a meaning of their own are escaped.",
    ),
    (
        "ValueError",
        r"incompatible with the layer",
        "A layer is given another shape than it was built for: which of its axes may differ from "
        "call to call?",
    ),
    (
        "InvalidArgumentError|TypeError",
        r"expected to be a \w+ tensor but is a|must have the same (type|dtype)|cannot compute",
        "Tensors of different types meet in one operation: cast one of them to the other's type.",
    ),
    (
        "TypeError|ValueError|InvalidArgumentError",
        r"[Cc]annot convert .* to EagerTensor of dtype bool",
        "A mask of True and False cannot be calculated with: cast it first.",
    ),
    (
        "TypeError|ValueError|InvalidArgumentError",
        r"[Cc]annot convert .* to EagerTensor of dtype",
        "Numbers of different types meet in one operation: cast one of them to the other's type.",
    ),
    (
        "ValueError",
        r"truth value of an array",
        "An array was asked whether it is true: ask whether it is there, with `is not None`.",
    ),
    (
        "ValueError",
        r"is not in list|unknown categor|unseen labels",
        "Something is looked up that the list does not have: what is to come out for a word that "
        "nobody knows?",
    ),
    (
        "ValueError",
        r"must be fully-defined|should be defined. Found `?None",
        "A layer cannot know the size of its weights, as an axis before it has no fixed length: "
        "which layer makes one row of any number of steps?",
    ),
    (
        "RuntimeError",
        r"forgot to call .*super\(\)",
        "The layer was not set up: __init__ begins with that of the class above it.",
    ),
    (
        "TypeError|NotImplementedError",
        r"symbolic|as a Python `?bool|truth value",
        _COMPILED,
    ),
    ("OperatorNotAllowedInGraphError", r"", _COMPILED),
    (
        "InvalidArgumentError|ValueError",
        r"[Ii]ncompatible shapes|must be equal|size-incompatible|could not be broadcast|"
        r"[Ii]n\[0\].*[Ii]n\[1\]|inner dimensions|required broadcastable|mismatch in its core|"
        r"must be broadcastable|ndims must be|[Cc]annot broadcast shape",
        "Two arrays that meet in this operation do not fit: write the shape of each beside it; an "
        "axis has to be moved, or one of size 1 to be added.",
    ),
    (
        "InvalidArgumentError|ValueError",
        r"[Rr]eshape|into shape",
        "A reshape keeps the number of entries: multiply the sizes of the new shape.",
    ),
    (
        "InvalidArgumentError|ValueError|AxisError",
        r"[Pp]erm|axis .* out of bounds|[Aa]xes|dimension .* out of|expects a vector of size",
        "An axis is named that the array does not have: count its axes, from 0.",
    ),
    (
        "ValueError",
        r"[Ii]nvalid value for argument|Unknown value for",
        "Something was made with a value that is not allowed: compare the order of your arguments "
        "with the one in which it takes them.",
    ),
    (
        "ValueError|InvalidArgumentError",
        r"output size would be negative|[Nn]egative dimension size",
        "A window is longer than what it slides over: how long is the shortest input, and what do "
        "the steps before leave of it?",
    ),
    (
        "AttributeError|TypeError",
        r"'NoneType' object|None",
        "Something is None here: does the function or method before it return its result?",
    ),
    (
        "AttributeError",
        r"'(list|tuple)' object has no attribute",
        "A list is treated like one of its items, or like another object: take the items one at a "
        "time, and compare the type with the task's.",
    ),
    (
        "AttributeError",
        r"('numpy.ndarray'|Tensor') object has no attribute",
        "A tensor is treated like one text or one number: there are functions that take all of it "
        "at once.",
    ),
    (
        "AttributeError",
        r"has no attribute",
        "A name after a dot does not exist there: compare it with the task's, and what stands "
        "before the dot with what was stored under that name.",
    ),
    ("NameError|UnboundLocalError", r"", "A name is used before it has a value: look for a typo, "
     "a missing import, or a line that should come before."),
    ("IndexError", r"", "An index lies beyond the end: which values may it take, counted from 0?"),
    ("KeyError", r"", "A dictionary is asked for a key that it does not have."),
    ("ZeroDivisionError", r"", "Something is divided by 0: which input leaves nothing to count?"),
    ("LookupError", r"", "Data that NLTK would download are missing: use what the lesson loads."),
    ("RecursionError", r"", "The function calls itself again and again: what ends it?"),
    ("SystemExit", r"", "The code ends the program: leave exit() and quit() out."),
)  # fmt: skip

# The course's own exceptions, whose messages say what came back.
OURS = {
    "WrongReturn": "Compare what the last line returns with what the task asks for.",
    "WrongWeights": "Compare the layers that __init__ makes with the task's: is one missing, or of "
    "another size?",
    "EmptyVocabulary": "",
}


def of_failure(failure: Failure) -> Relation | None:
    """The likely cause of an exception."""
    if failure.kind in OURS:
        return Relation("wrong_return", say(OURS[failure.kind]))
    for kinds, pattern, cause in CAUSES:
        if re.fullmatch(kinds, failure.kind) and re.search(pattern, failure.message):
            return Relation("exception", say(cause))
    return None
