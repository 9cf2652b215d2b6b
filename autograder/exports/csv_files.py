"""Grades as the CSV files of learning management systems."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from html import escape

from autograder.cells import title
from autograder.exports.grades import Grade, GradedLesson, Grades, Status, rounded
from autograder.roster.roster import Person
from autograder.spreadsheets import defused

Cell = str | float | tuple[str, ...] | None
"""Text on one line, a number, text on several lines, or nothing."""


def canvas(grades: Grades) -> str:
    """A file for "Import" in Canvas's gradebook: one column per assignment, named after the lesson.

    Canvas finds a student by ID, else by SIS User ID, else by SIS Login ID, else by name. They are
    the roster's; without a roster, nbgrader's student id stands for the login. The row of maxima
    changes Canvas's. People without any final grade are left out; of several lessons one may lack a
    grade. There the cell is empty, and Canvas removes the grade that it has, if any.

    Source: https://github.com/instructure/canvas-lms/blob/master/lib/gradebook_importer.rb
    """
    who = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    rows: list[list[Cell]] = [
        [*who, *(lesson.name for lesson in grades.lessons)],
        [_POINTS_POSSIBLE, "", "", "", "", *(lesson.maximum for lesson in grades.lessons)],
    ]
    for student in grades.graded:
        # Canvas takes any row that begins with these words for the row of maxima.
        name = student.sortable_name
        name = "" if _POINTS_POSSIBLE.strip() in name else name
        totals = (lesson.grade(student).total for lesson in grades.lessons)
        ids = (student.lms_number, student.sis_id, _login(grades, student))
        rows.append([name, *ids, ", ".join(student.sections), *totals])
    return _csv(rows)


_POINTS_POSSIBLE = "    Points Possible"


def moodle(grades: Grades) -> str:
    """A file for "Import > CSV file" in Moodle's gradebook: a grade and feedback per lesson.

    Username is the login, or without a roster nbgrader's student id; User ID is the platform's
    number, ID number the SIS id. Choose one of them, or the e-mail address, under "Map from": what
    nobody has is left out. People without any final grade are left out, too, as Moodle overrides
    the grades of everybody in the file. Of several lessons one may lack a grade, or a person
    something that Moodle could find them by. There is a dash: Moodle would read an empty grade as 0
    in a new column, and give the grades of a row without a user to the row before.

    Source: https://docs.moodle.org/en/Grade_import and
    https://github.com/moodle/moodle/blob/main/grade/import/csv/classes/load_data.php
    """
    rows: list[list[Cell]] = []
    for student in grades.graded:
        keys = (_login(grades, student), student.lms_number, student.email, student.sis_id)
        row: list[Cell] = [student.first_name, student.last_name, *keys]
        for lesson in grades.lessons:
            grade = lesson.grade(student)
            row += [_NOTHING, ""] if grade.total is None else [grade.total, tuple(feedback(grade))]
        rows.append(row)
    who = ["First name", "Last name", "Username", "User ID", "Email address", "ID number"]
    kept = [at for at in range(len(who)) if any(row[at] for row in rows)]
    head = [who[at] for at in kept]
    for lesson in grades.lessons:
        head += [lesson.name, f"{lesson.name} (Feedback)"]
    people: list[list[Cell]] = [
        [row[at] or (_NOTHING if at > 1 else "") for at in kept] for row in rows
    ]
    return _csv([head, *(own + row[len(who) :] for own, row in zip(people, rows, strict=True))])


_NOTHING = "-"


def _login(grades: Grades, student: Person) -> str:
    """The student's login. Without a roster it's the id that the teacher chose. An id from a roster
    isn't a login: it could be somebody else's."""
    return student.login or (student.student if grades.ids_are_logins else "")


def feedback(grade: Grade) -> Iterator[str]:
    """The text for the student next to the grade, by line, as HTML for Moodle."""
    return (escape(line, quote=False) for line in grade.feedback)


def gradescope(grades: Grades) -> str:
    """The file that Gradescope exports: of one lesson with every question, else of all lessons.

    Gradescope documents no format: the columns are those of the files that it writes, and empty if
    nothing is known. SID is the SIS id. It is nbgrader's student id for people of whom the roster
    knows neither a SIS id nor an e-mail address. Without a final grade the score is empty, and in
    the file of one lesson the status says why. Times are UTC; lateness counts extensions. A total
    is less the penalty, the points of a question are not.
    """
    one = len(grades.lessons) == 1
    head: list[Cell] = ["First Name", "Last Name", "SID", "Email", "Sections"]
    for lesson in grades.lessons:
        head += _questions_head(lesson) if one else _lesson_head(lesson)
    rows = [head]
    for student in grades.students:
        sid = student.sis_id or ("" if student.email else student.student)
        sections = ", ".join(student.sections)
        row: list[Cell] = [student.first_name, student.last_name, sid, student.email, sections]
        for lesson in grades.lessons:
            row += _questions(lesson, student) if one else _lesson(lesson, student)
        rows.append(row)
    return _csv(rows)


def _lesson_head(lesson: GradedLesson) -> list[str]:
    parts = ("Max Points", "Submission Time", "Lateness (H:M:S)")
    return [lesson.name, *(f"{lesson.name} - {part}" for part in parts)]


def _lesson(lesson: GradedLesson, student: Person) -> list[Cell]:
    grade = lesson.grade(student)
    return [grade.total, lesson.maximum, _time(grade), _lateness(grade)]


def _questions_head(lesson: GradedLesson) -> list[str]:
    parts = ["Total Score", "Max Points", "Status", "Submission ID", "Submission Time"]
    parts += ["Lateness (H:M:S)", "View Count", "Submission Count"]
    return parts + [
        f"{place}: {title(cell)} ({maximum:.1f} pts)"
        for place, (cell, maximum) in enumerate(lesson.exercises.items(), 1)
    ]


def _questions(lesson: GradedLesson, student: Person) -> list[Cell]:
    grade = lesson.grade(student)
    points = {score.cell: score.points for score in grade.scores if score.settled}
    status = {Status.graded: "Graded", Status.missing: "Missing"}.get(grade.status, "Ungraded")
    head = [grade.total, lesson.maximum, status, "", _time(grade), _lateness(grade), "", ""]
    return [*head, *(points.get(cell) for cell in lesson.exercises)]


def _time(grade: Grade) -> str:
    return grade.handed_in.strftime("%Y-%m-%d %H:%M:%S +0000") if grade.handed_in else ""


def _lateness(grade: Grade) -> str:
    if not grade.handed_in:
        return ""
    minutes, seconds = divmod(int(grade.seconds_late), 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}"


def _csv(rows: Sequence[Sequence[Cell]]) -> str:
    file = io.StringIO()
    csv.writer(file).writerows([_written(cell) for cell in row] for row in rows)
    return file.getvalue()


def _written(cell: Cell) -> str | float:
    """A cell for the csv module that no spreadsheet evaluates as a formula."""
    if cell is None:
        return ""
    if isinstance(cell, tuple):
        return "\n".join(map(defused, cell))
    # A lone dash isn't a formula, and what it says would be lost.
    if isinstance(cell, str):
        return cell if cell == _NOTHING else defused(cell)
    return rounded(cell)
