"""The exports as nbgrader plugins, for `nbgrader export --exporter`."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import ExportPlugin
from traitlets.config import Config

from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.exports.writing import write_export


class _OpenGradebook:
    """The part of nbgrader's interface that reading grades needs: the given gradebook, and the
    configuration.

    The full interface would look for an exchange, and complain if there is none.
    """

    def __init__(self, gradebook: Gradebook, config: Config) -> None:
        self.config = config
        self._course = gradebook.course_id
        url = gradebook.engine.url.render_as_string(hide_password=False)
        self.coursedir = SimpleNamespace(db_url=url)

    @property
    def gradebook(self) -> Gradebook:
        """Open a separate connection, which the reader closes."""
        return Gradebook(self.coursedir.db_url, self._course)


class _Exporter(ExportPlugin):
    """Writes the file for one system, as `autograder export` does.

    nbgrader's ``--to``, ``--assignment`` and ``--student`` mean here what they mean there.
    """

    system: ClassVar[str]

    def export(self, gradebook: Gradebook) -> None:
        """Write the grades to ``self.to``, and log warnings about them.

        Args:
            gradebook: the gradebook, as named by ``--db``.

        Raises:
            SystemExit: when there is something to fix; the log says what.
        """
        try:
            course = CourseFolder(Path(CourseDirectory(parent=self).root))
            course.nbgrader = _OpenGradebook(gradebook, self.config)
            written = write_export(
                course,
                self.system,
                [str(name) for name in self.assignment],
                [str(name) for name in self.student],
                Path(self.to) if self.to else None,
            )
        except CourseError as error:
            self.log.error("%s", error)
            raise SystemExit(1) from None
        for warning in written.warnings:
            self.log.warning("%s", warning)
        self.log.info("Exported grades to %s", written.path)


class CanvasExporter(_Exporter):
    """For "Import" in Canvas's gradebook."""

    system = "canvas"


class MoodleExporter(_Exporter):
    """For "Import > CSV file" in Moodle's gradebook."""

    system = "moodle"


class GradescopeExporter(_Exporter):
    """For programs that read Gradescope's exported files."""

    system = "gradescope"


class JsonExporter(_Exporter):
    """For programs: with aspects, mistakes, hints and comments."""

    system = "json"
