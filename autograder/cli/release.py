"""``autograder release``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.cli.terminal import CourseOption, LessonsArgument, chosen_lessons, console, shown
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from selfcheck.responses import printable

if TYPE_CHECKING:
    from autograder.release.generate import ReleaseResult


def release(
    lessons: LessonsArgument = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail if anything is out of date.")
    ] = False,
    drop_grades: Annotated[
        bool,
        typer.Option(
            "--drop-grades",
            help="Also drop cells in which students have points; dropped-grades/ keeps the points.",
        ),
    ] = False,
    course: CourseOption = Path(),
) -> None:
    """Generate the students' notebooks and the answer sheets from source/.

    Refuses a source that could not be graded, and a release that would leak a solution.

    If a lesson already has submissions, it says what changed and what to run next. Points that
    were given by hand are kept.
    """
    from autograder.release import generate as releasing

    folder = CourseFolder(course)
    chosen = chosen_lessons(folder, lessons)
    if check:
        stale = releasing.stale(folder, chosen)
        if stale:
            raise CourseError(
                "Out of date, run `autograder release`:\n  " + "\n  ".join(sorted(stale))
            )
        console.print(f"release/ and the answer sheets of {', '.join(chosen)} are up to date.")
        return
    for notebook in [] if lessons else folder.misnamed():
        left = notebook.relative_to(folder.root)
        console.print(f"left out, because its name isn't its folder's: {left}", soft_wrap=True)
    for lesson in chosen:
        released = releasing.release(folder, lesson, drop_grades=drop_grades)
        made = str(released.path.relative_to(folder.root))
        if sheets := releasing.sheets_folder(folder):
            written = len(releasing.write_sheets(folder, lesson, sheets))
            made += f" and {written} answer sheet{'s' if written != 1 else ''}"
        console.print(f"{lesson}: {made}")
        for line in (*_what_changed(lesson, released), *stale_penalties(folder, lesson)):
            console.print(shown(f"  {line}"), highlight=False, soft_wrap=True)


def stale_penalties(folder: CourseFolder, lesson: str) -> Iterator[str]:
    """What to run if changed points change late penalties."""
    from autograder.deadlines import read_deadline

    if folder.has_gradebook and (found := read_deadline(folder, lesson)).changes:
        yield printable(next(found.warnings(lesson)))


def _what_changed(lesson: str, released: ReleaseResult) -> Iterator[str]:
    """Remarks for the teacher about a release, and what to run next."""
    for exercise in released.unasked:
        yield f"the lesson doesn't use {exercise}"
    yield from released.given_away
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
            f"{cell}: submissions with more manual points than it is worth: {count}. Check "
            "them in the formgrader, under Manual Grading"
        )
    for exercise in released.outdated:
        yield f"{exercise}: graded with a solution or shares of the points that have changed since"
    if change.added:
        yield f"next: autograder grade {lesson} --force"
    elif change.regrades or released.outdated:
        yield f"next: autograder rejudge {lesson} --apply"
    elif change.worth or any(change.dropped.values()):
        yield f"next: nbgrader generate_feedback {lesson}"
