"""The formgrader of a large class shows what nbgrader's own shows, and asks less for it."""

from types import SimpleNamespace

import pytest
from jupyter_client.kernelspec import KernelSpecManager
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.server_extensions.formgrader.formgrader import FormgradeExtension
from sqlalchemy import event
from sqlalchemy.engine import Engine
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine
from tornado.web import Application

from autograder import server_extension
from autograder.course_folder import CourseFolder
from autograder.formgrader import ClassAPI, ClassPage
from autograder.gradebook.listing import ListingGradebook
from tests.conftest import write_configuration
from tests.support.every_submission import (
    COURSE,
    LESSON,
    NOTEBOOKS,
    OTHER,
    UNRELEASED,
    enter_class,
    lists,
)

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's queries
EARLY = "2026-03-02 10:00:00 UTC"


def make_course(root, copies):
    """A course with files of the class, some of which were handed in again or never graded."""
    write_configuration(root)
    course = CourseFolder(root)
    url = course.nbgrader.coursedir.db_url
    enter_class(url, copies)
    for lesson in (LESSON, OTHER, UNRELEASED):
        (root / "source" / lesson).mkdir(parents=True)
    with Gradebook(url, COURSE) as gradebook:
        for lesson in (LESSON, OTHER):
            for submission in gradebook.assignment_submissions(lesson):
                write_files(root, lesson, submission.student_id, submission.timestamp)
    for number in range(copies):
        (root / "autograded" / f"graded{number}" / LESSON / "second.ipynb").unlink()
        again = root / "submitted" / f"partly{number}" / LESSON / "timestamp.txt"
        again.write_text("Mon, 02 Mar 2026 13:00:00 +0200")
        new = root / "submitted" / f"[new]{number}" / LESSON
        new.mkdir(parents=True)
        (new / "timestamp.txt").write_text(EARLY)
        (root / "submitted" / f"nothing_graded{number}" / UNRELEASED).mkdir()
    return course


def write_files(root, lesson, student, time):
    for step in ("submitted", "autograded"):
        folder = root / step / student / lesson
        folder.mkdir(parents=True)
        for notebook in NOTEBOOKS:
            (folder / f"{notebook}.ipynb").write_text("{}")
        if time:
            (folder / "timestamp.txt").write_text(f"{time} UTC")


def everything(api):
    """All that the formgrader's pages ask for."""
    students = [*(each["id"] for each in api.get_students()), "[new]0", "nobody"]
    found = {
        "assignments": api.get_assignments(),
        "students": api.get_students(),
        "each student": [api.get_student(each) for each in students],
        "their submissions": [api.get_student_submissions(each) for each in students],
    }
    for lesson in (LESSON, OTHER, UNRELEASED):
        found[lesson] = [
            api.get_notebooks(lesson),
            api.get_submissions(lesson),
            [api.get_submission(lesson, each) for each in students],
            [api.get_student_notebook_submissions(each, lesson) for each in students],
        ]
        for notebook in NOTEBOOKS:
            found[lesson, notebook] = [
                api.get_notebook_submissions(lesson, notebook),
                api.get_notebook_submission_indices(lesson, notebook),
            ]
    return found


@pytest.fixture
def url(tmp_path):
    write_configuration(tmp_path)
    return CourseFolder(tmp_path).nbgrader.coursedir.db_url


@pytest.fixture
def asked():
    """Every statement that a gradebook is asked."""
    statements = []

    def remember(connection, cursor, statement, *_):
        statements.append(statement)

    event.listen(Engine, "before_cursor_execute", remember)
    yield statements
    event.remove(Engine, "before_cursor_execute", remember)


def test_a_gradebook_lists_what_nbgraders_lists(url):
    enter_class(url, copies=2)
    with Gradebook(url, COURSE) as theirs, ListingGradebook(url, COURSE) as ours:
        expected = lists(theirs)
        assert lists(ours) == expected
    assert [len(expected[LESSON, notebook]) for notebook in NOTEBOOKS] == [20, 18]
    assert expected[UNRELEASED] == expected[LESSON, "ungraded"] == []
    assert len(expected[LESSON, "ungraded", "entries"]) == 20
    for name in ("needs_manual_grade", "failed_tests", "flagged"):
        assert {row[name] for row in expected[LESSON, "first"]} == {True, False}


def test_a_gradebook_without_lessons_lists_what_nbgraders_lists(url):
    with Gradebook(url, COURSE) as theirs, ListingGradebook(url, COURSE) as ours:
        theirs.add_student("ada", first_name="Ada")
        assert lists(ours) == lists(theirs)
        assert len(ours.student_dicts()) == 1


def test_pages_show_what_nbgraders_show(tmp_path):
    course = make_course(tmp_path, copies=1)
    config = course.nbgrader.config
    with course.as_working_directory():
        expected = everything(NbGraderAPI(config=config))
        assert everything(ClassAPI(config=config)) == expected
    kinds = {(row["autograded"], row["submitted"]) for row in expected[LESSON][1]}
    assert kinds == {(True, True), (False, True)}


def test_no_page_asks_the_gradebook_for_each_student(tmp_path, asked):
    pages = {
        "get_students": (),
        "get_student": ("both0",),
        "get_submissions": (LESSON,),
        "get_submission": (LESSON, "both0"),
        "get_student_submissions": ("both0",),
        "get_notebook_submissions": (LESSON, "first"),
        "get_notebook_submission_indices": (LESSON, "first"),
    }
    counts = []
    for copies in (1, 3):
        root = tmp_path / str(copies)
        root.mkdir()
        course = make_course(root, copies)
        api = ClassAPI(config=course.nbgrader.config)
        with course.as_working_directory():
            api.get_students()
            found = {}
            for page, arguments in pages.items():
                asked.clear()
                getattr(api, page)(*arguments)
                found[page] = len(asked)
        counts.append(found)
    assert counts[0] == counts[1]
    assert all(counts[0].values())


def test_a_page_about_a_student_reads_no_other_students_files(tmp_path, monkeypatch):
    course = make_course(tmp_path, copies=1)
    api = ClassAPI(config=course.nbgrader.config)
    read = []
    monkeypatch.setattr(
        ClassAPI,
        "get_submitted_timestamp",
        lambda api, lesson, student: read.append(student),
    )
    with course.as_working_directory():
        api.get_student_submissions("both0")
    assert set(read) == {"both0"}


def test_a_server_answers_with_these_pages():
    theirs, both = Application(), Application()
    for app in (theirs, both):
        app.settings["base_url"] = "/user/ada"
    server = SimpleNamespace(
        web_app=both, base_url="/user/ada", kernel_spec_manager=KernelSpecManager()
    )
    server_extension._load_jupyter_server_extension(server)
    for app in (theirs, both):
        FormgradeExtension().init_handlers(app)
    for address in (
        "api/assignments",
        f"api/submissions/{LESSON}",
        f"api/submission/{LESSON}/ada",
        f"api/submitted_notebooks/{LESSON}/first",
        "api/students",
        "api/student_submissions/ada",
        "manage_students/ada",
        "submissions/0a1b/",
        "submissions/0a1b/next_incorrect",
        "submissions/0a1b/plot.png",
    ):
        line = RequestStartLine("GET", f"/user/ada/formgrader/{address}", "HTTP/1.1")
        request = HTTPServerRequest(start_line=line, headers=HTTPHeaders(Host="localhost"))
        original, ours = (app.find_handler(request).handler_class for app in (theirs, both))
        assert original is not ours
        assert issubclass(ours, original)
        assert issubclass(ours, ClassPage)
