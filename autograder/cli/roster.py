"""``autograder roster``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from autograder.cli.terminal import CourseOption, console, shown
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.names import join_names
from autograder.roster.update import ChangeKind, IdFrom, Update

Id = Annotated[
    IdFrom | None,
    typer.Option(
        "--id",
        help="The source of a new student's id, which names the folder.",
        show_default="the first available",
    ),
]
Partial = Annotated[
    bool,
    typer.Option(
        "--partial",
        help="The lists are only a part of the class: nobody missing from them has left.",
    ),
]
Replace = Annotated[
    bool, typer.Option("--replace", help="Accept lists that are missing most of the class.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show what would change, but write nothing.")
]


def roster(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Class lists, as downloaded; without any, the class is shown.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    id_from: Id = None,
    partial: Partial = False,
    replace: Replace = False,
    missing: Annotated[
        str | None,
        typer.Option(
            "--missing",
            metavar="LESSON",
            help="Show who handed in nothing for this lesson.",
            show_default=False,
        ),
    ] = None,
    dry_run: DryRun = False,
    course: CourseOption = Path(),
) -> None:
    """Read the class from your platform's lists, or show it.

    Reads CSV files as they are downloaded: Canvas' gradebook export; Moodle's
    grading worksheet in any language, or its grades and participants in English
    or German; Gradescope's roster. Several files of one class are combined.

    Names, e-mail addresses and ids go into nbgrader's gradebook, so that the
    formgrader shows them and exports include them; logins, sections and groups
    go into roster.json. autograder collect uses them to match names in archives.

    A new student's id is the login, else the part of the e-mail address before the
    @, else the SIS id, else the platform's number. It never changes by itself; if a
    login has changed, the command that renames the student is shown. Students
    missing from the list are kept and marked as having left, unless a skipped line
    may be theirs. A list without most of the class is refused.

    Exits with status 1 if a line was skipped; all others are still read.
    """
    folder = CourseFolder(course)
    if missing:
        _show_missing(folder, folder.find_assignment(missing))
    elif files:
        from autograder.roster.csv_lists import read_list
        from autograder.roster.update import update_roster

        update = update_roster(
            folder,
            [read_list(path) for path in files],
            id_from=id_from,
            partial=partial,
            replace_class=replace,
            dry_run=dry_run,
        )
        show_update(update, dry_run)
    else:
        _show_class(folder)


def show_update(update: Update, dry_run: bool) -> None:
    """Show the changes, and exit with status 1 if a line was skipped."""
    table = Table("Student", "Name", "E-mail", "What", show_lines=True)
    for change in update.changes:
        if change.what is not ChangeKind.same:
            person = change.person
            what = "\n".join((change.what.value, *change.details))
            cells = (person.student, person.full_name, person.email, what)
            table.add_row(*map(shown, cells))
    if table.row_count:
        console.print(table)
    for line in (*update.left_out, *(f"Skipped: {line}" for line in update.problems)):
        console.print(shown(line), highlight=False, soft_wrap=True)
    if update.spared:
        line = (
            "Missing from the lists, but not marked as having left, because a skipped line may be "
            "theirs: "
        )
        console.print(shown(line + join_names(update.spared)), highlight=False, soft_wrap=True)
    for change in update.changes:
        if change.rename:
            line = f"{change.person.student} has a new login. To rename the student: "
            if change.what is ChangeKind.new:
                line = f"{change.person.student} may have handed in under another id. If so: "
            console.print(shown(line + change.rename), highlight=False, soft_wrap=True)
    counts = ", ".join(f"{update.count(what)} {what.value}" for what in ChangeKind)
    done = " Nothing was written: this is a dry run." if dry_run else ""
    count = len(update.problems)
    not_taken = f" {count} {'line' if count == 1 else 'lines'} skipped." if count else ""
    console.print(f"{len(update.changes)} people: {counts}.{not_taken}{done}", highlight=False)
    if update.problems:
        raise typer.Exit(1)


def _show_class(folder: CourseFolder) -> None:
    from autograder.roster.roster import read_roster

    people = read_roster(folder).people
    if not people:
        raise CourseError(
            "The class is empty: download the list from your platform, then: autograder roster FILE"
        )
    table = Table("Student", "Name", "E-mail", "Platform's id", "Login", "Sections, groups", "")
    for person in people:
        where = ", ".join((*person.sections, *person.groups))
        ids = (person.student, person.full_name, person.email, person.lms_user_id, person.login)
        table.add_row(*map(shown, (*ids, where, "left" if person.dropped else "")))
    console.print(table)
    left = sum(person.dropped for person in people)
    console.print(f"{len(people) - left} in the class, {left} have left.", highlight=False)


def _show_missing(folder: CourseFolder, lesson: str) -> None:
    from autograder.collect.manifest import read_refused, without_submission
    from autograder.roster.roster import read_roster

    enrolled = read_roster(folder).enrolled
    handed_in, refused = set(folder.students(lesson)), read_refused(folder, lesson)
    absent = [person for person in enrolled if person.student not in handed_in]
    table = Table("Student", "Name", "E-mail", "Sections, groups", "Handed in")
    for person in absent:
        where = ", ".join((*person.sections, *person.groups))
        why = refused.get(person.student)
        cells = (person.student, person.full_name, person.email, where)
        table.add_row(*map(shown, (*cells, f"not collected: {why}" if why else "nothing")))
    if absent:
        console.print(table)
    told = without_submission(absent, refused, len(enrolled)) or "Everybody handed something in"
    console.print(shown(f"{lesson}: {told}"), highlight=False, soft_wrap=True)
