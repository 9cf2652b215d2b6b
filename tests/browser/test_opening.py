"""An instructor looks into a hostile submission: nothing of it runs before a cell is run."""

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from playwright.sync_api import expect

from tests.browser.answers import STUDENT
from tests.browser.pages import Formgrader, JupyterLab, Notebook
from tests.conftest import QUICK_LESSON
from tests.support.scripts import MARKDOWN, OUTPUTS, make_hostile, ran

SEEN, END = "Seen by whoever opens it.", "The end."

MODULES = {
    *("importlib", "contextlib", "runpy", "site", "typing", "json", "asyncio"),
    *("ipykernel", "ipykernel_launcher", "sitecustomize", "usercustomize"),
    *("ipython_config", "jupyter_config", "nbgrader_config", ".jupytext"),
}
"""What is imported when a kernel starts, and configurations that programs look for."""

WIDGET = "application/vnd.jupyter.widget-{}+json"


def hostile(notebook, address):
    """The notebook with scripts wherever a student can put them, each trusted by its own word."""
    make_hostile(notebook)
    outputs = [new_output("display_data", data=data) for data in OUTPUTS.values()]
    outputs.append(new_output("display_data", data={WIDGET.format("view"): {"model_id": "a"}}))
    configuration = f"submitted/{STUDENT}/{QUICK_LESSON}"
    pictures = [f'<img src="{address}/formgrader?path={configuration}">', *MARKDOWN.values()]
    notebook.cells = [
        new_markdown_cell(SEEN),
        *(new_markdown_cell(text) for text in pictures),
        *(new_code_cell("1", execution_count=1, outputs=[output]) for output in outputs),
        *notebook.cells,
        new_markdown_cell(END),
    ]
    for cell in notebook.cells:
        cell.metadata["trusted"] = True
    state = {"value": f'<img src=x onerror="{ran("widget")}">', "layout": "IPY_MODEL_b"}
    named = {"model_module": "@jupyter-widgets/controls", "model_module_version": "2.0.0"}
    layout = {"model_module": "@jupyter-widgets/base", "model_module_version": "2.0.0"}
    models = {
        "a": {"model_name": "HTMLModel", "state": state} | named,
        "b": {"model_name": "LayoutModel", "state": {}} | layout,
    }
    widgets = {"version_major": 2, "version_minor": 0, "state": models}
    notebook.metadata["widgets"] = {WIDGET.format("state"): widgets}
    return notebook


def submit(course, address, trace):
    """Hand in a notebook and, beside it, every kind of file that something may execute."""
    folder = course / "submitted" / STUDENT / QUICK_LESSON
    folder.mkdir(parents=True)
    name = f"{QUICK_LESSON}.ipynb"
    notebook = nbformat.read(course / "release" / QUICK_LESSON / name, as_version=4)
    nbformat.write(hostile(notebook, address), folder / name)
    leave = f"open({str(trace)!r}, 'a').write(__file__ + '\\n')\n"
    for module in MODULES:
        (folder / f"{module}.py").write_text(leave, "utf8")
    (folder / "startup.pth").write_text(f"import os; open({str(trace)!r}, 'a')\n", "utf8")
    script = f"<script>{ran('file')}</script>"
    (folder / "page.html").write_text(f"{SEEN}{script}", "utf8")
    picture = f'<svg xmlns="http://www.w3.org/2000/svg"><text y="20">{SEEN}</text>{script}</svg>'
    (folder / "picture.svg").write_text(picture, "utf8")
    (folder / f"<img src=x onerror={ran('name')}>.txt").touch()


def scroll_through(page):
    """Have JupyterLab render every cell of the notebook in front."""
    cells = page.locator(".jp-Notebook:visible .jp-RenderedMarkdown")
    cells.filter(has_text=SEEN).first.hover()
    end = cells.filter(has_text=END)
    while not (end.count() and (box := end.first.bounding_box()) and box["y"] < 900):
        page.mouse.wheel(0, 500)
        page.wait_for_timeout(100)


def scripts_that_ran(page):
    """Their names."""
    return page.evaluate(
        "Object.entries(document.documentElement.dataset)"
        ".filter(([_, value]) => value === 'ran').map(([name]) => name)"
    )


def test_nothing_of_a_submission_runs_when_it_is_opened(instructor, sit_down, tmp_path):
    trace = tmp_path / "trace"
    instructor.run("autograder", "release", QUICK_LESSON)
    window = sit_down("opening", instructor)
    page = window.page
    page.wait_for_url("http://**/lab**")
    submit(instructor.folder, page.url.partition("/lab")[0], trace)
    instructor.run("autograder", "grade", QUICK_LESSON)
    trace.unlink(missing_ok=True)  # where there is no sandbox, grading runs what is in the folder
    lab, formgrader = JupyterLab(page), Formgrader(page)

    for stage in ("submitted", "autograded"):
        lab.open_folder(stage, STUDENT, QUICK_LESSON)
        lab.open_file(f"{QUICK_LESSON}.ipynb")
        Notebook(page).wait_for_kernel()
        scroll_through(page)
        window.shot(f"the {stage} notebook")
        lab.open_file("page.html")
        expect(
            page.frame_locator(".jp-HTMLViewer:visible iframe").get_by_text(SEEN)
        ).to_be_visible()
        lab.open_file("picture.svg")
        expect(page.locator(".jp-ImageViewer:visible img")).to_be_visible()

    lab.choose("Nbgrader", "Formgrader")
    formgrader.go("Manual Grading", QUICK_LESSON, QUICK_LESSON, "Submission #1")
    expect(formgrader.frame.get_by_text(SEEN).first).to_be_visible()
    window.shot("the formgrader")
    assert scripts_that_ran(page) == []
    assert not trace.exists(), trace.read_text()
