"""Find answers that a student wrote next to a written question's cell instead of into it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Set

from nbformat import NotebookNode

from autograder.cells import grade_id, is_manually_graded, lines, parse_code
from autograder.sanitize.expected_cells import RequiredNotebook

_LONGEST = 20_000
"""Maximum number of characters that are moved."""


def take_in_answers(
    nb: NotebookNode, lesson: RequiredNotebook, repairs: list[str], *, apart: Set[str] = frozenset()
) -> None:
    """Move text next to an unanswered written question into its cell for manual grading. Text is
    next to it if no other cell of the lesson is between them.

    Args:
        nb: the rebuilt submission.
        lesson: the expected cells.
        repairs: a line is added for each such question.
        apart: ids of cells that can't be answers.
    """
    questions = {named.name: named for named in lesson.named if is_manually_graded(named.cell)}
    for position, cell in enumerate(nb.cells):
        named = questions.get(grade_id(cell) or "")
        if named is None or lines(cell.source) != lines(named.released):
            continue
        above = list(_near(reversed(nb.cells[:position])))
        around = (*reversed(above), *_near(nb.cells[position + 1 :]))
        near = [each for each in around if each.id not in apart]
        added = [text for each in near if (text := _written(lesson, each, cell.cell_type))]
        if added:
            text = "\n\n".join(added)[:_LONGEST]
            if cell.cell_type == "code":  # not to be executed twice
                text = "\n".join(f"# {line}" for line in text.splitlines())
            cell.source = f"{cell.source}\n\n{text}"
            repairs.append(
                f"{named} is untouched: text next to it was moved into it for manual grading"
            )


def _near(cells: Iterable[NotebookNode]) -> Iterator[NotebookNode]:
    """The cells before the first one that nbgrader knows."""
    for cell in cells:
        if grade_id(cell):
            return
        yield cell


def _written(lesson: RequiredNotebook, cell: NotebookNode, kind: str) -> str:
    """What a student added in a cell: prose, or code if the question asks for code."""
    added = lesson.added_in(cell)
    if cell.cell_type != "code" or kind == "code":
        return added
    # An answer may be in a code cell by mistake, as a comment, a string, or something not Python.
    is_prose = all(
        isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
        for each in parse_code(added).body
    )
    return added if is_prose else ""
