"""The instructor's command."""

from __future__ import annotations

import os
import tempfile
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    track,
)
from rich.table import Table

from autograder.course_folder import CourseError, CourseFolder
from autograder.grading.batch import Row, Score

app = typer.Typer(
    help="Release the course's lessons, grade what students hand in, and say why points were lost.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)

_console = Console(soft_wrap=False)
if not _console.is_terminal:
    # A log file or a pipe has no width: room for a sentence.
    _console = Console(width=140)
_errors = Console(stderr=True, soft_wrap=True)

Course = Annotated[
    Path, typer.Option("--course", help="The course folder.", show_default="this folder")
]
Lesson = Annotated[str, typer.Argument(help="A lesson, such as 03-attention.")]


class Sandbox(StrEnum):
    """Where students' code runs."""

    bubblewrap = "bubblewrap"
    none = "none"


class Source(StrEnum):
    """Which data a demonstration runs on."""

    sample = "sample"
    real = "real"


@app.command()
def release(
    lessons: Annotated[
        list[str] | None, typer.Argument(help="Lessons; all of them if left out.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; fail if anything is out of date.")
    ] = False,
    course: Course = Path(),
) -> None:
    """Generate the students' notebooks and the answer sheets from source/.

    Refuses a source that could not be graded, and a release that would leak a solution.
    """
    from autograder import release as releasing

    folder = CourseFolder(course)
    chosen = [folder.find_lesson(name) for name in lessons] if lessons else folder.lessons()
    if check:
        stale = releasing.stale(folder, chosen)
        if stale:
            raise CourseError(
                "Out of date, run `autograder release`:\n  " + "\n  ".join(sorted(stale))
            )
        _console.print(f"release/ and the answer sheets of {', '.join(chosen)} are current.")
        return
    for lesson in chosen:
        made = str(releasing.release(folder, lesson).relative_to(folder.root))
        # A course folder apart from the checkout has no package: its students' checks read the
        # sheets of the package they installed.
        if releasing.sheets_folder(folder).is_dir():
            made += f" and {len(releasing.write_sheets(folder, lesson))} answer sheets"
        _console.print(f"{lesson}: {made}")


@app.command()
def simulate(
    lesson: Lesson,
    answers: Annotated[
        Path | None,
        typer.Option(
            help="Folder with one Python file for each student, percent format.",
            show_default="tests/submissions/<lesson>",
        ),
    ] = None,
    course: Course = Path(),
) -> None:
    """Fill submitted/ with a class that answers rightly, wrongly and not at all."""
    from autograder.simulate import simulate as fill

    folder = CourseFolder(course)
    folder.find_lesson(lesson)
    students = fill(folder, lesson, answers or folder.root / "tests" / "submissions" / lesson)
    _console.print(f"{len(students)} submissions to {lesson}: {', '.join(students)}")


@app.command()
def grade(
    lessons: Annotated[
        list[str] | None,
        typer.Argument(help="Lessons; all that somebody handed something in for, if left out."),
    ] = None,
    students: Annotated[
        list[str] | None,
        typer.Option(help="Only this student; may be repeated.", show_default="everybody"),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Grade again what has not been handed in anew.")
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

    Interrupted, it goes on where it stopped when it is run again. Ends with status 1 when a
    submission could not be graded; the others are.
    """
    from autograder.grading.batch import grade as graded
    from autograder.grading.pools import DaskPool, LocalPool

    folder = CourseFolder(course)
    chosen = [folder.find_assignment(name) for name in lessons or folder.handed_in()]
    classes = {lesson: folder.find_students(lesson, students or []) for lesson in chosen}
    problems = 0
    for lesson, names in classes.items():
        if len(classes) > 1:
            _console.rule(lesson)
        started = time.perf_counter()
        pool = DaskPool(scheduler) if scheduler else LocalPool(jobs)
        rows = []
        with _Live(len(names), pool.size()) as live:
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
        _show(sorted(rows, key=lambda row: row.student))
        _summary(rows, time.perf_counter() - started)
        problems += sum(bool(row.problem) for row in rows)
    if problems:
        raise typer.Exit(1)


@app.command()
def audit(
    lessons: Annotated[
        list[str] | None, typer.Argument(help="Lessons; all of them if left out.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes.", show_default="one a core")
    ] = None,
    course: Course = Path(),
) -> None:
    """Judge answers whose worth is known, and count how often the judge is wrong.

    Right and wrong answers are those of tests/submissions; slips are made automatically, one in
    each copy of a solution. Ends with status 1 when the judge is wrong once, or when too few wrong
    answers get the hint that names their cause.
    """
    from autograder import audit as auditing

    folder = CourseFolder(course)
    chosen = [folder.find_lesson(name) for name in lessons] if lessons else folder.lessons()
    tasks = auditing.tasks(folder, chosen)
    doing = track(
        auditing.audit(folder, tasks, jobs),
        "Judging",
        total=len(tasks),
        console=_console,
        disable=not _console.is_terminal,
    )
    found = auditing.Summary.of(doing)
    columns = ("Exercise", "Right", "Wrong", "Slips", "Hints", "Largest right", "Smallest wrong")
    table = Table(*columns, title="Judged; errors in tolerances")
    for one in found.audits:
        table.add_row(*one.row())
    _console.print(table)
    for one in found.audits:
        for problem in (*one.problems, *(f"another hint: {each}" for each in one.unnamed)):
            _console.print(escape(f"{one.question.exercise}: {problem}"), soft_wrap=True)
    _console.print(found.sentence, highlight=False, soft_wrap=True)
    if not found.holds:
        raise typer.Exit(1)


@app.command()
def demo(
    lesson: Lesson = "03-attention",
    source: Annotated[
        Source,
        typer.Option(
            help="The built-in sample, or real data, on which the lesson is then also run in full."
        ),
    ] = Source.sample,
    into: Annotated[
        Path | None,
        typer.Option(help="An empty folder to work in.", show_default="a new temporary one"),
    ] = None,
    course: Course = Path(),
) -> None:
    """Take one lesson all the way: release, a simulated class, verdicts, feedback.

    Fails when a verdict is not the one that the simulated student's file states.
    """
    from autograder.demo import demo as show

    origin = CourseFolder(course)
    origin.find_lesson(lesson)
    into = into or Path(tempfile.mkdtemp(prefix="attention-course-"))
    done: list[Row] = []

    def progress(row: Row, total: int) -> None:
        done.append(row)
        _console.print(f"  {len(done)}/{total} {_outcome(row)}", soft_wrap=True)

    made = show(origin, lesson, into, source.value, _console.print, progress)
    if made.results:
        _console.rule(f"{lesson} on the real data")
        _console.print(made.results, markup=False, highlight=False)
    _console.rule("The class")
    _show(made.rows)
    if made.surprises:
        raise CourseError(
            "These verdicts are not the ones that tests/submissions states:\n  "
            + "\n  ".join(made.surprises)
        )
    _console.print("Every verdict is the one that the simulated student's file states.")
    feedback = made.course.root / "feedback"
    _console.print(f"Feedback pages: {feedback}/<student>/{lesson}/{lesson}.html", soft_wrap=True)
    _console.print(f"The whole course folder: {made.course.root}", soft_wrap=True)
    _console.print('Next: open a feedback page in a browser; README, "Teach with it", goes on.')


class _Live:
    """How far the grading is: a bar in a terminal, a line a submission elsewhere.

    Args:
        total: how many submissions there are.
        kernels: how many are graded at a time.
    """

    def __init__(self, total: int, kernels: int) -> None:
        self._total, self._kernels = total, kernels
        self._done = self._failed = 0
        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[running]} running, {task.fields[failed]} not graded"),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=_console,
            disable=not _console.is_terminal,
        )

    def __enter__(self) -> _Live:
        self._bar.start()
        running = min(self._kernels, self._total)
        self._task = self._bar.add_task("", total=self._total, running=running, failed=0, rate="")
        self._started = time.perf_counter()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def show(self, row: Row) -> None:
        """One more is done."""
        self._done += 1
        self._failed += bool(row.problem)
        rate = f"{60 * self._done / (time.perf_counter() - self._started):.0f} a minute"
        self._bar.update(
            self._task,
            completed=self._done,
            running=min(self._kernels, self._total - self._done),
            failed=self._failed,
            rate=rate,
        )
        if row.problem or not _console.is_terminal:
            _console.print(f"  {self._done}/{self._total} {_outcome(row)}", soft_wrap=True)


def _outcome(row: Row) -> str:
    outcome = row.problem or f"{row.points:g} of {row.maximum:g} points"
    if row.by_hand:
        outcome += f", up to {row.by_hand:g} more by hand"
    return escape(f"{row.student}: {outcome}")


def _summary(rows: list[Row], seconds: float) -> None:
    """What was done now, and where the seconds went."""
    now = [row.seconds for row in rows if row.seconds]
    if not now:
        return
    phases = ", ".join(
        f"{name} {sum(row[phase] for row in now) / len(now):.2f}"
        for phase, name in {
            "prepare": "prepare",
            "start": "start and end the kernel",
            "cells": "cells",
            "record": "judge and record",
        }.items()
    )
    processor = sum(row["cpu"] for row in now) / len(now)
    _console.print(
        f"{len(now)} graded in {seconds:.1f} s. Seconds of one: {phases}; "
        f"its kernel's processor time {processor:.2f}.",
        highlight=False,
    )


def _show(rows: list[Row] | tuple[Row, ...]) -> None:
    """Tables: points by exercise, the reason for every lost point, and what was repaired."""
    cells = list(dict.fromkeys(score.cell for row in rows for score in row.scores))
    points = Table(title="Points")
    points.add_column("Student", no_wrap=True)
    for cell in cells:
        points.add_column(cell.removeprefix("test_").replace("_", " "), justify="right")
    points.add_column("Total", justify="right")
    reasons = Table(title="Why points were lost", show_lines=True)
    for column in ("Student", "Exercise", "Lost", "Reason"):
        reasons.add_column(
            column, justify="right" if column == "Lost" else "left", no_wrap=column == "Student"
        )
    for row in rows:
        by_cell = {score.cell: score for score in row.scores}
        total = f"{row.points:g} / {row.maximum:g}" if row.scores else "not graded"
        points.add_row(escape(row.student), *(_points(by_cell.get(c)) for c in cells), total)
        if row.problem:
            reasons.add_row(escape(row.student), "all", "all", escape(row.problem))
        for score in row.scores:
            if not score.manual and score.points < score.maximum:
                name = score.cell.removeprefix("test_").replace("_", " ")
                lost = f"{score.maximum - score.points:g}"
                reasons.add_row(escape(row.student), name, lost, escape(_reason(score)))
    repairs = Table(title="Repaired before grading", show_lines=True)
    repairs.add_column("Student", no_wrap=True)
    repairs.add_column("What was not as it was handed out")
    for row in rows:
        if row.repairs:
            repairs.add_row(escape(row.student), escape("\n".join(row.repairs)))
    for table in (points, reasons, repairs):
        if table.row_count:
            _console.print(table)


def _points(score: Score | None) -> str:
    if score is None:
        return "-"
    return "by hand" if score.manual else f"{score.points:g} / {score.maximum:g}"


def _reason(score: Score) -> str:
    """The known mistake or what was seen, and every aspect that cost points."""
    if score.verdict is None:
        return "not answered" if score.points == 0 else "graded by its own tests"
    failed = [finding.title for finding in score.verdict.findings if not finding.passed]
    if score.verdict.reason or len(failed) in (0, len(score.verdict.findings)):
        return score.verdict.explanation
    return f"{score.verdict.explanation}\nDoes not hold: {'; '.join(failed)}."


def main() -> None:
    """Run the command; an error that the instructor can mend is one message, no traceback."""
    if data := os.environ.get("COURSE_DATA"):
        # Kernels run in other folders than the one this path is relative to.
        os.environ["COURSE_DATA"] = str(Path(data).resolve())
    try:
        app()
    except CourseError as error:
        _errors.print(f"[bold red]Error:[/] {escape(str(error))}", highlight=False)
        raise SystemExit(2) from None
