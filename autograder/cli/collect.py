"""``autograder collect``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from autograder.cli.terminal import CourseOption, LessonArgument, console, error_console, shown
from autograder.course_folder import CourseFolder

if TYPE_CHECKING:
    from autograder.collect.collect import CollectedRow


def collect(
    lesson: LessonArgument,
    archives: Annotated[
        list[Path],
        typer.Argument(help="Zip files, as downloaded.", exists=True, dir_okay=False),
    ],
    names: Annotated[
        Path | None,
        typer.Option(
            help="A CSV file with the columns name,student, which maps names in archives to "
            "student "
            "ids. Several ids, separated by spaces, are a group.",
            show_default="the roster; without one, names are student ids",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    times: Annotated[
        list[Path] | None,
        typer.Option(
            help="A file with submission times: Moodle's grading worksheet, Canvas' submissions as "
            "JSON or CSV, or Gradescope's grades; may be repeated.",
            show_default="unknown",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    timezone: Annotated[
        str | None,
        typer.Option(
            help="The time zone, such as Europe/Berlin, of times without one: those in Moodle's "
            "worksheet (your profile's zone) or, without one, its archive (your server's), and "
            "in the names that Brightspace and Blackboard write or --pattern reads.",
        ),
    ] = None,
    pattern: Annotated[
        str | None,
        typer.Option(
            help="For any other platform: a regular expression for the whole path of a file in the "
            "archive, with the groups student and file, and time if names have it, such as "
            "'(?P<student>.+) - (?P<file>.+)'. Try it with --dry-run.",
        ),
    ] = None,
    force: Annotated[
        bool,
        typer.Option("--force", help="Also replace submissions that are newer, or that might be."),
    ] = False,
    drafts: Annotated[
        bool,
        typer.Option("--drafts", help="Also collect what Moodle's worksheet calls a draft."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be done, but write nothing.")
    ] = False,
    course: CourseOption = Path(),
) -> None:
    """Put what students handed in into submitted/<student>/<lesson>/.

    Accepts downloads from Moodle, Canvas, Gradescope, Brightspace, Blackboard and
    Microsoft Teams, folders of students, any of these with a zip per student, and a
    single student's zip named after the student. --pattern reads any other platform's
    names. The archive is trusted to say whose files it has, so collect only what
    the platform packed or what you packed yourself.

    Matching names to students: --names decides first, then the roster (`autograder
    roster`). Without a roster, names are student ids. People who aren't in the
    roster are refused, and so are Canvas' anonymous downloads and students with
    the same name who can't be told apart; the table says what to do. A group's
    submission is collected for every member. If Moodle hides the names,
    participant 12 gets the id participant-12.

    Submission times come from --times, or from Gradescope's own list. With
    --timezone, they also come from the names that Brightspace and Blackboard write
    and, without Moodle's list, from the uploads in Moodle's archive. Otherwise the
    time stays unknown, and nobody is late.

    An earlier submission is only replaced by a newer one, and never lost: it is
    kept as <lesson>.before-<time>. If it isn't known which is newer, --force
    replaces it.

    A student may hand in 1,000 files and 100 MB, unpacked. If there is more, the
    notebook and the smallest files are collected. Files that can't be unpacked
    safely are left out, and the table says why. Exits with status 1 if a
    submission could not be collected; all others are still collected.
    """
    from autograder.collect.collect import collect as collected
    from autograder.collect.filenames import Naming, read_names, read_pattern
    from autograder.collect.timestamps import read_times

    folder = CourseFolder(course)
    lesson = folder.find_assignment(lesson)
    known = read_names(names) if names else {}
    zone = None
    if timezone:
        from autograder.datetimes import read_zone

        zone = read_zone(timezone)
    naming = Naming(known, read_pattern(pattern) if pattern is not None else None, zone)
    listed = read_times(times or [], zone)
    for remark in listed.remarks:
        error_console.print(shown(remark), highlight=False)
    told = tuple(replace(each, draft=each.draft and not drafts) for each in listed.entries)
    listed = replace(listed, entries=told)
    rows = collected(folder, lesson, archives, naming, times=listed, force=force, dry_run=dry_run)
    _show(rows)
    for line in _remarks(folder, lesson, rows, dry_run=dry_run, has_zone=bool(zone)):
        console.print(shown(line), highlight=False, soft_wrap=True)
    if extended := sum(bool(each.until) for each in told):
        line = f"Moodle gave {extended} of them more time: autograder extend {lesson} --worksheet"
        console.print(shown(f"{line} FILE records this."), highlight=False, soft_wrap=True)
    taken, problems = sum(row.taken for row in rows), sum(bool(row.problem) for row in rows)
    counts = f"{taken} collected, {len(rows) - taken - problems} unchanged, {problems} refused."
    console.print(f"{counts} Nothing was written: this is a dry run." if dry_run else counts)
    if problems:
        raise typer.Exit(1)


def _show(rows: Sequence[CollectedRow]) -> None:
    columns = ("Student", "Handed in (UTC)", "Files", "From", "What was done", "Remarks")
    table = Table(*columns, show_lines=True)
    for row in rows:
        done = f"not collected: {row.problem}" if row.problem else row.outcome
        when = f"{row.time:%Y-%m-%d %H:%M}" if row.time else "late" if row.late else "unknown"
        when = when if row.student else ""
        cells = (row.student or "?", when, str(row.files), row.source, done)
        table.add_row(*map(shown, (*cells, "\n".join(row.left_out))))
    console.print(table)


def _remarks(
    folder: CourseFolder,
    lesson: str,
    rows: Sequence[CollectedRow],
    *,
    dry_run: bool,
    has_zone: bool,
) -> Iterator[str]:
    """Remarks for the teacher below the table."""
    from autograder.collect.collect import no_longer_there

    if any(row.stale_penalty for row in rows) and not dry_run:
        show = f"autograder deadline {lesson}"
        yield f"The times of graded submissions changed. To see the penalties: {show}"
    late = sorted(row.student for row in rows if row.student and row.late and not row.time)
    if late:
        yield f"Late by an unknown time, so without a penalty: {', '.join(late)}"
    unknown = sum(bool(row.student and not row.time and not row.problem) for row in rows)
    if unknown:
        whose = "1 submission" if unknown == 1 else f"{unknown} submissions"
        sources = "--times reads the times from your platform's list"
        if not has_zone:
            sources += (
                ", and --timezone, such as Europe/Berlin, from names that have a time, or from "
                "Moodle's archive"
            )
        yield f"No submission time for {whose}, treated as on time: {sources}."
    if absent := no_longer_there(folder, lesson, rows):
        yield (
            f"Collected before, missing from this archive, and kept: {', '.join(absent)}. If one "
            "was "
            f"withdrawn, remove submitted/<student>/{lesson}."
        )
