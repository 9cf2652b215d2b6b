"""What a lesson's notebooks are known by: the ids of nbgrader's cells, and what was released."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from autograder.cells import Released
from autograder.course_folder import CourseFolder
from autograder.sanitize.reader import NotANotebook, read, stated_name


def lesson_ids(folder: Path) -> Mapping[str, frozenset[str]]:
    """The ids in each notebook of a lesson, by its name; none where it can't be read."""
    return {path.name: _ids(path.read_bytes()) for path in sorted(folder.glob("*.ipynb"))}


def _ids(content: bytes) -> frozenset[str]:
    try:
        return frozenset(filter(None, map(stated_name, read(content, []).cells)))
    except NotANotebook:
        return frozenset()


def released(course: CourseFolder, lesson: str) -> Mapping[str, Released]:
    """What stood in the cells that students answer in, in any version that was released: by
    notebook and by id, as the gradebook remembers it."""
    if not course.has_gradebook:
        return {}
    from nbgrader.api import MissingEntry  # not before it is needed

    from autograder.gradebook.schema import released_answers

    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        try:
            return released_answers(gradebook, lesson)
        except MissingEntry:
            return {}
