"""``autograder handout``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.terminal import CourseOption, LessonsArgument, chosen_lessons, console, shown
from autograder.course_folder import CourseFolder


def handout(
    lessons: LessonsArgument = None,
    into: Annotated[
        Path | None,
        typer.Option(help="The folder to write to.", show_default="handout/ in the course folder"),
    ] = None,
    wheel: Annotated[
        Path | None,
        typer.Option(
            help="The package that students install.",
            show_default="built from the checkout, else from what is installed",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    course: CourseOption = Path(),
) -> None:
    """Zip what students need, one zip per lesson.

    Each zip holds the notebook, the package to install, and a README: how to
    install, open, check and hand in. It unpacks into a folder named after the
    course, so that all lessons end up in one folder. Lessons are not zipped
    together, because later ones show what earlier ones asked for.

    The same release always gives identical zips. Refuses a release that differs
    from source/, and anything that would reveal a solution or a hidden test.
    """
    from autograder.release.handout import write_handouts

    folder = CourseFolder(course)
    chosen = chosen_lessons(folder, lessons)
    for made in write_handouts(folder, chosen, into or folder.root / "handout", wheel):
        console.print(shown(f"{made.path}:"), highlight=False, soft_wrap=True)
        for name in made.names:
            console.print(shown(f"  {name}"), highlight=False, soft_wrap=True)
