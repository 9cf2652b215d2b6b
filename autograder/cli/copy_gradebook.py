"""``autograder copy-gradebook``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from autograder.cli.terminal import Course, console
from autograder.course_folder import CourseFolder


def copy_gradebook(
    source: Annotated[
        Path,
        typer.Argument(help="The file, such as gradebook.db.", exists=True, dir_okay=False),
    ],
    course: Course = Path(),
) -> None:
    """Copy a gradebook from a file into the one that the course's configuration names.

    Use it to move a course to a database server: set c.CourseDirectory.db_url in
    nbgrader_config.py first. It copies all rows or none, compares each one, and
    refuses a target that is not empty. The file stays as it is.
    """
    from autograder.gradebook.copy import copy
    from autograder.grading.batch import grading_lock

    folder = CourseFolder(course)
    nbgrader = folder.nbgrader
    with grading_lock(folder), folder.quiet():
        copied = copy(source, nbgrader.coursedir.db_url, nbgrader.course_id)
    table = Table("Table", "Rows")
    for name, count in copied.items():
        table.add_row(name, str(count))
    console.print(table)
    console.print(f"{sum(copied.values())} rows copied and compared.")
