"""Consoles and arguments that several subcommands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from selfcheck.responses import printable

console = Console(soft_wrap=False, emoji=False)
if not console.is_terminal:
    # A log file or a pipe has no width, so use one that fits a sentence.
    console = Console(width=140, emoji=False)

error_console = Console(stderr=True, soft_wrap=True, emoji=False)

CourseOption = Annotated[
    Path, typer.Option("--course", help="The course folder.", show_default="this folder")
]
LessonArgument = Annotated[str, typer.Argument(help="A lesson, such as 03-attention.")]
LessonsArgument = Annotated[
    list[str] | None, typer.Argument(help="Lessons; if left out, all of them.")
]
WorksheetOption = Annotated[
    Path | None,
    typer.Option(
        help="This lesson's grading worksheet, as downloaded from Moodle.",
        exists=True,
        dir_okay=False,
    ),
]
StudentsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--student",
        "--students",
        help="Only this student; may be repeated.",
        show_default="everybody",
    ),
]


class Sandbox(StrEnum):
    """The kinds of sandbox."""

    bubblewrap = "bubblewrap"
    none = "none"


SandboxOption = Annotated[
    Sandbox | None,
    typer.Option(
        help="The sandbox for students' code; with none, it runs with your privileges.",
        show_default="bubblewrap",
    ),
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        min=1, help="Number of kernels to run in parallel.", show_default="one more than cores"
    ),
]


def shown(text: str) -> str:
    r"""Make untrusted text safe for ``console.print`` and tables: without markup, and without
    control characters except line breaks.

    Example:
        >>> shown("[red]\x1b[2J alert")
        '\\[red][2J alert'
    """
    return escape("\n".join(map(printable, text.split("\n"))))


def chosen_lessons(folder: CourseFolder, lessons: list[str] | None) -> list[str]:
    """The named lessons, or all of them.

    Raises:
        CourseError: when there are no lessons, or one of the names is unknown.
    """
    if not (there := folder.lessons()):
        raise CourseError(
            f"There is no lesson in {folder.folder('source')}. A lesson is a folder with a "
            "notebook of the same name: <lesson>/<lesson>.ipynb. Use `nbgrader "
            "generate_assignment` to release assignments with other names."
        )
    return [folder.find_lesson(name) for name in lessons] if lessons else there
