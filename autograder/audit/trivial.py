"""Generate answers that do no work for any exercise, and measure what they earn.

Some are code: functions that return their argument, a constant or nothing, or only raise. The
others are responses that a kernel could forge without a computation. They only use what is public
about an exercise: the inputs, the answer sheet, and which outputs are the same for all inputs.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from autograder.judging import solutions
from autograder.judging.judge import judge, response_of
from autograder.judging.keys import Key, key_of
from selfcheck import Course, Expected, responses
from selfcheck.aspects import identical
from selfcheck.sheets import PUBLISHED_SEED

MOST = 20
"""Percent of an exercise's points that an answer without work may earn."""

SEED = 11

_DRAWS = 9
"""The number of draws on which the published outputs are judged."""


def earned(course: Course, name: str) -> dict[str, int]:
    """The percentage that each answer without work earns in an exercise.

    Args:
        course: the course.
        name: the exercise's name.
    """
    key = key_of(course, name)
    found = {
        what: judge(course, name, SEED, response).percent for what, response in _responses(key)
    }
    published = solutions.expected(key.exercise, key.solution, PUBLISHED_SEED)
    learned = response_of(name, {case: dict(one.outputs) for case, one in published.items()})
    draws = range(SEED, SEED + _DRAWS)
    # By luck, some draws have the published results.
    again = [judge(course, name, seed, learned).percent for seed in draws]
    return found | {"the published outputs": statistics.median_low(again)}


def _responses(key: Key) -> Iterator[tuple[str, dict[str, Any]]]:
    cases = key.exercise.drawn(SEED)
    for what, function in _functions(key).items():
        yield what, responses.respond(key.exercise, function, cases)
    expected = solutions.expected(key.exercise, key.solution, SEED)
    for what, outputs in _forged(key, expected).items():
        yield what, response_of(key.exercise.name, outputs)


def _functions(key: Key) -> dict[str, Callable[..., Any]]:
    """Code in place of a student's function or class."""

    def only_raise(message: str, *arguments: Any, **named: Any) -> None:
        raise ValueError(message)

    def argument(place: int, *arguments: Any, **named: Any) -> Any:
        return [*arguments, *named.values()][place]

    def zeros(*arguments: Any, **named: Any) -> np.ndarray:
        return np.zeros((len(arguments[0]), 5))

    constants: dict[str, Any] = {
        "[]": [],
        "''": "",
        "None": None,
        "0": 0,
        "1": 1,
        "nan": float("nan"),
    }
    return {
        **{
            f"returns {text}": lambda *_, value=value, **__: value
            for text, value in constants.items()
        },
        "returns its first argument": partial(argument, 0),
        "returns its last argument": partial(argument, -1),
        "returns its first argument in a list": lambda *given, **_: [given[0]],
        "returns the first part of its first argument": lambda *given, **_: given[0][..., 0, :],
        "returns the second place of its first argument": lambda *given, **_: given[0][..., 1, :],
        "returns the last entry of its first argument": lambda *given, **_: given[0][-1],
        "returns the size of its first argument": lambda *given, **_: len(given[0]),
        "returns places": lambda *given, **_: np.arange(len(given[0])),
        "returns ones on the diagonal": lambda *given, **_: np.eye(
            len(given[0]), len(given[:2][-1])
        ),
        "returns its last argument again and again": lambda *given, **_: np.tile(
            given[-1], (len(given[0]), 1)
        ),
        "returns zeros (n, 5)": zeros,
        "returns all small numbers": lambda *_, **__: list(range(400, -1, -1)),
        **{f"raises ValueError({text!r})": partial(only_raise, text) for text in _failures(key)},
    }


def _failures(key: Key) -> list[str]:
    """Error messages of known mistakes; their patterns are on the answer sheet."""
    texts = (text for made in key.mistakes for text in matching(made.failure))
    return ["", *dict.fromkeys(texts)]


def matching(pattern: str) -> list[str]:
    r"""Texts that a pattern for the message of a failure matches.

    Example:
        >>> matching(r"Index|\(None\)")
        ['Index', '(None)']
    """
    plain = (re.sub(r"\\(.)|[\[\]^$?]", r"\1", part) for part in pattern.split("|"))
    return [text for text in plain if text]


