"""``autograder export``."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.cli.terminal import CourseOption, WorksheetOption, console, shown
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError

if TYPE_CHECKING:
    from autograder.exports.writing import Written


class System(StrEnum):
    """The systems that read exported grades."""

    canvas = "canvas"
    moodle = "moodle"
    gradescope = "gradescope"
    feedback = "feedback"
    json = "json"


def export(
    system: Annotated[
        System,
        typer.Argument(
            help="The target system. feedback: the students' pages for Moodle; json: for your own "
            "programs."
        ),
    ],
    lessons: Annotated[
        list[str] | None, typer.Argument(help="Lessons; if left out, all that have grades.")
    ] = None,
    worksheet: WorksheetOption = None,
    to: Annotated[
        Path | None,
        typer.Option(help="The file.", show_default="reports/ in the course folder"),
    ] = None,
    course: CourseOption = Path(),
) -> None:
    """Write the grades to a file for Canvas, Moodle, Gradescope or your own programs.

    Points come from the gradebook, minus late penalties. A student has no grade
    yet if an answer still needs manual grading, or if the submission could not
    be graded; a line says how many there are. Nor has one who handed in
    nothing; a line says who. These students are left out of Canvas' and
    Moodle's files, because an import could remove the grades that they have
    there. Names and ids are those of autograder roster.

    canvas: one column per lesson; the assignment in Canvas has the lesson's name.

    moodle: with --worksheet, the assignment's grading worksheet with grades and
    comments, for Upload grading worksheet. Without it, a file for the gradebook's
    import: use it only if there is no worksheet, because grades that are imported
    there can't be changed in the assignment any more.

    feedback: the feedback pages of one lesson as a zip, for Moodle's Upload
    feedback files in a zip.

    gradescope: one lesson with every question, or the totals of several lessons.

    json: also aspects, mistakes, hints and comments.

    The same from nbgrader, with Moodle, Gradescope or Json in place of Canvas:
    nbgrader export --exporter autograder.exports.CanvasExporter --to FILE
    """
    from autograder.exports.writing import write_export

    folder = CourseFolder(course)
    if worksheet and system != System.moodle:
        raise CourseError("Only Moodle has a grading worksheet: autograder export moodle.")
    if worksheet or system == System.feedback:
        written = _for_assignment(folder, lessons or [], worksheet, to)
    else:
        written = write_export(folder, system.value, lessons or [], to=to)
    for warning in written.warnings:
        console.print(shown(warning), highlight=False, soft_wrap=True)
    console.print(shown(f"Written: {written.path}"), highlight=False, soft_wrap=True)


def _for_assignment(
    folder: CourseFolder, lessons: Sequence[str], worksheet: Path | None, to: Path | None
) -> Written:
    """Write the file for one of Moodle's assignments: the worksheet, or the feedback pages."""
    from autograder.exports.moodle import fill_worksheet, pack_feedback

    if len(lessons) != 1:
        raise CourseError("Name one lesson: in Moodle, each lesson has its own assignment.")
    lesson = folder.find_assignment(lessons[0])
    if worksheet:
        return fill_worksheet(folder, lesson, worksheet, to)
    return pack_feedback(folder, lesson, to)
