"""``autograder export``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.terminal import Course, console, shown
from autograder.course_folder import CourseFolder


class System(StrEnum):
    """Who reads exported grades."""

    canvas = "canvas"
    moodle = "moodle"
    gradescope = "gradescope"
    json = "json"


def export(
    system: Annotated[System, typer.Argument(help="For which system; json is for programs.")],
    lessons: Annotated[
        list[str] | None, typer.Argument(help="Lessons; if left out, all that have grades.")
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option(help="The file.", show_default="reports/ in the course folder"),
    ] = None,
    course: Course = Path(),
) -> None:
    """Write the grades as Canvas, Moodle, Gradescope or a program reads them.

    Points come from the gradebook, minus late penalties. There is no grade yet
    if somebody still has to grade an answer by hand, or if a submission could
    not be graded; a line says for how many. Nor is there one if nothing was
    handed in; a line says who. A missing grade is an empty cell, but a dash for
    Moodle, which may read an empty cell as 0. Names and ids are those of
    autograder roster.

    canvas: one column per lesson; the assignment in Canvas has the lesson's name.

    moodle: also a column with the reasons for lost points.

    gradescope: one lesson with every question, or the totals of several lessons.

    json: also aspects, mistakes, hints and comments.

    The same from nbgrader, with Moodle, Gradescope or Json in place of Canvas:
    nbgrader export --exporter autograder.exports.CanvasExporter --to FILE
    """
    from autograder.exports.writing import write

    written = write(CourseFolder(course), system.value, lessons or [], to=to)
    for warning in written.warnings:
        console.print(shown(warning), highlight=False, soft_wrap=True)
    console.print(shown(f"The grades: {written.path}"), highlight=False, soft_wrap=True)
