"""Exports of a graded class, kernels played, against numbers by hand and as other systems read."""

import csv
import datetime
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.apps import ExportApp

from autograder.cells import grade_id, graded_exercise
from autograder.collect.manifest import ManifestEntry, write_collected
from autograder.course_folder import CONFIG, CourseFolder
from autograder.execution import executor
from autograder.execution.job import Outcome
from autograder.exports import writing
from autograder.grading import batch
from selfcheck.responses import MIME
from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import REPOSITORY, responded, write_configuration
from tests.support import taught
from tests.support.archives import php_table

pytestmark = pytest.mark.usefixtures("settled_shares")

QUIZ = "quiz"
CELLS = {"find_emails", "test_find_emails", "tokenize", "test_tokenize", "steps_that_lose"}

# One pays for being late, one has an extension, to one it was given too late, one's written answer
# nobody has read, one handed in rubbish, one nothing. One is hostile.
FORMULA = '=HYPERLINK(1,"2")'
EVIL = "<img src=x onerror=alert(1)>"
IN_TIME, LATE = "2026-01-10 11:59:00 UTC", "2026-01-10 13:30:05 UTC"
HANDED_IN = {
    "ada": IN_TIME,
    "ben": LATE,
    "cem": LATE,
    "dan": LATE,
    "eve": IN_TIME,
    "fay": IN_TIME,
    FORMULA: IN_TIME,
}
BY_HAND = {"ada": 1.5, "ben": 1, "cem": 2, "dan": 0, FORMULA: 0.5}

# nbgrader's penalty is all the points there are when the grading ends; what a person adds later
# stays. Ben's answer is worth 1.2 + 2. A person gave ada 1.25, and half a point for its beauty,
# instead of 2.
PENALTIES = {"ada": 0, "ben": 3.2, "cem": 0, "dan": 4, "fay": 0, FORMULA: 0}
TOTALS = {"ada": 1.25 + 0.5 + 2 + 1.5, "ben": 1, "cem": 6, "dan": 0, FORMULA: 0 + 2 + 0.5}
QUIZ_TOTALS = {"ada": 3, "ben": 0.5}
EVERYBODY = sorted([*HANDED_IN, "zoe"])


def letters_around_an_at(text):
    import re

    return re.findall(r"\w+@\w+\.\w+", text)


def failing(text):
    raise ValueError(f"{EVIL}, and\nthen")


def right(function):
    """The reference, as a student's function that returns one thing."""
    solution = taught.solution(f"preprocessing.{function}")
    return lambda *arguments: next(iter(solution(*arguments).values()))


ANSWERS = {"ben": letters_around_an_at, FORMULA: failing}


def play(notebook, folder, plan):
    """What a kernel would have sent: true responses to the secret seed's inputs."""
    cells = {}
    for position, cell in enumerate(notebook.cells):
        if name := graded_exercise(cell):
            answer = right(name.rpartition(".")[2])
            if name.endswith("find_emails"):
                answer = ANSWERS.get(folder.parent.name, answer)
            response = responded(name, answer, plan.seed)
            sent = {"output_type": "display_data", "data": {MIME: response}, "metadata": {}}
            cells[position] = (1, [sent])
    return Outcome(cells, "", {"start": 1.0, "cells": 1.0, "cpu": 1.0})


def write_source(root):
    """The lesson's first two exercises and one of its written questions."""
    notebook = nbformat.read(REPOSITORY / "source" / LESSON / f"{LESSON}.ipynb", as_version=4)
    kept = [cell for cell in notebook.cells if cell.id == "setup" or grade_id(cell) in CELLS]
    notebook.cells = kept
    path = root / "source" / LESSON / f"{LESSON}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


def hand_in(course, student, time):
    notebook = nbformat.read(course.release(LESSON), as_version=4)
    written = next(cell for cell in notebook.cells if grade_id(cell) == "steps_that_lose")
    written.source = "Negations are lost."
    folder = course.submitted(student, LESSON)
    folder.mkdir(parents=True)
    (folder / "timestamp.txt").write_text(time)
    path = folder / f"{LESSON}.ipynb"
    nbformat.write(notebook, path)
    if student == "eve":
        path.write_text("{ no JSON")


