"""``autograder rename-student``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.terminal import CourseOption, console, shown
from autograder.course_folder import CourseFolder


def rename_student(
    old: Annotated[str, typer.Argument(help="The student's id, which is the folder's name.")],
    new: Annotated[str, typer.Argument(help="The new id.")],
    course: CourseOption = Path(),
) -> None:
    """Give a student a new id, and move everything that is stored under the old one.

    Moves submissions, graded notebooks, feedback, grades and the entry in the
    roster. Refuses an id under which something was handed in. If the command is
    interrupted, run it again to resume; until then, grading is blocked.
    """
    from autograder.rename_student import rename_student as rename

    done = rename(CourseFolder(course), old, new)
    for folder in done.folders:
        line = f"  {folder.parent.name}/{new}"
        console.print(shown(line), highlight=False, soft_wrap=True)
    submissions = "1 submission" if done.submissions == 1 else f"{done.submissions} submissions"
    line = f"{old} is {new} now, with {submissions} in the gradebook."
    console.print(shown(line), highlight=False, soft_wrap=True)
