"""The instructor's command where a kernel is needed."""

import re

import nbformat

from autograder.course_folder import CourseFolder
from autograder.release.generate import release
from tests.conftest import LESSON, QUICK_LESSON, REPOSITORY


def test_a_cell_pasted_twice_is_graded_once_and_reported(small_course, autograder):
    course = CourseFolder(small_course)
    release(course, LESSON)
    notebook = nbformat.read(course.release(LESSON), as_version=4)
    graded = next(cell for cell in notebook.cells if cell.id == "test_average_attention")
    notebook.cells.append(nbformat.from_dict(graded | {"id": "pasted"}))
    target = course.submitted("ada", LESSON)
    target.mkdir(parents=True)
    nbformat.write(notebook, target / f"{LESSON}.ipynb")
    result = autograder("grade", LESSON, course=course.root)
    assert result.code == 0
    assert "Repaired before grading" in result.out
    assert "2 cells are named test_average_attention" in result.out


def test_a_demonstration_fits_a_screen(tmp_path, autograder):
    into = str(tmp_path / "made")
    told = autograder("demo", QUICK_LESSON, "--into", into, course=REPOSITORY)
    assert told.code == 0, told.err
    assert len(re.findall(r"^wrong_\w+ loses [\d.]+ of [\d.]+ points in ", told.out, re.M)) == 3
    assert len(told.out.splitlines()) <= 50
    assert len([*(tmp_path / "made" / "submitted").iterdir()]) == 8
