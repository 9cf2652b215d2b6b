"""What the records of graded notebooks say."""

import nbformat

from autograder.grading import results
from autograder.record import NotebookResult


def verdicts_in(notebook):
    """The judge's verdicts in a graded notebook, or in the file of one, by grade_id."""
    if not isinstance(notebook, nbformat.NotebookNode):
        notebook = nbformat.read(notebook, as_version=4)
    return {name: verdict for name, (verdict, _) in results.verdicts_in(notebook).items()}


def record_of(path):
    """A graded notebook's record."""
    return NotebookResult.read(nbformat.read(path, as_version=4))
