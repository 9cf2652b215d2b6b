"""``autograder extend``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.deadline import Apply, Zone, show_deadline
from autograder.cli.terminal import Course, Lesson, console, shown
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError


def extend(
    lesson: Lesson,
    student: Annotated[
        str, typer.Argument(help="A student's id, name, login or e-mail address, or a group.")
    ],
    by: Annotated[
        str, typer.Argument(help="How much more time: 3d, 36h, 1w; 0 removes the extension.")
    ],
    zone: Zone = None,
    apply: Apply = False,
    course: Course = Path(),
) -> None:
    """Give a student, or everybody in a group or section, more time for a lesson.

    The extension counts from the due date, on the clock of c.LatePolicy.timezone,
    and replaces an earlier one; a group's extension never shortens one that a
    member already has. Like a due date, it is recorded at once unless it changes
    penalties of graded work: these are shown first, and recorded with --apply.
    """
    from autograder import clock as clocks
    from autograder import deadlines

    folder = CourseFolder(course)
    lesson = folder.find_assignment(lesson)
    clock = clocks.read_zone(zone) or deadlines.course_zone(folder)
    span = clocks.read_span(by)
    students, is_group = _find_students(folder, student)
    found = deadlines.set_extensions(
        folder, lesson, students, span, keep_longer=is_group, apply=apply
    )
    show_deadline(lesson, found, clock, asked=True, verb="is due")
    for each in students:
        if span and (own := found.extensions.get(each, span)) > span:
            kept = clocks.shown_span(own.total_seconds())
            line = f"{each} keeps {kept}, which is longer: name the student to shorten it."
            console.print(shown(line), highlight=False, soft_wrap=True)


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
