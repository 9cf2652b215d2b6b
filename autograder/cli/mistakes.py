"""``autograder mistakes``."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress

from autograder.cli.terminal import CourseOption, LessonArgument, console, shown
from autograder.course_folder import CourseFolder
from autograder.judging.keys import Cost

if TYPE_CHECKING:
    from autograder.judging.keys import Key
    from autograder.judging.naming import Entry
    from autograder.reports.unexplained import UnexplainedAnswers


_MOST_ANSWERS = 3
"""How many ways to write an answer are shown of a group without a change."""


def mistakes(
    lesson: LessonArgument,
    show_students: Annotated[
        bool, typer.Option("--show-students", help="Also show whose answers they are.")
    ] = False,
    change: Annotated[
        str | None,
        typer.Option(help="Put this change of a solution into its key, as a known mistake."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="The mistake's name, such as summed_over_rows.")
    ] = None,
    hint: Annotated[str | None, typer.Option(help="What students read: one sentence.")] = None,
    cost: Annotated[
        Cost | None,
        typer.Option(help="What kind of mistake it is.", show_default="what the change looks like"),
    ] = None,
    course: CourseOption = Path(),
) -> None:
    """Show a graded class's wrong answers that no known mistake explains, and give them hints.

    Thousands of changes of the solution are tried, one or two at once. If a change gives a
    student's results in every case, and nothing else does, it is shown; answers with the same
    change are one group. Other answers are grouped by what their students read. The largest group
    comes first. Of each you see how one student's code differs from the solution. A class of 300
    takes some minutes.

    With --change, --name and --hint, nothing is searched: a change that was shown is checked as
    all known mistakes are, and written into the exercise's key. Then run `autograder release` and
    `autograder rejudge`.

    No student's code is executed.
    """
    folder = CourseFolder(course)
    lesson = folder.find_assignment(lesson)
    if change is not None and name is not None and hint is not None:
        _add(folder, lesson, change, name, hint, cost)
    elif (change, name, hint, cost) == (None,) * 4:
        _show(folder, lesson, show_students)
    else:
        raise typer.BadParameter("--change, --name and --hint need each other; --cost needs them")


def _add(
    folder: CourseFolder, lesson: str, change: str, name: str, hint: str, cost: Cost | None
) -> None:
    from autograder.judging.keys import key_file
    from autograder.judging.naming import add, entry_of
    from autograder.reports.unexplained import find_change

    key, found = find_change(folder, lesson, change)
    entry = entry_of(key, found, name, hint, cost)
    path = key_file(folder.declared, key.exercise.name)
    add(path, entry)
    lines = [f"Added to {path}:", str(entry)]
    if not cost:
        lines.append(_guess(folder, key, entry))
    rejudge = f"autograder rejudge {lesson}"
    lines.append(f"Next: autograder release {lesson}; {rejudge}, then with --apply")
    for line in lines:
        console.print(shown(line), highlight=False, soft_wrap=True)


def _guess(folder: CourseFolder, key: Key, entry: Entry) -> str:
    """What is said of a kind of cost that nobody named."""
    from autograder.judging.marking import ASPECTS

    said = {kind: f"a {kind}" for kind in Cost}
    if folder.marking.by != ASPECTS:
        for kind in Cost:
            said[kind] += f" ({folder.marking.percent(key, entry.name, kind)} % off)"
    guessed = said.pop(entry.cost)
    others = " or ".join(said.values())
    return f"Counted as {guessed}, which is a guess. If it's {others}, edit its cost in the key."


def _show(folder: CourseFolder, lesson: str, show_students: bool) -> None:
    from autograder.reports.unexplained import UnexplainedAnswers, unexplained

    groups = []
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        searching = progress.add_task("Searching", total=None)
        for each in unexplained(folder, lesson):
            if isinstance(each, UnexplainedAnswers):
                groups.append(each)
            else:
                progress.update(searching, description=shown(f"Searched {each}"))
    for number, group in enumerate(groups, start=1):
        console.print()
        count = len(group.students)
        students = "1 student" if count == 1 else f"{count} students"
        console.print(f"[bold]{number}. {shown(group.exercise)}[/]: {students}", highlight=False)
        for line in _lines(group, show_students):
            console.print(shown(line), highlight=False, soft_wrap=True)
    if not groups:
        console.print("Known mistakes explain all wrong answers.")
        return
    count = sum(len(group.students) for group in groups)
    found = [group for group in groups if group.found]
    explained = sum(len(group.students) for group in found)
    answers = "1 answer" if count == 1 else f"{count} answers"
    console.print(
        f"\nNo known mistake explains {answers}. A change of the solution gives the results "
        f"of {explained} of them."
    )
    if found:
        how = f"--change {found[0].found[0].name} --name ... --hint ..."
        console.print(
            shown(f"To make one a known mistake: autograder mistakes {lesson} {how}"),
            highlight=False,
            soft_wrap=True,
        )


def _lines(group: UnexplainedAnswers, show_students: bool) -> Iterator[str]:
    """What is shown of a group."""
    if show_students:
        yield ", ".join(group.students)
    for change in group.found:
        yield change.sentence
        pairs = zip(change.texts[::2], change.texts[1::2], strict=True)
        edits = "; ".join(" -> ".join(" ".join(x.split()) for x in pair) for pair in pairs)
        yield f"    {change.name}: {edits or 'no text of the solution states it'}"
    shown_answers = group.answers[: 1 if group.found else _MOST_ANSWERS]
    if not group.found:
        yield "No change of the solution gives these results."
        if len(group.answers) > 1:
            yield f"They are written in {len(group.answers)} ways: there may be several mistakes."
    yield f"One of them got {group.percent} % and reads: {group.explanation}"
    # Students' code, with the lines of the solution that it changes.
    for answer in shown_answers:
        texts = group.solution.splitlines(), answer.splitlines()
        yield from difflib.unified_diff(
            *texts, "the solution", "the student's answer", n=2, lineterm=""
        )
    if not group.found and len(group.answers) > _MOST_ANSWERS:
        yield f"{len(group.answers) - _MOST_ANSWERS} more ways aren't shown."
