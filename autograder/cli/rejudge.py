"""``autograder rejudge``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.progress import (
    track,
)
from rich.table import Table

from autograder.cli.release import stale_penalties
from autograder.cli.terminal import Course, Lesson, Students, console
from autograder.course_folder import CourseFolder


def rejudge(
    lesson: Lesson,
    students: Students = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Record it; without this, nothing is written.")
    ] = False,
    course: Course = Path(),
) -> None:
    """Judge the recorded answers of a graded class again, and show what changes.

    No student's code is executed. Run it after `autograder release` if you have
    corrected aspects, shares, references or hints, or changed points. If an
    exercise's inputs have changed, run `autograder grade --force` instead.

    Points, extra credit and comments that a person gave stay. Exits with status 1
    if a submission could not be judged again; it keeps its grade.
    """
    from autograder.grading import rejudge as rejudging
    from autograder.grading.rejudged import Summary

    folder = CourseFolder(course)
    names = rejudging.find_submissions(folder, folder.find_assignment(lesson), students or [])
    doing = track(
        rejudging.rejudge(folder, lesson, names, apply=apply),
        "Judging",
        total=len(names),
        console=console,
        disable=not console.is_terminal,
    )
    found = Summary(sorted(doing, key=lambda row: row.student))
    for heading, columns, rows in found.tables():
        table = Table(*columns, title=heading, show_lines=True)
        for row in rows:
            table.add_row(*map(escape, row))
        if rows:
            console.print(table)
    if found.changes and apply:
        console.print(
            "Feedback pages that were made before are out of date: "
            f"nbgrader generate_feedback {lesson}",
            soft_wrap=True,
        )
        for line in stale_penalties(folder, folder.find_assignment(lesson)):
            console.print(escape(line), highlight=False, soft_wrap=True)
    outcome = "Recorded." if apply else "Nothing was written; --apply records it."
    outcome = outcome if found.changes else "Nothing changes."
    console.print(f"{found.sentence} {outcome}", soft_wrap=True)
    if found.problems:
        raise typer.Exit(1)
