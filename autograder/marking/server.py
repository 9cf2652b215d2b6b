"""Jupyter's own server, for people who only want to mark."""

from __future__ import annotations

import logging
from typing import Self

from jupyter_server.serverapp import ServerApp
from jupyter_server.utils import url_escape, url_path_join

from autograder.course_folder import CourseFolder
from autograder.marking.handlers import GRADER, add_pages
from autograder.marking.lesson import LessonMarking

_PORT = 8890
"""Always the same, if it's free: the browser keeps what isn't saved yet by the address."""


class MarkingServer(ServerApp):
    """Serves a course folder on loopback, and opens the page of one lesson."""

    @classmethod
    def prepared(
        cls, course: CourseFolder, lesson: str, grader: str | None, *, browser: bool
    ) -> Self:
        """A server that is ready to start.

        Args:
            course: the course folder.
            lesson: its name.
            grader: who marks; the account's name if left out.
            browser: whether to open the page.

        Raises:
            CourseError: when there is nothing to mark.
        """
        LessonMarking(course, lesson)
        options = {
            "root_dir": course.root,
            "ip": "127.0.0.1",
            "port": _PORT,
            "open_browser": browser,
            "default_url": url_path_join("/marking", url_escape(lesson)),
            "log_level": logging.WARNING,
            "allow_root": True,  # as all other commands do
        }
        server = cls.instance()
        # As arguments they count more than the user's configuration of Jupyter.
        server.initialize(argv=[f"--ServerApp.{name}={value}" for name, value in options.items()])
        server.log.addFilter(_is_about_marking)
        add_pages(server)
        if grader:
            server.web_app.settings[GRADER] = grader
        return server

    def find_server_extensions(self) -> None:
        """Load none: JupyterLab and nbgrader's pages would only take time, and say so."""

    @property
    def page(self) -> str:
        """The page's address, with the token that opens it."""
        address = url_path_join(self.connection_url, self.default_url.lstrip("/"))
        return f"{address}?token={self.identity_provider.token}"


def _is_about_marking(record: logging.LogRecord) -> bool:
    """Whether a grader should read a line: not the address once more, and not what nbgrader says
    where no exchange is set up, which marking doesn't need."""
    return not record.getMessage().strip().startswith(("To access the server", "Unwritable dir"))
