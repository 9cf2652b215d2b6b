"""How far float32 arithmetic moves a solution's outputs: the tolerance for an answer's numbers."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from selfcheck import Case

_EPSILON = float(np.finfo(np.float32).eps)
_DOUBLE_EPSILON = float(np.finfo(np.float64).eps)
_TRIALS = 6

# A float32 program rounds after every operation, not only its inputs, and sums of tens of terms
# accumulate errors. Both stay within this factor of the error from rounding the inputs.
_OPERATIONS = 32


class Tolerance(Mapping[str, float]):
    """By the name of an array, the largest absolute error that counts as none.

    It's the largest change of the output when every input is moved by one float32 rounding error,
    times a factor for the rounding of a program's float32 operations; and never less than the same
    of the largest number in it. It takes the solution several runs, most of which right answers
    don't need, so it's computed when it's first asked for.

    Args:
        case: the inputs.
        right: the solution's arrays, by name.
        run: the solution; it takes inputs by name, and returns its outputs.
    """

    def __init__(
        self,
        case: Case,
        right: Mapping[str, np.ndarray],
        run: Callable[[Mapping[str, Any]], Mapping[str, Any]],
    ) -> None:
        self._case, self._right, self._run = case, right, run

    @cached_property
    def least(self) -> dict[str, float]:
        """A lower bound, which takes no run."""
        # An exact 0, from inputs that aren't moved, may not be 0 after rounding in another order.
        given = max(map(largest, self._case.inputs.values()), default=0.0)
        return {
            name: _OPERATIONS * max(_DOUBLE_EPSILON * given, _EPSILON * largest(values))
            for name, values in self._right.items()
        }

    @cached_property
    def _sizes(self) -> dict[str, float]:
        case, sizes = self._case, dict(self.least)
        floats = {name: x for name, x in case.inputs.items() if is_float(x)}
        for moved in _moved(floats, case.name) if sizes and floats else ():
            outputs = self._run({**case.inputs, **moved})
            for name, values in self._right.items():
                # If any finite number is right, no tolerance is needed.
                free = case.free.get(name, False)
                change = np.where(free, 0.0, np.abs(outputs[name] - values))
                most = float(np.nanmax(change, initial=0.0))
                sizes[name] = max(sizes[name], _OPERATIONS * most)
        return sizes

    def __getitem__(self, name: str) -> float:
        return self._sizes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._right)

    def __len__(self) -> int:
        return len(self._right)


def largest(value: Any) -> float:
    """The largest finite magnitude in an array of numbers or a number; 0 for all else."""
    if not isinstance(value, np.ndarray | int | float) or np.asarray(value).dtype.kind not in "iuf":
        return 0.0
    magnitudes = np.abs(np.asarray(value, np.float64))
    return float(np.max(magnitudes[np.isfinite(magnitudes)], initial=0.0))


def is_float(value: Any) -> bool:
    """Whether a value is an array of floating-point numbers."""
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def _moved(inputs: Mapping[str, np.ndarray], case: str) -> Iterator[dict[str, np.ndarray]]:
    """Inputs with each entry moved one rounding error up or down."""
    flat = np.concatenate([x.ravel() for x in inputs.values()])
    low, step = flat * (1 - _EPSILON), flat * (2 * _EPSILON)
    for up in _ups(case, flat.size):
        # A product is quicker than a choice between two arrays.
        all_moved, begin, moved = low + step * up, 0, {}
        for name, x in inputs.items():
            moved[name] = all_moved[begin : begin + x.size].reshape(x.shape)
            begin += x.size
        yield moved


@lru_cache(maxsize=100)
def _ups(case: str, size: int) -> np.ndarray:
    """Whether each of so many entries is moved up, 0 or 1 (trials, entries): any fixed choice will
    do, the same in every run."""
    random = np.random.RandomState(zlib.crc32(case.encode()))
    drawn = [random.bytes(size // 8 + 1) for _ in range(_TRIALS)]
    bits = np.unpackbits(np.frombuffer(b"".join(drawn), np.uint8))
    return bits.reshape(_TRIALS, -1)[:, :size]
