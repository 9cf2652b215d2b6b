"""``autograder import``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.terminal import Course, console, shown
from autograder.course_folder import CourseFolder

imports = typer.Typer(
    help="Make lessons of assignments that were written for other systems.",
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
    course: Course = Path(),
) -> None:
    """Make a lesson for nbgrader of an assignment for Otter-Grader.

    Writes source/<lesson>/<lesson>.ipynb, with the files beside the notebook that
    its configuration names. The original stays as it is, and none of its code is
    executed: what a test expects is the output that the notebook was saved with.

    Each test gets the points that Otter gives it. Says how many points the lesson
    has, and what was left out or is otherwise than in Otter.
    """
    from autograder.otter import import_otter

    made = import_otter(CourseFolder(course), notebook)
    for line in made.report():
        console.print(shown(line), highlight=False, soft_wrap=True)
    for step in (
        f"Next: nbgrader validate {made.path} (do your solutions pass the tests?)",
        f"Then: nbgrader generate_assignment {made.lesson}",
    ):
        console.print(shown(step), highlight=False, soft_wrap=True)
