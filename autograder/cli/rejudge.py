"""``autograder rejudge``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import track
from rich.table import Table

from autograder.cli.release import stale_penalties
from autograder.cli.terminal import CourseOption, LessonArgument, StudentsOption, console, shown
from autograder.course_folder import CourseFolder
from autograder.names import join_names

if TYPE_CHECKING:
    from autograder.grading.rejudge import Rejudged

_NAMED = 3  # students in a row that many share


def rejudge(
    lesson: LessonArgument,
    students: StudentsOption = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Record the changes; without this, nothing is written.")
    ] = False,
    marking: Annotated[
        str | None,
        typer.Option(
            help="Show what marking by 'causes' or by 'aspects' would change; nothing is written."
        ),
    ] = None,
    course: CourseOption = Path(),
) -> None:
    """Judge the recorded answers of a graded class again, and show what changes.

    No student's code is executed. Run it after `autograder release` if you have
    corrected aspects, shares, references or hints, or changed points. If an
    exercise's inputs have changed, run `autograder grade --force` instead.

    To see what `c.Judge.marking` would change for a class before you set it,
    use --marking.

    Points, extra credit and comments that were given by hand are kept. Exits with
    status 1 if a submission could not be judged again; it keeps its grade.
    """
    from autograder.grading.rejudge import chosen_students
    from autograder.judging.marking import ASPECTS, CAUSES

    folder = CourseFolder(course)
    if marking not in (None, CAUSES, ASPECTS):
        raise typer.BadParameter(f"{marking!r} is neither {CAUSES!r} nor {ASPECTS!r}")
    if marking and apply:
        raise typer.BadParameter(
            f"to record it, set c.Judge.marking = {marking!r} in nbgrader_config.py, and "
            "leave out --marking"
        )
    marked = replace(folder.marking, by=marking) if marking else None
    names = chosen_students(folder, folder.find_assignment(lesson), students or [])
    found = _judged(folder, lesson, names, apply=apply, marking=marked)
    for heading, columns, rows in found.tables():
        table = Table(*columns, title=heading, show_lines=True)
        for row in rows:
            table.add_row(*map(shown, row))
        if rows:
            console.print(table)
    if found.changes and apply:
        console.print(
            f"Earlier feedback pages are out of date: nbgrader generate_feedback {lesson}",
            soft_wrap=True,
        )
        for line in stale_penalties(folder, folder.find_assignment(lesson)):
            console.print(shown(line), highlight=False, soft_wrap=True)
    outcome = "Recorded." if apply else "Nothing was written; --apply records it."
    outcome = "Nothing was written." if marking else outcome
    outcome = outcome if found.changes else "Nothing changes."
    console.print(f"{found.sentence} {outcome}", soft_wrap=True)
    if found.problems:
        raise typer.Exit(1)


def _judged(folder: CourseFolder, lesson: str, names: Sequence[str], **how: Any) -> _Summary:
    """Judge with a progress bar."""
    from autograder.grading import rejudge as rejudging

    doing = track(
        rejudging.rejudge(folder, lesson, names, **how),
        "Judging",
        total=len(names),
        console=console,
        disable=not console.is_terminal,
    )
    return _Summary(sorted(doing, key=lambda row: row.student))


@dataclass(frozen=True)
class _Summary:
    """The results of a class.

    Args:
        rows: one for each submission.
    """

    rows: Sequence[Rejudged]

    @property
    def problems(self) -> int:
        """The number of submissions that could not be judged again."""
        return sum(bool(row.problem) for row in self.rows)

    @property
    def changes(self) -> bool:
        """Whether anything changes."""
        return any(row.changes for row in self.rows)

    def tables(self) -> list[tuple[str, Sequence[str], list[Sequence[str]]]]:
        """Tables to show, as title, columns and rows of text; some have no rows.

        A change that several students share and that costs nobody points takes one row, and so
        does a problem that several share.
        """
        from autograder.cells import title

        regraded: list[Sequence[str]] = []
        alike: dict[tuple[str, str], list[str]] = defaultdict(list)
        for row in self.rows:
            for change in row.changes:
                exercise = title(change.cell)
                if change.regrades:
                    before = f"{change.before:g} / {change.before_maximum:g}"
                    after = f"{change.after:g} / {change.maximum:g}"
                    if change.manual is not None:
                        after += f"\nkept: {change.manual:g} by hand"
                    regraded.append((row.student, exercise, before, after, change.why))
                else:
                    alike[exercise, change.why].append(row.student)
        others: list[Sequence[str]] = [
            (join_names(students, _NAMED), *change) for change, students in alike.items()
        ]
        stopped: dict[str, list[str]] = defaultdict(list)
        for row in self.rows:
            if row.problem:
                stopped[row.problem].append(row.student)
        problems: list[Sequence[str]] = [
            (", ".join(students), problem) for problem, students in stopped.items()
        ]
        return [
            ("Changed points", ("Student", "Exercise", "Before", "After", "Why"), regraded),
            ("Same points, changed explanations", ("Students", "Exercise", "What"), others),
            ("Not judged again", ("Students", "Why"), problems),
        ]

    @property
    def sentence(self) -> str:
        """The counts, and the mean points before and after, without penalties, which the judge
        doesn't know."""
        judged = [row for row in self.rows if not row.problem]
        regraded = sum(row.regraded for row in judged)
        hints = sum(bool(row.changes) for row in judged) - regraded
        parts = [
            f"{len(self.rows)} submissions: {regraded} with changed points, "
            f"{hints} with changed explanations only"
        ]
        if self.problems:
            parts.append(f"{self.problems} not judged again")
        if judged:
            before = sum(row.before for row in judged) / len(judged)
            after = sum(row.after for row in judged) / len(judged)
            parts.append(
                f"mean {round(before, 2):g} points before, {round(after, 2):g} after, not counting "
                "late penalties"
            )
        return f"{'; '.join(parts)}."
