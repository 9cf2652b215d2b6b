"""Which lesson a notebook is of, whatever its name: known by the ids of nbgrader's cells in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from autograder.course_folder import CourseFolder
from autograder.exchange.archives import Member, Unreadable
from autograder.grading.reading import NotANotebook, read, stated_name

MOST_NOTEBOOK_BYTES = 20_000_000
"""A larger notebook isn't looked into."""

_MOST_NOTEBOOKS = 20


def grade_ids(content: bytes) -> frozenset[str]:
    """The ids of nbgrader's cells in a notebook; none where it isn't one."""
    try:
        return frozenset(filter(None, map(stated_name, read(content, []).cells)))
    except NotANotebook:
        return frozenset()


def possible_ids(content: bytes) -> frozenset[str]:
    """The ids that cells of a student's notebook may have: grading also knows a cell that lost its
    metadata by its own id.

    Raises:
        Unreadable: when it is not a notebook.
    """
    try:
        cells = read(content, []).cells
    except NotANotebook as error:
        raise Unreadable(f"it can't be read as a notebook: {error}") from None
    own = (name for cell in cells for name in (stated_name(cell), cell.get("id")))
    return frozenset(filter(None, own))


def lesson_ids(folder: Path) -> Mapping[str, frozenset[str]]:
    """The ids in each notebook of a lesson, by its name."""
    return {path.name: grade_ids(path.read_bytes()) for path in sorted(folder.glob("*.ipynb"))}


def released_ids(course: CourseFolder, lesson: str) -> frozenset[str]:
    """The ids in any version of a lesson that was released, as the gradebook remembers them."""
    if not course.has_gradebook:
        return frozenset()
    from nbgrader.api import MissingEntry  # not before it is needed

    from autograder.grading.memory import released_versions

    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        try:
            notebooks = gradebook.find_assignment(lesson).notebooks
        except MissingEntry:
            return frozenset()
        versions = (each for known in notebooks for each in released_versions(gradebook, known))
        return frozenset(cell.name for version in versions for cell in version if cell.name)


_ENDINGS = (".ipynb", ".ipynb.txt", ".ipynb.json")  # as browsers save what they show as text


def holding(
    files: Mapping[tuple[str, ...], Member], wanted: frozenset[str]
) -> list[tuple[str, ...]]:
    """The notebooks that hold most of a lesson's tasks, and as many of them as any other does.

    Args:
        files: a student's.
        wanted: the ids in the lesson's notebook.
    """
    notebooks = [path for path in files if path[-1].lower().endswith(_ENDINGS)]
    if not wanted or len(notebooks) > _MOST_NOTEBOOKS:
        return []
    shared = {path: len(wanted & _ids(files[path])) for path in notebooks}
    best = max(shared.values(), default=0)
    return sorted(path for path in notebooks if shared[path] == best and 2 * best >= len(wanted))


def _ids(file: Member) -> frozenset[str]:
    if file.problem or file.size > MOST_NOTEBOOK_BYTES:
        return frozenset()
    try:
        return grade_ids(b"".join(file.chunks()))
    except Unreadable:
        return frozenset()
