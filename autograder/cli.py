"""The instructor's command."""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

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

from autograder import cli_class
from autograder.cells import title
from autograder.course_folder import CourseError, CourseFolder
from autograder.grading.batch import Row, Score
from autograder.terminal import Course, Lesson, Lessons, Students
from autograder.terminal import console as _console
from course.responses import printable

if TYPE_CHECKING:
    from autograder.release import Released

app = typer.Typer(
    help="Release the course's lessons, grade what students hand in, and say why points were lost.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)

_errors = Console(stderr=True, soft_wrap=True, emoji=False)


def _chosen(folder: CourseFolder, lessons: list[str] | None) -> list[str]:
    return [folder.find_lesson(name) for name in lessons] if lessons else folder.lessons()


class Sandbox(StrEnum):
    """Where students' code runs."""

    bubblewrap = "bubblewrap"
    none = "none"


class Source(StrEnum):
    """Which data a demonstration runs on."""

    sample = "sample"
    real = "real"


@app.command()
def copy_course(
    folder: Annotated[Path, typer.Argument(help="An empty folder, or a new one.")],
) -> None:
    """Begin a course folder: the lessons with solutions, and nbgrader's configuration.

    Run the other commands in that folder; `autograder release` is the first of them. The folder is
    yours to change: an upgrade of the autograder leaves it as it is.
    """
    from autograder import bundled

    made = bundled.copy_course(folder)
    _console.print(escape(f"{made.root}: {', '.join(made.lessons())}"), soft_wrap=True)
    _console.print("Next, in that folder: autograder release")


@app.command()
def release(
    lessons: Lessons = None,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; fail if anything is out of date.")
    ] = False,
    drop_grades: Annotated[
        bool,
        typer.Option(
            "--drop-grades",
            help="Also drop cells that submissions have points in; dropped-grades/ keeps these.",
        ),
    ] = False,
    course: Course = Path(),
) -> None:
    """Generate the students' notebooks and the answer sheets from source/.

    Refuses a source that could not be graded, and a release that would leak a solution.

    Of a lesson that was handed in already, it says what changed and what to run next. Points that
    were given by hand stay.
    """
    from autograder import release as releasing

    folder = CourseFolder(course)
    chosen = _chosen(folder, lessons)
    if check:
        stale = releasing.stale(folder, chosen)
        if stale:
            raise CourseError(
                "Out of date, run `autograder release`:\n  " + "\n  ".join(sorted(stale))
            )
        _console.print(f"release/ and the answer sheets of {', '.join(chosen)} are current.")
        return
    for lesson in chosen:
        released = releasing.release(folder, lesson, drop_grades=drop_grades)
        made = str(released.path.relative_to(folder.root))
        # A course folder apart from the checkout has no package: its students' checks read the
        # sheets of the package they installed.
        if releasing.sheets_folder(folder).is_dir():
            made += f" and {len(releasing.write_sheets(folder, lesson))} answer sheets"
        _console.print(f"{lesson}: {made}")
        for line in (*_what_changed(lesson, released), *_stale_penalties(folder, lesson)):
            _console.print(escape(f"  {line}"), highlight=False, soft_wrap=True)


def _stale_penalties(folder: CourseFolder, lesson: str) -> Iterator[str]:
    """What to do about penalties that other points make others, where there are any."""
    from autograder.deadlines import read_deadline

    if folder.has_gradebook and (found := read_deadline(folder, lesson)).changes:
        yield printable(next(found.warnings(lesson)))


def _what_changed(lesson: str, released: Released) -> Iterator[str]:
    """What a teacher should know about a release, and what to run next."""
    for exercise in released.unasked:
        yield f"it does not ask for {exercise}"
    change = released.change
    for cell, count in change.dropped.items():
        yield f"{cell}: dropped; submissions that were graded in it: {count}"
    if released.kept:
        yield f"their points are kept in {released.kept}"
    for cell in change.added:
        yield f"{cell}: added"
    for cell, (before, now) in change.worth.items():
        yield f"{cell}: worth {now:g}, not {before:g} points"
    for cell, count in released.too_many.items():
        yield (
            f"{cell}: submissions with more points by hand than it is worth: {count}. Look at "
            "them in the formgrader, Manual Grading"
        )
    if change.added:
        yield f"next: autograder grade {lesson} --force"
    elif change.worth:
        yield f"next: autograder rejudge {lesson} --apply"
    elif any(change.dropped.values()):
        yield f"next: nbgrader generate_feedback {lesson}"


