"""Responses: what a student's code returned, as typed JSON. Never pickled, never evaluated.

Inputs go the other way, from the grader into the student's process, and may be pickled.
"""

from __future__ import annotations

import base64
import copy
import functools
import math
import os
import pickle
import re
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from selfcheck import stopping
from selfcheck.exercise import NO_OUTPUTS, Case, Exercise, Failure, Untransferable
from selfcheck.texts import say

MIME = "application/vnd.notebook-autograder.response+json"
"""The MIME type of a response in the graded cell's outputs."""

GUESS_MIME = "application/vnd.selfcheck.guess+json"
"""The MIME type of a guess before a demonstration, which is never graded: its ``name``, the
``guess``, and whether it's ``right``."""

INPUTS_VARIABLE = "COURSE_SECRET_INPUTS"
"""The environment variable with the path of the inputs, set in kernels whose outputs are judged."""

MAX_BYTES = 4_000_000
"""Maximum size of all arrays and text in a response; each value counts an extra 128."""

MAX_TEXT = 10_000
"""Maximum length of a string."""

MAX_ITEMS = {"list": 10_000, "tuple": 10_000, "dict": 1_000}
"""Maximum number of entries in a value: if all keys are chosen to have the same hash, a dict takes
time quadratic in their number."""

_MAX_DEPTH = 4
_VALUE = 128
_DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64"),
)


class Unjudged(AssertionError):
    """Outputs were handed over, and are judged elsewhere."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class InvalidResponse(ValueError):
    """A response has the wrong format: an expected case, reported with a reason."""


def awaited() -> bool:
    """Whether this process's outputs are judged."""
    return INPUTS_VARIABLE in os.environ


def grade(exercise: Exercise, obj: Any) -> None:
    """Run an answer on secret inputs and hand its outputs over, unjudged.

    Args:
        exercise: the exercise.
        obj: the student's function or class.

    Raises:
        Unjudged: always.
    """
    cases = secret_cases(exercise.name)
    if not cases:
        raise Unjudged(
            f"{exercise.name} is graded by `autograder grade` or `nbgrader autograde` in the "
            "course folder, not here: nothing was handed over. check() works anywhere."
        )
    from IPython.display import display

    display({MIME: respond(exercise, obj, cases)}, raw=True)
    raise Unjudged(f"the outputs of {exercise.name} were handed over; not graded yet.")


def packed(exercises: Iterable[Exercise], seed: int) -> bytes:
    """The inputs of exercises, as ``secret_cases`` reads them."""
    drawn = {exercise.name: exercise.cases(seed) for exercise in exercises}
    return pickle.dumps(
        {name: [(case.name, case.inputs) for case in cases] for name, cases in drawn.items()}
    )


def secret_cases(name: str) -> list[Case]:
    """The inputs that the grader packed for an exercise; empty if outputs aren't judged."""
    if not awaited():
        return []
    # A student's process unpickles the grader's data here, never the other way round.
    drawn = pickle.loads(Path(os.environ[INPUTS_VARIABLE]).read_bytes())  # noqa: S301
    return [Case(*case) for case in drawn.get(name, ())]


def respond(exercise: Exercise, obj: Any, cases: Sequence[Case]) -> dict[str, Any]:
    """Run an answer on every case.

    Returns:
        ``{"exercise": name, "cases": {case: {"outputs": {...}} or {"failure": {...}}}}``, JSON.
    """
    # Building a layer takes far longer than calling it.
    asked = functools.cache(lambda *settings: obj(*settings)) if exercise.builds else obj
    found: dict[str, Any] = {}
    endless: dict[str, Any] = {}
    for case in cases:
        # A call that doesn't end for one case would take as long for each of the others.
        found[case.name] = endless or _run(exercise, obj, asked, case)
        if found[case.name].get("failure", {}).get("kind") == stopping.Stopped.__name__:
            endless = found[case.name]
    return {"exercise": exercise.name, "cases": found}


