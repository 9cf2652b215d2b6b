"""An instructor's way: generate, release, collect, grade, give feedback; and who reads it."""

import re

import nbformat
from nbgrader.api import Gradebook
from playwright.sync_api import expect

from autograder.cells import grade_id
from tests.browser.answers import COURSE, HINT, RIGHT, STUDENT, UNANSWERED, WORDS, WRONG
from tests.browser.pages import AssignmentList, Formgrader, JupyterLab, barriers
from tests.conftest import QUICK_LESSON

COMMENT = "Right, and <b>negations</b> are among them."


def submit(student):
    """Fetch, answer and submit as the student of the other journey does, by commands."""
    student.run("nbgrader", "fetch_assignment", QUICK_LESSON, "--course", COURSE)
    path = student.folder / QUICK_LESSON / f"{QUICK_LESSON}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    cells = {grade_id(cell): cell for cell in notebook.cells}
    for name, line in (("find_emails", RIGHT), ("one_hot", WRONG)):
        cells[name].source = cells[name].source.replace(UNANSWERED, line)
    cells["steps_that_lose"].source = WORDS
    nbformat.write(notebook, path)
    student.run("nbgrader", "submit", QUICK_LESSON, "--course", COURSE)


def test_an_instructor_releases_grades_and_gives_feedback(instructor, exchange, student, sit_down):
    window = sit_down("instructor", instructor)
    page = window.page
    formgrader = Formgrader(page)

    JupyterLab(page).choose("Nbgrader", "Formgrader")
    expect(formgrader.row(QUICK_LESSON)).to_be_visible()
    window.shot("the formgrader")
    assert "Successfully" in formgrader.press(QUICK_LESSON, "assign")
    assert "Successfully" in formgrader.press(QUICK_LESSON, "release")
    expect(formgrader.row(QUICK_LESSON)).to_contain_text("released")
    window.shot("the lesson is released")
    handed_out = exchange / COURSE / "outbound" / QUICK_LESSON / f"{QUICK_LESSON}.ipynb"
    assert not re.search(r"\bgrade\(", handed_out.read_text("utf8"))

    submit(student)
    assert "Successfully" in formgrader.press(QUICK_LESSON, "collect")
    formgrader.row(QUICK_LESSON).locator("td.num-submissions a").click()
    expect(formgrader.row(STUDENT)).to_contain_text("needs autograding")
    window.shot("a submission was collected")
    assert "Successfully" in formgrader.press(STUDENT, "autograde")
    expect(formgrader.row(STUDENT)).to_contain_text("needs manual grading")
    window.shot("the submission was graded")
    with Gradebook(f"sqlite:///{instructor.folder}/gradebook.db") as gradebook:
        graded = gradebook.find_submission_notebook(QUICK_LESSON, QUICK_LESSON, STUDENT)
        points = {grade.name: grade.auto_score for grade in graded.grades}
    assert points["test_find_emails"] == 2
    assert 0 < points["test_one_hot"] < 2
    assert points["test_tokenize"] == 0

    formgrader.go("Manual Grading", QUICK_LESSON, QUICK_LESSON, "Submission #1")
    verdict = formgrader.frame.locator(".course-verdict", has_text="preprocessing.one_hot")
    expect(verdict).to_contain_text(f"{points['test_one_hot']:g} of 2 points")
    expect(verdict).to_contain_text(HINT)
    verdict.scroll_into_view_if_needed()
    window.shot("a verdict in the formgrader")
    assert barriers(formgrader.document(), ".course-verdict") == []
    formgrader.grade("steps_that_lose", "1.5", COMMENT)
    window.shot("points and a comment for an answer in words")

    formgrader.go("Manual Grading", "Manage Assignments")
    assert "Successfully" in formgrader.press(QUICK_LESSON, "generate-feedback")
    assert "Successfully" in formgrader.press(QUICK_LESSON, "release-feedback")
    window.shot("feedback was released")
    assert len([*(exchange / COURSE / "feedback").iterdir()]) == 1

    read_feedback(sit_down("reader", student), 2 + points["test_one_hot"] + 1.5)


def read_feedback(window, total):
    """Fetch the feedback and open it, as the student."""
    page = window.page
    lab, assignments = JupyterLab(page), AssignmentList(page)
    lab.choose("Nbgrader", "Assignment List")
    assignments.press("submitted", "Fetch Feedback")
    view = assignments.rows("submitted").get_by_text("(view feedback)")
    expect(view).to_be_visible()
    window.shot("feedback was fetched")
    view.click()
    lab.open_file(f"{QUICK_LESSON}.html")
    feedback = page.frame_locator(".jp-HTMLViewer iframe")
    expect(feedback.locator(".course-total")).to_have_text(f"{total:g} of 20 points")
    expect(feedback.locator("li", has_text="one hot")).to_contain_text(HINT)
    expect(feedback.locator("li", has_text="steps that lose")).to_contain_text(COMMENT)
    expect(feedback.locator("li", has_text="fitting on the test")).to_contain_text("Not answered")
    window.shot("feedback in JupyterLab")
