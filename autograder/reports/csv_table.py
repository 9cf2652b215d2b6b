"""A graded lesson as CSV: one row per student."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.cells import title
from autograder.reports.lesson_results import LessonResults, SubmissionResult
from autograder.roster.roster import Person
from autograder.spreadsheets import defused
from selfcheck.verdicts import POINT_DIGITS

Cell = str | float | None


def write_table(path: Path, results: LessonResults) -> None:
    """Write a table for spreadsheets; cells that they would evaluate get an apostrophe in front.

    A cell is empty if there is nothing to say. People in the class who handed in nothing come last.
    """
    people = [(results.roster.get(each.student), each) for each in results.submissions]
    rows = [
        list(_columns(person, submission, results.cells))
        for person, submission in (*people, *((person, None) for person in results.missing))
    ]
    with path.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([defused(name) for name, _ in rows[0]])
        writer.writerows([_written(value) for _, value in row] for row in rows)


def _columns(
    person: Person, submission: SubmissionResult | None, cells: Sequence[str]
) -> Iterator[tuple[str, Cell]]:
    """The columns: of each its name, and what is in a person's row."""
    graded = submission if submission and submission.graded else None
    yield "student", person.student
    yield "total", graded.total if graded else None  # minus the penalty
    yield "maximum", graded.maximum if graded else None
    yield "penalty", graded.penalty if graded else None
    yield "status", _status(submission)
    yield "problem", submission.row.problem if submission else None
    for cell in cells:
        score = submission.score(cell) if submission else None
        if score and not score.settled:
            score = None
        name, verdict = title(cell), score.verdict if score else None
        share = 100 * score.points / score.maximum if score and score.maximum else None
        yield f"{name}: points", score.points if score else None
        yield f"{name}: percent", share
        yield f"{name}: mistakes", "; ".join(verdict.mistakes) if verdict else None
        yield f"{name}: explanation", score.explanation if score else None
    yield "seconds", submission.seconds if submission else None
    yield "name", person.full_name
    yield "email", person.email


def _status(submission: SubmissionResult | None) -> str:
    if submission is None:
        return "not handed in"
    if not submission.graded:
        return "not graded"
    if submission.by_hand:
        return f"{submission.by_hand:g} points to be graded by hand"
    if submission.outdated:
        return f"{submission.outdated:g} points from before the lesson changed"
    return "graded"


def _written(value: Cell) -> str:
    """A cell: of a number at most six decimal places, without rounding errors."""
    if value is None:
        return ""
    return defused(value) if isinstance(value, str) else f"{round(value, POINT_DIGITS) + 0.0:.15g}"
