"""``autograder compare``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.terminal import CourseOption, LessonArgument, StudentsOption, console, shown
from autograder.course_folder import CourseFolder


def compare(
    lesson: LessonArgument,
    students: StudentsOption = None,
    sample: Annotated[
        int, typer.Option(min=1, help="Number of submissions, evenly spread over the class.")
    ] = 10,
    course: CourseOption = Path(),
) -> None:
    """Grade a sample of submissions with plain nbgrader and with this autograder, and compare.

    Both grade in temporary folders, and nothing in the course changes. nbgrader runs submissions
    without a sandbox, with your own privileges. It can't judge exercises, so compare lessons whose
    cells have tests of their own.

    Exits with status 1 if a cell earns different points.
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
        f"Submissions compared: {len(chosen)}. Cells with different points: {len(differing)}."
    )
    if differing:
        raise typer.Exit(1)
