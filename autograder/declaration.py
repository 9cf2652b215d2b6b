"""Find the installed course by its entry point, or as named in ``nbgrader_config.py``."""

from __future__ import annotations

import importlib
import importlib.metadata
from functools import cache
from typing import NoReturn

from traitlets import Unicode
from traitlets.config import Configurable, LoggingConfigurable

from selfcheck import Course, UnknownExercise

GROUP = "autograder.courses"
"""The group of entry points; each one loads a ``selfcheck.Course``."""


class DeclarationError(Exception):
    """The course cannot be found; the message says what to do."""


class NoCourse(Course):
    """Stands in for the course of plain nbgrader lessons, whose cells have tests of their own.

    Args:
        why: the reason why there is no course, for a cell that asks for an exercise.
    """

    why: str

    def __init__(self, why: str) -> None:
        super().__init__("")
        object.__setattr__(self, "why", why)

    def get(self, name: str) -> NoReturn:
        """Refuse: there are no exercises.

        Raises:
            UnknownExercise: always.
        """
        raise UnknownExercise(f"No exercise is called {name!r} here: {self.why}")


class CourseDeclaration(LoggingConfigurable):
    """Names the course whose exercises are checked and graded."""

    package = Unicode(
        help="The package that declares the course as COURSE. May be left out where one course is "
        "installed."
    ).tag(config=True)


def course_of(parent: Configurable) -> Course:
    """The course that a configuration names.

    Args:
        parent: any object that has the configuration.

    Raises:
        DeclarationError: when the configuration names one that isn't there.
    """
    return find_course(CourseDeclaration(parent=parent).package)


@cache
def find_course(package: str = "") -> Course:
    """Find a course.

    Args:
        package: the package that declares it; "" means the only installed course. If there is
            none, or more than one, the result is a ``NoCourse``.

    Raises:
        DeclarationError: when the package isn't there or declares no course.
    """
    if package:
        try:
            return importlib.import_module(package).COURSE
        except (ImportError, AttributeError) as error:
            raise DeclarationError(
                f"c.CourseDeclaration.package in nbgrader_config.py is {package!r}, but that "
                f"package declares no course here ({error}): install it, or name another."
            ) from error
    installed = {entry.value: entry for entry in importlib.metadata.entry_points(group=GROUP)}
    if len(installed) == 1:
        return next(iter(installed.values())).load()
    if not installed:
        return NoCourse("no course is installed")
    names = ", ".join(sorted(entry.module for entry in installed.values()))
    return NoCourse(
        f"several courses are installed ({names}), so name yours in nbgrader_config.py, as "
        'c.CourseDeclaration.package = "..."'
    )
