"""The class report: a class graded by the judge, kernels played, against numbers by hand."""

import contextlib
import csv
import io
import json
import math
import shutil
import sqlite3
import statistics
import sys

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook

from autograder import cli
from autograder.audit.reliability import Reliability, write_reliability
from autograder.cells import grade_id, graded_exercise
from autograder.execution import executor
from autograder.execution.job import Outcome
from autograder.grading import batch
from autograder.record import METADATA
from autograder.reports import lesson_results
from selfcheck.responses import GUESS_MIME, MIME
from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import REPOSITORY, flat, responded, write_quick_course
from tests.support import taught

pytestmark = pytest.mark.usefixtures("settled_shares")

TAG, FORMULA = "<img src=x onerror=alert(1)>", "=HYPERLINK(1,2)"
# A student may be called as a file of the grader.
GRADED = ["ada", "ben", "cem", "lock", TAG, FORMULA]

# By cell, what each of them earns. A person gave ben a quarter of a point more, and everybody the
# points for the first written answer; nobody has read the second. Of the other exercises nothing
# is handed over.
POINTS = {
    "find emails": [2, 1.2, 1.2, 0, 0, 0],
    "tokenize": [2, 2, 1.2, 0, 2, 2],
    "label encode": [1, 0.75, 0.5, 0, 1, 1],
    "steps that lose": [2, 1, 2, 0, 0.5, 2],
}
PENALTY = {"cem": 0.5}
TOTALS = [7, 4.95, 4.4, 0, 3.5, 5]
MAXIMUM = 20

EVIL = "<script>alert('x')</script>"


# Of the same question the last guess counts.
GUESSES = {
    "ada": [("doubled", "None.", False), ("doubled", "Nothing.", True), ("size", 16.5, True)],
    "ben": [("doubled", EVIL, False), ("size", 2, False)],
    "cem": [("doubled", EVIL, False), ("place", [0, 1], False)],
    "lock": [("doubled", "They double.", False), (7, "no name", True), ("odd", {"a": 1}, "yes")],
    # One more has more digits than Python writes. Whoever invents questions is asked none of them.
    TAG: [
        *(("place", [10**4300 - 1, 0], False), ("size", 10**4000, False)),
        *((f"invented {number}", "x", True) for number in range(900)),
    ],
    FORMULA: [("size", math.inf, False), ("doubled", "\ud800 and \x1b[2J", True)],
}


def ask(path):
    """Have the lesson ask the questions."""
    notebook = nbformat.read(path, as_version=4)
    for name in ("doubled", "size", "place", "odd"):
        notebook.cells.append(nbformat.v4.new_code_cell(f'%matplotlib inline\nask("{name}")'))
    nbformat.write(notebook, path)


def guessed(path, guesses):
    """Put guesses among the outputs of a submission, and outputs that only look like some."""
    notebook = nbformat.read(path, as_version=4)
    contents = [{"name": name, "guess": guess, "right": right} for name, guess, right in guesses]
    for content in [*contents, [], None, "guess"]:
        cell = nbformat.v4.new_code_cell()
        cell.outputs = [nbformat.v4.new_output("display_data", {GUESS_MIME: content})]
        notebook.cells.append(cell)
    path.write_text(json.dumps(notebook))


def letters_around_an_at(text):
    import re

    return re.findall(r"\w+@\w+\.\w+", text)


def blanks_for_punctuation(text):
    import re

    return re.sub(r"[^a-z0-9]", " ", text.lower().replace("<br />", " ")).split()


def as_they_appear(labels):
    return np.array([list(dict.fromkeys(labels)).index(label) for label in labels])


def stub(*_):
    raise NotImplementedError


def failing(text):
    raise ValueError(EVIL)


def error(name, message):
    return {"output_type": "error", "ename": name, "evalue": message, "traceback": []}


