"""A lesson's written questions, and students' answers to them, as HTML that can do nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.filters import strip_ansi
from nbformat import NotebookNode

from autograder.cells import (
    BEGIN_SOLUTION,
    END_SOLUTION,
    grade_id,
    is_manually_graded,
    title,
)
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.execution.outputs import clean
from autograder.feedback.page import pictures
from autograder.feedback.sanitize_html import (
    CODE,
    MARKDOWN,
    PICTURE,
    as_text,
    highlight_code,
    render_markdown,
    renderer_of,
    without_places,
)
from autograder.marking.formulas import FormulaRenderer

_MOST_HTML = 20_000_000
"""Characters of a whole notebook, pictures included."""


@dataclass(frozen=True)
class Question:
    """A question that people mark the answers to.

    Args:
        name: its grade_id.
        notebook: the notebook that asks it.
        points: the most that an answer can get.
        task: the text above it, as HTML.
        solution: the model answer, as HTML.
    """

    name: str
    notebook: str
    points: float
    task: str
    solution: str

    @property
    def title(self) -> str:
        """Its name for people."""
        return title(self.name)


def written_questions(course: CourseFolder, lesson: str) -> list[Question]:
    """The questions of a lesson that people mark, in order.

    Raises:
        CourseError: when a notebook with solutions can't be read.
    """
    return [
        question
        for path in sorted((course.folder("source") / lesson).glob("*.ipynb"))
        for question in _questions(path)
    ]


def _questions(path: Path) -> Iterator[Question]:
    try:
        cells = nbformat.read(path, as_version=4).cells
    except Exception as error:
        raise CourseError(f"{path} can't be read as a notebook: {error}") from None
    for position, cell in enumerate(cells):
        if is_manually_graded(cell):
            above = (each for each in reversed(cells[:position]) if each.cell_type == "markdown")
            task = next(above, None)
            yield Question(
                grade_id(cell) or "",
                path.stem,
                float(cell.metadata.nbgrader.points),
                as_html(task) if task else "",
                as_html(cell, _solution(cell.source)),
            )


def _solution(source: str) -> str:
    """The model answer in an answer cell."""
    _, begun, rest = source.partition(BEGIN_SOLUTION)
    return rest.partition(END_SOLUTION)[0].strip() if begun else source


def find_answer(
    course: CourseFolder, student: str, lesson: str, question: Question
) -> NotebookNode:
    """The cell with a student's answer, as it was graded.

    Raises:
        CourseError: when the graded notebook is gone, or has no such cell.
    """
    cells = _graded_cells(course, student, lesson, question)
    return next(cell for cell in cells if grade_id(cell) == question.name)


def _graded_cells(
    course: CourseFolder, student: str, lesson: str, question: Question
) -> list[NotebookNode]:
    path = course.autograded(student, lesson, question.notebook)
    try:
        cells = nbformat.v4.reads(path.read_text("utf8")).cells
    except (OSError, ValueError):
        cells = []
    if not any(grade_id(cell) == question.name for cell in cells):
        raise CourseError(
            "The graded notebook with this answer is gone. `autograder grade` makes it again."
        )
    return cells


def notebook_as_html(
    course: CourseFolder, student: str, lesson: str, question: Question
) -> list[dict[str, Any]]:
    """A student's notebook, as it was graded: for each cell, its type, what it says and put out as
    HTML that can do nothing, and whether it answers the question.

    Raises:
        CourseError: when the graded notebook is gone, or has no such cell.
    """
    shown, left = [], _MOST_HTML
    for cell in _graded_cells(course, student, lesson, question):
        html = as_html(cell) + "".join(map(_output_as_html, clean(cell.get("outputs", []))))
        left -= len(html)
        if left < 0:
            html = as_text("[left out: the notebook is too long]")
        here = grade_id(cell) == question.name
        shown.append({"kind": cell.cell_type, "html": html, "here": here})
    return shown


def _output_as_html(output: dict[str, Any]) -> str:
    """An output's text or picture."""
    data = output.get("data", {})
    for kind in ("image/png", "image/jpeg"):
        if kind in data:
            source = escape(f"data:{kind};base64,{data[kind]}")
            return f'<img src="{source}" alt="{PICTURE}">'
    text = output.get("text") or data.get("text/plain") or "\n".join(output.get("traceback", []))
    return as_text(without_places(strip_ansi(text))) if text else ""


def as_html(cell: NotebookNode, source: str | None = None) -> str:
    """What a cell says, as HTML without scripts, styles and anything from elsewhere.

    Args:
        cell: of Markdown, code or text.
        source: a part of what it says; all of it if left out.
    """
    text = without_places(cell.source if source is None else source)
    if cell.cell_type == "code":
        return highlight_code(text) if len(text) <= CODE.piece else as_text(text)
    if cell.cell_type != "markdown" or len(text) > MARKDOWN.piece:
        return as_text(text)
    renderer = renderer_of(FormulaRenderer, pictures(cell.get("attachments")))
    return renderer.with_formulas(render_markdown(text, renderer))
