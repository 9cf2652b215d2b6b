"""``autograder mistakes``."""

from __future__ import annotations

import difflib
from pathlib import Path

from rich.progress import Progress

from autograder.cli.terminal import CourseOption, LessonArgument, console, shown
from autograder.course_folder import CourseFolder


def mistakes(lesson: LessonArgument, course: CourseOption = Path()) -> None:
    """Show a graded class's wrong answers that no known mistake explains.

    Thousands of changes of the solution are tried, one or two at once. If a change gives a
    student's results in every case, and nothing else does, it is shown; answers with the same
    change are one group. Other answers are grouped by what their students read. The largest group
    comes first. Of each you see, without a name, how one student's code differs from the solution.

    No student's code is executed, and nothing is written: put what you recognise into the
    exercise's key, then run `autograder release` and `autograder rejudge --apply`. A class of 300
    takes some minutes.
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
    for number, group in enumerate(groups, start=1):
        console.print()
        students = "1 student" if group.count == 1 else f"{group.count} students"
        console.print(f"[bold]{number}. {shown(group.exercise)}[/]: {students}", highlight=False)
        found = group.found or ("No change of the solution gives these results.",)
        reads = f"One of them got {group.percent} % and reads: {group.explanation}"
        for line in (*found, reads, *_differences(group.solution, group.answer)):
            console.print(shown(line), highlight=False, soft_wrap=True)
    count = sum(group.count for group in groups)
    explained = sum(group.count for group in groups if group.found)
    console.print(
        f"\n{count} answers that no known mistake explains, in {len(groups)} groups. For "
        f"{explained} of them, a change of the solution gives the same results."
    )


def _differences(solution: str, answer: str) -> list[str]:
    """One student's code, with the lines of the solution that it changes."""
    texts = solution.splitlines(), answer.splitlines()
    return list(
        difflib.unified_diff(*texts, "the solution", "the student's answer", n=2, lineterm="")
    )
