"""``autograder lti``."""

from __future__ import annotations

import dataclasses
import json
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import Progress
from rich.table import Table

from autograder.cli.roster import DryRun, Id, Partial, Replace, show_update
from autograder.cli.terminal import CourseOption, LessonArgument, console, shown
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError

if TYPE_CHECKING:
    from autograder.lti.sending import Sending
    from autograder.lti.services import Column, Services

lti = typer.Typer(
    help="Read the class from your learning platform and send it grades, by LTI 1.3.",
    no_args_is_help=True,
)


@lti.command()
def keys(course: CourseOption = Path()) -> None:
    """Show the public key that the platform's administrator registers.

    The first run generates the private key, outside the course folder, readable
    only by your account. docs/lti.md says what the administrator enters in
    Moodle, Canvas and others, and what you then set in nbgrader_config.py.
    """
    from autograder.lti.registration import Registration

    registration = Registration(CourseFolder(course))
    made = registration.make_key()
    jwk = registration.public_jwk
    print(f"The private key{' was made' if made else ''}: {registration.key_file}")
    print("Keep it secret. The administrator registers one of these public keys:\n")
    print(f"As PEM (Moodle):\n{registration.public_pem}")
    print(f"As a JSON Web Key (Canvas):\n{json.dumps(jwk)}\n")
    print(f"As a key set, for a file with its own URL:\n{json.dumps({'keys': [jwk]})}")


@lti.command()
def roster(
    id_from: Id = None,
    partial: Partial = False,
    replace: Replace = False,
    dry_run: DryRun = False,
    course: CourseOption = Path(),
) -> None:
    """Read the class from your platform, as autograder roster does from its lists.

    Only learners are read. The platform's own id of each is stored in
    roster.json, because grades are sent under it.

    Exits with status 1 if somebody could not be read; all others are still read.
    """
    from autograder.lti.members import read_members
    from autograder.roster.update import update_roster

    folder = CourseFolder(course)
    listed = read_members(_services(folder).members())
    update = update_roster(
        folder,
        [listed],
        id_from=id_from,
        partial=partial,
        replace_class=replace,
        dry_run=dry_run,
    )
    show_update(update, dry_run)


@lti.command()
def column(lesson: LessonArgument, dry_run: DryRun = False, course: CourseOption = Path()) -> None:
    """Create a lesson's column in the platform's gradebook, or update its maximum."""
    from autograder.lti.sending import maximum_of

    folder = CourseFolder(course)
    lesson = folder.find_assignment(lesson)
    maximum = maximum_of(folder, lesson)
    services = _services(folder)
    found = services.find_column(lesson)
    if found is None:
        what = f"a new column with {maximum:g} points"
    elif found.maximum == maximum:
        what = f"its column exists, with {maximum:g} points"
    else:
        what = f"its column's maximum changes from {found.maximum:g} to {maximum:g} points"
    if not dry_run and found is None:
        services.create_column(lesson, maximum)
    elif not dry_run and found and found.maximum != maximum:
        services.set_maximum(found, maximum)
    done = " Nothing was sent: this is a dry run." if dry_run else ""
    console.print(shown(f"{lesson}: {what}.{done}"), highlight=False, soft_wrap=True)


@lti.command()
def grades(
    lesson: LessonArgument,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be sent, but send nothing.")
    ] = False,
    course: CourseOption = Path(),
) -> None:
    """Send a lesson's grades, with the reasons for lost points as comments.

    Only changes since the last time are sent. Nothing is sent for students who
    have no final grade yet, or who handed in nothing.

    Exits with status 1 if a grade could not be sent; all others are still sent.
    """
    # These imports take half a second, so --help doesn't load them.
    from autograder.exports.grades import read_grades
    from autograder.grading.batch import grading_lock
    from autograder.lti.sending import plan, send

    folder = CourseFolder(course)
    lesson = folder.find_assignment(lesson)
    services = _services(folder)
    target = _found(services, lesson)
    with nullcontext() if dry_run else grading_lock(folder):
        grades = read_grades(folder, [lesson])
        planned = plan(folder, grades.lessons[0], grades.students, target)
        due = [each for each in planned if each.due]
        rows = [each for each in planned if not each.due]
        try:
            if not dry_run:
                with Progress(console=console, disable=not console.is_terminal) as bar:
                    task = bar.add_task("Sending", total=len(due))

                    def told(row: Sending) -> None:
                        rows.append(row)
                        bar.advance(task)

                    send(folder, services, target, due, told)
        finally:
            _show_grades(rows + due if dry_run else rows, dry_run)
    # Students who have left aren't mentioned: the platform knows.
    for warning in dataclasses.replace(grades, left=()).warnings:
        console.print(shown(warning), highlight=False, soft_wrap=True)
    if any(row.problem for row in rows):
        raise typer.Exit(1)


def _services(folder: CourseFolder) -> Services:
    """The platform in the course's configuration."""
    from autograder.lti.registration import Registration
    from autograder.lti.services import Services

    return Services(Registration(folder))


def _found(services: Services, lesson: str) -> Column:
    """The lesson's column.

    Raises:
        CourseError: when there is none.
    """
    found = services.find_column(lesson)
    if found is None:
        raise CourseError(f"{lesson} has no column on the platform: autograder lti column {lesson}")
    return found


def _show_grades(rows: list[Sending], dry_run: bool) -> None:
    """Show the grades sent or to be sent, and count the students without one."""
    table = Table("Student", "Points", "Sent before", "What", "Comment", show_lines=True)
    counts = dict.fromkeys(("new", "changed", "unchanged", "without a grade", "not sent"), 0)
    for row in sorted(rows, key=lambda row: row.person.student):
        what = _what(row)
        counts[what] += 1
        if row.due or row.problem or (row.before and not row.score):
            comment = row.score["comment"] if row.score else ""
            told = row.problem or (
                what if row.score else (f"{row.status}: the grade sent before is kept")
            )
            cells = (row.person.label, _points(row.score), _points(row.before), told, comment)
            table.add_row(*map(shown, cells))
    if table.row_count:
        console.print(table)
    said = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    done = " Nothing was sent: this is a dry run." if dry_run else ""
    console.print(f"{len(rows)} students: {said or 'none'}.{done}", highlight=False)


def _what(row: Sending) -> str:
    if row.score is None:
        return "without a grade"
    if row.problem:
        return "not sent"
    if row.score == row.before:
        return "unchanged"
    return "changed" if row.before else "new"


def _points(score: dict[str, Any] | None) -> str:
    return f"{score['scoreGiven']:g} of {score['scoreMaximum']:g}" if score else ""