def plan_and_enrol(gradebook):
    """What a teacher tells nbgrader before the grading."""
    due = datetime.datetime(2026, 1, 10, 12)
    gradebook.update_or_create_assignment(LESSON, duedate=due)
    known = {
        "ada": ("Ada", "Lovelace", "ada@example.org", "1001"),
        "ben": ('Ben "B", jr.', "Ünal", "ben@example.org", "5f3e"),
        "cem": (None, None, None, None),
        "zoe": ("Zoë", None, None, "1002"),
        FORMULA: (" Points Possible", "@SUM(1,2)\r\n+1", '=HYPERLINK("x")', "-2"),
    }
    for student in EVERYBODY:
        names = ("first_name", "last_name", "email", "lms_user_id")
        fields = dict(zip(names, known.get(student, known["cem"]), strict=True))
        gradebook.add_student(student, **fields)
    day = datetime.timedelta(days=1)
    gradebook.update_or_create_submission(LESSON, "cem", extension=day)


def grade_by_hand(gradebook):
    """What a teacher does after the grading, and a second lesson."""
    for student, points in BY_HAND.items():
        grade = gradebook.find_grade("steps_that_lose", LESSON, LESSON, student)
        grade.manual_score, grade.needs_manual_grade = points, False
    grade = gradebook.find_grade("test_find_emails", LESSON, LESSON, "ada")
    grade.manual_score, grade.extra_credit = 1.25, 0.5
    for cell, text in {"find_emails": "Elegant;\n=really", "steps_that_lose": "Which <b>?"}.items():
        gradebook.find_comment(cell, LESSON, LESSON, "ada").manual_comment = text
    gradebook.grant_extension(LESSON, "dan", days=1)
    gradebook.add_assignment(QUIZ)
    gradebook.add_notebook(QUIZ, QUIZ)
    gradebook.add_grade_cell("question", QUIZ, QUIZ, max_score=3, cell_type="code")
    for student, points in QUIZ_TOTALS.items():
        gradebook.add_submission(QUIZ, student)
        grade = gradebook.find_grade("question", QUIZ, QUIZ, student)
        grade.auto_score, grade.needs_manual_grade = points, False
    gradebook.db.commit()


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    root = tmp_path_factory.mktemp("course")
    write_configuration(root)
    with (root / CONFIG).open("a") as file:
        file.write('c.LateSubmissionPlugin.penalty_method = "zero"\n')
    write_source(root)
    course = CourseFolder(root)
    assert course.run("generate_assignment", LESSON, create=True) is None
    database = f"sqlite:///{root / 'gradebook.db'}"
    for student, time in HANDED_IN.items():
        hand_in(course, student, time)
    with course.quiet(), Gradebook(database, "attention") as gradebook:
        plan_and_enrol(gradebook)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(executor, "execute", play)
        rows = list(
            batch.grade(course, LESSON, course.students(LESSON), pool=executor.LocalPool(1))
        )
    assert [row.student for row in rows if row.problem] == ["eve"]
    with course.quiet(), Gradebook(database, "attention") as gradebook:
        grade_by_hand(gradebook)
    for path in [root / "source" / QUIZ, *(course.autograded(s, QUIZ).parent for s in QUIZ_TOTALS)]:
        path.mkdir(parents=True)
        nbformat.write(nbformat.v4.new_notebook(), path / f"{QUIZ}.ipynb")
    return course


@pytest.fixture
def export(course, autograder, tmp_path):
    """Run the command; gives how it ended, and the path of its file."""

    def run(*arguments):
        path = tmp_path / "grades" / "file"
        finished = autograder("export", *arguments, "--to", str(path), course=course.root)
        assert finished.code == 0, finished.err
        return finished, path

    return run


def table(path, encoding="utf-8"):
    with path.open(encoding=encoding, newline="") as file:
        return list(csv.reader(file))


def by_student(path, column, encoding="utf-8"):
    """A file's rows by what is in a column."""
    with path.open(encoding=encoding, newline="") as file:
        return {row[column]: row for row in csv.DictReader(file)}