ANSWERS = {
    "ben": {"find_emails": letters_around_an_at, "label_encode": as_they_appear},
    "cem": {
        "find_emails": letters_around_an_at,
        "tokenize": blanks_for_punctuation,
        "label_encode": as_they_appear,
    },
    "lock": dict.fromkeys(["find_emails", "tokenize", "label_encode"], stub),
    TAG: {"find_emails": failing},
    FORMULA: {"find_emails": error("=cmd()", EVIL)},
}


def right(function):
    """The reference, as a student's function that returns one thing."""
    solution = taught.solution(f"preprocessing.{function}")
    return lambda *arguments: next(iter(solution(*arguments).values()))


def play(notebook, folder, plan):
    """What a kernel would have sent: true responses to the secret seed's inputs."""
    student = folder.parent.name
    cells = {}
    for position, cell in enumerate(notebook.cells):
        name = graded_exercise(cell) or ""
        function = name.rpartition(".")[2]
        if function not in ("find_emails", "tokenize", "label_encode"):
            continue
        answer = ANSWERS.get(student, {}).get(function, right(function))
        if callable(answer):
            response = responded(name, answer, plan.seed)
            answer = {"output_type": "display_data", "data": {MIME: response}, "metadata": {}}
        cells[position] = (1, [answer])
    return Outcome(cells, "", {"start": 1.0, "cells": 9.0 if student == "cem" else 2.0, "cpu": 3.0})


AUDITED = Reliability(210, 1)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = write_quick_course(tmp_path_factory.mktemp("course"), [*GRADED, "eve"])
    (course.submitted("eve", LESSON) / f"{LESSON}.ipynb").write_text("{ no JSON")
    path = course.submitted("ben", LESSON) / f"{LESSON}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if grade_id(cell) != "test_tokenize"]
    nbformat.write(notebook, path)
    answers = course.root / "tests" / "submissions" / LESSON
    answers.mkdir(parents=True)
    write_reliability(answers, {"preprocessing.find_emails": AUDITED})
    for student, guesses in GUESSES.items():
        guessed(course.submitted(student, LESSON) / f"{LESSON}.ipynb", guesses)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(executor, "execute", play)
        students = course.students(LESSON)
        rows = list(batch.grade(course, LESSON, students, pool=executor.LocalPool(1)))
    assert [row.student for row in rows if row.problem] == ["eve"]
    ask(course.source(LESSON))
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        for student, points in zip(GRADED, POINTS["steps that lose"], strict=True):
            grade = gradebook.find_grade("steps_that_lose", LESSON, LESSON, student)
            grade.manual_score, grade.needs_manual_grade = points, False
        gradebook.find_grade("test_label_encode", LESSON, LESSON, "ben").manual_score = 0.75
        late = gradebook.find_submission_notebook(LESSON, LESSON, "cem")
        late.late_submission_penalty = PENALTY["cem"]
        gradebook.add_student("zoe", first_name="Zoë", last_name="=2", email="zoe@a.org")
        gradebook.db.commit()
    return course


@pytest.fixture(scope="module")
def written(course):
    """What the command printed, and the folder that it wrote to by default."""
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
        patch.chdir(course.root)
        patch.setattr(sys, "argv", ["autograder", "report", LESSON])
        with pytest.raises(SystemExit) as stop:
            cli.main()
    assert not stop.value.code
    return out.getvalue(), course.root / "reports"


@pytest.fixture(scope="module")
def page(written):
    return BeautifulSoup((written[1] / f"{LESSON}.html").read_text("utf8"), "html.parser")


