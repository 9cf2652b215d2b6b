"""What exceptions of TensorFlow, Keras and NLTK mean."""

from __future__ import annotations

from selfcheck import ExceptionCause
from selfcheck.diagnosis import failures

_COMPILED = (
    "A Python if, min or loop, or a NumPy call, needs a tensor's value, which a compiled "
    "function doesn't have yet: use a tensor operation, such as a minimum or a where."
)

EXCEPTION_CAUSES = (
    ExceptionCause(
        "TypeError",
        r"got multiple values",
        "A function gets one argument twice: in its place and by name, say, or by name and from "
        "Keras, which passes masks on itself.",
    ),
    ExceptionCause(
        "ValueError",
        r"cannot add new elements of state",
        "Something is made after the layer around it was built: is a layer made in call(), or do "
        "two names stand for the same layer?",
    ),
    ExceptionCause(
        "WrongWeights",
        r"",
        "Compare the layers you create and call with those in the task: is one missing or never "
        "called, or does one have the wrong size?",
        "wrong_return",
    ),
    ExceptionCause(
        "EmptyVocabulary",
        r"",
        "",
        "wrong_return",
    ),
    ExceptionCause(
        "TypeError|InvalidArgumentError|ValueError",
        r"(float.*not in (the )?list of allowed values: int32, int64|"
        r"'float' object cannot be interpreted as an integer)",
        "A size has to be a whole number: `/` always gives a float, `//` doesn't.",
    ),
    ExceptionCause(
        "TypeError|InvalidArgumentError",
        r"not in (the )?list of allowed values",
        "An operation for floating-point numbers was given integers: cast them first.",
    ),
    ExceptionCause(
        "InvalidArgumentError",
        r"indices\[.*is not in \[",
        "You looked up a row that the table doesn't have: is the table too short, or did you "
        "look up something other than what its rows stand for?",
    ),
    ExceptionCause(
        "InvalidArgumentError",
        r"[Ii]nvalid pattern|repetition|unterminated|unbalanced|bad escape|nothing to repeat",
        failures.BAD_PATTERN,
    ),
    ExceptionCause(
        "ValueError",
        r"expected (min_|max_)?ndim=\d+, found",
        "A layer got another number of axes than it takes: which axes may there be?",
    ),
    ExceptionCause(
        "ValueError",
        r"incompatible with the layer",
        "A layer got a different shape from the one it was built for: which axes may change "
        "from call to call?",
    ),
    ExceptionCause(
        "InvalidArgumentError|TypeError",
        r"expected to be a \w+ tensor but is a|must have the same (type|dtype)|cannot compute",
        "An operation mixes tensors of different types: cast one of them to the other's type.",
    ),
    ExceptionCause(
        "TypeError|ValueError|InvalidArgumentError",
        r"[Cc]annot convert .* to EagerTensor of dtype bool",
        "You can't calculate with a mask of True and False: cast it first.",
    ),
    ExceptionCause(
        "TypeError|ValueError|InvalidArgumentError",
        r"[Cc]annot convert .* to EagerTensor of dtype",
        "An operation mixes numbers of different types: cast one of them to the other's type.",
    ),
    ExceptionCause(
        "ValueError",
        r"must be fully-defined|should be defined. Found `?None",
        "A layer can't know the size of its weights because an axis before it has no fixed "
        "length: which layer turns any number of steps into a single row?",
    ),
    ExceptionCause(
        "RuntimeError",
        r"forgot to call .*super\(\)",
        "The layer was not set up: __init__ has to start with the parent class's __init__.",
    ),
    ExceptionCause(
        "TypeError|NotImplementedError",
        r"symbolic|as a Python `?bool|truth value",
        _COMPILED,
    ),
    ExceptionCause(
        "OperatorNotAllowedInGraphError",
        r"",
        _COMPILED,
    ),
    ExceptionCause(
        "InvalidArgumentError|ValueError",
        r"[Ii]ncompatible shapes|must be equal|size-incompatible|could not (be )?broadcast|"
        r"[Ii]n\[0\].*[Ii]n\[1\]|inner dimensions|required broadcastable|"
        r"mismatch in its core|must be broadcastable|ndims must be|"
        r"[Cc]annot broadcast shape",
        failures.SHAPES_DIFFER,
    ),
    ExceptionCause(
        "InvalidArgumentError|ValueError",
        r"[Rr]eshape|into shape",
        failures.OTHER_COUNT,
    ),
    ExceptionCause(
        "InvalidArgumentError|ValueError|AxisError",
        r"[Pp]erm|axis .* out of bounds|[Aa]xes|dimension .* out of|expects a vector of size",
        failures.NO_SUCH_AXIS,
    ),
    ExceptionCause(
        "ValueError",
        r"[Ii]nvalid value for argument|Unknown value for",
        "Something was created with a value that isn't allowed: compare the order of your "
        "arguments with the expected order.",
    ),
    ExceptionCause(
        "ValueError|InvalidArgumentError",
        r"output size would be negative|[Nn]egative dimension size",
        failures.WINDOW_TOO_LONG,
    ),
    ExceptionCause(
        "AttributeError",
        r"Tensor' object has no attribute",
        failures.ARRAY_AS_ITEM,
    ),
    ExceptionCause(
        "LookupError",
        r"",
        "NLTK data that would have to be downloaded is missing: use what the lesson loads.",
    ),
)
"""Tried before the causes that any course can meet."""
