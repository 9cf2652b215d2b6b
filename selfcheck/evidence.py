"""Which of an answer's outputs take a computation on the inputs.

Outputs that can be produced without doing the work are evidence neither of a mistake nor of a right
answer.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence, Set, Sized
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from selfcheck.aspects import as_array, identical
from selfcheck.equality import is_one_value, same_value
from selfcheck.exercise import Case, Failure, Observation

Outputs = frozenset[tuple[str, str]]
"""Some outputs, each as the names of its case and of itself. For a case that fails, these are all
its outputs, and one called ""."""


class Seen(dict[str, Observation]):
    """An answer's outputs, by case name."""

    @cached_property
    def wrong(self) -> Outputs:
        """The outputs that are wrong or missing."""
        return frozenset(
            (name, output)
            for name, observation in self.items()
            for output in wrong_outputs(observation, observation.received)
        )

    @cached_property
    def computed(self) -> Outputs:
        """The returned outputs that take a computation on the inputs, right or not.

        All others can be produced without doing the work: values that are the same for all inputs,
        one value over and over, an empty output, an unchanged input.
        """
        return frozenset(filter(self._is_computed, self._unguessed))

    @cached_property
    def _unguessed(self) -> Sequence[tuple[str, str]]:
        """The returned outputs that aren't the same, or the same input, in all cases."""
        came: dict[str, dict[str, Any]] = {}
        for name, observation in self.items():
            if not isinstance(observation.received, Failure):
                for output in observation.received.keys() - observation.known_beforehand:
                    came.setdefault(output, {})[name] = observation.received[output]
        found = []
        for output, values in sorted(came.items()):
            rights = [self[name].expected.outputs[output] for name in values]
            guessed = any(
                alike(list(values.values())) and not alike(rights)
                for alike in (is_one_value, _is_one_row)
            )
            if guessed or _is_one_input({name: (x, self[name].case) for name, x in values.items()}):
                continue
            found += [(name, output) for name in values]
        return found

    def _is_computed(self, place: tuple[str, str]) -> bool:
        if place not in self._known_computed:
            name, output = place
            work, received = self[name].expected.work, self[name].received
            if work and output in work and place not in self.wrong:
                return True  # as in any right answer
            assert not isinstance(received, Failure)
            with np.errstate(invalid="ignore"):  # infinity less infinity
                at_hand = _is_at_hand(as_array(received[output]), self[name].case)
            self._known_computed[place] = not at_hand
        return self._known_computed[place]

    @cached_property
    def _known_computed(self) -> dict[tuple[str, str], bool]:
        return {}

    @cached_property
    def work(self) -> Outputs:
        """The outputs of a right answer that take a computation."""
        work: dict[str, frozenset[str]] = {}
        for name, one in self.items():
            if one.expected.work is None:
                right = {
                    case: replace(each, received=each.expected.outputs, arrays={})
                    for case, each in self.items()
                }
                return Seen(right).computed
            work[name] = one.expected.work
        return frozenset((name, output) for name, outputs in work.items() for output in outputs)

    @cached_property
    def takes_work(self) -> bool:
        """Whether at least a quarter of the outputs that take a computation, also of those that are
        missing, came back as something that takes one: one easy case proves nothing about the
        others."""
        asked = {(name, output) for name, output in self.work if output in self[name].asked}
        computed = (each for each in self._unguessed if each in asked and self._is_computed(each))
        # The first ones usually suffice.
        quarter = math.ceil(len(asked) / 4)
        return len(list(itertools.islice(computed, quarter))) == quarter > 0


def wrong_outputs(
    observation: Observation, outputs: Mapping[str, Any] | Failure | None
) -> Iterator[str]:
    """The names of a case's outputs that are wrong or missing.

    Args:
        observation: the case, and its expected outputs.
        outputs: by name. If a call fails, all of them are wrong, and one called "".
    """
    if outputs is None or isinstance(outputs, Failure):
        yield ""
        outputs = {}
    for output in observation.asked:
        right = observation.expected.outputs[output]
        if output not in outputs or not same_value(output, outputs[output], right, observation):
            yield output


def _is_one_row(values: Sequence[Any]) -> bool:
    """Whether there are arrays with rows, and all rows are equal in each of them."""
    arrays = [x for x in map(as_array, values) if isinstance(x, np.ndarray)]
    arrays = [x for x in arrays if x.dtype.kind in "biuf" and x.ndim > 1 and x.size > len(x) > 1]
    return bool(arrays) and all(_alike(x, np.broadcast_to(x[:1], x.shape)) for x in arrays)


