"""The part of the autograder in students' kernels: exercises, their checks, and handing over.

A course declares itself as a ``Course``; its ``check`` explains an answer on published inputs, its
``grade`` hands an answer's outputs on secret inputs to the judge.
"""

from selfcheck.course import Course, UnknownExercise
from selfcheck.diagnosis.failures import ExceptionCause
from selfcheck.exercise import (
    Aspect,
    Case,
    Exercise,
    Expected,
    Failure,
    Observation,
    Untransferable,
    WrongReturn,
)

__all__ = [
    "Aspect",
    "Case",
    "Course",
    "ExceptionCause",
    "Exercise",
    "Expected",
    "Failure",
    "Observation",
    "UnknownExercise",
    "Untransferable",
    "WrongReturn",
]
