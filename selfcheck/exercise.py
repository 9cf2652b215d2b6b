"""An exercise: inputs drawn from a seed, how an answer is called, and what is judged."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from selfcheck.texts import say


@dataclass(frozen=True)
class Case:
    """One call of the student's function or layer.

    Args:
        name: what is special about these inputs, such as ``"padding mask"``.
        inputs: keyword arguments of the solution. Arrays are float32 or bool.
        free: by output name, a boolean array of its shape: True where right answers may differ, so
            that any finite number is accepted.
        asks: names of the outputs that ``call`` returns for a right answer; if left out, all that
            the solution returns.
    """

    name: str
    inputs: Mapping[str, Any]
    free: Mapping[str, np.ndarray] = field(default_factory=dict)
    asks: tuple[str, ...] = ()

    def asked(self, outputs: Mapping[str, Any]) -> dict[str, Any]:
        """The outputs that are asked for."""
        return {name: x for name, x in outputs.items() if not self.asks or name in self.asks}


NO_OUTPUTS = "NoOutputs"
"""The kind of failure if the wrong kind of object was returned."""


@dataclass(frozen=True)
class Failure:
    """A call that produced no outputs.

    Args:
        kind: the exception's class, such as ``"ValueError"``.
        message: its message, without the frame's decoration.
        line: the line in the student's cell, or None.
    """

    kind: str
    message: str
    line: int | None = None

    @property
    def unanswered(self) -> bool:
        """Whether the stub is still in place: libraries' own errors have a message."""
        return self.kind == "NotImplementedError" and not self.message

    def __str__(self) -> str:
        if self.unanswered:
            if not self.line:
                return say("not answered yet: the stub still raises NotImplementedError")
            return say(  # a cell may ask for two methods
                "not answered yet: line {line} of the cell still raises NotImplementedError",
                line=self.line,
            )
        said = f"{self.kind}: {self.message}" if self.message else self.kind
        if self.kind in (WrongReturn.__name__, NO_OUTPUTS):  # a sentence of ours
            said = self.message.removesuffix(".")
        if not self.line:
            return said
        return say("{error}, line {line} of the cell", error=said.rstrip(".: "), line=self.line)


@dataclass(frozen=True, eq=False)
class Expected:
    """The solution's outputs for a case. Two are equal only if they are the same object.

    Args:
        outputs: by output name, a float64 array (0 where the case leaves the output free), or
            text or a list of text, which must match exactly.
        tolerance: by the name of an array, the largest absolute error that float32 arithmetic
            explains.
        fixed: names of the outputs that are the same for every seed, so that they can be known
            without a computation.
        least: by the name of an array, an error that is within the tolerance, if one is known
            without it: to compute a tolerance takes a while.
        work: names of the outputs that take a computation in a right answer; None if it's to be
            seen from these values.
    """

    outputs: Mapping[str, Any]
    tolerance: Mapping[str, float]
    fixed: frozenset[str] = frozenset()
    least: Mapping[str, float] = field(default_factory=dict)
    work: frozenset[str] | None = None

    def within(self, output: str, error: float) -> bool:
        """Whether an absolute error of an output counts as none."""
        return error <= self.least.get(output, -1.0) or error <= self.tolerance[output]


@dataclass(frozen=True)
class Observation:
    """A case with the expected and the received outputs.

    Args:
        case: the inputs.
        expected: the solution's outputs.
        received: by output name, or a failure.
        excused: names of missing outputs that are optional.
        arrays: received outputs as arrays, cached after a comparison: a long list isn't converted
            again for every known mistake.
    """

    case: Case
    expected: Expected
    received: Mapping[str, Any] | Failure
    excused: frozenset[str] = frozenset()
    arrays: dict[str, np.ndarray | None] = field(default_factory=dict, compare=False, repr=False)

    @property
    def asked(self) -> Set[str]:
        """The names of the required outputs."""
        return self.expected.outputs.keys() - self.excused

    @property
    def outputs(self) -> Mapping[str, Any]:
        """What came back, by output name: nothing where the call failed."""
        return {} if isinstance(self.received, Failure) else self.received

    @property
    def known_beforehand(self) -> Set[str]:
        """The names of the outputs that tell nothing about an answer's work: they are the same for
        all inputs, or any finite number is accepted everywhere."""
        free = {name for name, where in self.case.free.items() if np.all(where)}
        return self.expected.fixed | free

    def free(self, output: str) -> np.ndarray | bool:
        """Where any finite number of ``output`` is accepted."""
        return self.case.free.get(output, False)