def _is_one_input(came: Mapping[str, tuple[Any, Case]]) -> bool:
    """Whether the answer returned the same input in every case."""
    first = next(case for _, case in came.values())
    return any(
        all(given in case.inputs and _is_input(x, case.inputs[given]) for x, case in came.values())
        for given in first.inputs
    )


def _is_at_hand(value: Any, case: Case) -> bool:
    """Whether a value is empty, one value over and over, counted positions, or an input or a part
    of one."""
    if value is None or (isinstance(value, str) and not value):
        return True
    if isinstance(value, np.ndarray):
        if value.size == 1:
            return any(_is_number_of(value.item(), given) for given in case.inputs.values())
        if is_one_value([value]) or _counts_places(value):
            return True
    elif isinstance(value, list | tuple):
        if len(value) == 1:
            return _is_at_hand(value[0], case)
        if is_one_value(value):
            return True
    return any(_is_part(value, given) for given in case.inputs.values())


def _is_number_of(number: float, given: Any) -> bool:
    """Whether a number is in an input, or is the size of an axis, or 1 divided by it."""
    if isinstance(given, Mapping):
        return any(_is_number_of(number, value) for value in given.values())
    given = as_array(given)
    if isinstance(given, np.ndarray):
        equal = given.dtype.kind in "iuf" and np.isclose(given.astype(float), number).any()
        return bool(equal) or _is_size_or_share(number, given.shape)
    return isinstance(given, Sized) and _is_size_or_share(number, (len(given),))


def _is_size_or_share(number: float, sizes: Sequence[int]) -> bool:
    return any(size and (number == size or np.isclose(number, 1 / size)) for size in sizes)


def _counts_places(array: np.ndarray) -> bool:
    """Whether an array is 0, 1, 2, ..., or has ones on its diagonal."""
    if array.ndim == 1:
        return np.array_equal(array, np.arange(array.size))
    return array.ndim == 2 and np.array_equal(array, np.eye(*array.shape))


def _is_part(value: Any, given: Any) -> bool:
    """Whether a value is an input, an input again and again, or one place of an axis of it."""
    if _is_input(value, given):
        return True
    given = as_array(given)
    if not (isinstance(given, np.ndarray) and isinstance(value, np.ndarray) and given.size > 1):
        return False
    # Most share no number, which one comparison shows.
    if not value.size or not _near(given, value.flat[0]).any():
        return False
    value, given = np.squeeze(value), np.squeeze(given)
    for axis in (None, *range(given.ndim)):
        shape = given.shape if axis is None else given.shape[:axis] + given.shape[axis + 1 :]
        if math.prod(shape) > 1 and shape == value.shape[max(value.ndim - len(shape), 0) :]:
            parts = given[None] if axis is None else np.moveaxis(given, axis, 0)
            if _repeats_one_of(parts, value):
                return True
    return False


def _repeats_one_of(parts: np.ndarray, value: np.ndarray) -> bool:
    """Whether an array (..., parts' shape) is one of some parts (n, ...), again and again."""
    first = value[(0,) * (value.ndim - parts.ndim + 1)]
    start = parts[(slice(None), *(0,) * first.ndim)]
    likely = parts[_near(start, first.item(0))] if first.size else parts
    return any(_alike(part, first) for part in likely) and np.allclose(value, first, equal_nan=True)


def _is_input(value: Any, given: Any) -> bool:
    value = as_array(value)
    if type(given) in (int, float) and isinstance(value, np.ndarray) and value.size == 1:
        given = np.full(value.shape, given)
    given = sorted(given) if isinstance(given, Set) else as_array(given)
    if isinstance(given, np.ndarray) and isinstance(value, np.ndarray):
        return _alike(value, given)
    return identical(value, given)


def _alike(array: np.ndarray, other: np.ndarray) -> bool:
    """Whether two arrays are equal, up to a conversion to a type with less precision."""
    if array.shape != other.shape:
        return False
    # Most differ in their first entry: comparing only that is a hundred times faster.
    if array.size and not _near(array.item(0), other.item(0)):
        return False
    return np.allclose(array, other, equal_nan=True)


def _near(numbers: Any, number: Any) -> Any:
    """Whether numbers differ by less than 0.1 %, or 0.001, from one of them; or one is NaN."""
    number = float(number)
    most = 1e-3 * (1 + abs(number))
    if not isinstance(numbers, np.ndarray):
        return not abs(numbers - number) > most
    return ~(np.abs(numbers - number) > most)
