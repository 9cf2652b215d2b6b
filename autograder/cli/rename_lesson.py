"""``autograder rename-lesson``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from autograder.cli.terminal import Course, console
from autograder.course_folder import CourseFolder


def rename_lesson(
    old: Annotated[str, typer.Argument(help="A lesson, such as 03-attention.")],
    new: Annotated[str, typer.Argument(help="Its new name, which nothing has yet.")],
    course: Course = Path(),
) -> None:
    """Give a lesson another name, with all that was handed in and graded.

    Renames its folders in source/, release/, submitted/, autograded/ and feedback/, the notebooks
    in them, and its entries in the gradebook: all or nothing. Interrupted, it goes on when it is
    run again. What students hand in later has to have the new name.
    """
    from autograder.rename import rename_lesson as rename

    for folder in rename(CourseFolder(course), old, new):
        console.print(escape(str(folder)), highlight=False, soft_wrap=True)
    console.print(
        f"{old} is {new} now. Hand it out again under this name if students still work on it: "
        f"autograder release {new}",
        soft_wrap=True,
    )
