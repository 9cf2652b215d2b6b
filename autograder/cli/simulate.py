"""``autograder simulate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.terminal import CourseOption, LessonArgument, console
from autograder.course_folder import CourseFolder


def simulate(
    lesson: LessonArgument,
    answers: Annotated[
        Path | None,
        typer.Option(
            help="A folder with one Python file per student, in percent format.",
            show_default="tests/submissions/<lesson>, else the bundled class",
        ),
    ] = None,
    course: CourseOption = Path(),
) -> None:
    """Fill submitted/ with a class that answers correctly, incorrectly and not at all.

    In a student's file, # %% grade_id="..." stands above a whole answer, # %% changes="..." above
    the functions and methods that differ from the lesson's own solution. All else is as in the
    solution.
    """
    from autograder import installed_course
    from autograder.simulate import simulate as fill

    folder = CourseFolder(course)
    folder.find_lesson(lesson)
    students = fill(folder, lesson, answers or installed_course.simulated_class(folder, lesson))
    console.print(f"{len(students)} submissions to {lesson}: {', '.join(students)}")
