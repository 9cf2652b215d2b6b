"""Find a lesson's notebooks, as listed in the gradebook, among the files of a submission."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from autograder.cells import ReleasedAnswers
from autograder.gradebook.schema import known_tasks, released_answers
from autograder.sanitize.reader import NotANotebook, parse_notebook
from autograder.sanitize.recognition import MOST_NOTEBOOK_BYTES, NO_TASKS, ids_in, recognise
from autograder.sanitize.submission import SubmissionRefused, missing, notebooks_in


@dataclass(frozen=True)
class MatchedNotebook:
    """A file that is graded as one of the lesson's notebooks.

    Args:
        path: the file's path, whatever its name.
        remarks: remarks on it and on files next to it.
    """

    path: Path
    remarks: Sequence[str]


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
        for name, (file, *_) in found.files.items():
            if file == name:  # known by its name alone
                self._check_tasks(paths[file])
        return {
            name.removesuffix(".ipynb"): MatchedNotebook(paths[file], found.remarks.get(name, ()))
            for name, (file, *_) in sorted(found.files.items())
        }

    def _check_tasks(self, path: Path) -> None:
        """Check that a notebook has a cell of the lesson, in any version: if all of them had to be
        added, it would earn nothing, although it may have answers."""
        tasks = self._tasks[path.name]
        if not tasks or path.stat().st_size > MOST_NOTEBOOK_BYTES:
            return
        try:
            notebook = parse_notebook(path.read_bytes(), [])
        except NotANotebook:
            return  # that is said of it where it's read
        ids = ids_in(notebook)
        if not notebook.cells or ids & tasks:
            return
        if ids.isdisjoint({*self._released.get(path.name, ()), *self._ids_in_source(path.name)}):
            raise SubmissionRefused(f"{path.name}: {NO_TASKS}")

    def _ids_in_source(self, name: str) -> frozenset[str]:
        """A cell without metadata is known by the id that the instructor's has."""
        source = Path(self._source, name)
        return ids_in(parse_notebook(source.read_bytes(), [])) if source.is_file() else frozenset()
