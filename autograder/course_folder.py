"""A course folder in nbgrader's layout, and nbgrader's own steps run on it."""

from __future__ import annotations

import difflib
import logging
import os
import re
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.errors import CourseError

if TYPE_CHECKING:
    from traitlets.config import Config

    from autograder.judging.marking import Marking
    from selfcheck import Course

CONFIG = "nbgrader_config.py"

STEPS = ("source", "release", "submitted", "autograded", "feedback")
"""The folders of nbgrader's steps, unless the configuration names others."""

STAGING = ".autograder"
"""The folder beside ``submitted`` and ``autograded`` in which submissions are prepared."""

_ALIKE = 0.85
"""How similar an unknown option must be to a known one to be taken for a typo: ``db_assignments``
was once an option, and isn't a misspelling of its neighbours."""

_LOG = logging.getLogger(__name__)

_DATABASE_LOG = logging.getLogger("tornado.application")
"""Where nbgrader's gradebook says what went wrong."""


_LESSON_NAME = re.compile(r"[^\W_]([\w. -]{0,98}[\w-])?")


class CourseFolder:
    """The folder that holds ``nbgrader_config.py``, ``source/`` and what grading adds to them.

    Args:
        root: the folder.
        config: nbgrader's, where a command of nbgrader's has read it, perhaps from another folder.

    Raises:
        CourseError: when it is not a course.
    """

    def __init__(self, root: Path, config: Config | None = None) -> None:
        self.root = root.resolve()
        if config is not None:
            self._config = config
        elif not (self.root / CONFIG).is_file():
            raise CourseError(
                f"{self.root} is not a course folder: it has no {CONFIG}. "
                "Run the command in the course folder, or name it with --course. "
                "`autograder init FOLDER` begins a course of your own; `autograder copy-course "
                "FOLDER` copies the one that is installed."
            )
        if "?" in str(self.root):
            raise CourseError(f"{self.root}: give the folder a name without a question mark.")

    def folder(self, step: str) -> Path:
        """The folder of one of ``STEPS``, as ``c.CourseDirectory`` names it."""
        return self.root / self._names.get(f"{step}_directory", step)

    def source(self, lesson: str) -> Path:
        """The lesson's notebook with solutions."""
        return self.folder("source") / lesson / f"{lesson}.ipynb"

    def release(self, lesson: str) -> Path:
        """The students' notebook."""
        return self.folder("release") / lesson / f"{lesson}.ipynb"

    def submitted(self, student: str, lesson: str) -> Path:
        """The folder of a student's submission."""
        return self.folder("submitted") / student / lesson

    def autograded(self, student: str, lesson: str, notebook: str | None = None) -> Path:
        """A submission's executed notebook, with the verdicts in it."""
        return self.folder("autograded") / student / lesson / f"{notebook or lesson}.ipynb"

    def feedback(self, student: str, lesson: str) -> Path:
        """A student's feedback page."""
        return self.folder("feedback") / student / lesson / f"{lesson}.html"

    def lessons(self) -> list[str]:
        """The lessons that have a source, in order."""
        return sorted(path.stem for path in self._sources() if _is_lesson(path))

    def misnamed(self) -> list[Path]:
        """Notebooks that would be lessons if they had their folders' names."""
        lessons = self.lessons()
        return [path for path in sorted(self._sources()) if path.parent.name not in lessons]

    def find_lesson(self, name: str) -> str:
        """Check a lesson's name.

        Raises:
            CourseError: when there is no such lesson, with the nearest name.
        """
        return known_name(name, self.lessons(), "lesson", f"{self.folder('source').name}/")

    def students(self, lesson: str) -> list[str]:
        """The students who handed in a lesson."""
        return sorted(path.parent.name for path in self.folder("submitted").glob(f"*/{lesson}/"))

    def find_assignment(self, name: str) -> str:
        """Check the name of what is to be graded: a lesson, or any folder of ``source/``.

        Raises:
            CourseError: when there is no such folder, with the nearest name.
        """
        names = sorted({path.parent.name for path in self._sources()})
        return known_name(name, names, "lesson", f"{self.folder('source').name}/")

    def handed_in(self) -> list[str]:
        """The assignments with submissions and a source.

        Raises:
            CourseError: when there are none.
        """
        names = sorted({path.name for path in self.folder("submitted").glob("*/*/")})
        known = [name for name in names if any((self.folder("source") / name).glob("*.ipynb"))]
        if not known:
            raise CourseError(f"There is no <student>/<lesson>/ in {self.folder('submitted')}.")
        return known

    def find_students(self, lesson: str, names: Sequence[str]) -> list[str]:
        """Check students' ids; an empty list means everybody.

        Raises:
            CourseError: when one of them submitted nothing, or nobody did.
        """
        everybody = self.students(lesson)
        if not everybody:
            raise CourseError(
                f"Nobody submitted {lesson}: there is no <student>/{lesson}/ in "
                f"{self.folder('submitted')}. Collect some, or generate samples with "
                f"`autograder simulate {lesson}`."
            )
        where = f"{self.folder('submitted').name}/<student>/{lesson}/"
        return [known_name(name, everybody, "student", where) for name in names] or everybody

    @cached_property
    def nbgrader(self) -> Any:
        """nbgrader's programming interface, configured as its commands are in this folder.

        Raises:
            CourseError: when the configuration can't be loaded or the gradebook can't be used.
        """
        # Importing nbgrader takes seconds, so import it only when it's needed.
        from nbgrader.apps.api import NbGraderAPI

        from autograder.gradebook import database

        # nbgrader runs alembic by name, which may not be on the path of our own command.
        os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        nbgrader = NbGraderAPI(config=self._config)
        with self.quiet():
            database.ensure_reachable(nbgrader.coursedir.db_url, nbgrader.course_id)
        return nbgrader

    def _sources(self) -> Iterator[Path]:
        """All notebooks with solutions."""
        return self.folder("source").glob("*/*.ipynb")

    @cached_property
    def _names(self) -> Mapping[str, Any]:
        """The configuration of the course folder, if this folder's file names a step's folder."""
        return self._config.CourseDirectory if self.configures(b"_directory") else {}

    def configures(self, *names: bytes) -> bool:
        """Whether the configuration may say something of these names: reading it imports nbgrader,
        which takes seconds."""
        if "_config" in vars(self):
            return True
        text = (self.root / CONFIG).read_bytes()
        return any(name in text for name in names)

    @cached_property
    def _config(self) -> Config:
        """The configuration of nbgrader's commands in this folder."""
        from nbgrader.apps import NbGrader

        with self.as_working_directory():
            app = NbGrader()
            app.log_level = logging.CRITICAL
            # Without its configuration nbgrader would grade without the judge.
            app.raise_config_file_errors = True
            try:
                app.initialize([])
            except Exception as error:
                raise CourseError(f"{self.root / CONFIG} cannot be loaded: {error}") from error
        unread = list(_unread(app.config))
        if misspelt := [text for text, ours in unread if ours]:
            raise CourseError("\n  ".join([f"{CONFIG} sets options that do not exist:", *misspelt]))
        for text, _ in unread:
            _LOG.warning(
                "%s sets options that nothing reads and nbgrader ignores: %s", CONFIG, text
            )
        app.config.CourseDirectory.root = str(self.root)
        return app.config

    @cached_property
    def declared(self) -> Course:
        """The course that is taught here.

        Raises:
            CourseError: when it cannot be found.
        """
        from autograder.declaration import DeclarationError, find_course

        try:
            return find_course(self._config.get("CourseDeclaration", {}).get("package", ""))
        except DeclarationError as error:
            raise CourseError(str(error)) from error

    @cached_property
    def marking(self) -> Marking:
        """How answers are marked here.

        Raises:
            CourseError: when the configuration sets an impossible cost.
        """
        from traitlets.config import Configurable

        from autograder.judging.marking import MarkingError, marking_of

        try:
            return marking_of(Configurable(config=self._config))
        except MarkingError as error:
            raise CourseError(str(error)) from error

    @property
    def has_gradebook(self) -> bool:
        """Whether there is a gradebook: opening a missing one would create it."""
        from autograder.gradebook.engine import is_there

        return is_there(self.nbgrader.coursedir.db_url)

    @contextmanager
    def as_working_directory(self) -> Iterator[None]:
        """nbgrader looks for its configuration in the working directory."""
        before = Path.cwd()
        os.chdir(self.root)
        try:
            yield
        finally:
            os.chdir(before)

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Silence SQLAlchemy's warnings about nbgrader's own queries, and the tracebacks that
        nbgrader logs of database errors before it raises them."""

        def nothing(record: logging.LogRecord) -> bool:
            return False

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _DATABASE_LOG.addFilter(nothing)
            try:
                yield
            finally:
                _DATABASE_LOG.removeFilter(nothing)

    def run(self, step: str, *args: Any, **kwargs: Any) -> str | None:
        """Run one of nbgrader's steps.

        Args:
            step: a method of ``NbGraderAPI``.

        Returns:
            None if it succeeded, else nbgrader's log.
        """
        succeeded, log = self.run_logged(step, *args, **kwargs)
        return None if succeeded else log

    def run_logged(self, step: str, *args: Any, **kwargs: Any) -> tuple[bool, str]:
        """Run one of nbgrader's steps: whether it succeeded, and nbgrader's log."""
        with self.as_working_directory(), self.quiet():
            result = getattr(self.nbgrader, step)(*args, **kwargs)
        error = result.get("error", "")
        if error.rstrip().endswith(KeyboardInterrupt.__name__):  # nbgrader takes it for a failure
            raise KeyboardInterrupt
        log = result.get("log") or error
        return result["success"], log if result["success"] or log else f"nbgrader {step} failed"


def _unread(config: Config) -> Iterator[tuple[str, bool]]:
    """Options that nothing reads, and whether they were meant for a class of this autograder.

    nbgrader ignores them, including old ones of its own. Classes that aren't imported may have any
    option, because other programs read the same file.
    """
    from traitlets.config import Configurable

    known: dict[str, set[str]] = {}
    ours: set[str] = set()
    waiting = [Configurable]
    while waiting:
        waiting += (kind := waiting.pop()).__subclasses__()
        known.setdefault(kind.__name__, set()).update(kind.class_trait_names(config=True))
        if kind.__module__.startswith(f"{__package__}."):
            ours.add(kind.__name__)
    for kind, values in config.items():
        alike = [name for name in known if abs(len(name) - len(kind)) <= 1]
        near = difflib.get_close_matches(kind, alike, n=1, cutoff=_ALIKE)
        if kind not in known and near:
            yield f"c.{kind} (did you mean c.{near[0]}?)", near[0] in ours
        for option in sorted(values.keys() - known[kind]) if kind in known else ():
            if option[0].isupper():  # a class in a class
                continue
            near = difflib.get_close_matches(option, known[kind], n=1, cutoff=_ALIKE)
            hint = f" (did you mean {near[0]}?)" if near else ""
            yield f"c.{kind}.{option}{hint}", kind in ours


def _is_lesson(notebook: Path) -> bool:
    return notebook.parent.name == notebook.stem


def check_lesson_name(name: str) -> None:
    """Check that a lesson may have this name: nbgrader reads some characters as parts of patterns
    and as separators, and other operating systems reject some in file names.

    Raises:
        CourseError: when it may not.
    """
    if not _LESSON_NAME.fullmatch(name):
        raise CourseError(
            f"{name!r} can't be a lesson's name: take letters, digits, spaces, dots, dashes and "
            "underscores, at most 100, with a letter or digit first and no space or dot last."
        )


def known_name(name: str, names: Sequence[str], kind: str, where: str) -> str:
    """Check that a name exists.

    Args:
        name: the name to look for.
        names: all existing names.
        kind: "student" or "lesson", as in the message.
        where: the folder or list that has the names, as in the message.

    Raises:
        CourseError: when it doesn't exist; the message has the nearest name.
    """
    if name in names:
        return name
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(names) or 'none'}"
    raise CourseError(f"No {kind} {name!r} in {where}: {hint}")
