"""``autograder import``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.terminal import CourseOption, console, shown
from autograder.course_folder import CourseFolder

imports = typer.Typer(
    help="Convert assignments that were written for other systems into lessons.",
    no_args_is_help=True,
)


@imports.command()
def otter(
    notebook: Annotated[
        Path,
        typer.Argument(
            help="The notebook that otter assign reads; the lesson gets its name.",
            exists=True,
            dir_okay=False,
        ),
    ],
    course: CourseOption = Path(),
) -> None:
    """Convert an assignment for Otter-Grader into a lesson for nbgrader.

    Writes source/<lesson>/<lesson>.ipynb, and copies the files that the
    notebook's configuration names. The original stays unchanged, and none of its
    code is executed: tests expect the output that the notebook was saved with.

    Each test gets the points that Otter gives it. Prints how many points the
    lesson has, and what was left out or differs from Otter.
    """
    from autograder.otter import import_otter

    made = import_otter(CourseFolder(course), notebook)
    for line in made.report():
        console.print(shown(line), highlight=False, soft_wrap=True)
    for step in (
        f"Next: nbgrader validate {made.path} (checks that your solutions pass the tests)",
        f"Then: nbgrader generate_assignment {made.lesson}",
    ):
        console.print(shown(step), highlight=False, soft_wrap=True)
