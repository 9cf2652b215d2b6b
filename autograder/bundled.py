"""The course that comes with the autograder: lessons, configuration, a simulated class."""

from __future__ import annotations

import shutil
from pathlib import Path

from autograder.course_folder import CONFIG, CourseError, CourseFolder

_IN_WHEEL = Path(__file__).with_name("bundled_course")
"""Put there by ``hatch_build.py``. In a checkout, the course is the checkout."""


def course() -> CourseFolder:
    """The course; nothing may be written to its folder."""
    return CourseFolder(_IN_WHEEL if _IN_WHEEL.is_dir() else Path(__file__).parents[1])


def this_or_bundled(folder: Path) -> CourseFolder:
    """The course in a folder, or the one that comes with the autograder if there is none."""
    return CourseFolder(folder) if (folder / CONFIG).is_file() else course()


def copy_course(folder: Path) -> CourseFolder:
    """Begin a course folder with the lessons' sources and their configuration.

    Args:
        folder: an empty folder, or one to be made.

    Raises:
        CourseError: when there is something in it.
    """
    make_empty(folder)
    origin = course()
    shutil.copyfile(origin.root / CONFIG, folder / CONFIG)
    copy_sources(origin, folder)
    return CourseFolder(folder)


def copy_sources(origin: CourseFolder, folder: Path) -> None:
    """Copy the lessons with their solutions."""
    ignored = shutil.ignore_patterns(".ipynb_checkpoints", "__pycache__")
    shutil.copytree(origin.root / "source", folder / "source", ignore=ignored)


def make_empty(folder: Path) -> None:
    """Make a folder.

    Raises:
        CourseError: when it is there and has something in it.
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
        CourseError: when neither the course nor the autograder has answers to this lesson.
    """
    for root in (course_folder.root, course().root):
        answers = root / "tests" / "submissions" / lesson
        if answers.is_dir():
            return answers
    raise CourseError(
        f"There are no simulated students for {lesson}: write their answers to "
        f"{course_folder.root / 'tests' / 'submissions' / lesson}, one Python file per student."
    )
