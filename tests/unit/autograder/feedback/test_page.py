"""Feedback pages: verdicts are drawn from data, and what a student wrote is text."""

import re
import sys
import time
from functools import cache
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter
from nbconvert.filters import markdown2html as unclean_markdown2html
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.server_extensions.formgrader.formgrader import FormgradeExtension
from traitlets.config import Config

from autograder.cells import grade_id
from autograder.feedback import sanitize_html
from autograder.feedback.page import FeedbackPage, HarmlessNotebook, HideHiddenTests
from autograder.feedback.sanitize_html import clean_html
from autograder.record import CellResult, Judgement, NotebookResult
from selfcheck.verdicts import MIME, Finding, Verdict
from tests.conftest import REPOSITORY
from tests.support.scripts import IMITATION


@cache
def configured():
    """An exporter as ``nbgrader_config.py`` makes it for feedback."""
    config = Config()
    source = (REPOSITORY / "nbgrader_config.py").read_text("utf8")
    exec(compile(source, "nbgrader_config.py", "exec"), {"get_config": lambda: config})
    templates = Path(sys.modules[FormgradeExtension.__module__].__file__).parent / "templates"
    config.HTMLExporter.extra_template_basedirs = [str(templates)]
    config.HTMLExporter.template_name = "formgrade"
    return HTMLExporter(config=config)


def page_of(*cells, record=None, **metadata):
    notebook = new_notebook(cells=list(cells), metadata=metadata)
    if record:
        record.write(notebook)
    return configured().from_notebook_node(notebook, {"index": 0, "total": 1})[0]


def judged_cell(cell_name="test"):
    """A graded cell whose outputs say something else than the record."""
    marks = {"grade_id": cell_name, "grade": True, "solution": False, "locked": True}
    marks |= {"schema_version": 3, "task": False, "points": 1}
    cell = new_code_cell(f"grade('{STEM}', answer)", metadata={"nbgrader": marks})
    forged = Verdict(STEM, (Finding("all", 100, passed=True, seen=""),)).to_json() | {"seed": 1}
    cell.outputs = [new_output("execute_result", {MIME: forged, "text/html": IMITATION})]
    return cell


STEM = "preprocessing.stem"
RECORD = NotebookResult(
    (CellResult("test", 7.0, judged=Judgement(STEM, Verdict(STEM, reason="not answered"), 1)),)
)


def test_a_verdict_is_drawn_from_its_data_and_by_nobody_else():
    imitating = new_code_cell("1", outputs=judged_cell().outputs)
    page = page_of(
        new_markdown_cell(IMITATION),
        new_code_cell("1", outputs=[new_output("display_data", {"text/html": IMITATION})]),
        new_code_cell("1", outputs=[new_output("display_data", {"text/markdown": IMITATION})]),
        imitating,
        judged_cell("graded_by_its_own_tests"),
        judged_cell(),
        record=RECORD,
    )
    document = BeautifulSoup(page, "html.parser")
    (frame,) = document.select(".course-judged")
    assert "0 of 7 points" in frame.get_text()
    assert "1 of 1 points" not in frame.get_text()
    assert document.select("[class^=course-]") == [frame, *frame.select(".course-verdict")]
    assert not [one for one in document.select(".rendered_html *") if one.get("id")]