def _run(exercise: Exercise, obj: Any, asked: Any, case: Case) -> dict[str, Any]:
    # An answer may change its inputs, and cases may share some.
    own = replace(case, inputs=copy.deepcopy(dict(case.inputs)))
    try:
        with stopping.stopped_in_time(stopping.TIME_LIMIT):
            outputs = exercise.call(asked, own)
        if not isinstance(outputs, Mapping) or not outputs.keys() & exercise.axes.keys():
            names = ", ".join(map(repr, exercise.axes))
            raise TypeError(
                f"call() of the exercise {exercise.name} returns a {type(outputs).__name__} "
                "without "
                f"{names}: this isn't the answer's fault"
            )
        return {"outputs": {name: encode(value) for name, value in outputs.items()}}
    except (Exception, SystemExit) as error:
        return {
            "failure": {
                "kind": type(error).__name__,
                "message": _message(error),
                "line": _line_in_cell(error, obj),
            }
        }


# Colours, and names of operations and of a compiled graph's nodes in an error's message.
_DECORATION = re.compile(
    r"\x1b\[[0-9;]*m|\{\{function_node [^}]*\}\}\s*|\s*\[Op:\w+\](\s*name:\s*\w*)?"
    r"| for '\{\{node [^']*'"
)


# Lines that a framework puts around an error in a layer, or in a layer of a model that it builds.
_FRAME = re.compile(r"Exception encountered when calling|Could not .* Error encountered:$")


def _message(error: BaseException) -> str:
    """The line of an error's text that says what happened, without the libraries' additions."""
    lines = [line.strip() for line in _DECORATION.sub("", str(error)).splitlines()]
    lines = [line for line in lines if line]
    while len(lines) > 1 and _FRAME.match(lines[0]):
        # The arguments follow the message, which may be empty.
        lines = [] if lines[1].startswith("Arguments received by") else lines[1:]
    if lines and lines[0] == "in user code:":
        lines = [re.sub(r"^\w+: ", "", lines[-1])]
    return lines[0][:500] if lines else ""


def _line_in_cell(error: BaseException, obj: Any) -> int | None:
    """The last line in the traceback from the cell that defines the answer: the error may be in an
    earlier answer that it calls, which is in a different cell."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if "ipykernel_" in frame.filename or frame.filename.startswith("<ipython-input")
    ]
    defined = _files(obj) or {frame.filename for frame in frames}
    return next((frame.lineno for frame in reversed(frames) if frame.filename in defined), None)


def _files(obj: Any) -> set[str]:
    """Where the code of a function, or of a class's own methods, was written."""
    parts = [obj, *vars(obj).values()] if isinstance(obj, type) else [obj]
    codes = (getattr(part, "__code__", None) for part in parts)
    return {code.co_filename for code in codes if code}


def encode(value: Any, depth: int = 0) -> dict[str, Any]:
    """Write a value as typed JSON.

    Args:
        value: an array or tensor, a number, text, None, or lists, tuples and dicts of these.
        depth: how deeply it's nested in other values.

    Returns:
        A dict whose ``type`` says how to read the rest. A value of an unknown type becomes
        ``{"type": "other", "name": <its class>}``.

    Raises:
        InvalidResponse: when it's larger or deeper than a response may be.

    Example:
        >>> encode(np.array([1, 2], "uint8"))
        {'type': 'array', 'dtype': 'uint8', 'shape': [2], 'data': 'AQI='}
    """
    if depth > _MAX_DEPTH:
        raise InvalidResponse(say("values are nested deeper than {most} levels", most=_MAX_DEPTH))
    if value is None or isinstance(value, bool | np.bool_):
        return {"type": "constant", "value": None if value is None else bool(value)}
    if isinstance(value, int | float) and not isinstance(value, np.generic):
        # As text: JSON has no NaN, and its readers differ over long integers.
        return {"type": type(value).__name__, "value": repr(value)[:100]}
    if isinstance(value, str):
        return {"type": "str", "value": value[:MAX_TEXT]}
    if isinstance(value, list | tuple | dict):
        kind = next(kind for kind in (list, tuple, dict) if isinstance(value, kind))
        if len(value) > MAX_ITEMS[kind.__name__]:
            name, count = type(value).__name__, f"{len(value):,}"
            raise InvalidResponse(say("a {kind} has {count} entries", kind=name, count=count))
        items = list(value.items()) if isinstance(value, dict) else list(value)
        return {"type": kind.__name__, "items": [encode(item, depth + 1) for item in items]}
    array = _as_array(value)
    if array is not None and array.dtype.kind == "U":
        return encode(array.tolist(), depth)
    if array is None:
        return {"type": "other", "name": type(value).__name__[:100]}
    if array.nbytes > MAX_BYTES:
        raise InvalidResponse(
            say(
                "an output of shape {shape} is larger than {most} bytes",
                shape=array.shape,
                most=f"{MAX_BYTES:,}",
            )
        )
    return {
        "type": "array",
        "dtype": _dtype_name(array.dtype),
        "shape": list(array.shape),
        "data": base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii"),
    }