def by_submitter(path):
    """Gradescope's rows by student: it knows people by SID or, where they have none, by e-mail."""
    emails = {"ada@example.org": "ada", "ben@example.org": "ben", '\'=HYPERLINK("x")': FORMULA}
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert not any(row["SID"] and row["Email"] for row in rows)
    return {row["SID"] or emails[row["Email"]]: row for row in rows}


def number(text):
    return float(text) if text else None


def nothing_is_computed(rows):
    """Whether a spreadsheet takes every cell for text or a number."""
    marks = ("=", "+", "-", "@", "\t", "\r")
    return not any(cell.startswith(marks) and cell != "-" for row in rows for cell in row)


def test_canvas_gets_a_column_a_lesson_and_the_points_possible(export):
    path = export("canvas")[1]
    # Excel needs the mark to read "Ünal"; Canvas finds its columns all the same.
    assert path.read_bytes().startswith(b"\xef\xbb\xbfStudent,ID,")
    head, possible, *rows = table(path, "utf-8-sig")
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", LESSON, QUIZ]
    assert possible == ["    Points Possible", "", "", "", "", "6.0", "3.0"]
    # Canvas would take an empty cell for a grade to remove: eve, fay and zoe aren't there.
    assert [row[3].removeprefix("'") for row in rows] == sorted(TOTALS)
    assert {row[3].removeprefix("'"): number(row[5]) for row in rows} == TOTALS
    assert {row[3].removeprefix("'"): number(row[6]) for row in rows} == {
        student: QUIZ_TOTALS.get(student) for student in TOTALS
    }
    who = {row[3]: row[:3] for row in rows}
    assert who["ada"] == ["Lovelace, Ada", "1001", ""]
    # Canvas would take 5f3e for user 5.
    assert who["ben"] == ['Ünal, Ben "B", jr.', "", ""]
    assert who["cem"] == ["", "", ""]


def test_no_name_makes_a_row_of_maxima_and_nothing_is_a_formula(export):
    rows = table(export("canvas")[1], "utf-8-sig")
    assert [row[0] for row in rows if "Points Possible" in row[0]] == ["    Points Possible"]
    assert rows[2][3] == f"'{FORMULA}"
    for system in ("canvas", "moodle", "gradescope"):
        rows = table(export(system, LESSON)[1], "utf-8-sig")
        assert len({len(row) for row in rows}) == 1
        assert nothing_is_computed(rows)


def test_moodles_gradebook_hears_of_nobody_without_a_grade(export):
    """Moodle overrides the grade of everybody in the file, and takes a dash for nobody's name."""
    path = export("moodle", LESSON)[1]
    rows = by_student(path, "Username", "utf-8-sig")
    given = {name.removeprefix("'"): float(row[LESSON]) for name, row in rows.items()}
    assert given == TOTALS
    keys = ["First name", "Last name", "Username", "User ID", "Email address"]
    assert list(rows["ada"]) == [*keys, LESSON, f"{LESSON} (Feedback)"]  # nobody has an ID number
    assert [rows["cem"][key] for key in keys] == ["", "", "cem", "-", "-"]
    assert [rows["ben"][key] for key in keys[3:]] == ["-", "ben@example.org"]
    rows = by_student(export("moodle")[1], "Username", "utf-8-sig")
    assert rows.keys() - {f"'{FORMULA}"} == {"ada", "ben", "cem", "dan"}
    assert (rows["cem"][QUIZ], rows["cem"][f"{QUIZ} (Feedback)"]) == ("-", "")
    assert float(rows["ada"][QUIZ]) == QUIZ_TOTALS["ada"]


def test_moodle_tells_why_points_were_lost_and_shows_no_html_of_a_students(export):
    path = export("moodle", LESSON)[1]
    rows = by_student(path, "Username", "utf-8-sig")
    told = {name: row[f"{LESSON} (Feedback)"].split("\n") for name, row in rows.items()}
    assert told["ada"] == [
        "find emails: 1.75 of 2 points. graded by hand Elegant; =really",
        "steps that lose: 1.5 of 2 points. graded by hand Which &lt;b&gt;?",
    ]
    assert told["ben"][0].startswith("find emails: 1.2 of 2 points. You allowed only letters")
    assert told["ben"][-1] == "late penalty: 3.2 points"
    assert told["cem"] == [""]
    hostile, written = told[f"'{FORMULA}"]
    assert written == "steps that lose: 0.5 of 2 points. graded by hand"
    assert "&lt;img src=x onerror=alert(1)&gt;" in hostile
    assert "<" not in hostile


