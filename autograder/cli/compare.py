"""``autograder compare``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.terminal import Course, Lesson, Students, console, shown
from autograder.course_folder import CourseFolder


def compare(
    lesson: Lesson,
    students: Students = None,
    sample: Annotated[
        int, typer.Option(min=1, help="How many submissions, evenly spread over the class.")
    ] = 10,
    course: Course = Path(),
) -> None:
    """Grade a sample of submissions by nbgrader alone and by this autograder; show what differs.

    Both grade in temporary folders, and nothing in the course changes. nbgrader executes
    submissions without a sandbox, with all that you may do yourself. It cannot judge exercises:
    compare lessons whose cells have tests of their own.

    Exits with status 1 if a cell earns something else.
    """
    from autograder.compare import compare as differences

    folder = CourseFolder(course)
    lesson = folder.find_assignment(lesson)
    everybody = folder.find_students(lesson, students or [])
    chosen = everybody[:: -(-len(everybody) // sample)]
    differing = list(differences(folder, lesson, chosen))
    for each in differing:
        line = f"{each.student}, {each.cell}: nbgrader {each.stock}, autograder {each.ours}"
        console.print(shown(line), highlight=False, soft_wrap=True)
    console.print(
        f"Submissions compared: {len(chosen)}. Cells that earn something else: {len(differing)}."
    )
    if differing:
        raise typer.Exit(1)
