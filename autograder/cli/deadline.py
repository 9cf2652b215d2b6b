"""``autograder deadline``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from autograder.cli.terminal import CourseOption, LessonArgument, console, shown
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from autograder.deadlines import Deadline


Apply = Annotated[
    bool,
    typer.Option("--apply", help="Record the change even if it affects penalties of graded work."),
]
Zone = Annotated[
    str | None,
    typer.Option(
        "--timezone",
        metavar="ZONE",
        help="The time zone of the times, such as Europe/Berlin.",
        show_default="c.LatePolicy.timezone, or this machine's",
    ),
]


def deadline(
    lesson: LessonArgument,
    due: Annotated[
        str | None,
        typer.Argument(
            metavar="[WHEN]",
            help="2026-12-01T23:59, or 2026-12-01 for the end of that day.",
            show_default="shows what is set",
        ),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the due date.")] = False,
    zone: Zone = None,
    apply: Apply = False,
    course: CourseOption = Path(),
) -> None:
    """Show or set when a lesson is due, and bring late penalties up to date.

    A date that changes nobody's points is recorded at once. If it changes
    penalties of graded work, these are shown first, and --apply records it. No
    code is executed. The late policy is set in nbgrader_config.py;
    docs/deadlines.md says how. After a change there, and after grading by hand,
    autograder deadline LESSON shows which penalties are out of date, and with
    --apply corrects them.

    The gradebook keeps times in UTC. A submission without a time is treated as on time.
    """
    from autograder import datetimes as clocks
    from autograder import deadlines

    folder = CourseFolder(course)
    lesson = folder.find_assignment(lesson)
    clock = clocks.read_zone(zone) or deadlines.course_zone(folder)
    if due and remove:
        raise CourseError("Name a date, or --remove, but not both.")
    if due or remove:
        time = clocks.read_time(due, clock) if due else None
        found = deadlines.set_due_date(folder, lesson, time, apply=apply)
    elif apply:
        found = deadlines.update_penalties(folder, lesson)
    else:
        found = deadlines.read_deadline(folder, lesson)
    show_deadline(lesson, found, clock, asked=bool(due or remove), verb="would be due")


def show_deadline(
    lesson: str, found: Deadline, clock: ZoneInfo | None, *, asked: bool, verb: str
) -> None:
    """Show a lesson's due date, or what it would become.

    Args:
        asked: whether a change was requested.
        verb: the verb for the date if nothing was written.
    """
    from autograder import datetimes as clocks

    table = Table("Student", "Late by", "Penalty now", "Penalty due", "Points now", "Points due")
    for change in found.changes:
        points = (change.before, change.after, change.score - change.before)
        numbers = (f"{round(each, 2):g}" for each in (*points, change.score - change.after))
        late = clocks.shown_span(change.seconds_late) if change.seconds_late else "not late"
        table.add_row(shown(change.student), late, *numbers)
    if table.row_count:
        console.print(table)
    written = found.recorded or not asked
    due = clocks.shown_time(found.due, clock) if found.due else "no due date"
    verb = "is due" if written else verb
    lines = [f"{lesson} {verb} {due}." if found.due else f"{lesson} has {due}.", found.policy]
    for student, extension in sorted(found.extensions.items()):
        ends = clocks.later(found.due, extension, found.zone) if found.due else None
        until = clocks.shown_time(ends, clock) if ends else "?"
        span = clocks.shown_span(extension.total_seconds())
        lines.append(f"{student} has {span} more: until {until}.")
    if found.unknown:
        names = ", ".join(found.unknown)
        lines.append(f"No submission time, so treated as on time: {names}.")
    if found.late:
        lines.append(f"The platform calls these late, by an unknown time: {', '.join(found.late)}.")
    if found.changes and found.recorded:
        lines.append(
            f"Recorded. Earlier feedback pages are out of date: nbgrader generate_feedback {lesson}"
        )
    elif found.changes:
        lines.append("Nothing was written; --apply records it.")
    elif asked:
        lines.append("Recorded. Nobody's points change.")
    for line in lines:
        console.print(shown(line), highlight=False, soft_wrap=True)
