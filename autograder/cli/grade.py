"""``autograder grade``."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from autograder.cli.rows import Live, show_rows, show_times
from autograder.cli.terminal import Course, Students, console
from autograder.course_folder import CourseFolder
from selfcheck.responses import printable


class Sandbox(StrEnum):
    """Where students' code runs."""

    bubblewrap = "bubblewrap"
    none = "none"


def grade(
    lessons: Annotated[
        list[str] | None,
        typer.Argument(help="Lessons; all that somebody handed something in for, if left out."),
    ] = None,
    students: Students = None,
    force: Annotated[
        bool, typer.Option("--force", help="Grade again even where nothing new was handed in.")
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="Kernels at a time.", show_default="one more than cores"),
    ] = None,
    all_cells: Annotated[
        bool,
        typer.Option("--all-cells", help="Also execute the trainings and plots of a lesson."),
    ] = False,
    sandbox: Annotated[
        Sandbox | None,
        typer.Option(
            help="Where students' code runs; with none, it can do whatever you can.",
            show_default="bubblewrap",
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(help="Execute on the Dask cluster of this scheduler: tcp://host:8786"),
    ] = None,
    course: Course = Path(),
) -> None:
    """Grade submissions, as `nbgrader autograde` does, side by side.

    An earlier grade stays until a later one is complete, whatever goes wrong. Interrupted, it goes
    on where it stopped when it is run again. With the gradebook on a PostgreSQL server, several
    hosts may run it in one folder at once: docs/gradebook.md.

    Ends with status 1 when a submission could not be graded; the others are. A reason that begins
    with "not graded:" is the grader's own failure, which was tried twice; any other names what is
    wrong with what was handed in. Ends with status 2 when nothing could be graded.
    """
    from autograder.cells import title
    from autograder.grading.again import remarks
    from autograder.grading.batch import grade as graded
    from autograder.grading.cluster import DaskPool
    from autograder.grading.pools import LocalPool
    from autograder.grading.rows import shared_reasons

    folder = CourseFolder(course)
    chosen = [folder.find_assignment(name) for name in lessons or folder.handed_in()]
    classes = {lesson: folder.find_students(lesson, students or []) for lesson in chosen}
    problems = 0
    for lesson, names in classes.items():
        if len(classes) > 1:
            console.rule(lesson)
        started = time.perf_counter()
        pool = DaskPool(scheduler) if scheduler else LocalPool(jobs)
        rows = []
        with Live(len(names), pool.size()) as live:
            for row in graded(
                folder,
                lesson,
                names,
                force=force,
                all_cells=all_cells,
                sandbox=sandbox and sandbox.value,
                pool=pool,
            ):
                rows.append(row)
                live.show(row)
        show_rows(sorted(rows, key=lambda row: row.student))
        show_times(rows, time.perf_counter() - started)
        for cell, reason in shared_reasons(rows).items():
            console.print(
                f"Nobody earned a point in {title(cell)}, all for the same reason: "
                f"{escape(printable(reason))}. Is it the lesson's? `autograder audit {lesson}` "
                "grades its own answers.",
                highlight=False,
                soft_wrap=True,
            )
        for remark in remarks(folder, lesson):
            console.print(escape(printable(remark)), highlight=False, soft_wrap=True)
        problems += sum(bool(row.problem) for row in rows)
    if problems:
        raise typer.Exit(1)
