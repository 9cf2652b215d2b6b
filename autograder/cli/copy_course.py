"""``autograder copy-course``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.terminal import console, shown


def copy_course(
    folder: Annotated[Path, typer.Argument(help="An empty or new folder.")],
) -> None:
    """Create a course folder: lessons with solutions, their rubrics, and nbgrader's configuration.

    Run the other commands in that folder, `autograder release` first. You can change anything in
    the folder: upgrading the autograder leaves it as it is.
    """
    from autograder import installed_course

    made = installed_course.copy_course(folder)
    console.print(shown(f"{made.root}: {', '.join(made.lessons())}"), soft_wrap=True)
    console.print("Next, in that folder: autograder release")
