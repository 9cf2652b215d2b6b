"""``nbgrader autograde`` and the formgrader's button, which do what ``autograder grade`` does."""

from __future__ import annotations

import glob
from copy import deepcopy
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbgrader.converters import NbGraderException

from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.execution.executor import LocalPool
from autograder.grading.batch import grade
from autograder.names import join_names
from selfcheck.responses import printable


class AutogradeAdapter(NotebookExporter):
    """Has nbgrader's autograding done here.

    nbgrader creates its exporter before it removes a first result or copies a file, and the
    exporter is the only part of that command whose class a configuration may name. Its own loop
    removes earlier results, and stops at what a submission may hold.

    Args:
        kwargs: of ``NotebookExporter``; ``parent`` is nbgrader's converter.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._converter: Any = kwargs["parent"]
        self._converter.convert_notebooks = self._grade

    def _grade(self) -> None:
        """Grade the submissions that the command names.

        Raises:
            NbGraderException: when one of them was not graded.
        """
        converter, coursedir = self._converter, self._converter.coursedir
        config = deepcopy(converter.config)  # with what the command line adds to the file
        config.CourseDirectory.root = coursedir.root
        config.Autograde.create_student = converter.create_student
        if not config.Execute.get("enabled", True):
            self._fail("--no-execute would count the outputs that students saved: leave it out")
        if coursedir.notebook_id != "*":
            self.log.warning("Submissions are graded whole, with all of their notebooks.")
        # With kernels that the formgrader's next submission is forked from, too.
        pool = LocalPool(stays=True)
        graded, problems = 0, []
        try:
            course = CourseFolder(Path(coursedir.root), config)
            lesson, students = coursedir.assignment_id, self._students()
            for row in grade(course, lesson, students, force=converter.force, pool=pool):
                if row.problem:
                    problems.append(row.problem.removeprefix("not graded: "))
                    self.log.error("%s was not graded: %s", printable(row.student), problems[-1])
                else:
                    graded += 1
                    self.log.info("%s: %g points", printable(row.student), row.points)
        except CourseError as error:
            self._fail(str(error).removeprefix("Nothing was graded: "))
        if problems and not graded:
            self._fail(join_names(list(dict.fromkeys(problems))))
        if problems:
            raise NbGraderException(f"{len(problems)} submissions were not graded: see the log")

    def _students(self) -> list[str]:
        """Whose submissions the command names, also those that nbgrader finds no notebook in."""
        coursedir = self._converter.coursedir
        submitted = coursedir.submitted_directory
        pattern = coursedir.format_path(submitted, coursedir.student_id, coursedir.assignment_id)
        names = {Path(path).parent.name for path in glob.glob(pattern)}  # noqa: PTH207 - nbgrader's
        return sorted(names.difference(coursedir.student_id_exclude.split(",")))

    def _fail(self, why: str) -> None:
        self.log.error("Nothing was graded: %s", why)
        raise NbGraderException(f"Nothing was graded: {why}")
