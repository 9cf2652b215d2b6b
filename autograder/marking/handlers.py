"""The page on which people mark written answers, and what it asks the server.

It's served by Jupyter's own server: inside JupyterLab, behind its login, or on loopback by
``autograder mark``. Nothing on it says whose answer it is.
"""

from __future__ import annotations

import asyncio
import functools
import getpass
import inspect
import json
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.serverapp import ServerApp
from jupyter_server.utils import url_escape, url_path_join
from tornado import web

from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.gradebook.written_answers import NotReserved
from autograder.marking.lesson import LessonMarking

GRADER = "autograder_grader"
"""The key in the server's settings for the grader's name, if the command was given one."""

_MARKINGS = "autograder_markings"
"""The key for the lessons that are being marked."""

_HERE = Path(__file__).parent
_STATIC = "marking/static"

# Only its own files: all that Jupyter's server has would be "self".
_POLICY = {
    "default-src": "'none'",
    "script-src": "{static}/",
    # Cleaned tables may say how their text is aligned.
    "style-src": "{static}/ 'unsafe-inline'",
    "img-src": "data:",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'self'",
}


def content_policy(static: str) -> str:
    """What the page may load and run, for browsers.

    Args:
        static: the address of the folder with its own files.
    """
    return "; ".join(f"{name} {value.format(static=static)}" for name, value in _POLICY.items())


_TEMPLATES = Environment(loader=FileSystemLoader(_HERE / "templates"), autoescape=True)


class _Handler(JupyterHandler):
    @property
    def grader(self) -> str:
        """Who marks: the name that the command was given, the hub's, or this account's."""
        if name := self.settings.get(GRADER):
            return str(name)
        if "JUPYTERHUB_USER" in os.environ:
            return str(self.current_user.username)
        return getpass.getuser()

    def marking(self, lesson: str) -> LessonMarking:
        """The marking of a lesson in the folder in which the server was started, as it was when a
        page was last opened."""
        known = self.settings.setdefault(_MARKINGS, {})
        if lesson not in known:
            course = CourseFolder(Path(self.settings["server_root_dir"]).expanduser())
            known[lesson] = LessonMarking(course, lesson)
        return known[lesson]


class MarkingPage(_Handler):
    """The page of a lesson."""

    @property
    def content_security_policy(self) -> str:
        """What the page may load and run: only its own script and style."""
        address = f"{self.request.protocol}://{self.request.host}"
        return content_policy(address + url_path_join(self.base_url, _STATIC))

    @web.authenticated
    def get(self, lesson: str) -> None:
        """Show it. What it asks for next is read again."""
        self.settings.get(_MARKINGS, {}).pop(lesson, None)
        values: dict[str, Any] = {
            "lesson": lesson,
            "base": url_path_join(self.base_url, "marking", url_escape(lesson)),
            "static": url_path_join(self.base_url, _STATIC),
            "xsrf": self.xsrf_token.decode(),
            "grader": self.grader,
        }
        self.finish(_TEMPLATES.get_template("marking.html").render(values))


class _Request(_Handler, APIHandler):
    async def reply(
        self, lesson: str, name: str | None, step: Callable[..., Any], *more: Any
    ) -> None:
        """Answer with JSON, or with a sentence that says what is wrong.

        Args:
            lesson: the lesson.
            name: the question; None if it's about all of them.
            step: what is asked of the lesson's marking, a question and a grader; it may be
                awaited.
            more: other arguments for it.
        """
        try:
            marking = self.marking(lesson)
            if name is not None and name not in marking.questions:
                raise CourseError(f"{lesson} asks no question called {name}.")
            question = marking.questions[name] if name is not None else None
            said = step(marking, question, self.grader, *more)
            if inspect.isawaitable(said):
                said = await said
            self.finish(said)
        except (CourseError, NotReserved) as error:
            self.set_status(409 if isinstance(error, NotReserved) else 400)
            self.finish({"message": str(error)})


def _aside(step: Callable[..., Any]) -> Callable[..., Any]:
    """The same in a thread, so that others are served meanwhile."""
    return functools.partial(asyncio.to_thread, step)


class Questions(_Request):
    """All questions of a lesson."""

    @web.authenticated
    async def get(self, lesson: str) -> None:
        """Rubrics and progress."""
        await self.reply(lesson, None, lambda marking, _, grader: marking.described(grader))


class Next(_Request):
    """The next answer to a question."""

    @web.authenticated
    async def post(self, lesson: str, question: str) -> None:
        """Reserve it; with ``?review``, one on which people, or the student, disagree."""
        review = self.get_query_argument("review", None) is not None
        await self.reply(lesson, question, functools.partial(LessonMarking.next, review=review))


class Answer(_Request):
    """One answer to a question."""

    @web.authenticated
    async def get(self, lesson: str, question: str, answer: str) -> None:
        """Show it again."""
        await self.reply(lesson, question, LessonMarking.answer, answer)

    @web.authenticated
    async def put(self, lesson: str, question: str, answer: str) -> None:
        """Record a mark."""
        decided: Any = None
        with suppress(ValueError):
            decided = json.loads(self.request.body)
        await self.reply(lesson, question, LessonMarking.save, answer, decided)


class Alike(_Request):
    """Answers that say nearly the same as one."""

    @web.authenticated
    async def get(self, lesson: str, question: str, answer: str) -> None:
        """Show them. Reading all answers takes a while."""
        await self.reply(lesson, question, _aside(LessonMarking.alike), answer)


class WholeNotebook(_Request):
    """The notebook with an answer."""

    @web.authenticated
    async def get(self, lesson: str, question: str, answer: str) -> None:
        """Show its cells."""
        await self.reply(lesson, question, _aside(LessonMarking.notebook), answer)


class Mine(_Request):
    """A grader's own marks."""

    @web.authenticated
    async def get(self, lesson: str, question: str) -> None:
        """List them. Reading the answers takes a while."""
        await self.reply(lesson, question, _aside(LessonMarking.mine))


class Comments(_Request):
    """Comments that were written before."""

    @web.authenticated
    async def get(self, lesson: str, question: str) -> None:
        """List them."""
        await self.reply(lesson, question, LessonMarking.comments)


_LESSON = r"marking/([^/]+)"
_QUESTION = rf"{_LESSON}/questions/([^/]+)"
_ANSWER = rf"{_QUESTION}/answers/([^/]+)"

PAGES: list[tuple[Any, ...]] = [
    (rf"{_STATIC}/(.*)", web.StaticFileHandler, {"path": str(_HERE / "static")}),
    (_LESSON, MarkingPage),
    (rf"{_LESSON}/questions", Questions),
    (rf"{_QUESTION}/next", Next),
    (rf"{_QUESTION}/comments", Comments),
    (_ANSWER, Answer),
    (rf"{_ANSWER}/alike", Alike),
    (rf"{_ANSWER}/notebook", WholeNotebook),
    (rf"{_QUESTION}/mine", Mine),
]
"""Patterns of addresses below the server's, and what answers."""


def add_pages(server: ServerApp, pages: Iterable[tuple[Any, ...]] = PAGES) -> None:
    """Let a server have some pages."""
    added = [(url_path_join(server.base_url, address), *page) for address, *page in pages]
    server.web_app.add_handlers(".*$", added)
