"""Rubrics: what earns points in a written answer.

A lesson's are in ``rubrics/<lesson>.toml`` of the course folder, which students never get: a table
for each question, named by its ``grade_id``.

    [why_the_root.items.variance]
    points = 0.5
    text = "The variance grows with the depth, so the softmax is saturated."

    [[why_the_root.examples]]
    items = ["variance"]
    text = "The scores get large, so ..."
    why = "Nothing is said about the depth of a head."
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course_folder import CourseFolder
from autograder.errors import CourseError

FOLDER = "rubrics"

DIGITS = 4
"""Points are rounded to so many: three tenths in all are 0.3, whatever they are the sum of."""


@dataclass(frozen=True)
class Item:
    """Something that an answer has or hasn't.

    Args:
        name: doesn't change when the text does, so that marks stay.
        points: what it earns, more than 0.
        text: a sentence for graders and students.
    """

    name: str
    points: float
    text: str


@dataclass(frozen=True)
class Example:
    """An answer whose points were agreed on.

    Args:
        items: the names of the items that it gets.
        text: the answer, in Markdown.
        why: what decided, in a sentence.
    """

    items: tuple[str, ...]
    text: str
    why: str = ""


@dataclass(frozen=True)
class Rubric:
    """What earns points in the answers to a question.

    Args:
        items: in the order in which graders see them.
        examples: answers at different levels.
    """

    items: tuple[Item, ...] = ()
    examples: tuple[Example, ...] = ()

    def total(self, names: Collection[str]) -> float:
        """The points for some items. Names that the rubric no longer has count for nothing."""
        return round(sum(item.points for item in self.items if item.name in names), DIGITS)

    @property
    def points(self) -> float:
        """The most that an answer can get."""
        return round(sum(item.points for item in self.items), DIGITS)


def rubric_file(course: CourseFolder, lesson: str) -> Path:
    """The file with a lesson's rubrics, which need not be there."""
    return course.root / FOLDER / f"{lesson}.toml"


def read_rubrics(course: CourseFolder, lesson: str) -> Mapping[str, Rubric]:
    """The rubrics of a lesson's questions, by grade_id; none where there is no file.

    Raises:
        CourseError: when the file can't be read, with the place.
    """
    file = rubric_file(course, lesson)
    try:
        tables = tomllib.loads(file.read_text("utf8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise CourseError(f"{FOLDER}/{file.name} can't be read: {error}") from None
    return {
        question: _rubric(table, f"{FOLDER}/{file.name}, {question}")
        for question, table in tables.items()
    }


def problems(rubrics: Mapping[str, Rubric], points: Mapping[str, float]) -> Iterator[str]:
    """What is wrong with a lesson's rubrics, in sentences.

    Args:
        rubrics: by grade_id.
        points: what each written question of the lesson is worth, by grade_id.
    """
    for question, rubric in rubrics.items():
        if question not in points:
            yield f"{question} has a rubric in {FOLDER}/, but the lesson has no such question"
        elif rubric.points != points[question]:
            yield (
                f"{question} is worth {points[question]:g} points, but the items of its rubric in "
                f"{FOLDER}/ add up to {rubric.points:g}"
            )


def _rubric(table: Any, place: str) -> Rubric:
    _check(table, place, {"items": dict, "examples": list})
    items = []
    for name, item in table.get("items", {}).items():
        _check(item, f"{place}, {name}", {"points": float, "text": str}, required=True)
        if not 0 < item["points"] < math.inf:
            raise CourseError(f"{place}, {name}: points must be more than 0.")
        items.append(Item(name, float(item["points"]), item["text"].strip()))
    known = {item.name for item in items}
    examples = []
    for number, example in enumerate(table.get("examples", ()), 1):
        here = f"{place}, example {number}"
        _check(example, here, {"items": list, "text": str, "why": str})
        got = tuple(example.get("items", ()))
        if unknown := [name for name in got if name not in known]:
            raise CourseError(f"{here}: the rubric has no item called {unknown[0]!r}.")
        examples.append(Example(got, example.get("text", ""), example.get("why", "")))
    return Rubric(tuple(items), tuple(examples))


def _check(table: Any, place: str, kinds: Mapping[str, type], *, required: bool = False) -> None:
    """Raise a CourseError if a table hasn't the entries that it should have."""
    if not isinstance(table, dict):
        raise CourseError(f"{place}: this should be a table, with {', '.join(kinds)}.")
    for name, value in table.items():
        if name not in kinds:
            raise CourseError(f"{place}: {name!r} isn't known here; {', '.join(kinds)} are.")
        kind = kinds[name]
        fits = type(value) in (int, float) if kind is float else isinstance(value, kind)
        if not fits:
            raise CourseError(f"{place}: {name} is {value!r}, which isn't what belongs there.")
    if required and (missing := [name for name in kinds if name not in table]):
        raise CourseError(f"{place}: {missing[0]} is missing.")