# As Moodle writes them, with everything that a worksheet may have besides: typed text on several
# lines, a marker, somebody who was graded before, and people whom nobody knows here.
SUBMITTED, FRIDAY = "Submitted for grading - Not marked -  - ", "Friday, 9 January 2026, 11:59 AM"
ENGLISH = [
    [
        *("Identifier", "Full name", "Email address", "Department", "Status", "Marker", "Grade"),
        *("Maximum grade", "Marking workflow state", "Grade can be changed"),
        *("Last modified (submission)", "Online text", "Last modified (grade)"),
        "Feedback comments",
    ],
    [
        *("Participant 31", "Ada Lovelace", "ada@example.org", "", SUBMITTED, "", "", "6.00"),
        *("Not marked", "Yes", FRIDAY, 'Two\nlines, "quoted"', "-", ""),
    ],
    [
        *("Participant 32", "Ben Ünal", "BEN@example.org", "", SUBMITTED, "", "5.00", "6.00"),
        *("Not marked", "Yes", FRIDAY, "", FRIDAY, "as before"),
    ],
    [
        *("Participant 33", "Somebody Else", "else@example.org", "", SUBMITTED, "", "", "6.00"),
        *("Not marked", "Yes", FRIDAY, "", "-", ""),
    ],
    [
        *("Participant 34", "Zoë", "", "", "No submission - Not marked -  - ", "", "", "6.00"),
        *("Not marked", "Yes", "-", "", "-", ""),
    ],
]
GERMAN = [
    [
        *("ID", "Vollständiger Name", "Anmeldename", "Status", "Gruppe", "Bewertung"),
        *("Bestwertung", "Bewertung kann geändert werden", "Zuletzt geändert (Abgabe)"),
        *("Zuletzt geändert (Bewertung)", "Feedback als Kommentar"),
    ],
    *(
        [
            *(f"Teilnehmer/in{number}", name, login, "Zur Bewertung abgegeben -  - ", "Lab A", ""),
            *("5,00", "Ja", "Freitag, 9. Januar 2026, 11:59", "-", ""),
        ]
        for number, name, login in ((31, "Ada Lovelace", "ada"), (32, "Cem", "cem"))
    ),
]


@pytest.fixture
def filled(export, tmp_path):
    """Fill in a worksheet; gives its text afterwards, and what the command said."""

    def run(text, encoding="utf-8-sig"):
        sheet = tmp_path / "worksheet.csv"
        sheet.write_bytes(text.encode(encoding))
        finished, path = export("moodle", LESSON, "--worksheet", str(sheet))
        return path.read_bytes().decode(encoding), " ".join(finished.out.split())

    return run


def test_moodles_worksheet_is_filled_in_and_otherwise_as_it_was(filled):
    text, told = filled(php_table(ENGLISH))
    wanted = [list(row) for row in ENGLISH]
    _, _, _, *ben = next(row for row in csv.reader(io.StringIO(text)) if "Ben Ünal" in row)
    wanted[1][6], wanted[2][6], wanted[2][-1] = "5.25", "1", ben[-1]
    wanted[1][-1] = (
        "find emails: 1.75 of 2 points. graded by hand Elegant; =really<br>"
        "steps that lose: 1.5 of 2 points. graded by hand Which &lt;b&gt;?"
    )
    assert text == php_table(wanted)
    assert ben[-1].startswith("find emails: 1.2 of 2 points. You allowed only letters")
    assert ben[-1].endswith("<br>late penalty: 3.2 points")
    assert "but not collected here: participants 33" in told
    assert f"Missing from the worksheet: {FORMULA}, cem, dan, eve, fay" in told
    assert "The lesson has" not in told


