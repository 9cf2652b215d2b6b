"""``autograder audit``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.progress import (
    track,
)
from rich.table import Table

from autograder.cli.terminal import Course, Lessons, chosen_lessons, console
from autograder.course_folder import CourseFolder


def audit(
    lessons: Lessons = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes.", show_default="one a core")
    ] = None,
    course: Course = Path(),
) -> None:
    """Judge answers whose worth is known, and count how often the judge is wrong.

    Right and wrong answers are those of the simulated class: tests/submissions/<lesson> in the
    course folder, else the bundled class. Slips are made automatically, one in each copy of a
    solution. Ends with status 1 when the judge is wrong once, or when too few wrong
    answers get the hint that names their cause.
    """
    from autograder import audit as auditing

    folder = CourseFolder(course)
    chosen = chosen_lessons(folder, lessons)
    tasks = auditing.tasks(folder, chosen)
    doing = track(
        auditing.audit(folder, tasks, jobs),
        "Judging",
        total=len(tasks),
        console=console,
        disable=not console.is_terminal,
    )
    found = auditing.Summary.of(doing)
    columns = ("Exercise", "Right", "Wrong", "Slips", "Hints", "Largest right", "Smallest wrong")
    table = Table(*columns, title="Judged; errors in tolerances")
    for one in found.audits:
        table.add_row(*one.row())
    console.print(table)
    for one in found.audits:
        for problem in (*one.problems, *(f"another hint: {each}" for each in one.unnamed)):
            console.print(escape(f"{one.question.exercise}: {problem}"), soft_wrap=True)
    console.print(found.sentence, highlight=False, soft_wrap=True)
    if not found.holds:
        raise typer.Exit(1)
