"""nbgrader's formgrader for a large class: the same pages, without waiting.

nbgrader asks for the whole class to show one student, and its lists take a query for each row, or
one that repeats a sum for each row. It has no trait for its gradebook or its programming interface,
so the handlers of its pages get ours.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.server_extensions.formgrader import apihandlers, handlers
from nbgrader.server_extensions.formgrader.base import BaseHandler

from autograder.datetimes import parse_timestamp
from autograder.gradebook.listing import ListingGradebook
from autograder.sanitize.submission import TIMESTAMP


class ClassAPI(NbGraderAPI):
    """nbgrader's programming interface, which asks about one student where one is shown."""

    _only: str | None = None
    """The student who is asked about; None is everybody."""

    @contextmanager
    def _about(self, student: str) -> Iterator[None]:
        self._only = student
        try:
            yield
        finally:
            self._only = None

    @property
    def gradebook(self) -> ListingGradebook:
        """The gradebook; the caller closes it."""
        return ListingGradebook(self.coursedir.db_url, self.course_id)

    def get_submission(self, assignment_id: str, student_id: str, **known: Any) -> Any:
        """A student's submission of a lesson, graded or not.

        Args:
            assignment_id: the lesson.
            student_id: the student's id.
            known: what is known of the class, if all its submissions are asked for.
        """
        if known:
            return super().get_submission(assignment_id, student_id, **known)
        with self._about(student_id):
            return super().get_submission(assignment_id, student_id)

    def get_student(self, student_id: str, submitted: set[str] | None = None) -> Any:
        """A student; None where there is none.

        Args:
            student_id: the student's id.
            submitted: the ids of students who handed something in, if they are known.
        """
        with self._about(student_id):
            return super().get_student(student_id, submitted)

    def get_students(self) -> list[dict[str, Any]]:
        """Everybody in the class."""
        if self._only is None:
            students: list[dict[str, Any]] = super().get_students()
            return students
        found = super().get_student(self._only)
        return [found] if found else []

    def get_submitted_students(self, assignment_id: str) -> set[str]:
        """The ids of students who handed something in.

        Args:
            assignment_id: the lesson; ``*`` for any.
        """
        if self._only is None:
            students: set[str] = super().get_submitted_students(assignment_id)
            return students
        folder = self.coursedir.format_path(
            self.coursedir.submitted_directory, glob.escape(self._only), assignment_id
        )
        found = glob.glob(folder)  # noqa: PTH207 - as nbgrader does: it may be absolute
        return {self._only} if any(map(os.path.isdir, found)) else set()

    def get_autograded_students(self, assignment_id: str) -> set[str]:
        """The ids of students whose submission, as it is now, has been graded.

        Args:
            assignment_id: the lesson.
        """
        with self.gradebook as gradebook:
            times = gradebook.submission_times(assignment_id, self._only)
        folder = self.coursedir.autograded_directory
        return {
            student
            for student, time in times.items()
            if Path(self.coursedir.format_path(folder, student, assignment_id)).is_dir()
            and self.get_submitted_timestamp(assignment_id, student) == time
        }

    def get_submitted_timestamp(self, assignment_id: str, student_id: str) -> datetime | None:
        """When a student handed a lesson in, in UTC; None if that isn't known.

        Args:
            assignment_id: the lesson.
            student_id: the student's id.
        """
        folder = self.coursedir.format_path(
            self.coursedir.submitted_directory, student_id, assignment_id
        )
        try:
            text = Path(folder, TIMESTAMP).read_text()
        except FileNotFoundError:
            return None
        return parse_timestamp(text.strip())


class ClassPage(BaseHandler):
    """What nbgrader's handlers ask for what they show."""

    @property
    def gradebook(self) -> Gradebook:
        """The gradebook, which stays open."""
        if self.settings["nbgrader_gradebook"] is None:
            opened = ListingGradebook(self.db_url, self.coursedir.course_id)
            self.settings["nbgrader_gradebook"] = opened
        return self.settings["nbgrader_gradebook"]

    @property
    def api(self) -> ClassAPI:
        """nbgrader's programming interface, with the configuration as it is now."""
        level = self.log.level
        self.coursedir.parent.load_config_file()
        api = ClassAPI(self.coursedir, self.authenticator, parent=self.coursedir.parent)
        api.log_level = level
        return api


def _ours(handler: type) -> type:
    if not issubclass(handler, BaseHandler):
        return handler
    return type(handler.__name__, (ClassPage, handler), {})


# All of them, in nbgrader's order: the first pattern that an address fits decides.
PAGES = [
    (address, _ours(handler), *rest)
    for address, handler, *rest in (*handlers.default_handlers, *apihandlers.default_handlers)
]
"""The formgrader's pages: patterns of addresses, and what answers."""
