"""``autograder mistakes``."""

from __future__ import annotations

from pathlib import Path

from rich.progress import Progress
from rich.table import Table

from autograder.cli.terminal import CourseOption, LessonArgument, console, shown
from autograder.course_folder import CourseFolder


def mistakes(lesson: LessonArgument, course: CourseOption = Path()) -> None:
    """Show a graded class's wrong answers that no known mistake explains.

    Thousands of changes of the solution are tried, one or two at once. If a change gives a
    student's results in every case, and nothing else does, it is shown; answers with the same
    change are one group, and the largest group comes first. Of each you see one student's code
    beside the solution, without a name.

    No student's code is executed, and nothing is written: put what you recognise into the
    exercise's key, then run `autograder release` and `autograder rejudge`. A class of 300 takes
    some minutes.
    """
    from autograder.reports.unexplained import UnexplainedAnswers, unexplained

    folder = CourseFolder(course)
    lesson = folder.find_assignment(lesson)
    groups = []
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        searching = progress.add_task("Searching", total=None)
        for each in unexplained(folder, lesson):
            if isinstance(each, UnexplainedAnswers):
                groups.append(each)
            else:
                progress.update(searching, description=shown(f"Searched {each}"))
    for group in groups:
        console.print()
        students = "1 student" if group.count == 1 else f"{group.count} students"
        console.print(f"[bold]{shown(group.exercise)}[/]: {students}", highlight=False)
        for sentence in group.found or ("No change of the solution gives these results.",):
            console.print(shown(sentence), highlight=False, soft_wrap=True)
        console.print(shown(f"Failed: {'; '.join(group.failed)}"), highlight=False, soft_wrap=True)
        console.print(shown(f"Seen: {group.seen}"), highlight=False, soft_wrap=True)
        table = Table("One student's answer", "The solution", expand=True)
        table.add_row(shown(group.answer), shown(group.solution))
        console.print(table)
    count = sum(group.count for group in groups)
    found = sum(group.count for group in groups if group.found)
    console.print(f"{count} answers that no known mistake explains; {found} of them found.")