CRAFTED = {
    "lists": lambda size: [html_output("<ul><li>" * (size // 8))],
    "copied links": lambda size: [
        html_output(f"<p><a href='https://x/{'y' * (size // 2)}'></p>" + "<p>x</p>" * (size // 16))
    ],
    "brackets": lambda size: [new_markdown_cell("[" * size)],
    "fences": lambda size: [new_markdown_cell("```a\n" * (size // 5))],
    "formulas": lambda size: [new_markdown_cell("\\begin{a}" * (size // 9))],
    "empty lines": lambda size: [new_code_cell("    \n" * (size // 5))],
    "many answers": lambda size: [
        new_markdown_cell("```a\n" * 1_900) for _ in range(size // 9_500)
    ],
}


def html_output(html):
    return new_code_cell("1", outputs=[new_output("display_data", {"text/html": html})])


@pytest.mark.parametrize("kind", CRAFTED)
def test_a_page_takes_no_longer_than_its_size_does_whatever_is_in_it(kind):
    def seconds(size):
        start = time.process_time()
        page_of(*CRAFTED[kind](size))
        return time.process_time() - start

    page_of()
    size = 6_000
    assert seconds(8 * size) < 16 * (min(seconds(size), seconds(size)) + 0.05)


EVIL = '"><script>evil()</script>'


@pytest.mark.parametrize(
    "marks",
    [
        {"grade_id": EVIL, "grade": True, "points": EVIL},
        {"grade_id": "a b", "solution": True},
        {"grade_id": ["a"], "grade": True},
        {"grade": True, "solution": True},
        [EVIL],
        EVIL,
    ],
)
def test_metadata_cannot_reach_the_page(marks):
    metadata = {"nbgrader": marks, "tags": [EVIL], "transient": 7, "alt": EVIL, EVIL: EVIL}
    cell = new_code_cell("1", metadata=metadata)
    cell.outputs = [
        new_output(
            "display_data",
            {"image/png": "aGk=", "text/html": "shown"},
            metadata={"image/png": {"width": EVIL, "alt": EVIL}, "text/html": {"isolated": True}},
        )
    ]
    page = page_of(
        cell,
        new_markdown_cell("text", metadata=metadata),
        title=EVIL,
        widgets={"application/vnd.jupyter.widget-state+json": {"a": EVIL}},
    )
    assert "evil" not in page
    assert "shown" in page


def test_outputs_of_types_that_pages_do_not_show_are_named():
    output = new_output("display_data", {"application/javascript": "evil()", "text/x-y": "evil()"})
    page = page_of(new_code_cell("1", outputs=[output]))
    assert "evil" not in page
    assert "[application/javascript, text/x-y]" in page


def test_pictures_of_a_cell_are_shown_if_they_are_pixels():
    cell = new_markdown_cell("![a](attachment:a.png) ![b](attachment:b.svg)")
    cell.attachments = {
        "a.png": {"image/png": "aGk="},
        "b.svg": {"image/svg+xml": "PHN2Zz4=", "image/png": "aG8="},
    }
    page = BeautifulSoup(page_of(cell), "html.parser")
    assert [image["src"][-4:] for image in page.select(".rendered_html img")] == ["aGk=", "aG8="]


@pytest.mark.parametrize(
    "source",
    [
        "![a](attachment:missing.png) words",
        "words " + "<b>" * 30_000,
        "> " * 20_000 + "words",
        "[" * 20_000 + "words",
        "words " * 20_000,
    ],
)
def test_an_answer_that_cannot_be_rendered_is_shown_as_text(source):
    cell = new_markdown_cell(source)
    assert "words" in BeautifulSoup(page_of(cell), "html.parser").get_text()


def test_html_beyond_a_page_is_named_instead_and_verdicts_are_not():
    large = f"<b>{'x' * (sanitize_html.HTML.piece - 8)}</b>"
    outputs = [new_output("display_data", {"text/html": large})] * 20
    page = page_of(new_code_cell("1", outputs=outputs), judged_cell(), record=RECORD)
    assert page.count("<b>xx") == sanitize_html.HTML.page // len(large)
    assert page.count("characters of text/html]") == 20 - page.count("<b>xx")
    assert page.count('class="course-verdict"') == 1


UNDESCRIBED = " alt='A picture without a description'"


REL = 'rel="noopener noreferrer nofollow"'


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ("<p style='position:fixed;padding:2px'>a</p>", "<p>a</p>"),
        ("<td style='margin:-9px;z-index:9;vertical-align:top'>a</td>", "a"),
        ("<div class='course-verdict highlight'>a</div>", "<div class='highlight'>a</div>"),
        ("<a name='top' id='top'>a</a>", f"<a {REL}>a</a>"),
        ("<table style='position:fixed;padding:2px'>", "<table style='padding:2px'></table>"),
        ("<div class='modal' id='test_a'>a</div>", '<div class="">a</div>'),
        ("<span class='nbgrader-label btn nb'>a</span>", "<span class='nb'>a</span>"),
        ("<a href='evil.html'>a</a>", f"<a {REL}>a</a>"),
        ("<a href='//host/'>a</a>", f"<a {REL}>a</a>"),
        ("<a href=' javascript:a()'>a</a>", f"<a {REL}>a</a>"),
        ("<a href='java\nscript:a()'>a</a>", f"<a {REL}>a</a>"),
        (
            "<a href='https://host/' rel='opener' target='_blank'>a</a>",
            f'<a href="https://host/" {REL}>a</a>',
        ),
        ("<img src='https://host/x.png'>", f"<img{UNDESCRIBED}>"),
        ("<img src='../../logout.png'>", f"<img{UNDESCRIBED}>"),
        ("<img src='data:image/svg+xml;base64,aGk='>", f"<img{UNDESCRIBED}>"),
        ("<img src='plot.png'>", f"<img src='plot.png'{UNDESCRIBED}>"),
        ("<img src='plot.png' alt=' a>b'>", "<img src='plot.png' alt=' a&gt;b'>"),
        ("<img src='plot.png' title=' alt=&quot;'>", None),
        ("<form action='/x'><input type='submit'></form>", None),
        ("<meta http-equiv='refresh' content='0'>", None),
        ("<base href='http://host/'>", None),
        ("<math><mtext><style><img src=x onerror=a()></style>", None),
    ],
)
def test_of_html_only_text_tables_and_pictures_are_left(given, left):
    cleaned = clean_html(given)
    elements = {element.name for element in BeautifulSoup(cleaned, "html.parser").find_all()}
    assert elements <= {"p", "table", "div", "span", "a", "img"}
    assert left is None or cleaned.replace("'", '"') == left.replace("'", '"')


def test_every_picture_on_a_feedback_page_has_a_description():
    drawn = {"image/png": "aGk="}
    cells = [
        new_code_cell("1", outputs=[new_output("display_data", drawn)]),
        new_code_cell(
            "2",
            outputs=[new_output("display_data", drawn, metadata={"image/png": {"alt": "A bar"}})],
        ),
        new_code_cell(
            "3", outputs=[new_output("display_data", {"text/html": "<img src='x.png'>"})]
        ),
        new_markdown_cell("![a plot](plot.png) <img src='plot.png'>"),
    ]
    config = configured().config.copy()
    config.FeedbackPage = Config(template_name="classic", preprocessors=[HarmlessNotebook])
    exporter = FeedbackPage(config=config)
    page, _ = exporter.from_notebook_node(new_notebook(cells=cells), {"nbgrader": {}})
    pictures = BeautifulSoup(page, "html.parser").find_all("img")
    none = "A picture without a description"
    assert [picture["alt"] for picture in pictures] == [none, "A bar", none, "a plot", none]


def test_the_lessons_own_text_loses_nothing():
    for path in (REPOSITORY / "source").glob("*/*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                rendered = unclean_markdown2html(cell.source)
                rendered = re.sub(r'<a class="anchor-link".*?</a>| id="[^"]*"', "", rendered)
                before = BeautifulSoup(rendered, "html.parser")
                cleaned = clean_html(rendered).replace(f" {REL}", "")
                assert BeautifulSoup(cleaned, "html.parser") == before


def test_hidden_tests_are_left_out_of_graded_cells_and_of_the_traces_of_their_errors():
    def graded_cell(source):
        marks = {"grade": True, "solution": False, "locked": True, "grade_id": "a", "points": 1}
        error = new_output("error", ename="AssertionError", evalue="no", traceback=["the secret"])
        return new_code_cell(source, metadata={"nbgrader": marks}, outputs=[error])

    hidden = "### BEGIN HIDDEN TESTS\nassert secret\n### END HIDDEN TESTS"
    closed, endless = graded_cell(f"a\n{hidden}\nb"), graded_cell("a\n### BEGIN HIDDEN TESTS\nb")
    student = new_code_cell(f"own\n{hidden}")
    notebook = new_notebook(cells=[closed, endless, student])
    HideHiddenTests().preprocess(notebook, {})
    assert closed.source == "a\nb"
    assert "b" not in endless.source
    assert closed.outputs[0].traceback == ["AssertionError: no"]
    assert grade_id(closed) == "a"
    assert student.source == f"own\n{hidden}"