def test_grades_that_moodle_would_skip_are_named(filled):
    rows = [list(row) for row in ENGLISH]
    rows[1][9] = "No"
    text, told = filled(php_table(rows))
    ada, ben = list(csv.reader(io.StringIO(text)))[1:3]
    assert (ada, ben[6]) == (rows[1], "1")
    assert "grades that can't be changed (they are locked or overridden in its gradebook): ada" in (
        told
    )
    german = php_table(GERMAN).replace("5,00", "10,00").replace("Ja", "Nein", 1)
    text, told = filled(german)
    assert text.splitlines()[1] == german.splitlines()[1]
    assert "gradebook): ada" in told


def test_a_grade_of_what_was_withdrawn_is_named(filled):
    rows = [list(row) for row in ENGLISH]
    rows[2][4], rows[2][10] = rows[4][4], "-"
    text, told = filled(php_table(rows))
    assert list(csv.reader(io.StringIO(text)))[2][6] == "1"
    assert "although Moodle has no submission from them: did they withdraw it? ben" in told
    assert "Moodle has no submission" not in filled(php_table(ENGLISH))[1]


def test_namesakes_of_whom_one_is_unknown_get_no_grade_but_by_their_number(course, filled):
    rows = [list(row) for row in ENGLISH]
    rows[2][2] = rows[3][2] = ""
    rows[3][1] = rows[2][1]
    text, told = filled(php_table(rows))
    assert "Missing from the worksheet: " in told
    assert "ben" in told
    assert [row[6] for row in csv.reader(io.StringIO(text))][2:4] == ["5.00", ""]
    ben = ManifestEntry("m.zip: Ben Ünal_33", LATE, platform="Moodle", number="33")
    write_collected(course, LESSON, {"ben": ben})
    try:
        text, told = filled(php_table(rows))
    finally:
        (course.root / "collected.json").unlink()
    assert [row[6] for row in csv.reader(io.StringIO(text))][2:4] == ["5.00", "1"]


def test_a_worksheet_speaks_another_language_and_has_another_maximum(filled):
    text, told = filled(php_table(GERMAN))
    assert text == php_table(GERMAN)
    assert "The lesson has 6 points, but the assignment in Moodle 5" in told
    assert "Not filled in, because Moodle would skip grades above 5: ada, cem" in told
    text, told = filled(php_table(GERMAN).replace("5,00", "10,00"))
    ada, cem = text.splitlines()[1:]
    assert '"Lab A","5,25","10,00",' in ada
    assert '"Lab A",6,"10,00",' in cem
    assert "set its maximum grade to 6" in told


@pytest.mark.parametrize(
    ("word", "separator", "encoding"),
    [
        ("Participant ", ";", "utf-8"),
        ("参与人", ",", "utf-8-sig"),
        ("المشارك", "\t", "utf-16"),
        ("Συμμετέχων", ":", "utf-8"),
    ],
)
def test_a_blind_worksheet_knows_people_by_their_numbers(course, filled, word, separator, encoding):
    """It has no names. Numbers were remembered when Moodle's archive was collected."""
    ada = ManifestEntry("m.zip: P_31", IN_TIME, platform="Moodle", number="31")
    write_collected(course, LESSON, {"ada": ada})
    head = ["A", "B", "C", "D", "E", "F", "G", "H"]
    rows = [
        [f"{word}{number}", "Submitted", "", "6", "Yes", "09.01.2026 11:59", "-", ""]
        for number in (31, 32)
    ]
    try:
        text, told = filled(php_table([head, *rows], separator), encoding)
    finally:
        (course.root / "collected.json").unlink()
    rows[0][2], comment = "5.25", text[text.index("find emails") : text.index("?") + 1]
    rows[0][-1] = comment
    assert text == php_table([head, *rows], separator)
    assert "collected here: participants 32" in told


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("name,grade\nada,3\n", "isn't Moodle's grading worksheet"),
        (php_table(ENGLISH).replace("6.00", '"Poor, Good, Great"'), "is graded on a scale"),
        (
            php_table(ENGLISH).replace("6.00", '"Poor\nGood\nGreat"').replace("5.00", "Good"),
            "is graded on a scale",
        ),
        ("", "isn't Moodle's grading worksheet"),
    ],
)
def test_a_file_that_is_no_worksheet_of_points(course, autograder, tmp_path, text, reason):
    sheet = tmp_path / "worksheet.csv"
    sheet.write_text(text)
    result = autograder("export", "moodle", LESSON, "--worksheet", str(sheet), course=course.root)
    assert (result.code, reason in " ".join(result.err.split())) == (2, True)
    for words, said in (
        (("moodle", LESSON, QUIZ), "Name one lesson"),
        (("canvas", LESSON), "Only Moodle has a grading worksheet"),
    ):
        result = autograder("export", *words, "--worksheet", str(sheet), course=course.root)
        assert (result.code, said in result.err) == (2, True)