@app.command()
def rename_lesson(
    old: Annotated[str, typer.Argument(help="A lesson, such as 03-attention.")],
    new: Annotated[str, typer.Argument(help="Its new name, which nothing has yet.")],
    course: Course = Path(),
) -> None:
    """Give a lesson another name, with all that was handed in and graded.

    Renames its folders in source/, release/, submitted/, autograded/ and feedback/, the notebooks
    in them, and its entries in the gradebook: all or nothing. Interrupted, it goes on when it is
    run again. What students hand in later has to have the new name.
    """
    from autograder.rename import rename_lesson as rename

    for folder in rename(CourseFolder(course), old, new):
        _console.print(escape(str(folder)), highlight=False, soft_wrap=True)
    _console.print(
        f"{old} is {new} now. Hand it out again under this name if students still work on it: "
        f"autograder release {new}",
        soft_wrap=True,
    )


@app.command()
def simulate(
    lesson: Lesson,
    answers: Annotated[
        Path | None,
        typer.Option(
            help="Folder with one Python file for each student, percent format.",
            show_default="tests/submissions/<lesson>, else the bundled class",
        ),
    ] = None,
    course: Course = Path(),
) -> None:
    """Fill submitted/ with a class that answers rightly, wrongly and not at all."""
    from autograder import bundled
    from autograder.simulate import simulate as fill

    folder = CourseFolder(course)
    folder.find_lesson(lesson)
    students = fill(folder, lesson, answers or bundled.simulated_class(folder, lesson))
    _console.print(f"{len(students)} submissions to {lesson}: {', '.join(students)}")


