"""A graded lesson as CSV: one row per student."""

from __future__ import annotations

import csv
from pathlib import Path

from autograder.cells import title
from autograder.grading.results import Score
from autograder.reports.lesson_results import LessonResults, SubmissionResult
from autograder.roster.roster import Person
from selfcheck.responses import printable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_table(path: Path, results: LessonResults) -> None:
    """Write a table for spreadsheets; cells that they would evaluate get an apostrophe in front.

    Columns: student, total (minus the penalty), maximum, penalty, status, problem; for every
    exercise the points, their percentage, the known mistakes and the explanation; seconds; name and
    e-mail address. A cell is empty if there is nothing to say. People in the class who handed in
    nothing come last.
    """
    head = ["student", "total", "maximum", "penalty", "status", "problem"]
    for cell in results.cells:
        parts = ("points", "percent", "mistakes", "explanation")
        head += [f"{title(cell)}: {part}" for part in parts]
    with path.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file)
        head += ["seconds", "name", "email"]
        writer.writerow([defused(name) for name in head])
        for each in results.submissions:
            person = results.roster.get(each.student)
            writer.writerow([*_row(each, results.cells), *_contact(person)])
        for person in results.missing:
            row = [defused(person.student), "", "", "", "not handed in"]
            blank = [""] * (len(head) - len(row) - 2)
            writer.writerow([*row, *blank, *_contact(person)])


def defused(text: str) -> str:
    """Text on one line that is safe in terminals and spreadsheets.

    Example:
        >>> defused("=1+1"), defused("two\\nlines")
        ("'=1+1", 'two lines')
    """
    line = printable(" ".join(text.splitlines()))
    return f"'{line}" if line.startswith(_FORMULA) or text.startswith(_FORMULA) else line


def status(submission: SubmissionResult) -> str:
    """A submission's status."""
    if not submission.graded:
        return "not graded"
    if submission.by_hand:
        return f"{submission.by_hand:g} points to be graded by hand"
    if submission.outdated:
        return f"{submission.outdated:g} points from before the lesson changed"
    return "graded"


def _row(submission: SubmissionResult, cells: list[str]) -> list[str]:
    points = (submission.total, submission.maximum, submission.penalty)
    row = [
        defused(submission.student),
        *(_number(value if submission.graded else None) for value in points),
        status(submission),
        defused(submission.row.problem),
    ]
    for cell in cells:
        row += _exercise(submission.score(cell))
    return [*row, _number(submission.seconds)]


def _contact(person: Person) -> tuple[str, str]:
    return defused(person.full_name), defused(person.email)


def _exercise(score: Score | None) -> tuple[str, str, str, str]:
    if score is None or not score.settled:
        return "", "", "", ""
    percent = _number(100 * score.points / score.maximum) if score.maximum else ""
    mistakes = score.verdict.mistakes if score.verdict else ()
    return _number(score.points), percent, defused("; ".join(mistakes)), defused(score.explanation)


def _number(value: float | None) -> str:
    """Format with at most six decimal places, without rounding errors."""
    return "" if value is None else f"{round(value, 6) + 0.0:.15g}"