def test_moodle_gets_all_feedback_pages_in_one_zip(course, export, autograder):
    result = autograder("export", "feedback", LESSON, course=course.root)
    assert (result.code, "nbgrader generate_feedback" in result.err) == (2, True)
    known = {"ada": "31", "ben": "7", "cem": "7", "dan": "8", FORMULA: "9"}
    write_collected(
        course,
        LESSON,
        {
            student: ManifestEntry("m.zip: X", HANDED_IN[student], platform="Moodle", number=number)
            for student, number in known.items()
        },
    )

    def written(student):
        return f"<p>{student}'s</p>" + 100 * "<style>p { margin: 0 }</style>"

    for student in ("ada", "ben", "cem", "dan", "fay"):
        page = course.feedback(student, LESSON)
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(written(student))
    os.utime(course.feedback("dan", LESSON), (0, 0))
    finished, path = export("feedback", LESSON)
    with zipfile.ZipFile(path) as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
        assert all(page.compress_size < page.file_size / 9 for page in archive.infolist())
    assert pages == {
        f"ada_31_assignfeedback_file_/{LESSON}.html": written("ada"),
        f"dan_8_assignfeedback_file_/{LESSON}.html": written("dan"),
    }
    told = " ".join(finished.out.split())
    assert f"before the last grading (nbgrader generate_feedback {LESSON}): {FORMULA}, dan" in told
    assert "Moodle's number isn't known (collect Moodle's archive again, or send" in told
    assert "needs their own page: ben, cem" in told


def test_gradescope_gets_one_lesson_with_every_question(export):
    rows = by_submitter(export("gradescope", LESSON)[1])
    questions = [
        "1: find emails (2.0 pts)",
        "2: tokenize (2.0 pts)",
        "3: steps that lose (2.0 pts)",
    ]
    assert list(rows["ada"]) == [
        *("First Name", "Last Name", "SID", "Email", "Sections", "Total Score", "Max Points"),
        *("Status", "Submission ID", "Submission Time", "Lateness (H:M:S)", "View Count"),
        *("Submission Count", *questions),
    ]
    assert {name: number(row["Total Score"]) for name, row in rows.items()} == {
        student: TOTALS.get(student) for student in EVERYBODY
    }
    statuses = {name: row["Status"] for name, row in rows.items()}
    assert statuses == dict.fromkeys(rows, "Graded") | {
        "eve": "Ungraded",
        "fay": "Ungraded",
        "zoe": "Missing",
    }
    assert [rows["ben"][name] for name in questions] == ["1.2", "2.0", "1.0"]
    assert [rows["fay"][name] for name in questions] == ["2.0", "2.0", ""]
    assert [rows["zoe"][name] for name in questions] == ["", "", ""]
    assert {row["Max Points"] for row in rows.values()} == {"6.0"}
    assert rows["ben"]["Submission Time"] == "2026-01-10 13:30:05 +0000"
    late = {"ben": "01:30:05", "dan": "00:00:00", "cem": "00:00:00", "ada": "00:00:00"}
    assert {name: rows[name]["Lateness (H:M:S)"] for name in late} == late


def test_gradescope_gets_all_lessons_as_its_file_of_a_course_has_them(export):
    rows = by_submitter(export("gradescope")[1])
    parts = ("Max Points", "Submission Time", "Lateness (H:M:S)")
    columns = [[name, *(f"{name} - {part}" for part in parts)] for name in (LESSON, QUIZ)]
    assert list(rows["ada"])[5:] == [*columns[0], *columns[1]]
    assert [rows["ben"][name] for name in columns[1]] == ["0.5", "3.0", "", ""]
    assert [rows["cem"][name] for name in (LESSON, QUIZ)] == ["6.0", ""]