@pytest.fixture(scope="module")
def rows(written):
    with (written[1] / f"{LESSON}.csv").open(encoding="utf8", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def table(page, label):
    """A table of the page: by the text of a row's heading, the texts of its cells."""
    found = page.find(attrs={"aria-label": label}).tbody.find_all("tr")
    return {
        " ".join(row.th.get_text(" ").split()): [cell.get_text() for cell in row.find_all("td")]
        for row in found
    }


def percent(share):
    return f"{100 * share:.0f} %"


def test_the_title_tells_how_the_class_did(page):
    told = {
        each.dt.get_text(): " ".join(each.dd.get_text().split())
        for each in page.find(class_="facts")("div")
    }
    quartiles = statistics.quantiles(TOTALS, n=4, method="inclusive")
    assert told == {
        "Handed in": "7 of 8 people",
        "Graded": "6",
        "Not graded": "1",
        "Need manual grading": "6",
        "Mean": f"{round(statistics.mean(TOTALS), 2):g} of {MAXIMUM} points",
        "Median": f"{round(statistics.median(TOTALS), 2):g}",
        "Quartiles": f"{round(quartiles[0], 2):g} and {round(quartiles[2], 2):g}",
        "Lowest and highest": "0 and 7",
    }


def test_what_was_guessed_is_counted_and_escaped(page):
    assert table(page, "Guesses") == {
        "doubled": ["5", percent(2 / 5), EVIL],
        "size": ["4", percent(1 / 4), "?"],
        "place": ["2", percent(0), "?, 1"],
        "odd": ["1", percent(0), "?"],
    }
    assert not page("script")


@pytest.mark.parametrize(
    ("title", "maximum", "unanswered"),
    [
        ("find emails", 2, percent(1 / 6)),
        ("tokenize", 2, percent(1 / 6)),
        ("label encode", 1, percent(1 / 6)),
        ("steps that lose", 2, "–"),
    ],
)
def test_an_exercises_numbers_are_those_computed_by_hand(page, title, maximum, unanswered):
    points = POINTS[title]
    others = [
        sum(column[place] for name, column in POINTS.items() if name != title)
        for place in range(len(GRADED))
    ]
    assert table(page, "Exercises")[title] == [
        str(maximum),
        f"{statistics.mean(points):.2f}",
        percent(statistics.mean(points) / maximum),
        f"{statistics.correlation(points, others):.2f}",
        percent(points.count(maximum) / 6),
        unanswered,
        "1 of 210 (at most 2.2 %)" if title == "find emails" else "–",
    ]


def test_where_all_are_alike_or_a_person_has_to_grade_there_is_a_dash(page):
    exercises = table(page, "Exercises")
    assert exercises["stem"] == ["1", "0.00", "0 %", "–", "0 %", "0 %", "–"]
    assert exercises["fitting on the test 6 still to grade by hand"] == ["2", *["–"] * 6]


def test_known_mistakes_are_counted_and_told_with_the_hint_that_students_got(page):
    section = page.find("h3", string="find emails").parent
    (told,) = table(section, "Known mistake").items()
    assert told[0] == "word characters only"
    assert told[1][0] == "2"
    assert told[1][1].startswith("You allowed only letters, digits and underscores")
    reasons = table(section, "Nothing to judge")
    assert {name: cells for name, cells in reasons.items() if name == "not answered"}
    assert len(reasons) == 2
    assert page.find("h3", string="label encode").parent.find(attrs={"aria-label": "Known mistake"})


def test_of_each_aspect_it_says_for_how_many_students_it_held(page):
    aspects = table(page, "Aspects of find emails")
    # It holds for ada, ben and cem; of the other three nothing came back.
    assert aspects["an address in running text is found"] == ["20 %", "50 %"]
    assert aspects["the part before the @ is complete"] == ["15 %", percent(1 / 6)]


def test_aspects_are_told_in_the_language_of_the_report(course, autograder, titles_in_capitals):
    assert autograder("report", LESSON, "--into", "capitals", course=course.root).code == 0
    text = (course.root / "capitals" / f"{LESSON}.html").read_text("utf8")
    aspects = table(BeautifulSoup(text, "html.parser"), "Aspects of find emails")
    assert aspects["AN ADDRESS IN RUNNING TEXT IS FOUND"] == ["20 %", "50 %"]
    graded = autograder("grade", LESSON, "--students", "ben", course=course.root)
    assert "Failed: THE PART BEFORE THE @ IS COMPLETE" in flat(graded.out)


def test_failures_and_repairs_have_their_reasons(page):
    failures = table(page, "Failures")
    assert failures["eve"][:2] == ["1", "not graded"]
    assert "cannot be read as a notebook" in failures["eve"][2]
    assert next(iter(failures)) == "eve"
    # find emails, of which the kernel sent an error, and the six of which it sent nothing.
    everybody = ", ".join([TAG, FORMULA, "ada", "ben", "cem", "lock"])
    assert failures[everybody][0] == "6"
    assert failures[everybody][1].count(",") == 5
    assert failures[FORMULA][:2] == ["1", "find emails"]
    assert "test_tokenize" in table(page, "Repairs")["ben"][0]


def test_times_are_those_that_the_grading_measured(page, rows):
    phases = table(page, "Seconds per submission, by phase")
    assert phases["start and end the kernel"] == ["6", "1.00", "1.00", "1.00"]
    assert phases["cells (wall clock)"] == ["6", "3.17", "2.00", "9.00"]
    assert phases["kernel CPU time"] == ["6", "3.00", "3.00", "3.00"]
    assert next(iter(table(page, "Slowest submissions"))) == "cem"
    assert 10 < float(rows["cem"]["seconds"]) < 40
    assert rows["eve"]["seconds"] == ""


def test_the_table_holds_a_row_a_student(rows):
    assert list(rows) == [TAG, f"'{FORMULA}", "ada", "ben", "cem", "eve", "lock", "zoe"]
    assert [rows["zoe"][name] for name in ("status", "total", "name", "email")] == [
        *("not handed in", "", "Zoë =2", "zoe@a.org")
    ]
    for place, student in enumerate(["ada", "ben", "cem", "lock"]):
        row = rows[student]
        assert float(row["total"]) == pytest.approx(TOTALS[place])
        assert float(row["maximum"]) == MAXIMUM
        assert float(row["penalty"]) == PENALTY.get(student, 0)
        for title, points in POINTS.items():
            assert float(row[f"{title}: points"]) == points[place]
    assert rows["ben"]["status"] == "2 points to be graded by hand"
    assert rows["ben"]["label encode: percent"] == "75"
    assert rows["ben"]["find emails: mistakes"] == "word_characters_only"
    assert rows["lock"]["find emails: explanation"] == "not answered"
    assert rows["ada"]["fitting on the test: points"] == ""
    assert (rows["eve"]["status"], rows["eve"]["total"]) == ("not graded", "")
    assert "cannot be read as a notebook" in rows["eve"]["problem"]


def test_nothing_that_a_student_wrote_is_obeyed(written, page, rows):
    text = (written[1] / f"{LESSON}.html").read_text("utf8")
    assert not page.find("script")
    assert not page.find(attrs={"onerror": True})
    assert "&lt;img src=x onerror=alert(1)&gt;" in text
    assert "&lt;script&gt;" in text
    assert EVIL in rows[f"'{FORMULA}"]["find emails: explanation"]
    for row in rows.values():
        assert not any(value.startswith(("=", "+", "-", "@", "\t", "\r")) for value in row.values())


def test_the_page_names_who_handed_in_nothing(page):
    summary = page.find("summary", string="Nothing to grade: 1")
    assert summary.parent.li.get_text() == "zoe (Zoë =2): handed in nothing"


def test_the_page_needs_nothing_but_itself_and_describes_its_pictures(page):
    assert not page.find(["script", "link", "iframe", "object"])
    pictures = page.find_all("img")
    assert len(pictures) == 2
    assert all(each["src"].startswith("data:image/") for each in pictures)
    totals, difficulty = (each["alt"] for each in pictures)
    assert "Histogram" in totals
    assert f"find emails: {percent(4.4 / 12)}" in difficulty
    assert f"tokenize: {percent(9.2 / 12)}" in difficulty


def test_the_command_says_where_the_files_are_and_what_is_commonest(written):
    out = " ".join(written[0].split())
    assert "1 of 8 handed in nothing: zoe (Zoë =2)" in out
    assert f"reports/{LESSON}.html" in out
    assert f"reports/{LESSON}.csv" in out
    assert "2 students, find emails: word characters only" in out
    assert "2 students, label encode: in order of appearance" in out
    assert "1 student, tokenize: all but letters and digits to spaces" in out


def test_what_no_known_mistake_explains_is_counted_with_the_command_that_looks_at_it(page, written):
    """One function fails whenever it's called; others were not answered, or had known mistakes."""
    sentence = f"No known mistake explains 1 wrong answer: see `autograder mistakes {LESSON}`."
    assert sentence in written[0]
    assert sentence in [paragraph.get_text() for paragraph in page("p")]


def test_into_names_another_folder(course, autograder, tmp_path):
    into = tmp_path / "new" / "folder"
    finished = autograder("report", LESSON, "--into", str(into), course=course.root)
    assert finished.code == 0
    assert {path.name for path in into.iterdir()} == {f"{LESSON}.html", f"{LESSON}.csv"}


def test_where_nobody_measured_times_and_a_notebook_is_broken_the_page_says_so(
    course, autograder, tmp_path
):
    copy = shutil.copytree(course.root, tmp_path / "course")
    for student in GRADED:
        path = copy / "autograded" / student / LESSON / f"{LESSON}.ipynb"
        path.chmod(0o644)
        notebook = nbformat.read(path, as_version=4)
        notebook.metadata[METADATA]["seconds"] = {}
        nbformat.write(notebook, path)
    path.write_text("{")
    assert autograder("report", LESSON, course=copy).code == 0
    page = BeautifulSoup((copy / "reports" / f"{LESSON}.html").read_text("utf8"), "html.parser")
    assert "Unknown" in page.find("h2", string="Time for grading").find_next("p").get_text()
    count, what, reason = table(page, "Failures")[FORMULA]
    assert (count, what) == ("1", "not graded")
    assert f"autograder grade {LESSON} --force --students {FORMULA}" in reason


def test_names_that_do_not_exist_and_lessons_that_are_not_graded(course, autograder, tmp_path):
    finished = autograder("report", "01-text-preprocesing", course=course.root)
    assert (finished.code, f"did you mean {LESSON}?" in finished.err) == (2, True)
    shutil.copy(course.root / "nbgrader_config.py", tmp_path)
    shutil.copytree(REPOSITORY / "source" / LESSON, tmp_path / "source" / LESSON)
    finished = autograder("report", LESSON, course=tmp_path)
    assert finished.code == 2
    assert f"Nothing of {LESSON} is graded yet" in " ".join(finished.err.split())
    shutil.copytree(course.root / "autograded", tmp_path / "autograded")
    finished = autograder("report", LESSON, course=tmp_path)
    assert finished.code == 2
    assert "The gradebook is missing. Restore a backup" in " ".join(finished.err.split())
    shutil.rmtree(tmp_path / "autograded")
    assert not (tmp_path / "gradebook.db").exists()
    autograder("release", LESSON, course=tmp_path)
    finished = autograder("report", LESSON, course=tmp_path)
    assert finished.code == 2
    assert f"Grade it first: autograder grade {LESSON}" in " ".join(finished.err.split())
    assert not (tmp_path / "reports").exists()


def test_the_gradebook_is_asked_the_same_few_questions_whatever_the_class(course, monkeypatch):
    asked = []
    real = sqlite3.connect

    def traced(*arguments, **options):
        connection = real(*arguments, **options)
        connection.set_trace_callback(asked.append)
        return connection

    monkeypatch.setattr(sqlite3.dbapi2, "connect", traced)
    found = lesson_results.read_results(course, LESSON)
    assert len(found.graded) == len(GRADED)
    assert sum("FROM" in question and "grade" in question for question in asked) < 10
