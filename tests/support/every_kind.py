"""A lesson that has every kind of cell, released, and what becomes of a submission of it."""

import copy
import json

import nbformat
from nbconvert.exporters.exporter import ResourcesDict
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Gradebook
from nbgrader.utils import compute_checksum

from autograder.cells import grade_id
from autograder.course_folder import CourseFolder
from autograder.gradebook.releases import known_tasks, released_answers
from autograder.grading.converter import converter_of
from autograder.record import RESULT, NotebookResult
from autograder.sanitize.reader import parse_notebook
from tests.conftest import write_configuration

LESSON = "every-kind"
TEST = """assert {0}(1) == {1}
### BEGIN HIDDEN TESTS
assert {0}(2) == 2 * {1}
### END HIDDEN TESTS"""
SOLUTION = """def {0}(x):
    ### BEGIN SOLUTION
    return {1} * x
    ### END SOLUTION"""


def marked(new_cell, name, source, tags=(), **marks):
    """A cell that nbgrader knows, as an instructor writes it."""
    flags = {"grade": False, "solution": False, "task": False, "locked": False}
    metadata = {"nbgrader": flags | {"grade_id": name, "schema_version": 3} | marks}
    if tags:
        metadata["tags"] = list(tags)
    return new_cell(source, id=name, metadata=metadata)


def exercise(name, factor, points):
    graded = {"grade": True, "locked": True, "points": points}
    test = TEST.format(name, factor)
    return [
        new_markdown_cell(f"Write {name}.", id=f"task-{name}"),
        marked(new_code_cell, name, SOLUTION.format(name, factor), solution=True),
        marked(new_code_cell, f"test_{name}", test, ["raises-exception"], **graded),
    ]


def lesson():
    """A notebook with solutions that has every kind of cell."""
    by_hand = {"grade": True, "solution": True}
    essay, plan = "### BEGIN SOLUTION\nWell, {}.\n### END SOLUTION", "# your plan"
    cells = [
        new_markdown_cell("# Every kind", id="title"),
        new_code_cell("import os", id="setup"),
        marked(new_code_cell, "constants", "SCALE = 1", locked=True),
        *exercise("double", 2, 2),
        new_code_cell("double(\n    21\n)", id="show", metadata={"tags": ["demonstration"]}),
        *exercise("triple", 3, 3),
        new_code_cell("1 / 0", id="fails", metadata={"tags": ["raises-exception"]}),
        new_code_cell("input()", id="never", metadata={"tags": ["skip-execution"]}),
        marked(new_markdown_cell, "essay", essay, points=4, **by_hand),
        marked(new_code_cell, "plan", plan, points=1, **by_hand),
        marked(new_markdown_cell, "project", "Build it.", task=True, locked=True, points=5),
    ]
    spec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(
        cells=cells, metadata={"kernelspec": spec, "language_info": {"name": "python"}}
    )


ANSWERS = {
    "double": "def double(x):\n    return x + x",
    "triple": "def triple(x):\n    return x + x + x",
    "essay": "Because.",
    "plan": "# first this, then that",
}


def as_read(notebook, repairs):
    """What grading reads of a notebook, given as its content or as the bytes of its file."""
    content = notebook if isinstance(notebook, bytes) else json.dumps(notebook).encode()
    return parse_notebook(content, repairs)


class Released:
    """The lesson, released in a course folder: what students get, and what repairs them."""

    def __init__(self, root):
        write_configuration(root)
        source = root / "source" / LESSON / f"{LESSON}.ipynb"
        source.parent.mkdir(parents=True)
        nbformat.write(lesson(), source)
        course = CourseFolder(root)
        assert course.run("generate_assignment", LESSON) is None
        self.root = course.root
        self.source = nbformat.read(source, as_version=4)
        self.released = nbformat.read(course.release(LESSON), as_version=4)
        converter = converter_of(course, LESSON, force=False, all_cells=False)
        self.database = converter.coursedir.db_url
        for each in converter.sanitize_preprocessors:
            converter.exporter.register_preprocessor(each)
        with Gradebook(self.database) as gradebook:
            self.recognised_by = known_tasks(gradebook, LESSON), released_answers(gradebook, LESSON)
        self._preprocessors = list(converter.exporter._preprocessors)
        self._converter = converter

    def answered(self):
        """What an honest student hands in."""
        notebook = copy.deepcopy(self.released)
        for cell in notebook.cells:
            cell.source = ANSWERS.get(grade_id(cell), cell.source)
        return notebook

    def repair(self, notebook):
        """What becomes of a submission.

        Args:
            notebook: its content, or the bytes of its file.

        Returns:
            The notebook that would be executed, and the repairs.
        """
        told = []
        submitted = as_read(notebook, told)
        result = NotebookResult(repairs=tuple(told))
        names = {"student": "ada", "assignment": LESSON, "notebook": LESSON}
        resources = ResourcesDict(nbgrader=names | {"db_url": self.database})
        resources[RESULT] = result
        for preprocessor in self._preprocessors:
            submitted, resources = preprocessor(submitted, resources)
        nbformat.validate(submitted)
        self.result = resources[RESULT]
        return submitted, list(self.result.repairs)

    def repair_alone(self, submitted):
        """The same, without nbgrader's own steps."""
        names = {"student": "ada", "assignment": LESSON, "notebook": LESSON}
        resources = ResourcesDict(nbgrader=names | {"db_url": self.database})
        return self._preprocessors[0](submitted, resources)

    def assert_is_the_lesson(self, notebook):
        """Every cell that nbgrader knows is there, once, in order, with the instructor's words."""
        named = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
        originals = [cell for cell in self.source.cells if "nbgrader" in cell.metadata]
        released = {grade_id(cell): cell for cell in self.released.cells}
        assert [grade_id(cell) for cell in named] == [grade_id(cell) for cell in originals]
        for cell, original in zip(named, originals, strict=True):
            theirs = released[grade_id(cell)]
            assert (cell.id, cell.cell_type) == (original.id, original.cell_type)
            assert without_checksum(cell.metadata) == without_checksum(theirs.metadata)
            if cell.metadata.nbgrader.solution:
                assert cell.metadata.nbgrader.checksum == theirs.metadata.nbgrader.checksum
            else:
                assert cell.source == original.source
                assert cell.metadata.nbgrader.checksum == compute_checksum(cell)
                assert "attachments" not in cell
        assert notebook.metadata.kernelspec == self.source.metadata.kernelspec
        assert set(notebook.metadata) <= {"kernelspec", "language_info", "course"}
        ordinary = [cell.metadata for cell in self.source.cells if "nbgrader" not in cell.metadata]
        for cell in notebook.cells:
            if "nbgrader" not in cell.metadata:
                assert cell.metadata in ({}, *ordinary)


def without_checksum(metadata):
    marks = {key: value for key, value in metadata["nbgrader"].items() if key != "checksum"}
    return dict(metadata) | {"nbgrader": marks}
