"""Features that identify a lesson's notebooks: nbgrader's cell ids, and the released texts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from autograder.cells import ReleasedAnswers
from autograder.course_folder import CourseFolder
from autograder.sanitize.reader import NotANotebook, parse_notebook, stated_name


def lesson_ids(folder: Path) -> Mapping[str, frozenset[str]]:
    """The ids in each notebook of a lesson, by its name; none if it can't be read."""
    return {path.name: _ids(path.read_bytes()) for path in sorted(folder.glob("*.ipynb"))}


def _ids(content: bytes) -> frozenset[str]:
    try:
        return frozenset(filter(None, map(stated_name, parse_notebook(content, []).cells)))
    except NotANotebook:
        return frozenset()


def released(course: CourseFolder, lesson: str) -> Mapping[str, ReleasedAnswers]:
    """The texts of answer cells in any released version, by notebook and id, from the gradebook."""
    if not course.has_gradebook:
        return {}
    from nbgrader.api import MissingEntry  # slow to import

    from autograder.gradebook.schema import released_answers

    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        try:
            return released_answers(gradebook, lesson)
        except MissingEntry:
            return {}
