"""The commands about the class: who is in it, and when things are due."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from autograder.course_folder import CourseError, CourseFolder
from autograder.enrolment import IdFrom, Update, What
from autograder.terminal import Course, Lesson, console

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from autograder.deadlines import Deadline

app = typer.Typer()


@app.command()
def roster(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Lists of the class, as downloaded; without one, the class is shown.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    id_from: Annotated[
        IdFrom | None,
        typer.Option(
            "--id",
            help="What a new student's id, the name of the folder, is made of.",
            show_default="the first there is",
        ),
    ] = None,
    partial: Annotated[
        bool,
        typer.Option("--partial", help="The lists aren't the whole class: nobody else has left."),
    ] = False,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Take lists in which most of the class isn't."),
    ] = False,
    missing: Annotated[
        str | None,
        typer.Option(
            "--missing",
            metavar="LESSON",
            help="Show who handed in nothing for this lesson.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would change, and write nothing.")
    ] = False,
    course: Course = Path(),
) -> None:
    """Read the class from your platform's lists, or show it.

    Reads CSV files as they are downloaded: Canvas' gradebook export; Moodle's
    participants, grades and grading worksheet, in English or German;
    Gradescope's roster. Several files of one class add up.

    Names, e-mail addresses and ids go into nbgrader's gradebook, so that the
    formgrader shows them and exports carry them; logins, sections and groups go
    into roster.json. Archives' names are then understood by autograder collect.

    A new student's id is the login, else what is before the @ of the e-mail
    address, else the SIS id, else the platform's number. It never changes by
    itself; where a login has changed, the command that renames the student is
    shown. Students who are missing from the list are kept and marked as having
    left. A list that lacks most of the class is refused.

    Ends with status 1 when a line could not be taken; the others are.
    """
    folder = CourseFolder(course)
    if missing:
        _show_missing(folder, folder.find_assignment(missing))
    elif files:
        from autograder.enrolment import update_roster

        update = update_roster(
            folder,
            files,
            id_from=id_from,
            partial=partial,
            replace_class=replace,
            dry_run=dry_run,
        )
        _show_update(update, dry_run)
        if update.problems:
            raise typer.Exit(1)
    else:
        _show_class(folder)


@app.command()
def rename_student(
    old: Annotated[str, typer.Argument(help="The student's id, the name of the folder.")],
    new: Annotated[str, typer.Argument(help="The id to be.")],
    course: Course = Path(),
) -> None:
    """Give a student another id, and move all that is kept under the old one.

    Moves what was handed in, graded notebooks, feedback, grades and the entry in
    the roster. Refuses an id under which somebody has handed something in.
    Interrupted, it completes when it is run again; until then nobody grades.
    """
    from autograder.renaming import rename_student as rename

    done = rename(CourseFolder(course), old, new)
    for folder in done.folders:
        line = f"  {folder.parent.name}/{new}"
        console.print(escape(line), highlight=False, soft_wrap=True)
    submissions = "1 submission" if done.submissions == 1 else f"{done.submissions} submissions"
    line = f"{old} is {new} now, with {submissions} in the gradebook."
    console.print(escape(line), highlight=False, soft_wrap=True)


def _show_update(update: Update, dry_run: bool) -> None:
    table = Table("Student", "Name", "E-mail", "What", show_lines=True)
    for change in update.changes:
        if change.what is not What.same:
            person = change.person
            what = "\n".join((change.what.value, *change.details))
            cells = (person.student, person.full_name, person.email, what)
            table.add_row(*map(escape, cells))
    if table.row_count:
        console.print(table)
    for line in (*update.left_out, *(f"Not taken: {line}" for line in update.problems)):
        console.print(escape(line), highlight=False, soft_wrap=True)
    for change in update.changes:
        if change.rename:
            line = f"{change.person.student} has a new login. To rename the student: "
            if change.what is What.new:
                line = f"{change.person.student} may have handed in under another id. If so: "
            console.print(escape(line + change.rename), highlight=False, soft_wrap=True)
    counts = ", ".join(f"{update.count(what)} {what.value}" for what in What)
    done = " Nothing was written: this is a dry run." if dry_run else ""
    count = len(update.problems)
    not_taken = f" {count} {'line' if count == 1 else 'lines'} not taken." if count else ""
    console.print(f"{len(update.changes)} people: {counts}.{not_taken}{done}", highlight=False)


def _show_class(folder: CourseFolder) -> None:
    from autograder.roster import read_roster

    people = read_roster(folder).people
    if not people:
        raise CourseError(
            "Nobody is in the class yet: download the list from your platform, then: "
            "autograder roster FILE"
        )
    table = Table("Student", "Name", "E-mail", "Platform's id", "Login", "Sections, groups", "")
    for person in people:
        where = ", ".join((*person.sections, *person.groups))
        ids = (person.student, person.full_name, person.email, person.lms_user_id, person.login)
        table.add_row(*map(escape, (*ids, where, "left" if person.dropped else "")))
    console.print(table)
    left = sum(person.dropped for person in people)
    console.print(f"{len(people) - left} in the class, {left} have left.", highlight=False)


def _show_missing(folder: CourseFolder, lesson: str) -> None:
    from autograder.exchange.record import read_refused, without_submission
    from autograder.roster import read_roster

    enrolled = read_roster(folder).enrolled
    handed_in, refused = set(folder.students(lesson)), read_refused(folder, lesson)
    absent = [person for person in enrolled if person.student not in handed_in]
    table = Table("Student", "Name", "E-mail", "Sections, groups", "Handed in")
    for person in absent:
        where = ", ".join((*person.sections, *person.groups))
        why = refused.get(person.student)
        cells = (person.student, person.full_name, person.email, where)
        table.add_row(*map(escape, (*cells, f"not collected: {why}" if why else "nothing")))
    if absent:
        console.print(table)
    told = without_submission(absent, refused, len(enrolled)) or "Everybody handed something in"
    console.print(escape(f"{lesson}: {told}"), highlight=False, soft_wrap=True)


Apply = Annotated[
    bool,
    typer.Option("--apply", help="Record it even where it changes penalties of graded work."),
]
Zone = Annotated[
    str | None,
    typer.Option(
        "--timezone",
        metavar="ZONE",
        help="Whose clock times are on, such as Europe/Berlin.",
        show_default="this machine's",
    ),
]


@app.command()
def deadline(
    lesson: Lesson,
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
    course: Course = Path(),
) -> None:
    """Show or set when a lesson is due, and bring late penalties up to date.

    A date that changes nobody's points is recorded at once. One that changes
    penalties of graded work shows them first, and is recorded with --apply. No
    code is executed. What handing in late costs is stated in nbgrader_config.py;
    docs/deadlines.md says how. After a change there, and after grading by hand,
    autograder deadline LESSON shows which penalties are out of date, and with
    --apply corrects them.

    The gradebook keeps times in UTC. Without a time of handing in nobody is late.
    """
    from autograder import deadlines

    folder = CourseFolder(course)
    lesson = folder.find_assignment(lesson)
    clock = deadlines.read_zone(zone)
    if due and remove:
        raise CourseError("Name a date, or --remove, but not both.")
    if due or remove:
        time = deadlines.read_time(due, clock) if due else None
        found = deadlines.set_due_date(folder, lesson, time, apply=apply)
    elif apply:
        found = deadlines.update_penalties(folder, lesson)
    else:
        found = deadlines.read_deadline(folder, lesson)
    _show_deadline(lesson, found, clock, asked=bool(due or remove), verb="would be due")


@app.command()
def extend(
    lesson: Lesson,
    student: Annotated[
        str, typer.Argument(help="A student's id, name, login or e-mail address, or a group.")
    ],
    by: Annotated[
        str, typer.Argument(help="How much later than the due date: 3d, 36h, 1w; 0 takes it back.")
    ],
    zone: Zone = None,
    apply: Apply = False,
    course: Course = Path(),
) -> None:
    """Give a student, or everybody in a group or section, more time for a lesson.

    It counts from the due date, and takes the place of an earlier extension; a
    group's never shortens one that somebody in it has. Like a due date, it is
    recorded at once unless it changes penalties of graded work: these are shown
    first, and recorded with --apply.
    """
    from autograder import deadlines

    folder = CourseFolder(course)
    lesson = folder.find_assignment(lesson)
    clock = deadlines.read_zone(zone)
    span = deadlines.read_span(by)
    students, is_group = _find_students(folder, student)
    found = deadlines.set_extensions(
        folder, lesson, students, span, keep_longer=is_group, apply=apply
    )
    _show_deadline(lesson, found, clock, asked=True, verb="is due")
    for each in students:
        if span and (own := found.extensions.get(each, span)) > span:
            kept = deadlines.shown_span(own.total_seconds())
            line = f"{each} keeps {kept}, which is longer: name the student to shorten it."
            console.print(escape(line), highlight=False, soft_wrap=True)


def _find_students(folder: CourseFolder, name: str) -> tuple[list[str], bool]:
    """Whom a name means: one person, or the people of a group; and whether it is a group's.

    Raises:
        CourseError: when it means nobody, or several people.
    """
    from autograder.roster import comparable, named, read_roster

    known = read_roster(folder)
    if any(person.student == name for person in known.people):
        return [name], False
    found = [person.student for person in known.find(name)]
    if len(found) > 1:
        raise CourseError(f"{name!r} may be {' or '.join(found)}: name the student id.")
    if found:
        return found, False
    if group := [person.student for person in known.group(name)]:
        return group, True
    if any(path.name == name for path in folder.root.glob("submitted/*/")):
        return [name], False
    words = set(comparable(name).split())
    close = [each for each in known.people if words & set(comparable(each.full_name).split())]
    hint = f" Close to it: {named(close)}." if close else ""
    raise CourseError(
        f"Nobody is called {name!r}, and no group or section is: `autograder roster` shows the "
        f"class.{hint}"
    )


def _show_deadline(
    lesson: str, found: Deadline, clock: ZoneInfo | None, *, asked: bool, verb: str
) -> None:
    """Show what there is of a due date, or would be.

    Args:
        asked: whether something is to be changed.
        verb: what is said of the date where nothing was written.
    """
    from autograder import deadlines

    table = Table("Student", "Late by", "Penalty now", "Penalty due", "Points now", "Points due")
    for change in found.changes:
        points = (change.before, change.after, change.score - change.before)
        numbers = (f"{round(each, 2):g}" for each in (*points, change.score - change.after))
        late = deadlines.shown_span(change.seconds_late) if change.seconds_late else "not late"
        table.add_row(escape(change.student), late, *numbers)
    if table.row_count:
        console.print(table)
    written = found.recorded or not asked
    due = deadlines.shown_time(found.due, clock) if found.due else "no due date"
    verb = "is due" if written else verb
    lines = [f"{lesson} {verb} {due}." if found.due else f"{lesson} has {due}.", found.policy]
    for student, extension in sorted(found.extensions.items()):
        until = deadlines.shown_time(found.due + extension, clock) if found.due else "?"
        span = deadlines.shown_span(extension.total_seconds())
        lines.append(f"{student} has {span} more: until {until}.")
    if found.unknown:
        names = ", ".join(found.unknown)
        lines.append(f"Nobody knows when these handed in, so they are not late: {names}.")
    if found.late:
        lines.append(
            f"Of these the platform calls late, by an unknown time: {', '.join(found.late)}."
        )
    if found.changes and found.recorded:
        lines.append(
            "Recorded. Feedback pages that were made before are out of date: "
            f"nbgrader generate_feedback {lesson}"
        )
    elif found.changes:
        lines.append("Nothing was written; --apply records it.")
    elif asked:
        lines.append("Recorded. It changes nobody's points.")
    for line in lines:
        console.print(escape(line), highlight=False, soft_wrap=True)