def _as_array(value: Any) -> np.ndarray | None:
    """A NumPy array with a supported dtype, or None."""
    try:
        array = np.asarray(value)
        if _dtype_name(array.dtype) == "bfloat16":  # no type of NumPy's own
            array = array.astype(np.float32)
    except Exception:
        return None
    return array if _dtype_name(array.dtype) in _DTYPES or array.dtype.kind == "U" else None


@functools.lru_cache(maxsize=100)
def _dtype_name(dtype: np.dtype[Any]) -> str:
    return dtype.name  # NumPy takes its time to find it


def read(response: Any, exercise: Exercise, seed: int) -> dict[str, Mapping[str, Any] | Failure]:
    """Read a response, trusting nothing in it.

    Args:
        response: parsed JSON from a student's process.
        exercise: the exercise it must answer.
        seed: the seed whose cases it must cover.

    Returns:
        By case name: at least one of the exercise's outputs by name, or a Failure. An output is an
        array of numbers or booleans (a single number has no axes), text, None, True, False, an
        Untransferable, or lists, tuples and dicts of these. Unknown cases and outputs are ignored.

    Raises:
        InvalidResponse: when it isn't a response to this exercise.
    """
    if not isinstance(response, Mapping) or not isinstance(response.get("cases"), Mapping):
        raise InvalidResponse("the response is not an object with cases, or too large to keep")
    if response.get("exercise") != exercise.name:
        raise InvalidResponse(f"the response answers {_name(response.get('exercise'))}")
    answers: dict[str, Mapping[str, Any] | Failure] = {}
    room = [MAX_BYTES]
    for case in exercise.drawn(seed):
        answer = response["cases"].get(case.name)
        if isinstance(answer, Mapping) and isinstance(answer.get("outputs"), Mapping):
            answers[case.name] = _read_outputs(answer["outputs"], exercise, room)
        elif isinstance(answer, Mapping) and isinstance(answer.get("failure"), Mapping):
            answers[case.name] = _read_failure(answer["failure"])
        else:
            raise InvalidResponse(f"the response has no answer to the case {case.name!r}")
    return answers


def _read_outputs(
    outputs: Mapping[str, Any], exercise: Exercise, room: list[int]
) -> dict[str, Any] | Failure:
    read = {name: _decode(outputs[name], room) for name in exercise.axes if name in outputs}
    return read or Failure(NO_OUTPUTS, f"{' and '.join(exercise.axes)}: nothing was returned")


def _read_failure(failure: Mapping[str, Any]) -> Failure:
    kind, message, line = (failure.get(key) for key in ("kind", "message", "line"))
    if not isinstance(kind, str) or not isinstance(message, str):
        raise InvalidResponse("a failure lacks its kind or message")
    number = line if type(line) is int and 0 < line < 1_000_000 else None
    # An aspect fails if its message isn't empty, and a failure without a name would have none.
    return Failure(printable(kind[:100]) or "Error", printable(message[:500]), number)


def printable(text: str) -> str:
    r"""A student's text without control characters.

    Example:
        >>> printable("red\x1b[2J alert")
        'red[2J alert'
    """
    return "".join(character for character in text if character.isprintable())


