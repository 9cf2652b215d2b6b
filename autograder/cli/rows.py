"""Show the results of grading in a terminal."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from autograder.cli.terminal import console, shown
from selfcheck.texts import say

if TYPE_CHECKING:
    from autograder.grading.results import Score, SubmissionRow


class Live:
    """Show progress: a bar in a terminal, elsewhere one line per submission.

    Args:
        total: the number of submissions.
        kernels: the number graded in parallel.
    """

    def __init__(self, total: int, kernels: int) -> None:
        self._total, self._kernels = total, kernels
        self._done = self._failed = 0
        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[running]} running, {task.fields[failed]} not graded"),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
            disable=not console.is_terminal,
        )

    def __enter__(self) -> Live:
        self._bar.start()
        running = min(self._kernels, self._total)
        self._task = self._bar.add_task("", total=self._total, running=running, failed=0, rate="")
        self._started = time.perf_counter()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def show(self, row: SubmissionRow) -> None:
        """Count one more submission as done."""
        self._done += 1
        self._failed += bool(row.problem)
        rate = f"{60 * self._done / (time.perf_counter() - self._started):.0f} a minute"
        self._bar.update(
            self._task,
            completed=self._done,
            running=min(self._kernels, self._total - self._done),
            failed=self._failed,
            rate=rate,
        )
        if row.problem or not console.is_terminal:
            console.print(f"  {self._done}/{self._total} {outcome_of(row)}", soft_wrap=True)


def outcome_of(row: SubmissionRow) -> str:
    left = max(0.0, row.settled - row.penalty)
    outcome = row.problem or f"{left:g} of {row.maximum:g} points"
    if row.penalty:
        outcome += f", after a late penalty of {row.penalty:g}"
    if row.by_hand:
        outcome += f", up to {row.by_hand:g} more from manual grading"
    if row.outdated:
        outcome += f", {row.outdated:g} from before the lesson changed"
    return shown(f"{row.student}: {outcome}")


def show_times(rows: Sequence[SubmissionRow], seconds: float) -> None:
    """Summarize this run and the time that it took."""
    now = [row.seconds for row in rows if row.seconds]
    if not now:
        return
    phases = ", ".join(
        f"{name} {sum(row[phase] for row in now) / len(now):.2f}"
        for phase, name in {
            "prepare": "prepare",
            "start": "start and end the kernel",
            "cells": "cells",
            "record": "judge and record",
        }.items()
    )
    processor = sum(row["cpu"] for row in now) / len(now)
    console.print(
        f"{len(now)} graded in {seconds:.1f} s. Seconds per submission: {phases}; "
        f"kernel CPU time {processor:.2f}.",
        highlight=False,
    )


def show_points(rows: Sequence[SubmissionRow]) -> None:
    """A table of everybody's points by exercise."""
    from autograder.cells import title

    scores = [score for row in rows for score in row.scores]
    # Answers that wait for manual grading have no column of their own.
    waiting = {score.cell for score in scores if score.manual}
    waiting -= {score.cell for score in scores if score.points or score.verdict}
    cells = [cell for cell in dict.fromkeys(score.cell for score in scores) if cell not in waiting]
    late, by_hand = any(row.penalty for row in rows), any(row.by_hand for row in rows)
    points = Table(title="Points")
    points.add_column("Student", no_wrap=True)
    for cell in cells:
        points.add_column(title(cell), justify="right")
    for name in ("Late",) * late + ("Total",) + ("By hand",) * by_hand:
        points.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        by_cell = {score.cell: score for score in row.scores}
        left = max(0.0, row.settled - row.penalty)
        sums = [f"-{row.penalty:g}" if row.penalty else ""] * late
        sums.append(f"{left:g} / {row.maximum:g}" if row.scores else "not graded")
        sums += [f"+ {row.by_hand:g}" if row.by_hand else ""] * by_hand
        points.add_row(shown(row.student), *(_points(by_cell.get(c)) for c in cells), *sums)
    if points.row_count:
        console.print(points)


def show_rows(rows: Sequence[SubmissionRow]) -> None:
    """Show tables: points by exercise, the reason for every lost point, and repairs."""
    from autograder.cells import title

    show_points(rows)
    reasons = Table(title="Why points were lost", show_lines=True)
    for column in ("Student", "Exercise", "Lost", "Reason"):
        reasons.add_column(
            column, justify="right" if column == "Lost" else "left", no_wrap=column == "Student"
        )
    for row in rows:
        if row.problem:
            reasons.add_row(shown(row.student), "all", "", shown(row.problem))
        for name in row.unanswered:
            said = f"{shown(name)} was handed in unanswered"
            reasons.add_row(shown(row.student), "all", "", said)
        for score in row.scores:
            if score.settled and score.points < score.maximum:
                lost = f"{score.maximum - score.points:g}"
                reasons.add_row(shown(row.student), title(score.cell), lost, shown(_reason(score)))
    repairs = Table(title="Repaired before grading", show_lines=True)
    repairs.add_column("Student", no_wrap=True)
    repairs.add_column("Differences from the handout")
    for row in rows:
        if row.repairs:
            repairs.add_row(shown(row.student), shown("\n".join(row.repairs)))
    for table in (reasons, repairs, _lesson_changes(rows)):
        if table.row_count:
            console.print(table)
    if lessons := sum(bool(row.outdated) for row in rows):
        students = "1 submission was" if lessons == 1 else f"{lessons} submissions were"
        console.print(
            f"{students} graded before the lesson changed. `autograder rejudge` with --apply "
            "updates "
            "the points, `autograder grade` with --force also grades added cells.",
            soft_wrap=True,
        )


def _lesson_changes(rows: Sequence[SubmissionRow]) -> Table:
    """Changes to the lesson since the handout, one row each; no student caused them."""
    table = Table(title="The lesson changed since these notebooks were handed out")
    for column in ("What changed", "Notebooks"):
        table.add_column(column, justify="right" if column == "Notebooks" else "left")
    counts = Counter(line for row in rows for line in row.lesson_changes)
    for line, count in counts.items():
        table.add_row(shown(line), str(count))
    return table


def _points(score: Score | None) -> str:
    if score is None:
        return "-"
    if not score.settled:
        return "by hand" if score.manual else "outdated"
    return f"{score.points:g} / {score.maximum:g}"


def _reason(score: Score) -> str:
    """The known mistake or the observation, and every aspect that cost points."""
    if score.verdict is None or score.given:
        return score.explanation
    failed = [say(finding.title) for finding in score.verdict.findings if not finding.passed]
    if score.verdict.reason or len(failed) in (0, len(score.verdict.findings)):
        return score.verdict.explanation
    return f"{score.verdict.explanation}\nFailed: {'; '.join(failed)}."
