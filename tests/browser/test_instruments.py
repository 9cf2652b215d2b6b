"""What a lesson gives a student to play with, in a real JupyterLab: guesses, a trained model."""

import json

import nbformat
import pytest
from playwright.sync_api import expect

from selfcheck.responses import GUESS_MIME
from tests.browser.pages import JupyterLab, Notebook, barriers

NAME = "play.ipynb"
CELLS = {
    "start": "from course import models\nfrom course.widgets import explore, predict",
    "sentence": 'predict.ask("attention.shuffled_tokens")',
    "number": 'predict.ask("attention.spread_of_scores")',
    "place": 'predict.ask("attention.who_looks_at_whom")',
    "curve": 'predict.ask("attention.largest_weight")',
    "answers": (
        'predict.answer("attention.shuffled_tokens")\n'
        'predict.answer("attention.spread_of_scores", measured=16.1)\n'
        'predict.answer("attention.who_looks_at_whom")\n'
        'predict.answer("attention.largest_weight", measured=0.98)'
    ),
    "explore": (
        'explore.attention(models.load("news-encoder"), "Oil prices rose to a record ___.")'
    ),
}


@pytest.fixture
def desk(student):
    cells = list(map(nbformat.v4.new_code_cell, CELLS.values()))
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"}}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
    nbformat.write(notebook, student.folder / NAME)
    return student


def _barriers(page):
    """What keeps people from using the controls; the handles of ipywidgets' sliders have no name
    that a screen reader could say, which nobody can give them from here."""
    found = barriers(page, ".jp-OutputArea-output .widget-vbox")
    return [each for each in found if "noUi-handle" not in each]


def run_all(window):
    lab, notebook = JupyterLab(window.page), Notebook(window.page)
    lab.open_file(NAME)
    notebook.wait_for_kernel()
    lab.choose("Run", "Run All Cells")
    expect(notebook.code("explore.attention").locator("svg").first).to_be_visible()
    return notebook


def test_guesses_are_made_kept_answered_and_there_another_day(desk, sit_down):
    window = sit_down("guesser", desk)
    notebook = run_all(window)
    radio = notebook.code(CELLS["sentence"])
    expect(radio.get_by_role("radio")).to_have_count(3)
    radio.get_by_role("radio").first.check()
    expect(radio).to_contain_text("Kept. Now run the next cells.")
    number = notebook.code(CELLS["number"])
    number.get_by_placeholder("a number").fill("sixteen")
    number.get_by_role("button", name="Keep my guess").click()
    expect(number).to_contain_text("isn't a number")
    number.get_by_placeholder("a number").fill("16")
    number.get_by_role("button", name="Keep my guess").click()
    expect(number).to_contain_text("Kept.")
    place = notebook.code(CELLS["place"])
    place.get_by_title("the → cat").click()
    expect(place).to_contain_text("Kept.")
    curve = notebook.code(CELLS["curve"])
    expect(curve.locator("svg polyline")).to_have_count(3)
    curve.get_by_label("flat").check()
    expect(curve).to_contain_text("Kept.")
    radio.scroll_into_view_if_needed()
    window.shot("guesses of four kinds")
    assert _barriers(window.page) == []

    notebook.code("predict.answer").locator(".cm-content").click()
    window.page.keyboard.press("Shift+Enter")
    answers = notebook.code("predict.answer")
    expect(answers).to_contain_text("You guessed: It changes: the sentence says something else.")
    expect(answers).to_contain_text("You guessed: 16.")
    expect(answers).to_contain_text("You guessed: the → cat.")
    expect(answers).to_contain_text("You guessed: flat.")
    answers.scroll_into_view_if_needed()
    window.shot("and their answers")
    JupyterLab(window.page).choose("File", "Save Notebook")
    kept = desk.folder / NAME

    def guesses():
        notebook = json.loads(kept.read_text())
        outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
        found = [output["data"].get(GUESS_MIME) for output in outputs if "data" in output]
        return {guess["name"]: guess["right"] for guess in found if guess}

    window.page.wait_for_timeout(500)
    assert guesses() == {
        "attention.shuffled_tokens": False,
        "attention.spread_of_scores": True,
        "attention.who_looks_at_whom": True,
        "attention.largest_weight": False,
    }

    JupyterLab(window.page).choose("Kernel", "Restart Kernel and Run All Cells…")
    window.page.get_by_role("button", name="Confirm Kernel Restart").click()
    expect(radio).to_contain_text(
        "Your earlier guess: It changes: the sentence says something else."
    )
    expect(radio.get_by_role("radio").first).to_be_checked()


def test_a_sentence_is_typed_a_slider_moved_and_the_picture_changes(desk, sit_down):
    window = sit_down("explorer", desk)
    cell = run_all(window).code("explore.attention")
    picture, page = cell.locator("svg[role=img]"), window.page
    expect(cell).to_contain_text("Blank 1")
    expect(picture.locator("title")).to_contain_text("Layer 1, head 1")
    cell.scroll_into_view_if_needed()
    window.shot("a sentence")
    before = picture.inner_html()

    layer = cell.get_by_role("slider").first
    layer.focus()
    page.keyboard.press("ArrowRight")
    expect(picture.locator("title")).to_contain_text("Layer 2, head 1")
    assert picture.inner_html() != before
    head = cell.get_by_role("slider").nth(1)
    head.focus()
    page.keyboard.press("ArrowRight")
    expect(picture.locator("title")).to_contain_text("Layer 2, head 2")
    window.shot("another layer and head")

    box = cell.locator(".widget-text input")
    box.fill("The striker scored a ___ in the final.")
    box.press("Enter")
    expect(picture).to_contain_text("final")
    cell.get_by_label("Lines of").select_option("[blank]")
    expect(picture.locator("title")).to_contain_text("[blank] looks most at")
    expect(picture.locator("title")).not_to_contain_text("final looks most at")
    picture.scroll_into_view_if_needed()
    window.shot("a sentence of one's own")
    assert _barriers(page) == []

    box.fill("")
    box.press("Enter")
    expect(cell).to_contain_text("A sentence may have 1 to")
