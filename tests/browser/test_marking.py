"""Several people mark a class at once, through the command, in a browser: nothing gets lost."""

import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from autograder.course_folder import CourseFolder
from autograder.grading import batch
from tests.browser.conftest import MILLISECONDS, Window
from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import REPOSITORY, write_quick_course

QUESTION, OTHER = "fitting_on_the_test", "steps_that_lose"
STUDENTS = [f"student-{number:02}" for number in range(60)]
HOSTILE = (
    "<script>document.title = 'run'</script> ![](http://127.0.0.1:1/a.png) $\\href{x}{y}$ "
    "<div style='position: fixed; inset: 0; padding: 9999px'>cover</div> \u202eright to left "
    + "x"
    * 4_000
)


@pytest.fixture
def course(tmp_path, executed):
    """A class that is graded but for what people mark; one answer is hostile."""
    made = write_quick_course(tmp_path, STUDENTS)
    shutil.copytree(REPOSITORY / "rubrics", made.root / "rubrics")
    assert not any(row.problem for row in batch.grade(made, LESSON, STUDENTS))
    return CourseFolder(made.root)


@contextmanager
def marking(course, grader):
    """`autograder mark`, as one person starts it; gives the address of the page."""
    command = [Path(sys.executable).with_name("autograder"), "mark", LESSON, "--no-browser"]
    server = subprocess.Popen(
        [*command, "--grader", grader, "--course", course.root],
        cwd="/",
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        line = next(line for line in server.stdout if line.startswith("Marking"))
        yield line.split(" at ")[1].strip()
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)


@pytest.fixture
def sit_down(chromium, course):
    """Let a person start marking, and look at the page."""
    expect.set_options(timeout=MILLISECONDS)
    with ExitStack() as opened:

        def start(grader):
            address = opened.enter_context(marking(course, grader))
            context = chromium.new_context(viewport={"width": 1280, "height": 900})
            context.set_default_timeout(MILLISECONDS)
            opened.callback(context.close)
            page = context.new_page()
            page.goto(address)
            expect(page.get_by_role("heading", name="Written questions")).to_be_visible()
            return page

        yield start


def open_question(page, question=QUESTION):
    name = question.replace("_", " ")
    page.get_by_role("button", name=f"Mark {name}").click()
    expect(page.get_by_role("region", name="Student's answer")).to_be_visible()


def settled(page, before):
    """Wait until the page shows something else than it did."""
    page.wait_for_function("before => location.hash !== before", arg=before)
    page.wait_for_function("() => !document.querySelector('main').inert")


def mark_one(page, keys="1"):
    before = page.evaluate("location.hash")
    for key in keys:
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    settled(page, before)


def is_done(page):
    return page.get_by_role("heading", name="Nothing more to mark here").is_visible()


def rows(course, query):
    with sqlite3.connect(course.root / "gradebook.db") as database:
        return database.execute(query).fetchall()


def test_three_people_mark_a_class_of_sixty_and_nothing_gets_lost(course, sit_down):
    pages = {grader: sit_down(grader) for grader in ("ada", "ben", "cem")}
    for page in pages.values():
        open_question(page)
    for turn in range(100):
        working = [page for page in pages.values() if not is_done(page)]
        if not working:
            break
        for page in working:
            if turn == 3:
                page.reload()  # what was shown is still there
                page.wait_for_function("() => !document.querySelector('main').inert")
            mark_one(page, "12" if turn % 2 else "1")
    marks = rows(course, "SELECT turn, grader, notebook_id FROM autograder_written_mark")
    first = [answer for turn, _, answer in marks if turn == 1]
    second = [answer for turn, _, answer in marks if turn == 2]
    assert len(first) == len(set(first)) == len(STUDENTS)
    assert 1 <= len(second) == len(set(second)) <= 20
    people = {(turn, answer): grader for turn, grader, answer in marks}
    assert all(people[1, answer] != people[2, answer] for answer in second)
    assert len(Counter(grader for turn, grader, _ in marks if turn == 1)) == 3
    waiting = rows(
        course,
        "SELECT count(*) FROM grade JOIN base_cell ON base_cell.id = grade.cell_id "
        f"WHERE base_cell.name = '{QUESTION}' AND (needs_manual_grade OR manual_score IS NULL)",
    )
    assert waiting == [(0,)]


def test_equal_answers_are_marked_at_once_but_for_the_one_that_somebody_has(course, sit_down):
    pages = {grader: sit_down(grader) for grader in ("ben", "ada")}
    for page in pages.values():
        open_question(page)
    page.get_by_label(f"Same mark for {len(STUDENTS) - 2} answers with this text").check()
    mark_one(page)
    expect(page.get_by_role("heading", name="Nothing more to mark here")).to_be_visible()
    marks = rows(
        course,
        "SELECT grader, count(*), count(DISTINCT notebook_id), min(total), max(total) "
        "FROM autograder_written_mark WHERE marked NOTNULL GROUP BY grader",
    )
    assert marks == [("ada", len(STUDENTS) - 1, len(STUDENTS) - 1, 0.5, 0.5)]
    mark_one(pages["ben"])
    assert is_done(page)


