"""What exceptions of TensorFlow, Keras and NLTK mean."""

from __future__ import annotations

from selfcheck import Cause
from selfcheck.diagnosis import failures

_COMPILED = (
    "A Python if, min or loop, or NumPy, needs a tensor's value, which a compiled function does "
    "not have yet: use an operation on tensors, such as a minimum or a where."
)

CAUSES = (
    Cause(
        "WrongWeights",
        r"",
        "Compare the layers that __init__ makes with the task's: is one missing, or of another "
        "size?",
        "wrong_return",
    ),
    Cause(
        "EmptyVocabulary",
        r"",
        "",
        "wrong_return",
    ),
    Cause(
        "TypeError|InvalidArgumentError",
        r"not in (the )?list of allowed values",
        "An operation for floating-point numbers was given integers: cast them first.",
    ),
    Cause(
        "InvalidArgumentError",
        r"indices\[.*is not in \[",
        "A table is asked for a row that it does not have: is it too short, or was it asked with "
        "something else than what its rows stand for?",
    ),
    Cause(
        "InvalidArgumentError",
        r"[Ii]nvalid pattern|repetition|unterminated|unbalanced|bad escape|nothing to repeat",
        failures.BAD_PATTERN,
    ),
    Cause(
        "ValueError",
        r"incompatible with the layer",
        "A layer is given another shape than it was built for: which of its axes may differ from "
        "call to call?",
    ),
    Cause(
        "InvalidArgumentError|TypeError",
        r"expected to be a \w+ tensor but is a|must have the same (type|dtype)|cannot compute",
        "Tensors of different types meet in one operation: cast one of them to the other's type.",
    ),
    Cause(
        "TypeError|ValueError|InvalidArgumentError",
        r"[Cc]annot convert .* to EagerTensor of dtype bool",
        "A mask of True and False cannot be calculated with: cast it first.",
    ),
    Cause(
        "TypeError|ValueError|InvalidArgumentError",
        r"[Cc]annot convert .* to EagerTensor of dtype",
        "Numbers of different types meet in one operation: cast one of them to the other's type.",
    ),
    Cause(
        "ValueError",
        r"must be fully-defined|should be defined. Found `?None",
        "A layer cannot know the size of its weights, as an axis before it has no fixed length: "
        "which layer makes one row of any number of steps?",
    ),
    Cause(
        "RuntimeError",
        r"forgot to call .*super\(\)",
        "The layer was not set up: __init__ begins with that of the class above it.",
    ),
    Cause(
        "TypeError|NotImplementedError",
        r"symbolic|as a Python `?bool|truth value",
        _COMPILED,
    ),
    Cause(
        "OperatorNotAllowedInGraphError",
        r"",
        _COMPILED,
    ),
    Cause(
        "InvalidArgumentError|ValueError",
        r"[Ii]ncompatible shapes|must be equal|size-incompatible|could not be broadcast|"
        r"[Ii]n\[0\].*[Ii]n\[1\]|inner dimensions|required broadcastable|"
        r"mismatch in its core|must be broadcastable|ndims must be|"
        r"[Cc]annot broadcast shape",
        failures.SHAPES_DIFFER,
    ),
    Cause(
        "InvalidArgumentError|ValueError",
        r"[Rr]eshape|into shape",
        failures.OTHER_COUNT,
    ),
    Cause(
        "InvalidArgumentError|ValueError|AxisError",
        r"[Pp]erm|axis .* out of bounds|[Aa]xes|dimension .* out of|expects a vector of size",
        failures.NO_SUCH_AXIS,
    ),
    Cause(
        "ValueError",
        r"[Ii]nvalid value for argument|Unknown value for",
        "Something was made with a value that is not allowed: compare the order of your arguments "
        "with the one in which it takes them.",
    ),
    Cause(
        "ValueError|InvalidArgumentError",
        r"output size would be negative|[Nn]egative dimension size",
        failures.WINDOW_TOO_LONG,
    ),
    Cause(
        "AttributeError",
        r"Tensor' object has no attribute",
        failures.ARRAY_AS_ITEM,
    ),
    Cause(
        "LookupError",
        r"",
        "Data that NLTK would download are missing: use what the lesson loads.",
    ),
)
"""Tried before the causes that any course can meet."""
