"""``autograder extend``."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.cli.deadline import Apply, Zone, show_deadline
from autograder.cli.terminal import CourseOption, LessonArgument, WorksheetOption, console, shown
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo


def extend(
    lesson: LessonArgument,
    student: Annotated[
        str | None,
        typer.Argument(help="A student's id, name, login or e-mail address, or a group."),
    ] = None,
    by: Annotated[
        str | None,
        typer.Argument(help="The extension: 3d, 36h, 1w; 0 removes it."),
    ] = None,
    worksheet: WorksheetOption = None,
    zone: Zone = None,
    apply: Apply = False,
    course: CourseOption = Path(),
) -> None:
    """Give a student, or everybody in a group or section, more time for a lesson.

    The extension counts from the due date, on the clock of c.LatePolicy.timezone,
    and replaces an earlier one; a group's extension never shortens one that a
    member already has. Like a due date, it is recorded at once unless it changes
    penalties of graded work: these are shown first, and recorded with --apply.

    autograder extend LESSON --worksheet FILE takes the extensions from Moodle.
    Its times are in your Moodle profile's time zone: give it with --timezone.
    """
    from autograder import datetimes as clocks
    from autograder import deadlines

    folder = CourseFolder(course)
    lesson = folder.find_assignment(lesson)
    clock = clocks.read_zone(zone)
    if worksheet and not student and not by:
        spans, is_group = _granted(folder, lesson, worksheet, clock), False
    elif student and by and not worksheet:
        students, is_group = _find_students(folder, student)
        spans = dict.fromkeys(students, clocks.read_span(by))
    else:
        raise CourseError("Name a student or a group, and the extension; or give --worksheet.")
    found = deadlines.set_extensions(folder, lesson, spans, keep_longer=is_group, apply=apply)
    clock = clock or deadlines.course_zone(folder)
    show_deadline(lesson, found, clock, asked=True, verb="is due")
    for each, span in spans.items():
        if span and (own := found.extensions.get(each, span)) > span:
            kept = clocks.shown_span(own.total_seconds())
            line = f"{each} keeps {kept}, which is longer: name the student to shorten it."
            console.print(shown(line), highlight=False, soft_wrap=True)


def _granted(
    folder: CourseFolder, lesson: str, worksheet: Path, clock: ZoneInfo | None
) -> dict[str, timedelta]:
    """The extensions in a worksheet, by student, counted from the due date; print those whose
    student isn't known.

    Raises:
        CourseError: when it isn't a worksheet, its extensions need a zone, or there is no due date.
    """
    from autograder.collect.matching import whom_lines_mean
    from autograder.collect.timestamps import granted_until, not_understood, read_worksheet
    from autograder.datetimes import span_on_clock
    from autograder.deadlines import read_deadline
    from autograder.roster.roster import read_roster

    deadline = read_deadline(folder, lesson)
    if deadline.due is None:
        raise CourseError(
            f"{lesson} has no due date: set one first: autograder deadline {lesson} "
            "2026-12-01T23:59"
        )
    lines = read_worksheet(worksheet).lines
    whom = whom_lines_mean(folder, lesson, lines)
    there = {person.student for person in read_roster(folder).people}.union(folder.students(lesson))
    spans: dict[str, timedelta] = {}
    unclear: list[str] = []
    for line in lines:
        until, unclear_until = granted_until(line, worksheet, clock)
        unclear += unclear_until
        # A line without a name can't be matched to a student who hasn't handed in.
        students = [each for each in whom[line.number] if each in there or not line.names]
        if until and students:
            span = span_on_clock(deadline.due, until, deadline.zone)
            spans[students[0]] = max(span, timedelta())
        elif until:
            unknown = f"{line.names[-1]!r} has an extension in Moodle, but isn't in the roster."
            console.print(shown(unknown), highlight=False, soft_wrap=True)
    for remark in not_understood(worksheet, unclear):
        console.print(shown(remark), highlight=False, soft_wrap=True)
    return spans


def _find_students(folder: CourseFolder, name: str) -> tuple[list[str], bool]:
    """The student, or the members of the group, with a name; and whether it's a group.

    Raises:
        CourseError: when it matches nobody, or several people.
    """
    from autograder.roster.roster import join_people, normalized_name, read_roster

    known = read_roster(folder)
    if any(person.student == name for person in known.people):
        return [name], False
    found = [person.student for person in known.find(name)]
    if len(found) > 1:
        raise CourseError(f"{name!r} may be {' or '.join(found)}: use the student id.")
    if found:
        return found, False
    if group := [person.student for person in known.group(name)]:
        return group, True
    if any(path.name == name for path in folder.folder("submitted").glob("*/")):
        return [name], False
    words = set(normalized_name(name).split())
    close = [each for each in known.people if words & set(normalized_name(each.full_name).split())]
    hint = f" Did you mean {join_people(close)}?" if close else ""
    raise CourseError(
        f"No student, group or section is called {name!r}: `autograder roster` shows the "
        f"class.{hint}"
    )