def test_two_keys_at_once_and_a_server_that_ends_lose_nothing(course, sit_down, chromium):
    page = sit_down("ada")
    open_question(page)
    before = page.evaluate("location.hash")
    page.keyboard.press("1")
    page.get_by_label("Comment for the student").fill("Which frequencies?")
    page.keyboard.press("Escape")
    page.evaluate(
        """() => { const key = () => document.activeElement.dispatchEvent(
            new KeyboardEvent("keydown", {key: "Enter", bubbles: true})); key(); key(); }"""
    )
    settled(page, before)
    marked = rows(course, "SELECT items, comment FROM autograder_written_mark WHERE marked NOTNULL")
    assert [comment for _, comment in marked] == ["Which frequencies?"]
    with marking(course, "ben") as address:
        other = chromium.new_context().new_page()
        other.set_default_timeout(MILLISECONDS)
        other.goto(address)
        open_question(other)
        shown = other.evaluate("location.hash")
    other.keyboard.press("1")
    other.keyboard.press("Enter")
    expect(other.get_by_role("alert")).to_contain_text("All you entered is still here")
    with marking(course, "ben") as address:
        other.goto(f"{address}{shown}")
        expect(other.get_by_role("checkbox").first).to_be_checked()
        mark_one(other, "")
    assert rows(course, "SELECT count(*) FROM autograder_written_mark WHERE marked NOTNULL") == [
        (2,)
    ]
    other.context.close()


def test_a_hostile_answer_can_neither_run_nor_load_nor_cover_anything(course, sit_down):
    for student in STUDENTS:
        path = course.autograded(student, LESSON)
        path.chmod(0o644)
        text = path.read_text("utf8")
        start = text.index("It learns two things from the test articles")
        end = text.index('"', start)
        quoted = HOSTILE.replace('"', "'").replace("\\", "\\\\")
        path.write_text(text[:start] + quoted + text[end:], "utf8")
    page = sit_down("ada")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    open_question(page)
    answer = page.get_by_role("region", name="Student's answer")
    expect(answer).to_contain_text("cover")
    assert page.title() != "run"
    assert not [
        url for url in asked if not url.startswith((page.url.split("/marking")[0], "data:"))
    ]
    page.get_by_role("button", name="Save and next").click(trial=True)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    Window(page, "marking").shot("hostile answer")


def test_going_back_shows_what_was_marked(sit_down):
    page = sit_down("ada")
    open_question(page, OTHER)
    for keys in ("1", "12", "2"):
        mark_one(page, keys)
    page.keyboard.press("u")
    page.wait_for_function("() => !document.querySelector('main').inert")
    boxes = [box.is_checked() for box in page.locator("#items input").all()]
    assert boxes[:2] == [False, True]


def test_a_disagreement_and_a_request_are_reviewed_by_a_third(course, sit_down, autograder):
    pages = {grader: sit_down(grader) for grader in ("ada", "ben")}
    for page in pages.values():
        open_question(page)
    mark_one(pages["ada"], "1f")  # somebody else is to mark it, too
    while not is_done(pages["ada"]):
        mark_one(pages["ada"], "1")
    while not is_done(pages["ben"]):
        mark_one(pages["ben"], "12")
    twice = rows(course, "SELECT count(*) FROM autograder_written_mark WHERE turn = 2")[0][0]
    (asking,) = rows(
        course,
        "SELECT student_id FROM submitted_assignment WHERE id IN (SELECT assignment_id FROM "
        "submitted_notebook WHERE id NOT IN (SELECT notebook_id FROM autograder_written_mark "
        "WHERE turn = 2 OR grader = 'ben')) LIMIT 1",
    )
    file = course.root / "requests.csv"
    file.write_text(f"student,question,request\n{asking[0]},{QUESTION},Look at line 2.\n", "utf8")
    assert autograder("mark", LESSON, "--requests", str(file), course=course.root).code == 0
    page = sit_down("cem")
    page.get_by_role("button", name=f"Review {twice + 1}").click()
    seen = Counter()
    for _ in range(twice + 1):
        expect(page.get_by_text("Counts now")).to_be_visible()
        seen["request"] += page.get_by_text("Look at line 2.").is_visible()
        seen["second"] += page.get_by_text("Another mark").is_visible()
        page.keyboard.press("Enter")
        expect(page.get_by_text("Not saved: say why; the student reads it.")).to_be_visible()
        before = page.evaluate("location.hash")
        page.get_by_role("button", name="Take this mark").first.click()
        page.keyboard.type("The words count.")
        page.keyboard.press("Control+Enter")
        settled(page, before)
    assert is_done(page)
    assert seen == {"request": 1, "second": twice}
    decided = rows(
        course,
        "SELECT grader, comment, count(*) FROM autograder_written_mark WHERE turn = 3 "
        "GROUP BY grader, comment",
    )
    assert decided == [("cem", "The words count.", twice + 1)]
    results = Axe().run(page)
    assert not results.response["violations"], results.generate_report()


def test_the_whole_notebook_is_shown_without_a_name(sit_down):
    page = sit_down("ada")
    open_question(page)
    page.keyboard.press("w")
    shown = page.get_by_role("dialog", name="The whole notebook")
    expect(shown.get_by_text("It learns two things from the test")).to_be_in_viewport()
    expect(shown).to_contain_text("def tf_idf")
    assert not any(student in page.content() for student in STUDENTS)
