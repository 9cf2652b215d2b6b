"""``autograder rename-student``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from autograder.cli.terminal import Course, console
from autograder.course_folder import CourseFolder


def rename_student(
    old: Annotated[str, typer.Argument(help="The student's id, the name of the folder.")],
    new: Annotated[str, typer.Argument(help="The id to be.")],
    course: Course = Path(),
) -> None:
    """Give a student another id, and move all that is kept under the old one.

    Moves what was handed in, graded notebooks, feedback, grades and the entry in
    the roster. Refuses an id under which somebody has handed something in.
    Interrupted, it completes when it is run again; until then nobody grades.
    """
    from autograder.renaming import rename_student as rename

    done = rename(CourseFolder(course), old, new)
    for folder in done.folders:
        line = f"  {folder.parent.name}/{new}"
        console.print(escape(line), highlight=False, soft_wrap=True)
    submissions = "1 submission" if done.submissions == 1 else f"{done.submissions} submissions"
    line = f"{old} is {new} now, with {submissions} in the gradebook."
    console.print(escape(line), highlight=False, soft_wrap=True)
