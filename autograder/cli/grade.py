"""``autograder grade``."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.rows import Live, show_rows, show_times
from autograder.cli.terminal import Course, Students, console, shown
from autograder.course_folder import CourseFolder


class Sandbox(StrEnum):
    """Where students' code runs."""

    bubblewrap = "bubblewrap"
    none = "none"


def grade(
    lessons: Annotated[
        list[str] | None,
        typer.Argument(help="Lessons; if left out, all that have submissions."),
    ] = None,
    students: Students = None,
    force: Annotated[
        bool, typer.Option("--force", help="Grade again even if nothing new was handed in.")
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="How many kernels at once.", show_default="one more than cores"),
    ] = None,
    all_cells: Annotated[
        bool,
        typer.Option("--all-cells", help="Also execute a lesson's training runs and plots."),
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
        typer.Option(help="Execute on the Dask cluster with this scheduler: tcp://host:8786"),
    ] = None,
    course: Course = Path(),
) -> None:
    """Grade submissions, as `nbgrader autograde` does, in parallel.

    An earlier grade stays until a later one is complete, whatever goes wrong. If it's interrupted,
    run it again: it continues where it stopped. With the gradebook on a PostgreSQL server, several
    hosts can run it in one folder at once: docs/gradebook.md.

    Exits with status 1 if a submission could not be graded; all others are. A reason that begins
    with "not graded:" is a failure of the grader's own, which was tried twice; any other reason
    says what is wrong with the submission. Exits with status 2 if nothing could be graded.
    """
    from autograder.cells import title
    from autograder.execution.dask_executor import DaskPool
    from autograder.execution.executor import LocalPool
    from autograder.grading.again import remarks
    from autograder.grading.batch import grade as graded
    from autograder.grading.results import shared_reasons

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
                f"{shown(reason)}. Is it the lesson's? `autograder audit {lesson}` "
                "grades its own answers.",
                highlight=False,
                soft_wrap=True,
            )
        for remark in remarks(folder, lesson):
            console.print(shown(remark), highlight=False, soft_wrap=True)
        problems += sum(bool(row.problem) for row in rows)
    if problems:
        raise typer.Exit(1)
