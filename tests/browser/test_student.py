"""A student's way: fetch, try, answer rightly and wrongly, validate, submit."""

import nbformat
import pytest
from playwright.sync_api import expect

from autograder.cells import grade_id
from tests.browser.answers import COURSE, HINT, RIGHT, STUDENT, UNANSWERED, WORDS, WRONG
from tests.browser.pages import AssignmentList, JupyterLab, Notebook, barriers
from tests.conftest import QUICK_LESSON

EXERCISES = 9


@pytest.fixture
def released(instructor):
    """The lesson lies in the exchange."""
    instructor.run("autograder", "release", QUICK_LESSON)
    instructor.run("nbgrader", "release_assignment", QUICK_LESSON)


def test_a_student_fetches_works_and_submits(released, exchange, student, sit_down):
    window = sit_down("student", student)
    page = window.page
    lab, assignments, notebook = JupyterLab(page), AssignmentList(page), Notebook(page)

    lab.choose("Nbgrader", "Assignment List")
    expect(assignments.rows("released")).to_contain_text(QUICK_LESSON)
    window.shot("an assignment was released")
    assignments.press("released", "Fetch")
    expect(assignments.rows("fetched")).to_contain_text(QUICK_LESSON)
    window.shot("the assignment was fetched")

    assignments.open_notebook(QUICK_LESSON)
    notebook.wait_for_kernel()
    window.shot("the notebook is open")
    lab.choose("Run", "Run All Cells")
    verdicts = page.locator(".course-verdict")
    expect(verdicts).to_have_count(EXERCISES)
    for verdict in verdicts.all():
        expect(verdict).to_contain_text("not answered")
    verdicts.first.scroll_into_view_if_needed()
    window.shot("nothing is answered")
    assert barriers(page, ".course-verdict") == []

    notebook.replace_line(notebook.code("def find_emails("), UNANSWERED, RIGHT)
    notebook.run_here_and_below()
    emails = notebook.code('check("preprocessing.find_emails"')
    expect(emails).to_contain_text("aspects passed on the published inputs")
    expect(emails.locator(".course-verdict")).to_have_count(0)
    window.shot("a right answer")

    notebook.replace_line(notebook.code("def one_hot("), UNANSWERED, WRONG)
    notebook.run_here_and_below()
    one_hot = notebook.code('check("preprocessing.one_hot"')
    expect(one_hot.locator(".course-verdict")).to_contain_text(HINT)
    picture = one_hot.get_by_alt_text("Heat maps of rows", exact=False)
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.naturalWidth") > 0
    picture.scroll_into_view_if_needed()
    window.shot("a wrong answer with its hint and heat maps")
    assert barriers(page, ".course-verdict, .course-verdict ~ img") == []

    notebook.write(WORDS)
    window.shot("an answer in words")

    dialog = notebook.validate()
    expect(dialog).to_contain_text('check("preprocessing.one_hot", one_hot)')
    expect(dialog).to_contain_text(HINT)
    expect(dialog).not_to_contain_text('check("preprocessing.find_emails", find_emails)')
    window.shot("what does not hold yet")
    notebook.dismiss(dialog)

    lab.show_tab("Assignments")
    assignments.press("fetched", "Submit")
    expect(assignments.rows("submitted")).to_contain_text(QUICK_LESSON)
    window.shot("the assignment was submitted")
    (submission,) = (exchange / COURSE / "inbound").iterdir()
    assert submission.name.startswith(f"{STUDENT}+{QUICK_LESSON}+")
    handed_in = nbformat.read(submission / f"{QUICK_LESSON}.ipynb", as_version=4)
    sources = {grade_id(cell): cell.source for cell in handed_in.cells if grade_id(cell)}
    assert RIGHT in sources["find_emails"]
    assert WRONG in sources["one_hot"]
    assert sources["steps_that_lose"] == WORDS
    assert UNANSWERED in sources["tokenize"]


def test_validate_says_so_when_all_is_answered(instructor, student, sit_down):
    instructor.run("autograder", "release", QUICK_LESSON)
    (instructor.folder / "nobody").mkdir()
    instructor.run("autograder", "simulate", QUICK_LESSON, "--answers", "nobody")
    answered = (
        instructor.folder / "submitted" / "reference" / QUICK_LESSON / f"{QUICK_LESSON}.ipynb"
    )
    (student.folder / answered.name).write_bytes(answered.read_bytes())
    window = sit_down("finished-student", student)
    JupyterLab(window.page).open_file(answered.name)
    notebook = Notebook(window.page)
    notebook.wait_for_kernel()
    expect(notebook.validate()).to_contain_text("Success! Your notebook passes all the tests.")
    window.shot("all is answered")
