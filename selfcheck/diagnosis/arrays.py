"""Facts about wrong arrays."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from selfcheck.aspects import in_code
from selfcheck.diagnosis.functions import of_functions
from selfcheck.diagnosis.relation import Relation, one_off
from selfcheck.exercise import Exercise, Observation, axis_names
from selfcheck.texts import say

# A logarithm of a weight is off by the weight's relative error: far more than the weight itself.
_LOG_TOLERANCE = 1e-3
_SMALLEST_WEIGHT = 1e-5

# Factors that differ by less are the same: roots of different sizes differ by far more.
_SAME_FACTOR = 1e-4

# Maximum number of orders to try for axes, or for entries along one.
_MOST_AXES = 5
_MOST_ENTRIES = 64


# Error of a few 16-bit operations, in steps between 16-bit numbers near 1.
_HALF_UNITS = 8


def _as_float16(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float16).astype(float)


def _as_bfloat16(array: np.ndarray) -> np.ndarray:
    """Numbers rounded to bfloat16: a float32 without its lower half."""
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    return (bits & np.uint32(0xFFFF0000)).view(np.float32).astype(float)


@dataclass(frozen=True)
class Facts:
    """Find a fact about an array that isn't the expected one.

    Args:
        exercise, output, observation: its origin.
        value, expected: the arrays, float64.
    """

    exercise: Exercise
    output: str
    observation: Observation
    value: np.ndarray
    expected: np.ndarray

    @property
    def axes(self) -> tuple[str, ...]:
        """The names of the expected array's axes."""
        return axis_names(self.exercise.axes[self.output], self.expected.ndim)

    @property
    def sizes(self) -> dict[str, int]:
        """The names of the sizes in this case."""
        named = dict(self.exercise.sizes(self.observation.case))
        for name, size in zip(self.axes, self.expected.shape, strict=True):
            named.setdefault(name, size)
        return named

    @property
    def tolerance(self) -> float:
        """The error that float32 arithmetic explains."""
        return self.observation.expected.tolerance[self.output]

    # --- wrong shape ---

    def of_shape(self) -> Relation | None:
        """Axes moved, merged, missing or added."""
        return self._first(self._moved, self._axis_of_one, self._reduced, self._reshaped)

    def _moved(self) -> Relation | None:
        value, expected = self.value, self.expected
        if value.ndim != expected.ndim or value.ndim > _MOST_AXES:
            return None
        fitting = [
            order
            for order in itertools.permutations(range(value.ndim))
            if value.shape == tuple(expected.shape[axis] for axis in order)
        ]
        if not fitting:
            return None
        right = [order for order in fitting if self._agree(value, expected.transpose(order))]
        came = ", ".join(self.axes[axis] for axis in (right or fitting)[0])
        values = {"output": in_code(self.output), "came": came, "axes": ", ".join(self.axes)}
        if right:
            hint = say(
                "the numbers of {output} are right, but its axes are ({came}) instead of ({axes}).",
                **values,
            )
        else:
            hint = say("the sizes of {output} are those of ({came}) instead of ({axes}).", **values)
        return Relation("axes_moved", hint, complete=bool(right))

    def _axis_of_one(self) -> Relation | None:
        value, expected = np.squeeze(self.value), np.squeeze(self.expected)
        if value.shape != expected.shape:
            return None
        if self.value.ndim > self.expected.ndim:
            hint = say("{output} has one axis of size 1 too many.", output=in_code(self.output))
        else:
            hint = say("{output} lacks an axis of size 1.", output=in_code(self.output))
        right = self._agree(value, expected)
        rest = say("Its numbers are right.") if right else say("Its numbers are wrong, too.")
        return Relation("axis_of_one", f"{hint} {rest}", complete=right)

    def _reduced(self) -> Relation | None:
        """A missing axis over which the output was reduced."""
        for axis, name in enumerate(self.axes):
            if self.value.shape != self.expected.shape[:axis] + self.expected.shape[axis + 1 :]:
                continue
            for done, result in (
                (say("summed"), self.expected.sum(axis)),
                (say("averaged"), self.expected.mean(axis)),
                (say("reduced to its largest entry"), self.expected.max(axis)),
                (say("cut to its first entry"), self.expected.take(0, axis)),
                (say("cut to its last entry"), self.expected.take(-1, axis)),
            ):
                if self._agree(self.value, result):
                    hint = say(
                        "the axis {axis} of {output} was {done}, but must be kept.",
                        axis=name,
                        output=in_code(self.output),
                        done=done,
                    )
                    return Relation("axis_reduced", hint)
            hint = say("{output} lacks the axis {axis}.", output=in_code(self.output), axis=name)
            return Relation("axis_missing", hint)
        return None

    def _reshaped(self) -> Relation | None:
        if self.value.size != self.expected.size:
            return None
        if not self._agree(self.value.ravel(), self.expected.ravel()):
            return None
        hint = say(
            "the numbers of {output} are right and in the right order: only the shape is "
            "different.",
            output=in_code(self.output),
        )
        return Relation("reshaped", hint, complete=True)

    # --- right shape, wrong numbers ---

    def of_numbers(self) -> Relation | None:
        """A factor, an offset, a different order, or the only place with wrong numbers."""
        if not np.isfinite(self.value).all():
            return self._where_not_finite()
        if self.expected.size == 1:
            return one_off(self.output, (self.value - self.expected).item(), self.tolerance)
        return self._first(
            self._half_precision,
            self._proportional,
            self._offset,
            self._places_along_an_axis,
            lambda: of_functions(self.output, self.value, self.expected, self.tolerance),
            self._logits_proportional,
            self._constant,
            self._rows_proportional,
            self._shuffled,
            self._where_wrong,
        )

    def _half_precision(self) -> Relation | None:
        """16-bit numbers that are as close as their precision allows. Whole numbers may just be
        rounded."""
        if not (self.value % 1).any():
            return None
        largest = np.abs(self.expected).max()
        for halved, unit in ((_as_float16, 2.0**-10), (_as_bfloat16, 2.0**-7)):
            off = np.abs(self.value - self.expected).max()
            is_halved = (halved(self.value) == self.value).all()
            if (
                is_halved
                and off <= _HALF_UNITS * unit * largest
                and (halved(self.expected) != self.expected).any()
            ):
                hint = say(
                    "{output} is right but for rounding: its numbers have half precision (16 "
                    "bits). Was mixed precision switched on for the whole notebook?",
                    output=in_code(self.output),
                )
                return Relation("half_precision", hint, complete=True)
        return None

    def _where_not_finite(self) -> Relation | None:
        lost = ~np.isfinite(self.value)
        where = self._place(lost)
        if not where or not self._agree(self.value[~lost], self.expected[~lost]):
            return None
        hint = say(
            "{output} isn't finite at {where}, and right everywhere else.",
            where=where,
            output=in_code(self.output),
        )
        return Relation("not_finite", hint)

    def _proportional(self) -> Relation | None:
        factor = self._factor(self.value, self.expected)
        if factor is None:
            return None
        if np.abs(self.value).max() <= self.tolerance:
            return Relation("zeros", say("{output} is 0 everywhere.", output=in_code(self.output)))
        if abs(factor) < _SAME_FACTOR:
            return None  # what is left may be rounding
        if abs(factor + 1) < _SAME_FACTOR:
            hint = say("{output} has the opposite sign everywhere.", output=in_code(self.output))
            return Relation("sign", hint, complete=True)
        hint = say(
            "{output} is {factor} times the expected value everywhere{recognised}.",
            **self._named(factor),
        )
        return Relation("proportional", hint, complete=True)

    def _named(self, factor: float) -> dict[str, str]:
        """The part of a hint that describes a factor."""
        recognised = self._recognised(factor)
        return {"output": in_code(self.output), "factor": f"{factor:.4g}", "recognised": recognised}

    def _factor(self, value: np.ndarray, expected: np.ndarray) -> float | None:
        """The factor by which all expected numbers were multiplied, if there is one."""
        if np.ptp(expected) <= 100 * self.tolerance:
            return None  # too few different numbers to tell
        factor = float((value * expected).sum() / (expected**2).sum())
        error = np.abs(value - factor * expected).max()
        return factor if error <= self.tolerance * max(1.0, abs(factor)) else None

    def _recognised(self, factor: float) -> str:
        """Describe a factor in terms of sizes."""
        for name, size in self.sizes.items():
            for power, said in (
                (1, say(": that is {size}, which is {name}", size=size, name=name)),
                (0.5, say(": that is √{size}, the root of {name}", size=size, name=name)),
                (-1, say(": that is 1/{size}, and {size} is {name}", size=size, name=name)),
                (-0.5, say(": that is 1/√{size}, and {size} is {name}", size=size, name=name)),
                (2, say(": that is {size}², and {size} is {name}", size=size, name=name)),
            ):
                if size > 1 and abs(factor / size**power - 1) < _SAME_FACTOR:
                    return said
        return ""

    def _offset(self) -> Relation | None:
        difference = self.value - self.expected
        if np.ptp(difference) > 2 * self.tolerance:
            return None
        hint = say(
            "{output} is off by {difference} everywhere.",
            difference=f"{difference.mean():.4g}",
            output=in_code(self.output),
        )
        return Relation("offset", hint, complete=True)

    def _places_along_an_axis(self) -> Relation | None:
        """Reversed, shifted, or in a different order along one axis."""
        for axis, name in enumerate(self.axes):
            value, expected = (np.moveaxis(x, axis, 0) for x in (self.value, self.expected))
            entries = len(expected)
            if entries < 2 or self._agree(expected, np.broadcast_to(expected[:1], expected.shape)):
                continue
            named = {"output": in_code(self.output), "axis": name}
            if self._agree(value, expected[::-1]):
                hint = say("{output} is right, but reversed along the axis {axis}.", **named)
                return Relation("reversed", hint, complete=True)
            if entries > 2 and self._agree(value[1:], expected[:-1]):
                hint = say(
                    "{output} is right, but one place too late along the axis {axis}.", **named
                )
                return Relation("shifted", hint)
            if entries > 2 and self._agree(value[:-1], expected[1:]):
                hint = say(
                    "{output} is right, but one place too early along the axis {axis}.", **named
                )
                return Relation("shifted", hint)
            if entries <= _MOST_ENTRIES and self._is_reordered(value, expected):
                hint = say(
                    "{output} has the right entries along the axis {axis}, but in the wrong order.",
                    **named,
                )
                return Relation("other_order", hint)
        return None

    def _is_reordered(self, value: np.ndarray, expected: np.ndarray) -> bool:
        value, expected = value.reshape(len(value), -1), expected.reshape(len(expected), -1)
        same = np.abs(value[:, None] - expected[None]).max(-1) <= self.tolerance
        within = np.abs(expected[:, None] - expected[None]).max(-1) <= self.tolerance
        # Each comes as often as it should, also where some are equal.
        return bool((same.sum(0) == within.sum(0)).all())

    def _logits_proportional(self) -> Relation | None:
        """Rows of weights whose logits are off by a factor."""
        rows = self.value, self.expected
        if any((row < 0).any() or np.abs(row.sum(-1) - 1).max() > 1e-4 for row in rows):
            return None
        shown = (self.value > _SMALLEST_WEIGHT) & (self.expected > _SMALLEST_WEIGHT)
        count = shown.sum(-1, keepdims=True)
        if (count > 2).sum() == 0:
            return None  # two weights that sum to 1 fit any factor
        ours, theirs = (_centred(np.log(np.where(shown, row, 1.0)), shown, count) for row in rows)
        factor = float((ours * theirs).sum() / max((theirs**2).sum(), 1e-30))
        if np.abs(ours - factor * theirs).max() > _LOG_TOLERANCE * max(1.0, abs(factor)):
            return None
        if abs(factor - 1) < _LOG_TOLERANCE:
            return None  # small weights alone differ, of which the logarithm says little
        if abs(factor) < _LOG_TOLERANCE:
            return None  # equal weights come of any logits that are equal
        hint = say(
            "{output} is the softmax of scores that are {factor} times the expected "
            "ones{recognised}.",
            **self._named(factor),
        )
        return Relation("logits_proportional", hint, complete=True)

    def _constant(self) -> Relation | None:
        """Constant along an axis where it shouldn't be."""
        for axis, name in enumerate(self.axes):
            if self.value.shape[axis] < 2 or not self._agree_along(self.value, axis):
                continue
            if not self._agree_along(self.expected, axis):
                hint = say(
                    "{output} is constant along the axis {axis}, but shouldn't be.",
                    output=in_code(self.output),
                    axis=name,
                )
                return Relation("constant", hint)
        return None

    def _agree_along(self, x: np.ndarray, axis: int) -> bool:
        return bool((np.ptp(x, axis=axis) <= 2 * self.tolerance).all())

    def _rows_proportional(self) -> Relation | None:
        """Every row is a multiple of the right one, with its own factor."""
        for axis, name in reversed(list(enumerate(self.axes))):
            if self.expected.shape[axis] < 3:
                continue
            value, expected = (np.moveaxis(x, axis, -1) for x in (self.value, self.expected))
            square = (expected**2).sum(-1, keepdims=True)
            factors = (value * expected).sum(-1, keepdims=True) / np.maximum(square, 1e-30)
            if np.abs(factors).min() < _SAME_FACTOR:
                continue  # rows of zeros are the multiple of any row
            bound = self.tolerance * np.maximum(1.0, np.abs(factors))
            if (np.abs(value - factors * expected) <= bound).all():
                hint = say(
                    "each row of {output} along the axis {axis} is a multiple of the expected one: "
                    "by factors from {least} to {largest}.",
                    output=in_code(self.output),
                    axis=name,
                    least=f"{factors.min():.3g}",
                    largest=f"{factors.max():.3g}",
                )
                return Relation("rows_proportional", hint, complete=True)
        return None

    def _shuffled(self) -> Relation | None:
        if self.value.size < 3 or not self._agree(
            np.sort(self.value, None), np.sort(self.expected, None)
        ):
            return None
        hint = say(
            "{output} has the right numbers in the wrong places.", output=in_code(self.output)
        )
        return Relation("shuffled", hint)

    def _where_wrong(self) -> Relation | None:
        where = self._place(np.abs(self.value - self.expected) > self.tolerance)
        if not where:
            return None
        hint = say(
            "{output} is wrong only at {where}.",
            where=where,
            output=in_code(self.output),
        )
        return Relation("partly", hint)

    # --- tools ---

    def _first(self, *trials: Callable[[], Relation | None]) -> Relation | None:
        return next(filter(None, (trial() for trial in trials)), None)

    def _agree(self, value: np.ndarray, expected: np.ndarray) -> bool:
        return bool(
            value.shape == expected.shape and (np.abs(value - expected) <= self.tolerance).all()
        )

    def _place(self, marked: np.ndarray) -> str:
        """The only place along an axis with marked entries, in words, or ""."""
        for axis, name in enumerate(self.axes):
            others = tuple(n for n in range(marked.ndim) if n != axis)
            places = np.flatnonzero(marked.any(axis=others))
            if len(places) == 1 and marked.shape[axis] > 2:
                return say("index {place} of the axis {axis}", place=int(places[0]), axis=name)
        return ""


def _centred(logits: np.ndarray, shown: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Logits minus the mean of the shown ones in each row; 0 where not shown."""
    mean = logits.sum(-1, keepdims=True, where=shown) / np.maximum(count, 1)
    return np.where(shown, logits - mean, 0.0)