def test_json_holds_the_reasons(export):
    content = json.loads(export("json")[1].read_text("ascii"))
    assert content["lessons"] == [{"name": LESSON, "maximum": 6}, {"name": QUIZ, "maximum": 3}]
    students = {each["id"]: each for each in content["students"]}
    assert list(students) == EVERYBODY
    assert students["ben"]["last_name"] == "Ünal"
    assert students["ben"]["lms_user_id"] == "5f3e"
    assert not students["ben"]["has_left"]
    grades = {name: each["lessons"][LESSON] for name, each in students.items()}
    assert {name: each["total"] for name, each in grades.items()} == {
        student: TOTALS.get(student) for student in EVERYBODY
    }
    penalties = {name: PENALTIES.get(name, 0) for name in EVERYBODY}
    assert {name: each["penalty"] for name, each in grades.items()} == penalties
    assert {grades[name]["status"] for name in TOTALS} == {"graded"}
    assert [grades[name]["status"] for name in ("eve", "fay", "zoe")] == [
        *("not graded", "needs manual grading", "not handed in")
    ]
    assert "cannot be read as a notebook" in grades["eve"]["problem"]
    assert grades["ben"]["handed_in"] == "2026-01-10T13:30:05Z"
    assert (grades["ben"]["seconds_late"], grades["cem"]["seconds_late"]) == (5405, 0)
    find, tokenize, written = grades["ben"]["exercises"]
    assert (find["title"], find["points"], find["maximum"]) == ("find emails", 1.2, 2)
    assert find["mistakes"] == ["word_characters_only"]
    assert [find["explanation"]] == find["hints"]
    held = {each["title"]: each["passed"] for each in find["aspects"]}
    assert held["an address in running text is found"]
    assert not held["the part before the @ is complete"]
    assert sum(each["percent"] for each in find["aspects"] if each["passed"]) == 60
    assert all(each["passed"] for each in tokenize["aspects"])
    assert (written["aspects"], written["comment"]) == ([], "")
    assert grades["ada"]["exercises"][0]["comment"] == "Elegant;\n=really"
    assert [each["points"] for each in grades["fay"]["exercises"]] == [2, 2, None]


def test_who_has_no_grade_is_announced(export):
    out = " ".join(export("canvas", LESSON)[0].out.split())
    assert f"{LESSON}: no grade for 1 of 8 students: answers need manual grading" in out
    assert f"{LESSON}: no grade for 1 of 8 students: their submission is not graded" in out
    assert f"{LESSON}: 1 of 8 handed in nothing: zoe (Zoë)" in out
    # Ben's written answer got its points when the penalty had been computed.
    assert "late penalties don't match the due date, extensions and policy: ben, dan" in out
    assert f"autograder deadline {LESSON}" in out
    assert "grades/file" in out
    assert "no grade" not in export("canvas", QUIZ)[0].out


@pytest.mark.parametrize("system", ["canvas", "moodle", "gradescope", "json"])
def test_the_plugins_write_the_commands_bytes(course, export, monkeypatch, tmp_path, system):
    expected = export(system, LESSON)[1].read_bytes()
    monkeypatch.chdir(course.root)
    app = ExportApp()
    plugin = f"autograder.exports.{system.capitalize()}Exporter"
    app.initialize(["--exporter", plugin, "--assignment", LESSON, "--to", str(tmp_path / "file")])
    app.start()
    assert (tmp_path / "file").read_bytes() == expected


def test_nbgrader_exports_the_students_and_the_gradebook_that_it_is_told_to(course, tmp_path):
    moved = (course.root / "gradebook.db").rename(tmp_path / "elsewhere.db")
    command = [sys.executable, "-m", "nbgrader", "export", "--db", f"sqlite:///{moved}"]
    command += ["--exporter", "autograder.exports.CanvasExporter", "--to", tmp_path / "file.csv"]
    try:
        finished = subprocess.run(
            [*command, "--student", "fay", "--student", "ben"],
            cwd=course.root,
            capture_output=True,
            text=True,
        )
    finally:
        moved.rename(course.root / "gradebook.db")
    assert finished.returncode == 0, finished.stderr
    rows = table(tmp_path / "file.csv", "utf-8-sig")[2:]
    assert [(row[3], row[5], row[6]) for row in rows] == [("ben", "1.0", "0.5")]
    assert "no grade for 1 of 2 students: answers need manual grading" in finished.stderr
    assert "CRITICAL" not in finished.stderr


