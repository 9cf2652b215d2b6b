"""Commands about a class take ten times as long for ten times as many students, and not a hundred
times: counted are Python's instructions."""

import json
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.collect.filenames import Platform
from autograder.collect.manifest import ManifestEntry, write_collected
from autograder.collect.matching import whom_lines_mean
from autograder.course_folder import CourseFolder
from autograder.deadlines import Deadline
from autograder.exports.csv_files import canvas, gradescope, moodle
from autograder.exports.document import document
from autograder.exports.grades import Grade, GradedLesson, Grades
from autograder.grading.results import Score, SubmissionRow
from autograder.record import METADATA, notebook_text, read_metadata
from autograder.reports.csv_table import write_table
from autograder.reports.lesson_results import LessonResults, SubmissionResult
from autograder.reports.summary import summarize
from autograder.roster.roster import Person, Roster, write_file
from autograder.roster.worksheet import Line, Worksheet
from selfcheck.verdicts import Verdict
from tests.conftest import write_configuration
from tests.support.archives import worksheet

LESSON = "01-text-preprocessing"
DEADLINE = Deadline(None, None, {}, "", (), ())
SIZES = 50, 500
TIMES = SIZES[1] / SIZES[0]


def results(size):
    people = tuple(Person(f"s{number}", email=f"s{number}@school.edu") for number in range(size))
    verdict = Verdict("words.tokenize")
    scores = tuple(Score(f"test_{cell}", 1.0, 2.0, False, verdict) for cell in "abcdef")
    submissions = (SubmissionResult(SubmissionRow(each.student, scores)) for each in people)
    return LessonResults(LESSON, tuple(submissions), Roster(people), DEADLINE)


def grades(size):
    found = results(size)
    given = {each.student: Grade(each) for each in found.submissions}
    lesson = GradedLesson(LESSON, 12.0, given, DEADLINE, (), {})
    return Grades(found.roster.people, (lesson,))


def moodles(size):
    rows = (
        (number, f"Ann {number}", f"s{number}@school.edu", "", "Monday, 2 March 2026, 12:00 PM")
        for number in range(size)
    )
    return worksheet(rows).decode("utf-8-sig")


def fill(text):
    sheet = Worksheet(text)
    locked, absent = sheet.locked, sheet.without_submission
    return sheet.filled({line.number: (1.0, "") for line in sheet.lines}), locked, absent


def collected(size, root):
    """A class whose submissions came from Moodle, and the lines of a worksheet without names."""
    folder = root / str(size)
    folder.mkdir()
    write_configuration(folder)
    course = CourseFolder(folder)
    numbers = range(1000, 1000 + size)
    write_file(course, [Person(f"s{n}", participants=(str(n),)) for n in numbers])
    entries = {
        f"s{n}": ManifestEntry("m.zip", platform=Platform.moodle, number=str(n)) for n in numbers
    }
    write_collected(course, LESSON, entries)
    assert course.has_gradebook is False
    return course, [Line(str(n), (), "", "-", ("",)) for n in numbers]


WORK = {
    "the report's table": (results, lambda found, path: write_table(path / "a.csv", found)),
    "the report's numbers": (results, lambda found, _: summarize(found)),
    **{
        f"the export for {each.__name__}": (grades, lambda found, _, each=each: each(found))
        for each in (canvas, moodle, gradescope, document)
    },
    "Moodle's worksheet": (moodles, lambda text, _: fill(text)),
}


@pytest.mark.parametrize("what", WORK)
def test_work_grows_as_the_class_does(what, tmp_path):
    make, work = WORK[what]
    small, large = (steps(work, make(size), tmp_path) for size in SIZES)
    assert large < 1.3 * TIMES * small


def test_lines_of_a_worksheet_are_matched_in_time_that_grows_as_the_class_does(tmp_path):
    counts = []
    for size in SIZES:
        course, lines = collected(size, tmp_path)
        whom = whom_lines_mean(course, LESSON, lines)
        assert whom == {line.number: [f"s{line.number}"] * 2 for line in lines}
        counts.append(steps(whom_lines_mean, course, LESSON, lines))
    assert counts[1] < 1.3 * TIMES * counts[0]


def steps(work, *arguments):
    """How many of its instructions Python executes meanwhile."""
    count = 0

    def see(frame, event, argument):
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return see

    before = sys.gettrace()
    sys.settrace(see)
    try:
        work(*arguments)
    finally:
        sys.settrace(before)
    return count


ABOUT = {METADATA: {"file_digest": "0a", "cells": ['\n "metadata": {"language_info": {}}']}}
NOTEBOOK = new_notebook(
    cells=[new_code_cell('x = """\n "metadata": {}\n"""', metadata={METADATA: "none"})],
    metadata=ABOUT,
)


@pytest.mark.parametrize("write", [notebook_text, nbformat.writes])
def test_metadata_are_read_without_the_cells(write):
    text = write(NOTEBOOK)
    assert nbformat.reads(text, as_version=4) == NOTEBOOK
    assert read_metadata(text) == ABOUT
    # Nothing before them is looked at.
    assert read_metadata(text.replace('"cells": [', '"cells": <', 1)) == ABOUT


@pytest.mark.parametrize("indent", [None, 0, 1, 2])
@pytest.mark.parametrize("metadata_first", [True, False])
def test_metadata_are_found_however_a_notebook_is_written(indent, metadata_first):
    order = sorted(NOTEBOOK, reverse=metadata_first)
    text = json.dumps({name: NOTEBOOK[name] for name in order}, indent=indent)
    assert read_metadata(text) == ABOUT
    assert read_metadata(json.dumps({"cells": []}, indent=indent)) == {}
    odd = json.dumps({"cells": [{"metadata": {"a": 1}}], "nbformat": 4}, indent=indent)
    assert read_metadata(odd.replace('  "metadata"', ' "metadata"')) == {}
