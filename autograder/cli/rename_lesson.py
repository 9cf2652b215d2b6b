"""``autograder rename-lesson``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.terminal import Course, console, shown
from autograder.course_folder import CourseFolder


def rename_lesson(
    old: Annotated[str, typer.Argument(help="A lesson, such as 03-attention.")],
    new: Annotated[str, typer.Argument(help="Its new name, which must not be in use.")],
    course: Course = Path(),
) -> None:
    """Rename a lesson, with everything that was handed in and graded.

    Renames its folders in source/, release/, submitted/, autograded/, feedback/ and
    tests/submissions/, the notebooks in them, and its entries in the gradebook: all or nothing.
    Then prints what else to change in the exercises' files. If the command is interrupted, run it
    again. Later submissions must have the new name.
    """
    from autograder.release.generate import sheets_folder
    from autograder.release.rename_lesson import rename_lesson as rename

    folder = CourseFolder(course)
    for renamed in rename(folder, old, new):
        console.print(shown(str(renamed)), highlight=False, soft_wrap=True)
    if sheets_folder(folder):  # an installed package can't be changed, and needn't be
        for exercise in folder.declared.names(old):
            console.print(f"Set lesson = {new!r} in the file of {exercise}.", soft_wrap=True)
        if folder.declared.example == old:
            console.print(f"Set example={new!r} where the course is declared.", soft_wrap=True)
    console.print(
        f"{old} is {new} now. Hand it out again under this name if students still work on it: "
        f"autograder release {new}",
        soft_wrap=True,
    )