def _name(value: Any) -> str:
    """A short form of what should have been a name, however large or deep it is."""
    return repr(value[:100]) if isinstance(value, str) else f"a {type(value).__name__}"


def _decode(value: Any, room: list[int], depth: int = 0) -> Any:
    """Read one typed value; ``room`` is the number of bytes that values may still take."""
    if not isinstance(value, Mapping) or depth > _MAX_DEPTH:
        raise InvalidResponse("a value is not typed, or nested too deep")
    _take(room, _VALUE)
    kind, content, items = value.get("type"), value.get("value"), value.get("items")
    if kind == "array":
        return _decode_array(value, room)
    if kind == "constant" and (content is None or isinstance(content, bool)):
        return content
    if kind == "str" and isinstance(content, str) and len(content) <= MAX_TEXT:
        _take(room, len(content.encode("utf-8", "replace")))
        return content
    if kind in ("int", "float") and isinstance(content, str) and len(content) <= 100:
        _take(room, len(content))
        return _decode_number(kind, content)
    most = MAX_ITEMS.get(kind, 0) if isinstance(kind, str) else 0
    if most and isinstance(items, list) and len(items) <= most:
        decoded = [_decode(item, room, depth + 1) for item in items]
        if kind == "dict":
            return dict(map(_decode_entry, decoded))
        return decoded if kind == "list" else tuple(decoded)
    if kind == "other" and isinstance(value.get("name"), str):
        return Untransferable(printable(value["name"][:100]))
    raise InvalidResponse(f"a value of type {_name(kind)} cannot be read")


def _take(room: list[int], size: int) -> None:
    room[0] -= size
    if room[0] < 0:
        raise InvalidResponse(f"the response holds more than {MAX_BYTES:,} bytes of values")


def _decode_number(kind: str, content: str) -> np.ndarray | str:
    """A number without axes; an integer that is too long for arrays stays text."""
    try:
        number = int(content) if kind == "int" else float(content)
    except ValueError:
        raise InvalidResponse(f"{content[:20]!r} is not a number") from None
    return np.asarray(number) if kind == "float" or abs(number) < 2**63 else str(number)


def _decode_entry(pair: Any) -> tuple[Any, Any]:
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise InvalidResponse("a dict's entry isn't a pair of a key and a value")
    return _as_key(pair[0]), pair[1]


def _as_key(value: Any) -> Any:
    """A dict's key: numbers become Python's own, because arrays can't be keys."""
    if isinstance(value, tuple):
        return tuple(map(_as_key, value))
    if isinstance(value, np.ndarray) and not value.ndim:
        return value.item()
    if isinstance(value, np.ndarray | list | dict):
        raise InvalidResponse(f"a {type(value).__name__} is the key of a dict")
    return value


def _decode_array(value: Mapping[str, Any], room: list[int]) -> np.ndarray:
    dtype, shape, data = (value.get(key) for key in ("dtype", "shape", "data"))
    if not isinstance(dtype, str) or dtype not in _DTYPES:
        raise InvalidResponse(f"arrays of {_name(dtype)} are not read")
    if (
        not isinstance(shape, list)
        or len(shape) > 8
        or not all(type(size) is int and 0 <= size <= MAX_BYTES for size in shape)
        # An array without entries may have axes of any size, but for what NumPy can count.
        or math.prod(size for size in shape if size) > MAX_BYTES
    ):
        raise InvalidResponse("an array's shape is not a short list of sizes")
    size = math.prod(shape) * np.dtype(dtype).itemsize
    _take(room, size + 32 * len(shape))
    if not isinstance(data, str) or len(data) > 2 * MAX_BYTES:
        raise InvalidResponse("an array's data is not base64")
    try:
        raw = base64.b64decode(data, validate=True)
    except ValueError:
        raise InvalidResponse("an array's data is not base64") from None
    if len(raw) != size:
        raise InvalidResponse("an array's data does not fill its shape")
    if dtype == "bool":  # any byte except 0 means True
        return np.not_equal(np.frombuffer(raw, np.uint8), 0).reshape(shape)
    return np.frombuffer(raw, dtype).reshape(shape)
