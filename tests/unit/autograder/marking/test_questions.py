"""Answers are shown as students wrote them, and can do nothing."""

import re
import time

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from autograder.course_folder import CourseFolder
from autograder.marking.questions import as_html, written_questions
from tests.conftest import REPOSITORY


def shown(text):
    return as_html(new_markdown_cell(text))


def test_a_question_comes_with_its_task_and_its_model_answer():
    questions = written_questions(CourseFolder(REPOSITORY), "03-attention")
    (why,) = (question for question in questions if question.name == "why_the_root")
    assert (why.title, why.notebook, why.points) == ("why the root", "03-attention", 1.0)
    assert "A layer has 1 head" in why.task
    assert "variance 256" in why.solution
    assert "SOLUTION" not in why.solution


def test_formulas_are_drawn_by_the_browser_alone():
    html = shown(r"So $\frac{1}{\sqrt{d_k}}$, and $$w (1 - w).$$ It costs $5.")
    assert re.search("<mfrac>.*<msqrt>.*<msub><mi>d</mi><mi>k</mi></msub>", html)
    assert '<math display="block">' in html
    assert "costs $5." in html
    assert "script" not in html


@pytest.mark.parametrize(
    "formula",
    [
        r"\text{<script>alert(1)</script>}",
        r"\text{<img src=x onerror=alert(1)>}",
        r"\href{javascript:alert(1)}{x}",
        r"\style{position:fixed}{x}",
        r"\color{url(https://elsewhere)}{x}",
        r"\class{judged}{x}",
        "{" * 900,
        r"\frac" * 150 + "1" * 151,
        "x" * 2_000,
    ],
)
def test_a_formula_can_ask_for_nothing_else(formula):
    started = time.process_time()
    html = shown(f"${formula}$")
    assert time.process_time() - started < 1
    assert not re.search(r"<(script|img|a)\b|<[^>]*\b(href|style|class|on\w+|mathcolor)=", html)


def test_a_formula_in_an_attribute_stays_there():
    html = shown('![$x$](a.png) <img src="b.png" alt="> $y$"> [z](https://e.org "$z$")')
    for tag in re.findall(r'<(?:"[^"]*"|[^>"])*>', html):
        assert "<math" not in tag or tag.startswith("<math")
    assert html.count('"') % 2 == 0


def test_pictures_of_their_own_are_shown_and_nothing_is_loaded_from_elsewhere():
    cell = new_markdown_cell("![mine](attachment:a.png) ![theirs](https://elsewhere/b.png)")
    cell.attachments = {"a.png": {"image/png": "iVBORw0KGgo="}}
    html = as_html(cell)
    assert 'src="data:image/png;base64,iVBORw0KGgo="' in html
    assert 'src="https' not in html


@pytest.mark.parametrize("text", ["<script>x()</script>", "<style>*{}</style>", "<iframe src=x>"])
@pytest.mark.parametrize("cell", [new_markdown_cell, new_raw_cell, new_code_cell])
def test_no_kind_of_cell_can_run_anything(cell, text):
    html = as_html(cell(f"before {text} after"))
    assert not re.search("<(script|style|iframe)", html)
    assert "before" in html


@pytest.mark.parametrize("text", ["", "x" * 5_000_000, "#" * 9_000, "[" * 9_000, "\u202e\u0000"])
def test_odd_answers_are_shown_within_a_second(text):
    started = time.process_time()
    assert isinstance(shown(text), str)
    assert time.process_time() - started < 1
