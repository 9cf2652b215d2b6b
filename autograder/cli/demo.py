"""``autograder demo``."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.cli.rows import outcome_of, show_points, show_rows
from autograder.cli.terminal import chosen_lessons, console, shown
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError

if TYPE_CHECKING:
    from autograder.demo import Demo
    from autograder.grading.results import Score, SubmissionRow


class DemoData(StrEnum):
    """The data that a demonstration runs on."""

    sample = "sample"
    real = "real"


def demo(
    lesson: Annotated[
        str | None,
        typer.Argument(help="A lesson.", show_default="the one that the course declares"),
    ] = None,
    source: Annotated[
        DemoData,
        typer.Option(
            help="The built-in sample, or real data; with real data, the lesson is also run in "
            "full."
        ),
    ] = DemoData.sample,
    into: Annotated[
        Path | None,
        typer.Option(help="An empty folder to work in.", show_default="a new temporary one"),
    ] = None,
    everybody: Annotated[
        bool,
        typer.Option("--all", help="Simulate all students instead of eight; show all reasons."),
    ] = False,
    course: Annotated[
        Path | None,
        typer.Option(
            help="The course folder.",
            show_default="this folder if it is a course, else the bundled one",
        ),
    ] = None,
) -> None:
    """Take one lesson all the way: release, a simulated class, verdicts, feedback.

    Fails if a verdict differs from the one stated in the simulated student's file.
    """
    from autograder import installed_course
    from autograder.demo import demo as show

    origin = CourseFolder(course) if course else installed_course.this_or_bundled(Path())
    first, *_ = chosen_lessons(origin, None)
    lesson = origin.find_lesson(lesson or origin.declared.example or first)
    into = into or Path(tempfile.mkdtemp(prefix="autograder-demo-"))
    done: list[SubmissionRow] = []

    def progress(row: SubmissionRow, total: int) -> None:
        done.append(row)
        console.print(f"  {len(done)}/{total} {outcome_of(row)}", soft_wrap=True)

    made = show(origin, lesson, into, source.value, console.print, progress, everybody)
    if made.results:
        console.rule(f"{lesson} on the real data")
        console.print(made.results, markup=False, highlight=False)
    if everybody:
        show_rows(made.rows)
    else:
        show_points(made.rows)
        _show_three_mistakes(made.rows)
    if made.surprises:
        raise CourseError(
            "These verdicts differ from the ones stated in the simulated students' files:\n  "
            + "\n  ".join(made.surprises)
        )
    _show_where(made, lesson)


def _show_three_mistakes(rows: Sequence[SubmissionRow]) -> None:
    from autograder.cells import title

    for row, score in itertools.islice(_named(rows), 3):
        lost = f"{score.maximum - score.points:g} of {score.maximum:g} points"
        said = f"{row.student} loses {lost} in {title(score.cell)}: {score.explanation}"
        console.print(f"\n{shown(said)}")


def _named(rows: Sequence[SubmissionRow]) -> Iterator[tuple[SubmissionRow, Score]]:
    """Examples of points lost to known mistakes, one per exercise."""
    told = set()
    for row in rows:
        for score in row.scores:
            named = score.verdict and score.verdict.mistakes and score.points < score.maximum
            if named and score.cell not in told:
                told.add(score.cell)
                yield row, score


def _show_where(made: Demo, lesson: str) -> None:
    console.print("Every verdict is the one stated in the simulated student's file.")
    feedback = made.course.folder("feedback")
    console.print(f"Feedback pages: {feedback}/<student>/{lesson}/{lesson}.html", soft_wrap=True)
    console.print(f"The whole course folder: {made.course.root}", soft_wrap=True)
    console.print(
        f"Next: open a feedback page in a browser; `autograder handout {lesson}` "
        "packs the lesson for students."
    )