@app.command()
def handout(
    lessons: Lessons = None,
    into: Annotated[
        Path | None,
        typer.Option(help="The folder to write to.", show_default="handout/ in the course folder"),
    ] = None,
    wheel: Annotated[
        Path | None,
        typer.Option(
            help="What students install.",
            show_default="built from the checkout, else from what is installed",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    course: Course = Path(),
) -> None:
    """Zip what students need, a zip a lesson.

    It holds the notebook, the package to install, and a README: how to install,
    open, check and hand in. It unpacks into attention-course/, so that the next
    lesson lies beside it. Lessons are not zipped together, as later ones show
    what earlier ones asked for.

    The same release gives the same bytes. Refuses a release that is not what
    source/ gives, and whatever would tell a solution or a hidden test.
    """
    from autograder.exchange.handout import write_handouts

    folder = CourseFolder(course)
    chosen = _chosen(folder, lessons)
    for made in write_handouts(folder, chosen, into or folder.root / "handout", wheel):
        _console.print(escape(f"{made.path}:"), highlight=False, soft_wrap=True)
        for name in made.names:
            _console.print(escape(f"  {name}"), highlight=False, soft_wrap=True)


@app.command()
def collect(
    lesson: Lesson,
    archives: Annotated[
        list[Path],
        typer.Argument(help="Zip files, as downloaded.", exists=True, dir_okay=False),
    ],
    names: Annotated[
        Path | None,
        typer.Option(
            help="A CSV file with the columns name,student: whom the archives' names mean. Several "
            "students, with spaces between them, are a group.",
            show_default="the roster, else names are student ids",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    times: Annotated[
        list[Path] | None,
        typer.Option(
            help="When submissions were handed in: Moodle's grading worksheet, Canvas' submissions "
            "as JSON or CSV, or Gradescope's grades; may be repeated.",
            show_default="unknown",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    timezone: Annotated[
        str | None,
        typer.Option(
            help="The time zone of your Moodle profile, such as Europe/Berlin: Moodle's worksheet "
            "doesn't name it.",
        ),
    ] = None,
    force: Annotated[
        bool,
        typer.Option(
            "--force", help="Also replace submissions that are newer, or not known to be older."
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done, and write nothing.")
    ] = False,
    course: Course = Path(),
) -> None:
    """Put what students handed in into submitted/<student>/<lesson>/.

    Takes what Moodle, Canvas and Gradescope give for download, folders of
    students, in all of these a zip per student, and one student's zip that has
    the student's name. Whoever made an archive says whose its files are: collect
    what the platform gives or what you packed yourself.

    Whom a name means: --names says it first, then the roster (`autograder
    roster`). Without a roster, names are student ids. Somebody who isn't in the
    roster is refused, and so are anonymous downloads and namesakes that nothing
    tells apart; the table says what to do. What a group handed in becomes every
    member's.

    When it was handed in: an archive has only the time of its download. The real
    ones come from --times, or from Gradescope's own list. Otherwise the time
    stays unknown, and nobody is late.

    A submission that is there is only replaced by a newer one, and never lost:
    it stays beside it as <lesson>.before-<time>. Where nothing says which is
    newer, --force replaces it.

    A student may hand in 1,000 files and 100 MB, unpacked. Files that are not
    fit to be unpacked are left out, and the table says why. Ends with status 1
    when somebody's submission could not be collected; the others are.
    """
    from autograder.exchange.collect import collect as collected
    from autograder.exchange.collect import no_longer_there
    from autograder.exchange.origins import read_names
    from autograder.exchange.times import read_times

    folder = CourseFolder(course)
    lesson = folder.find_assignment(lesson)
    known = read_names(names) if names else {}
    zone = None
    if timezone:
        from autograder.deadlines import read_zone  # imports nbgrader

        zone = read_zone(timezone)
    listed = read_times(times or [], zone)
    for remark in listed.remarks:
        _errors.print(escape(remark), highlight=False)
    rows = collected(
        folder, lesson, archives, known, times=listed.entries, force=force, dry_run=dry_run
    )
    columns = ("Student", "Handed in (UTC)", "Files", "From", "What was done", "Remarks")
    table = Table(*columns, show_lines=True)
    for row in rows:
        done = f"not collected: {row.problem}" if row.problem else row.outcome
        when = f"{row.time:%Y-%m-%d %H:%M}" if row.time else "late" if row.late else "unknown"
        when = when if row.student else ""
        cells = (row.student or "?", when, str(row.files), row.source, done)
        table.add_row(*map(escape, (*cells, "\n".join(row.left_out))))
    _console.print(table)
    if any(row.stale_penalty for row in rows) and not dry_run:
        show = f"autograder deadline {lesson}"
        _console.print(f"Times of graded submissions are news. What that costs: {show}")
    late = sorted(row.student for row in rows if row.student and row.late and not row.time)
    if late:
        line = f"Late, by how much is unknown, so that no penalty applies: {', '.join(late)}"
        _console.print(escape(line), soft_wrap=True)
    unknown = sum(bool(row.student and not row.time and not row.problem) for row in rows)
    if unknown:
        whose = "1 submission" if unknown == 1 else f"{unknown} submissions"
        _console.print(
            f"When {whose} came in is unknown, so that due dates don't count for them: --times "
            "reads it from your platform's list.",
            soft_wrap=True,
        )
    if absent := no_longer_there(folder, lesson, rows):
        line = (
            f"Collected before, not in this archive, and kept: {', '.join(absent)}. If one was "
            f"withdrawn, remove submitted/<student>/{lesson}."
        )
        _console.print(escape(line), highlight=False, soft_wrap=True)
    taken, problems = sum(row.taken for row in rows), sum(bool(row.problem) for row in rows)
    counts = f"{taken} taken, {len(rows) - taken - problems} left as they were, {problems} refused."
    _console.print(f"{counts} Nothing was written: this is a dry run." if dry_run else counts)
    if problems:
        raise typer.Exit(1)


app.add_typer(cli_class.app)


@app.command()
def grade(
    lessons: Annotated[
        list[str] | None,
        typer.Argument(help="Lessons; all that somebody handed something in for, if left out."),
    ] = None,
    students: Students = None,
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

    An earlier grade stays until a later one is complete, whatever goes wrong. Interrupted, it goes
    on where it stopped when it is run again. With the gradebook on a PostgreSQL server, several
    hosts may run it in one folder at once: docs/gradebook.md.

    Ends with status 1 when a submission could not be graded; the others are. A reason that begins
    with "not graded:" is the grader's own failure, which was tried twice; any other names what is
    wrong with what was handed in. Ends with status 2 when nothing could be graded.
    """
    from autograder.grading.again import remarks
    from autograder.grading.batch import grade as graded
    from autograder.grading.cluster import DaskPool
    from autograder.grading.pools import LocalPool

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
        for remark in remarks(folder, lesson):
            _console.print(escape(printable(remark)), highlight=False, soft_wrap=True)
        problems += sum(bool(row.problem) for row in rows)
    if problems:
        raise typer.Exit(1)


@app.command()
def rejudge(
    lesson: Lesson,
    students: Students = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Record it; without this, nothing is written.")
    ] = False,
    course: Course = Path(),
) -> None:
    """Judge the recorded answers of a graded class anew, and show what changes.

    No student's code is executed. For mended aspects, shares, references and
    hints, and for other points, after `autograder release`. Other inputs of an
    exercise need `autograder grade --force` instead.

    Points, extra credit and comments that a person gave stay. Ends with status 1
    when a submission could not be judged anew; it keeps its grade.
    """
    from autograder.grading import rejudge as rejudging

    folder = CourseFolder(course)
    names = rejudging.find_submissions(folder, folder.find_assignment(lesson), students or [])
    doing = track(
        rejudging.rejudge(folder, lesson, names, apply=apply),
        "Judging",
        total=len(names),
        console=_console,
        disable=not _console.is_terminal,
    )
    found = rejudging.Summary(sorted(doing, key=lambda row: row.student))
    for heading, columns, rows in found.tables():
        table = Table(*columns, title=heading, show_lines=True)
        for row in rows:
            table.add_row(*map(escape, row))
        if rows:
            _console.print(table)
    if found.changes and apply:
        _console.print(
            "Feedback pages that were made before are out of date: "
            f"nbgrader generate_feedback {lesson}",
            soft_wrap=True,
        )
        for line in _stale_penalties(folder, folder.find_assignment(lesson)):
            _console.print(escape(line), highlight=False, soft_wrap=True)
    outcome = "Recorded." if apply else "Nothing was written; --apply records it."
    outcome = outcome if found.changes else "Nothing changes."
    _console.print(f"{found.sentence} {outcome}", soft_wrap=True)
    if found.problems:
        raise typer.Exit(1)


@app.command()
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
    chosen = _chosen(folder, lessons)
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
def report(
    lesson: Lesson,
    into: Annotated[
        Path | None,
        typer.Option(help="The folder to write to.", show_default="reports/ in the course folder"),
    ] = None,
    course: Course = Path(),
) -> None:
    """Write a page and a CSV file about a graded lesson.

    Points and their spread, how hard each exercise was and how well it tells students apart, the
    commonest misconceptions, failures, who handed in nothing, and what the grading took.
    """
    from autograder.reports.report import write_report

    folder = CourseFolder(course)
    made = write_report(folder, folder.find_assignment(lesson), into or folder.root / "reports")
    for exercise, tally in made.summary.misconceptions[:3]:
        students = "1 student" if tally.count == 1 else f"{tally.count} students"
        line = f"{students}, {exercise.title}: {tally.name.replace('_', ' ')}. {tally.text}"
        _console.print(escape(line), highlight=False, soft_wrap=True)
    for warning in (*made.summary.results.warnings, *made.summary.results.again):
        _console.print(escape(warning), highlight=False, soft_wrap=True)
    if sentence := made.summary.results.missing_sentence:
        _console.print(escape(sentence), highlight=False, soft_wrap=True)
    _console.print(escape(f"The page:  {made.html}"), highlight=False, soft_wrap=True)
    _console.print(escape(f"The table: {made.csv}"), highlight=False, soft_wrap=True)


class System(StrEnum):
    """Who reads exported grades."""

    canvas = "canvas"
    moodle = "moodle"
    gradescope = "gradescope"
    json = "json"


@app.command()
def export(
    system: Annotated[System, typer.Argument(help="Who reads it; json is for programs.")],
    lessons: Annotated[
        list[str] | None, typer.Argument(help="Lessons; all that have grades, if left out.")
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option(help="The file.", show_default="reports/ in the course folder"),
    ] = None,
    course: Course = Path(),
) -> None:
    """Write the grades as Canvas, Moodle, Gradescope or a program reads them.

    Points are those of the gradebook, less penalties for being late. There is no
    grade yet where a person still has to grade an answer, or what was handed in
    could not be graded; a line says for how many. Nor where nothing was handed
    in; a line says who. No grade is an empty cell; a dash for Moodle, which may
    read that as 0. Names and ids are those of autograder roster.

    canvas: a column a lesson; the assignment in Canvas has the lesson's name.

    moodle: also a column with the reasons for lost points.

    gradescope: one lesson with every question; of several, the totals.

    json: also aspects, mistakes, hints and comments.

    The same from nbgrader, with Moodle, Gradescope or Json for Canvas:
    nbgrader export --exporter autograder.exports.CanvasExporter --to FILE
    """
    from autograder.exports.writing import write

    written = write(CourseFolder(course), system.value, lessons or [], to=to)
    for warning in written.warnings:
        _console.print(escape(warning), highlight=False, soft_wrap=True)
    _console.print(escape(f"The grades: {written.path}"), highlight=False, soft_wrap=True)


@app.command()
def copy_gradebook(
    source: Annotated[
        Path,
        typer.Argument(help="The file, such as gradebook.db.", exists=True, dir_okay=False),
    ],
    course: Course = Path(),
) -> None:
    """Copy a gradebook from a file into the one that the course's configuration names.

    For moving a course to a database server: set c.CourseDirectory.db_url in
    nbgrader_config.py first. Copies all rows or none, compares each, and refuses a
    gradebook that is not empty. The file stays as it is.
    """
    from autograder.grading.batch import alone
    from autograder.grading.gradebook import copy

    folder = CourseFolder(course)
    nbgrader = folder.nbgrader
    with alone(folder), folder.quiet():
        copied = copy(source, nbgrader.coursedir.db_url, nbgrader.course_id)
    table = Table("Table", "Rows")
    for name, count in copied.items():
        table.add_row(name, str(count))
    _console.print(table)
    _console.print(f"{sum(copied.values())} rows copied and compared.")


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
    course: Annotated[
        Path | None,
        typer.Option(
            help="The course folder.",
            show_default="this folder if it is a course, else the bundled one",
        ),
    ] = None,
) -> None:
    """Take one lesson all the way: release, a simulated class, verdicts, feedback.

    Fails when a verdict is not the one that the simulated student's file states.
    """
    from autograder import bundled
    from autograder.demo import demo as show

    origin = CourseFolder(course) if course else bundled.this_or_bundled(Path())
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
            "These verdicts aren't the ones that the simulated students' files state:\n  "
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
    left = max(0.0, row.settled - row.penalty)
    outcome = row.problem or f"{left:g} of {row.maximum:g} points"
    if row.penalty:
        outcome += f", after {row.penalty:g} less for being late"
    if row.by_hand:
        outcome += f", up to {row.by_hand:g} more by hand"
    if row.outdated:
        outcome += f", {row.outdated:g} from before the lesson changed"
    return escape(f"{printable(row.student)}: {outcome}")


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
        points.add_column(title(cell), justify="right")
    late = any(row.penalty for row in rows)
    if late:
        points.add_column("Late", justify="right")
    points.add_column("Total", justify="right")
    reasons = Table(title="Why points were lost", show_lines=True)
    for column in ("Student", "Exercise", "Lost", "Reason"):
        reasons.add_column(
            column, justify="right" if column == "Lost" else "left", no_wrap=column == "Student"
        )
    for row in rows:
        by_cell = {score.cell: score for score in row.scores}
        sums = [f"-{row.penalty:g}" if row.penalty else ""] if late else []
        left = max(0.0, row.settled - row.penalty)
        more = f" + {row.by_hand:g} by hand" if row.by_hand else ""
        sums.append(f"{left:g} / {row.maximum:g}{more}" if row.scores else "not graded")
        points.add_row(escape(row.student), *(_points(by_cell.get(c)) for c in cells), *sums)
        if row.problem:
            reasons.add_row(escape(row.student), "all", "all", escape(row.problem))
        for score in row.scores:
            if score.settled and score.points < score.maximum:
                lost = f"{score.maximum - score.points:g}"
                reasons.add_row(
                    escape(row.student), title(score.cell), lost, escape(_reason(score))
                )
    repairs = Table(title="Repaired before grading", show_lines=True)
    repairs.add_column("Student", no_wrap=True)
    repairs.add_column("What was not as it was handed out")
    for row in rows:
        if row.repairs:
            repairs.add_row(escape(row.student), escape("\n".join(row.repairs)))
    for table in (points, reasons, repairs, _lesson_changes(rows)):
        if table.row_count:
            _console.print(table)
    if lessons := sum(bool(row.outdated) for row in rows):
        students = "1 submission was" if lessons == 1 else f"{lessons} submissions were"
        _console.print(
            f"{students} graded before the lesson changed. `autograder rejudge` with --apply gives "
            "other points, `autograder grade` with --force grades added cells.",
            soft_wrap=True,
        )


def _lesson_changes(rows: list[Row] | tuple[Row, ...]) -> Table:
    """How the lesson differs from what was handed out, a row per change: nobody's doing."""
    table = Table(title="The lesson changed since these notebooks were handed out")
    for column in ("What changed", "Notebooks"):
        table.add_column(column, justify="right" if column == "Notebooks" else "left")
    counts = Counter(line for row in rows for line in row.lesson_changes)
    for line, count in counts.items():
        table.add_row(escape(line), str(count))
    return table


def _points(score: Score | None) -> str:
    if score is None:
        return "-"
    if not score.settled:
        return "by hand" if score.manual else "outdated"
    return f"{score.points:g} / {score.maximum:g}"


def _reason(score: Score) -> str:
    """The known mistake or what was seen, and every aspect that cost points."""
    if score.verdict is None or score.given:
        return score.explanation
    failed = [finding.title for finding in score.verdict.findings if not finding.passed]
    if score.verdict.reason or len(failed) in (0, len(score.verdict.findings)):
        return score.verdict.explanation
    return f"{score.verdict.explanation}\nDoes not hold: {'; '.join(failed)}."


def main() -> None:
    """Run the command; an error that the instructor can mend is one message, no traceback."""
    before = signal.signal(signal.SIGINT, _interrupt)
    if data := os.environ.get("COURSE_DATA"):
        # Kernels run in other folders than the one this path is relative to.
        os.environ["COURSE_DATA"] = str(Path(data).resolve())
    try:
        app()
    except SystemExit as stop:
        if stop.code == _INTERRUPTED:
            _errors.print("Interrupted: run the same command again to go on.")
        raise
    except CourseError as error:
        _stop(str(error))
    except Exception as error:
        why = _why_the_disk(error)
        if not why:
            raise
        _stop(why)
    finally:
        if signal.getsignal(signal.SIGINT) is _interrupt:
            signal.signal(signal.SIGINT, before)


def _interrupt(number: int, frame: object) -> NoReturn:
    """Interrupt the command once: a second Ctrl-C would interrupt the ending of what it runs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.write(2, b"\nEnding what runs ...\n")
    raise KeyboardInterrupt


def _stop(why: str) -> NoReturn:
    _errors.print(f"[bold red]Error:[/] {escape(why)}", highlight=False)
    raise SystemExit(2) from None


_INTERRUPTED = 130  # typer's code after Ctrl-C
_UNWRITABLE = (errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM)
_GRADEBOOK = {
    sqlite3.SQLITE_FULL: "The disk is full: the gradebook can't be written.",
    sqlite3.SQLITE_READONLY: "The gradebook may not be written here.",
    sqlite3.SQLITE_CANTOPEN: "The gradebook can't be opened.",
    sqlite3.SQLITE_BUSY: (
        "Another program is using the gradebook. Run the command again when it's done."
    ),
}


def _why_the_disk(error: BaseException | None) -> str:
    """What is wrong with the disk or with the gradebook in a file, if an error comes from there."""
    while error:
        # Among others, SQLAlchemy's and nbgrader's own follow from it.
        if isinstance(error, sqlite3.OperationalError):
            return _GRADEBOOK.get(error.sqlite_errorcode & 0xFF, "")
        if isinstance(error, OSError) and error.errno in _UNWRITABLE:
            return f"{error.strerror}: {error.filename or 'the course folder'}"
        error = error.__cause__ or error.__context__
    return ""