@dataclass(frozen=True)
class Aspect:
    """One condition, and its share of the points.

    Args:
        title: the condition, as a student reads it.
        percent: its share of the exercise's points.
        cases: the names of the cases that it checks.
        examine: gets the observation of one of these cases; returns "" if the aspect passes, else
            what was seen and what was expected.
    """

    title: str
    percent: int
    cases: tuple[str, ...]
    examine: Callable[[Observation], str]


class Exercise(ABC):
    """The public half of an exercise.

    Its key, which only instructors have, holds the solution: a function whose parameters are the
    names of ``Case.inputs`` and which returns the outputs named in ``axes``.
    """

    name: ClassVar[str]
    """``topic.function_or_class``, in snake case."""

    lesson: ClassVar[str]
    """The lesson that has this exercise."""

    section: ClassVar[int]
    """The lesson's section that has this exercise."""

    axes: ClassVar[Mapping[str, tuple[str, ...]]]
    """The names of each output's axes, in order; none for an output that is text or a list."""

    input_axes: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The names of the last axes of inputs, so that an explanation can speak of their sizes."""

    aspects: ClassVar[tuple[Aspect, ...]]
    """What is judged, in the order in which a check reports it. The percents sum to 100."""

    translatable_outputs: ClassVar[tuple[str, ...]] = ()
    """Outputs that are words for what came back, which are translated when they are shown."""

    optional: ClassVar[frozenset[str]] = frozenset()
    """Outputs that a right answer may lack, because the task can be solved without them."""

    conditional: ClassVar[frozenset[str]] = frozenset()
    """Outputs that ``call`` leaves out if they can't be computed, such as for a model that can't
    take a case's weights. A missing one is wrong. Without any other output, a case has failed."""

    measured: ClassVar[tuple[str, ...]] = ()
    """Outputs that ``call`` measures, such as dropped shares, and that the aspects put into words:
    nothing in a student's code has this name, so no fact is shown about them."""

    builds: ClassVar[bool] = False
    """Whether the answer builds a layer or a model, and cases with equal settings share it."""

    @abstractmethod
    def cases(self, seed: int) -> tuple[Case, ...]:
        """Draw the inputs; the same seed gives the same inputs on every machine."""

    def drawn(self, seed: int) -> tuple[Case, ...]:
        """The same, cached: only for reading, never for a student's code."""
        return _drawn(self, seed)

    @abstractmethod
    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Run a student's function or class on a case; return its outputs by name.

        If ``builds`` is set, the object returned by ``obj`` may have been used for another case.
        """

    def sizes(self, case: Case) -> dict[str, int]:
        """The names of the sizes in a case: integers among its inputs, and named axes."""
        named = {name: value for name, value in case.inputs.items() if type(value) is int}
        for name, axes in self.input_axes.items():
            shape = case.inputs[name].shape[-len(axes) :]
            named |= zip(axes, shape, strict=True)
        return named

    @property
    def function(self) -> str:
        """The name without its topic: the solution cell's ``grade_id``."""
        return self.name.rpartition(".")[2]


@lru_cache(maxsize=16)  # of all tasks of a notebook
def _drawn(exercise: Exercise, seed: int) -> tuple[Case, ...]:
    return exercise.cases(seed)


@dataclass(frozen=True)
class Untransferable:
    """A placeholder for a returned value that is neither data nor an array: its class's name."""

    name: str


class WrongReturn(TypeError):
    """A student's code returned a different kind of object than the task asks for."""


def axis_names(names: tuple[str, ...], ndim: int) -> tuple[str, ...]:
    """The names of an output's axes in a case that may lack the second one, such as heads.

    Args:
        names: of all axes that the output can have.
        ndim: how many it has in this case.

    Example:
        >>> axis_names(("batch", "heads", "queries", "keys"), 3)
        ('batch', 'queries', 'keys')
    """
    return names if ndim == len(names) else names[:1] + names[len(names) - ndim + 1 :]
