"""``autograder grade``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.rows import Live, show_rows, show_times
from autograder.cli.terminal import (
    CourseOption,
    JobsOption,
    SandboxOption,
    StudentsOption,
    console,
    shown,
)
from autograder.course_folder import CourseFolder


def grade(
    lessons: Annotated[
        list[str] | None,
        typer.Argument(help="Lessons; if left out, all that have submissions."),
    ] = None,
    students: StudentsOption = None,
    force: Annotated[
        bool, typer.Option("--force", help="Grade again even if there is no new submission.")
    ] = False,
    jobs: JobsOption = None,
    all_cells: Annotated[
        bool,
        typer.Option("--all-cells", help="Also execute a lesson's training runs and plots."),
    ] = False,
    sandbox: SandboxOption = None,
    scheduler: Annotated[
        str | None,
        typer.Option(help="Run on the Dask cluster with this scheduler: tcp://host:8786"),
    ] = None,
    course: CourseOption = Path(),
) -> None:
    """Grade submissions in parallel, as `nbgrader autograde` does one by one.

    An earlier grade is kept until the new one is complete, whatever goes wrong. If the command is
    interrupted, run it again to resume. With the gradebook on a PostgreSQL server, several hosts
    can run it in the same folder at once: docs/gradebook.md.

    Exits with status 1 if a submission could not be graded; all others are still graded. A reason
    that begins with "not graded:" is a failure of the grader itself, after two attempts; any other
    reason says what is wrong with the submission. Exits with status 2 if nothing could be graded.
    """
    from autograder.cells import title
    from autograder.execution.dask_executor import DaskPool
    from autograder.execution.executor import LocalPool
    from autograder.grading.batch import grade as graded
    from autograder.grading.resubmissions import remarks
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
                f"{shown(reason)}. Is the lesson broken? `autograder audit {lesson}` "
                "grades its own answers.",
                highlight=False,
                soft_wrap=True,
            )
        for remark in remarks(folder, lesson):
            console.print(shown(remark), highlight=False, soft_wrap=True)
        problems += sum(bool(row.problem) for row in rows)
    if problems:
        raise typer.Exit(1)
