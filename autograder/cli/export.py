"""``autograder export``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from autograder.cli.terminal import Course, console
from autograder.course_folder import CourseFolder


class System(StrEnum):
    """Who reads exported grades."""

    canvas = "canvas"
    moodle = "moodle"
    gradescope = "gradescope"
    json = "json"


def export(
    system: Annotated[System, typer.Argument(help="Who reads it; json is for programs.")],
    lessons: Annotated[
        list[str] | None, typer.Argument(help="Lessons; all that have grades, if left out.")
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option(help="The file.", show_default="reports/ in the course folder"),
    ] = None,
    course: Course = Path(),
) -> None:
    """Write the grades as Canvas, Moodle, Gradescope or a program reads them.

    Points are those of the gradebook, less penalties for being late. There is no
    grade yet where a person still has to grade an answer, or what was handed in
    could not be graded; a line says for how many. Nor where nothing was handed
    in; a line says who. No grade is an empty cell; a dash for Moodle, which may
    read that as 0. Names and ids are those of autograder roster.

    canvas: a column a lesson; the assignment in Canvas has the lesson's name.

    moodle: also a column with the reasons for lost points.

    gradescope: one lesson with every question; of several, the totals.

    json: also aspects, mistakes, hints and comments.

    The same from nbgrader, with Moodle, Gradescope or Json for Canvas:
    nbgrader export --exporter autograder.exports.CanvasExporter --to FILE
    """
    from autograder.exports.writing import write

    written = write(CourseFolder(course), system.value, lessons or [], to=to)
    for warning in written.warnings:
        console.print(escape(warning), highlight=False, soft_wrap=True)
    console.print(escape(f"The grades: {written.path}"), highlight=False, soft_wrap=True)
