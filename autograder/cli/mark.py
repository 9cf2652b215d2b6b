"""``autograder mark``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from autograder.cli.terminal import CourseOption, LessonArgument, console, shown
from autograder.course_folder import CourseFolder


def mark(
    lesson: LessonArgument,
    grader: Annotated[
        str | None,
        typer.Option(
            help="The name under which you mark; two people need two.",
            show_default="your account's",
        ),
    ] = None,
    recount: Annotated[
        bool,
        typer.Option(
            "--recount", help="Show what changes if marks follow a rubric that you have changed."
        ),
    ] = False,
    apply: Annotated[
        bool, typer.Option("--apply", help="With --recount: record the new points.")
    ] = False,
    requests: Annotated[
        Path | None,
        typer.Option(
            help="Enter students' requests to mark an answer again: a CSV file with the columns "
            "student (the id), question and request. Anybody but the first grader reviews them.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    course: CourseOption = Path(),
) -> None:
    """Mark a lesson's written answers in the browser, question by question.

    Nobody's name is shown. Points follow from the items of the question's rubric, in
    rubrics/LESSON.toml of the course folder. Several people can mark at the same time: each gets
    answers that nobody else has, and a tenth of the answers twice, to see how well you agree. The
    page is also in JupyterLab, at /marking/LESSON of its address, if it was started in the course
    folder.
    """
    folder = CourseFolder(course)
    lesson = folder.find_assignment(lesson)
    if recount and requests:
        raise typer.BadParameter("--recount and --requests are two things: run them one by one")
    if apply and not recount:
        raise typer.BadParameter("--apply needs --recount: marks are recorded as you give them")
    if recount:
        _recount(folder, lesson, apply=apply)
        return
    if requests:
        _enter_requests(folder, lesson, requests)
        return
    _serve(folder, lesson, grader, browser=browser)


def _serve(folder: CourseFolder, lesson: str, grader: str | None, *, browser: bool) -> None:
    # Importing the server takes a second.
    from autograder.marking.server import MarkingServer

    with folder.as_working_directory():  # where the formgrader looks for the course
        server = MarkingServer.prepared(folder, lesson, grader, browser=browser)

        def say_where() -> None:
            where = shown(f"Marking {lesson} at {server.page}")
            console.print(where, highlight=False, soft_wrap=True)
            console.print("Ctrl-C ends it. What you have saved is recorded, whenever it ends.")

        server.io_loop.add_callback(say_where)  # once it listens
        server.start()


def _enter_requests(folder: CourseFolder, lesson: str, file: Path) -> None:
    from autograder.marking.lesson import LessonMarking
    from autograder.marking.requests import read_requests

    requests = read_requests(file)
    new, wrong = LessonMarking(folder, lesson).enter_requests(requests)
    for sentence in wrong:
        console.print(shown(f"Not entered, {sentence}"), highlight=False, soft_wrap=True)
    known = len(requests) - new - len(wrong)
    console.print(
        f"Requests entered: {new}, known before: {known}. Review them with `autograder mark "
        f"{lesson}`, under another name than that of the first grader.",
        soft_wrap=True,
    )
    if wrong:
        raise typer.Exit(1)


def _recount(folder: CourseFolder, lesson: str, *, apply: bool) -> None:
    from autograder.marking.lesson import LessonMarking

    found = LessonMarking(folder, lesson).recount(apply=apply)
    table = Table("Question", "By the rubric", "Change", "Least", "Most", title=lesson)
    for one in found:
        changes = one.differences
        least, most = (
            (f"{value:+g}" for value in (min(changes), max(changes))) if changes else ("", "")
        )
        table.add_row(shown(one.title), str(one.marks), str(len(changes)), least, most)
    console.print(table)
    outcome = "Recorded." if apply else "Nothing was written; --apply records it."
    changes_any = any(one.differences for one in found)
    console.print(outcome if changes_any else "Nothing changes.", soft_wrap=True)
    if changes_any and apply:
        console.print(
            f"Earlier feedback pages are out of date: nbgrader generate_feedback {lesson}",
            soft_wrap=True,
        )