def _forged(key: Key, expected: Mapping[str, Expected]) -> dict[str, dict[str, Any]]:
    """The forged outputs of each case, by the kind of forgery."""
    same = _same_for_all_inputs(key)
    made: dict[str, Callable[[str, str, Any], Any]] = {
        "zeros": lambda case, name, right: _filled(right, 0),
        "ones": lambda case, name, right: _filled(right, 1),
        "not a number": lambda case, name, right: _filled(right, np.nan),
        "zeros of another shape": lambda case, name, right: np.zeros((2, 5, 3)),
        "empty": lambda case, name, right: _empty(right),
    }
    random = np.random.RandomState(SEED)
    made["almost zeros"] = lambda case, name, right: _almost(right, 0, random)
    made["almost ones"] = lambda case, name, right: _almost(right, 1, random)
    made["random numbers"] = lambda case, name, right: _random(right, random)
    made["random shares"] = lambda case, name, right: _shares(_random(right, random))
    made["what does not depend on the inputs, else random shares"] = lambda case, name, right: (
        right if (case, name) in same else _shares(_random(right, random))
    )
    common = _most_common(solutions.expected(key.exercise, key.solution, PUBLISHED_SEED))
    made["the most common value"] = lambda case, name, right: _filled(right, common[name])
    inputs = {case.name: case.inputs for case in key.exercise.drawn(SEED)}

    def again(given: str, case: str, name: str, right: Any) -> Any:
        return inputs[case].get(given)

    for given in dict.fromkeys(name for case in inputs.values() for name in case):
        made[f"{given} again"] = partial(again, given)
    made["what does not depend on the inputs, else zeros"] = lambda case, name, right: (
        right if (case, name) in same else _filled(right, 0)
    )
    outputs = {
        what: {
            case: {name: make(case, name, right) for name, right in one.outputs.items()}
            for case, one in expected.items()
        }
        for what, make in made.items()
    }
    outputs["what does not depend on the inputs, nothing else"] = {
        case: {name: right for name, right in one.outputs.items() if (case, name) in same}
        for case, one in expected.items()
    }
    # If most cases have only one output that takes a computation, that one is the whole answer.
    asked = [
        [name for name in one.outputs if (case, name) not in same] for case, one in expected.items()
    ]
    several = Counter(name for names in asked if len(names) > 1 for name in names)
    for name in sorted(name for name in several if 2 * several[name] > len(asked)):
        outputs[f"{name} alone"] = {
            case: {name: one.outputs[name]} if name in one.outputs else {}
            for case, one in expected.items()
        }
    return outputs


def _same_for_all_inputs(key: Key) -> set[tuple[str, str]]:
    """Outputs of cases that the solution gives for every seed."""
    one, *others = (
        solutions.expected(key.exercise, key.solution, seed) for seed in range(SEED, SEED + 5)
    )
    return {
        (case, name)
        for case, entry in one.items()
        for name, value in entry.outputs.items()
        if all(identical(value, other[case].outputs[name]) for other in others)
    }


def _filled(right: Any, value: Any) -> Any:
    """An output like the right one, with the same value everywhere."""
    if isinstance(right, np.ndarray):
        number = value if isinstance(value, int | float) else 0
        return np.full(right.shape, number, np.float64)
    if isinstance(right, list | tuple):
        return [value for _ in right]
    return value


def _almost(right: Any, value: int, random: np.random.RandomState) -> Any:
    """An output like the right one, with nearly the same value everywhere."""
    if not isinstance(right, np.ndarray):
        return _filled(right, value)
    return np.asarray(value + 1e-7 * random.normal(size=right.shape))


def _random(right: Any, random: np.random.RandomState) -> Any:
    if isinstance(right, np.ndarray):
        return np.asarray(random.normal(size=right.shape))
    return ["word"] * random.randint(5) if isinstance(right, list | tuple) else "word"


def _shares(value: Any) -> Any:
    """Positive numbers that sum to 1 along the last axis."""
    if not isinstance(value, np.ndarray):
        return value
    powers = np.exp(value)
    return powers / powers.sum(axis=-1, keepdims=True) if value.ndim else powers


def _empty(right: Any) -> Any:
    if isinstance(right, np.ndarray):
        return np.zeros((0, *right.shape[1:]))
    return "" if isinstance(right, str) else []


def _most_common(expected: Mapping[str, Expected]) -> dict[str, Any]:
    """What a guess of one value would be, by the name of the output."""
    counted: dict[str, Counter[Any]] = {}
    for one in expected.values():
        for name, right in one.outputs.items():
            items = right.ravel().tolist() if isinstance(right, np.ndarray) else right
            items = items if isinstance(items, list | tuple) else [items]
            plain = [item for item in items if isinstance(item, str | int | float)]
            counted.setdefault(name, Counter()).update(plain)
    return {name: (one.most_common(1) or [(0, 0)])[0][0] for name, one in counted.items()}
