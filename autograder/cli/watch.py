"""``autograder watch``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.rows import outcome_of
from autograder.cli.terminal import (
    CourseOption,
    JobsOption,
    LessonsArgument,
    SandboxOption,
    chosen_lessons,
    console,
    shown,
)
from autograder.course_folder import CourseFolder


def watch(
    lessons: LessonsArgument = None,
    publish: Annotated[
        str,
        typer.Option(
            metavar="never|due|now",
            help="When students get their feedback: not from here, after the due date, or at once.",
        ),
    ] = "never",
    pause: Annotated[
        float,
        typer.Option(min=0, help="Minutes between two gradings of the same student's lesson."),
    ] = 0.0,
    poll: Annotated[float, typer.Option(min=0.5, help="Seconds between two looks.")] = 5.0,
    jobs: JobsOption = None,
    sandbox: SandboxOption = None,
    course: CourseOption = Path(),
) -> None:
    """Grade what arrives, as `autograder grade` does, until you stop it.

    Every few seconds, it collects from nbgrader's exchange if the course has one, and grades what
    is new in `submitted/`, once nothing in a student's folder changes any more. It prints a line
    for each submission. Who hands in again is graded again. Between two looks you can run other
    commands; while one of them is at work, it waits.

    It keeps nothing of its own: stop it, or let it be killed, and start it again.
    """
    from autograder.grading.watch import Publish, Watcher

    if publish not in [*Publish]:
        raise typer.BadParameter("take never, due or now", param_hint="--publish")
    folder = CourseFolder(course)
    watched = chosen_lessons(folder, lessons)
    watcher = Watcher(folder, watched, Publish(publish), pause, jobs, sandbox and sandbox.value)
    console.print(f"Looking for {', '.join(watched)} every {poll:g} seconds. Ctrl-C stops it.")
    try:
        while True:
            for event in watcher.look():
                if event.row:
                    said = outcome_of(event.row)
                elif event.published:
                    said = shown(f"{event.published}: feedback published")
                else:
                    said = shown(event.problem)
                now = time.strftime("%Y-%m-%d %H:%M:%S")
                console.print(f"{now} {event.lesson} {said}", highlight=False, soft_wrap=True)
            time.sleep(poll)
    except KeyboardInterrupt:
        console.print("Stopped.")
    finally:
        watcher.close()
