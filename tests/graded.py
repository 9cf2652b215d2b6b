"""What the records of graded notebooks say."""

import nbformat

from autograder.grading.results import judged_cells
from autograder.result import NotebookResult


def verdicts_in(notebook):
    """The judge's verdicts in a graded notebook, or in the file of one, by grade_id."""
    if not isinstance(notebook, nbformat.NotebookNode):
        notebook = nbformat.read(notebook, as_version=4)
    return {name: judged.verdict for name, judged in judged_cells(notebook).items()}


def record_of(path):
    """A graded notebook's record."""
    return NotebookResult.read(nbformat.read(path, as_version=4))
