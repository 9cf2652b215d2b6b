"""Find a lesson's notebooks, as listed in the gradebook, among the files of a submission."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from autograder.cells import ReleasedAnswers
from autograder.gradebook.releases import known_tasks, released_answers
from autograder.sanitize.reader import NotANotebook, parse_notebook
from autograder.sanitize.recognition import MOST_NOTEBOOK_BYTES, NO_TASKS, ids_in, recognise
from autograder.sanitize.submission import (
    SubmissionRefused,
    missing,
    notebooks_in,
    read_submitted,
)


@dataclass(frozen=True)
class MatchedNotebook:
    """A file that is graded as one of the lesson's notebooks.

    Args:
        path: the file's path, whatever its name.
        remarks: remarks on it and on files next to it.
        parsed: what ``parse_notebook`` made of it, with the repairs, if it was needed before.
    """

    path: Path
    remarks: Sequence[str]
    parsed: tuple[NotebookNode, Sequence[str]] | None = None

    def read(self, repairs: list[str]) -> NotebookNode:
        """Read it: see ``read_submitted``."""
        if self.parsed is None:
            return read_submitted(self.path, repairs)
        notebook, before = self.parsed
        repairs += before
        return notebook


class LessonNotebooks:
    """The notebooks of a lesson.

    Args:
        coursedir: nbgrader's course directory, with ``assignment_id`` set.
    """

    def __init__(self, coursedir: CourseDirectory) -> None:
        self._gradebook = coursedir.db_url, coursedir.course_id
        self._lesson = coursedir.assignment_id
        self._source = coursedir.format_path(coursedir.source_directory, ".", self._lesson)

    @cached_property
    def _tasks(self) -> Mapping[str, frozenset[str]]:
        with Gradebook(*self._gradebook) as gradebook:
            return known_tasks(gradebook, self._lesson)

    @cached_property
    def _released(self) -> Mapping[str, ReleasedAnswers]:
        with Gradebook(*self._gradebook) as gradebook:
            return released_answers(gradebook, self._lesson)

    @property
    def names(self) -> list[str]:
        """Their names, without an ending."""
        return [name.removesuffix(".ipynb") for name in self._tasks]

    def handed_in(self, folder: Path) -> dict[str, MatchedNotebook]:
        """The files that are to be graded, by the name of the lesson's notebook.

        Args:
            folder: of a submission.

        Raises:
            SubmissionRefused: when there are none, one isn't a file or has none of the tasks, or
                nothing says which one counts.
        """
        paths = {path.name: path for path in notebooks_in(folder, self.names)}
        small = {
            name: path
            for name, path in paths.items()
            if name in self._tasks or path.stat().st_size <= MOST_NOTEBOOK_BYTES
        }
        found = recognise(
            {name: path.read_bytes for name, path in small.items()},
            self._tasks,
            lambda: self._released,
        )
        if found.unsure:
            raise SubmissionRefused("; ".join(found.unsure.values()))
        if not found.files:
            raise SubmissionRefused(missing(folder, self.names))
        return {
            name.removesuffix(".ipynb"): MatchedNotebook(
                paths[file],
                found.remarks.get(name, ()),
                # Then it's known by its name alone.
                self._check_tasks(paths[file]) if file == name else None,
            )
            for name, (file, *_) in sorted(found.files.items())
        }

    def _check_tasks(self, path: Path) -> tuple[NotebookNode, Sequence[str]] | None:
        """Check that a notebook has a cell of the lesson, in any version: if all of them had to be
        added, it would earn nothing, although it may have answers.

        Returns:
            The notebook with the repairs, if it could be read, and had to be.
        """
        tasks, repairs = self._tasks[path.name], list[str]()
        if not tasks or path.stat().st_size > MOST_NOTEBOOK_BYTES:
            return None
        try:
            notebook = parse_notebook(path.read_bytes(), repairs)
        except NotANotebook:
            return None  # that is said of it where it's read
        ids = ids_in(notebook)
        if notebook.cells and not ids & tasks:
            more = {*self._released.get(path.name, ()), *self._ids_in_source(path.name)}
            if ids.isdisjoint(more):
                raise SubmissionRefused(f"{path.name}: {NO_TASKS}")
        return notebook, repairs

    def _ids_in_source(self, name: str) -> frozenset[str]:
        """A cell without metadata is known by the id that the instructor's has."""
        source = Path(self._source, name)
        return ids_in(parse_notebook(source.read_bytes(), [])) if source.is_file() else frozenset()
