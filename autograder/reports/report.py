"""The class report: a page to read and a table for computations."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.course_folder import CourseFolder
from autograder.gradebook.written_answers import WrittenAnswers
from autograder.marking.statistics import written_statistics
from autograder.reports.csv_table import write_table
from autograder.reports.lesson_results import read_results
from autograder.reports.page import page
from autograder.reports.summary import LessonSummary, summarize


@dataclass(frozen=True)
class Report:
    """The written files.

    Args:
        summary: the numbers.
        html: the page.
        csv: the table.
    """

    summary: LessonSummary
    html: Path
    csv: Path


def write_report(course: CourseFolder, lesson: str, into: Path) -> Report:
    """Write ``<lesson>.html`` and ``<lesson>.csv`` about a graded lesson.

    Args:
        course: the course folder.
        lesson: the lesson, or any folder of ``source/``.
        into: the folder to write to; it's created if necessary.

    Raises:
        CourseError: when nothing of the lesson is graded.
    """
    results = read_results(course, lesson)
    summary = summarize(results)
    into.mkdir(parents=True, exist_ok=True)
    html, csv = (into / f"{lesson}.{kind}" for kind in ("html", "csv"))
    # Only who marks on the page leaves more than points.
    answers = WrittenAnswers(course.nbgrader.coursedir.db_url, lesson)
    written = written_statistics(answers, [cell.rpartition("/")[2] for cell in results.cells])
    html.write_text(page(summary, written), "utf8")
    write_table(csv, results)
    return Report(summary, html, csv)
