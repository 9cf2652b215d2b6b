"""``autograder init``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.terminal import console, shown


def init(
    folder: Annotated[
        Path, typer.Argument(help="An empty or new folder; the course is named after it.")
    ],
) -> None:
    """Create a course of your own: one lesson with one exercise that you can release at once.

    To start from the lessons of an installed course, use `autograder copy-course` instead.
    """
    from autograder.scaffold import new_course

    made = new_course(folder)
    console.print(shown(f"{made.root}: {', '.join(made.lessons())}"), soft_wrap=True)
    where = shown(shlex.quote(str(folder)))
    console.print(f"Next: python -m pip install --no-build-isolation -e {where}", soft_wrap=True)
    console.print(f"Then: cd {where}; autograder release; autograder demo", soft_wrap=True)