def test_names_that_do_not_exist_and_files_that_cannot_be_written(
    course, autograder, monkeypatch, capsys, tmp_path
):
    finished = autograder("export", "canvas", "01-text-preprocesing", course=course.root)
    assert (finished.code, f"did you mean {LESSON}?" in finished.err) == (2, True)
    finished = autograder("export", "canvas", "--to", str(tmp_path), course=course.root)
    assert (finished.code, "name another file with --to" in finished.err) == (2, True)
    monkeypatch.chdir(course.root)
    app = ExportApp()
    app.initialize(["--exporter", "autograder.exports.JsonExporter", "--student", "nobody"])
    with pytest.raises(SystemExit) as stop:
        app.start()
    assert stop.value.code == 1
    assert "No student 'nobody'" in capsys.readouterr().err
    write_configuration(tmp_path)
    finished = autograder("export", "json", course=tmp_path)
    assert (finished.code, "autograder grade <lesson>" in finished.err) == (2, True)
    assert not (tmp_path / "reports").exists()


def test_a_list_of_the_platforms_gives_names_and_ids_to_every_export(
    course, autograder, export, tmp_path
):
    path = tmp_path / "canvas.csv"
    path.write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section\n"
        '"Lovelace, Ada",1001,S1,ada@school.edu,Lab A\n'
        '"Gone, Cem",1003,S3,cem,Lab B\n'
        '"New, Nina",1004,S4,nina,Lab B\n'
    )
    saved = (course.root / "gradebook.db").read_bytes()
    try:
        assert autograder("roster", str(path), course=course.root).code == 0
        finished, canvas = export("canvas", LESSON)
        rows = {row[0]: row[1:] for row in table(canvas, "utf-8-sig")[2:]}
        ada = ["1001", "S1", "ada@school.edu", "Lab A", str(TOTALS["ada"])]
        assert rows == {
            "Lovelace, Ada": ada,
            "Gone, Cem": ["1003", "S3", "cem", "Lab B", str(float(TOTALS["cem"]))],
        }
        told = " ".join(finished.out.split())
        assert f"{LESSON}: 1 of 3 handed in nothing: nina (Nina New)" in told
        assert "as they have left the class: " in told
        row = by_student(export("moodle", LESSON)[1], "ID number", "utf-8-sig")["S1"]
        assert [row["Username"], row["User ID"]] == ["ada@school.edu", "1001"]
        assert by_student(export("gradescope")[1], "SID")["S3"]["Sections"] == "Lab B"
        students = json.loads(export("json")[1].read_text("ascii"))["students"]
        assert {each["id"]: each["has_left"] for each in students} == {
            name: name not in ("ada", "cem", "nina") for name in {*EVERYBODY, "nina"}
        }
        shown = autograder("roster", "--missing", LESSON, course=course.root).out
        assert "1 of 3 handed in nothing" in shown
        assert "Nina New" in shown
    finally:
        (course.root / "gradebook.db").write_bytes(saved)
        (course.root / "roster.json").unlink()


def test_without_a_name_the_file_lies_beside_the_reports(course, autograder):
    assert autograder("export", "moodle", QUIZ, course=course.root).code == 0
    rows = by_student(course.root / "reports" / "moodle.csv", "Username", "utf-8-sig")
    assert float(rows["ada"][QUIZ]) == QUIZ_TOTALS["ada"]


def test_an_export_that_is_interrupted_leaves_the_earlier_file(tmp_path):
    path = tmp_path / "reports" / "pages.zip"
    writing.save(path, b"earlier", ())
    with pytest.raises(KeyboardInterrupt), writing.opened(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"earlier"
    assert [each.name for each in path.parent.iterdir()] == ["pages.zip"]


def test_an_export_to_a_device_leaves_the_device():
    writing.save(Path("/dev/null"), b"nothing", ())
    assert Path("/dev/null").is_char_device()
