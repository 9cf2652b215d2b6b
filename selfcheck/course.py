"""A course's declaration, and everything that the engine finds through it."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from selfcheck import checks, responses, texts
from selfcheck.diagnosis.failures import ExceptionCause
from selfcheck.exercise import Exercise


class UnknownExercise(KeyError):
    """No exercise has this name, or an exercise's file can't be imported."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, eq=False)
class Course:
    """A course, by the package that its students import.

    The package's folder holds ``exercises/<topic>/<exercise>.py``, each file with an ``Exercise``
    called ``EXERCISE``; ``answers/``, the answer sheets that ``autograder release`` writes; and, if
    the course speaks more than English, ``texts/<language>.po``.

    Args:
        package: its name, such as ``"course"``.
        keys: the instructors' package with ``<topic>/<exercise>.py`` for every exercise, each with
            a ``Key`` called ``KEY``. Students don't have it.
        distribution: pip's name for what students install.
        preload: modules that most lessons import; the process that forks kernels imports them once.
        variables: environment variables of the kernels while grading.
        exception_causes: causes of exceptions in the libraries that the course uses.
        setup: the course's own commands that students run once after installing, each with an
            explanation, for the handout's README.
        example: the lesson that ``autograder demo`` uses, if none is named.
        full_size: the environment variables with which a lesson runs in full, on real data.

    Example:
        >>> Course("course").get("attention.average_attention").lesson
        '03-attention'
    """

    package: str
    keys: str = ""
    distribution: str = ""
    preload: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    exception_causes: tuple[ExceptionCause, ...] = ()
    setup: Mapping[str, str] = field(default_factory=dict)
    example: str = ""
    full_size: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.package:
            texts.add(self.folder / "texts")

    def __reduce__(self) -> tuple[Callable[[str], Course], tuple[str]]:
        """In another process, import the declaration again."""
        return _declared, (self.package,)

    @cached_property
    def folder(self) -> Path:
        """The package's folder.

        Raises:
            ModuleNotFoundError: when it isn't installed.
        """
        return package_folder(self.package)

    @property
    def answers(self) -> Path:
        """The folder of the answer sheets."""
        return self.folder / "answers"

    @cached_property
    def _exercises(self) -> dict[str, Exercise]:
        root = self.folder / "exercises" if self.package else None
        found = []
        for path in sorted(root.glob("*/*.py")) if root else ():
            if path.stem != "__init__":
                module = f"{self.package}.exercises.{path.parent.name}.{path.stem}"
                try:
                    exercise = getattr(importlib.import_module(module), "EXERCISE", None)
                except Exception as error:
                    problem = f"{type(error).__name__}: {error}"
                    raise UnknownExercise(f"{path} can't be imported: {problem}") from error
                if isinstance(exercise, type):
                    raise UnknownExercise(f"{path}: write EXERCISE = {exercise.__name__}()")
                found += [exercise] if exercise else []
        found.sort(key=lambda exercise: (exercise.lesson, exercise.section))
        return {exercise.name: exercise for exercise in found}

    def names(self, lesson: str | None = None) -> list[str]:
        """The names of all exercises, or of one lesson's, in the order of the sections.

        Raises:
            UnknownExercise: when an exercise's file can't be imported.
        """
        return [name for name, ex in self._exercises.items() if lesson in (None, ex.lesson)]

    def get(self, name: str) -> Exercise:
        """Find an exercise.

        Args:
            name: such as ``"attention.average_attention"``.

        Raises:
            UnknownExercise: when there is none, with the nearest name.
        """
        try:
            return self._exercises[name]
        except (KeyError, TypeError):
            path = (
                self.folder.joinpath("exercises", *str(name).split(".")) if self.package else None
            )
            if path and path.with_suffix(".py").is_file():
                what = f"{path.with_suffix('.py')} has no EXERCISE of that name"
                raise UnknownExercise(f"No exercise is called {name!r}: {what}") from None
            near = difflib.get_close_matches(str(name), self._exercises, n=1)
            there = ", ".join(self._exercises) or "none"
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {there}"
            raise UnknownExercise(f"No exercise is called {name!r}: {hint}") from None

    def check(self, name: str, obj: Any) -> None:
        """Try an answer on the published inputs and explain the result.

        While a notebook is being graded, this does nothing: the judge uses different inputs.

        Args:
            name: the exercise, such as ``"attention.average_attention"``.
            obj: your function or class.

        Raises:
            CheckFailed: when an aspect fails.
            UnknownExercise: when no exercise has this name.
        """
        if not responses.awaited():
            checks.check(self.get(name), obj, self.answers, self.exception_causes)

    def grade(self, name: str, obj: Any) -> None:
        """Run an answer on secret inputs and hand its outputs over, unjudged.

        It always raises after handing over: a judge replaces this error with the points, and
        without a judge the error remains and the cell earns nothing.

        Args:
            name: the exercise.
            obj: the student's function or class.

        Raises:
            Unjudged: always.
            UnknownExercise: when no exercise has this name.
        """
        responses.grade(self.get(name), obj)

    def packed_inputs(self, names: list[str], seed: int) -> bytes:
        """The inputs of exercises for a student's process, which never gets the seed: code that
        draws inputs could see how they are made.

        Args:
            names: the exercises' names.
            seed: the seed of the inputs.

        Raises:
            UnknownExercise: when no exercise has one of the names.
        """
        return responses.packed(map(self.get, names), seed)


def _declared(package: str) -> Course:
    return importlib.import_module(package).COURSE if package else Course("")


def package_folder(name: str) -> Path:
    """Find a package's folder without importing it.

    Raises:
        ModuleNotFoundError: when it isn't installed.
    """
    found = importlib.util.find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError(f"No package named {name!r}", name=name)
    return Path(found.submodule_search_locations[0])
