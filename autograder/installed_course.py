"""The course folder that comes with a course's keys: lessons, configuration, a simulated class."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from autograder.course_folder import CONFIG, CourseFolder
from autograder.declaration import DeclarationError, NoCourse, find_course
from autograder.errors import CourseError
from autograder.rubrics import FOLDER as RUBRICS
from selfcheck.course import package_folder

FOLDER = "course_folder"
"""The folder in the installed package of the keys. In a checkout, the course is the checkout."""


def course() -> CourseFolder:
    """The course folder that is installed; it must not be changed.

    Raises:
        CourseError: when there's none, or more than one is installed.
    """
    try:
        declared = find_course()
        keys = package_folder(declared.keys) if declared.keys else None
    except (DeclarationError, ModuleNotFoundError) as error:
        raise CourseError(f"No installed package has a course folder: {error}") from error
    if keys is None:
        why = declared.why if isinstance(declared, NoCourse) else f"{declared.package} has no keys"
        raise CourseError(
            f"Not in a course folder, and {why}. Name a course folder with --course; "
            "`autograder init FOLDER` begins one."
        )
    return CourseFolder(keys / FOLDER if (keys / FOLDER).is_dir() else keys.parent)


def this_or_bundled(folder: Path) -> CourseFolder:
    """The course in a folder, or the installed one if the folder has none."""
    return CourseFolder(folder) if (folder / CONFIG).is_file() else course()


def copy_course(folder: Path) -> CourseFolder:
    """Begin a course folder with the lessons' sources, their rubrics and their configuration.

    Args:
        folder: an empty or new folder.

    Raises:
        CourseError: when it isn't empty.
    """
    make_empty(folder)
    origin = course()
    shutil.copyfile(origin.root / CONFIG, folder / CONFIG)
    copy_sources(origin, folder)
    return CourseFolder(folder)


def copy_sources(origin: CourseFolder, folder: Path) -> None:
    """Copy the lessons with their solutions and rubrics."""
    ignored = shutil.ignore_patterns(".ipynb_checkpoints", "__pycache__")
    shutil.copytree(origin.folder("source"), folder / "source", ignore=ignored)
    if (origin.root / RUBRICS).is_dir():
        shutil.copytree(origin.root / RUBRICS, folder / RUBRICS, ignore=ignored)


def make_empty(folder: Path) -> None:
    """Make a folder.

    Raises:
        CourseError: when it exists and isn't empty.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise CourseError(f"{folder} is not empty: name another folder.")


def simulated_class(course_folder: CourseFolder, lesson: str) -> Path:
    """The folder with a lesson's simulated students, one file each.

    Args:
        course_folder: a course; its own ``tests/submissions`` come first.
        lesson: one of its lessons.

    Raises:
        CourseError: when neither the course nor the installed one has answers to this lesson.
    """
    own = course_folder.root / "tests" / "submissions" / lesson
    if own.is_dir():
        return own
    with suppress(CourseError):
        answers = course().root / "tests" / "submissions" / lesson
        if answers.is_dir():
            return answers
    raise CourseError(
        f"There are no simulated students for {lesson}: write their answers to "
        f"{course_folder.root / 'tests' / 'submissions' / lesson}, one Python file per student."
    )
