"""``autograder report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.terminal import CourseOption, LessonArgument, console, shown
from autograder.course_folder import CourseFolder


def report(
    lesson: LessonArgument,
    into: Annotated[
        Path | None,
        typer.Option(help="The folder to write to.", show_default="reports/ in the course folder"),
    ] = None,
    course: CourseOption = Path(),
) -> None:
    """Write a page and a CSV file about a graded lesson.

    Shows points and their distribution, how hard each exercise was and how well it distinguishes
    students, the most common known mistakes, failures, who handed in nothing, and how long grading
    took.
    """
    from autograder.reports.report import write_report

    folder = CourseFolder(course)
    made = write_report(folder, folder.find_assignment(lesson), into or folder.root / "reports")
    for exercise, tally in made.summary.mistakes[:3]:
        students = "1 student" if tally.count == 1 else f"{tally.count} students"
        line = f"{students}, {exercise.title}: {tally.name.replace('_', ' ')}. {tally.text}"
        console.print(shown(line), highlight=False, soft_wrap=True)
    if sentence := made.summary.unforeseen:
        console.print(shown(sentence), highlight=False, soft_wrap=True)
    for warning in (*made.summary.results.warnings, *made.summary.results.again):
        console.print(shown(warning), highlight=False, soft_wrap=True)
    if sentence := made.summary.results.missing_sentence:
        console.print(shown(sentence), highlight=False, soft_wrap=True)
    console.print(shown(f"The page:  {made.html}"), highlight=False, soft_wrap=True)
    console.print(shown(f"The table: {made.csv}"), highlight=False, soft_wrap=True)
