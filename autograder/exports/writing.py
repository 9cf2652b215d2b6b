"""Write the grades of a course to a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.exports.csv_files import canvas, gradescope, moodle
from autograder.exports.document import document
from autograder.exports.grades import Grades, read_grades


@dataclass(frozen=True)
class Format:
    """A system's file format.

    Args:
        render: returns the file's text for the grades.
        suffix: the ending of the file's name.
        encoding: the file's encoding.
    """

    render: Callable[[Grades], str]
    suffix: str
    encoding: str


# Excel takes a CSV file without a byte order mark for the local encoding and would spoil the names
# of those who look at their grades before they upload them. Canvas writes one too, if asked, and
# looks for "Student" anywhere in the first cell; Moodle removes it. What is read by scripts has
# none: they would find it in the name of the first column.
FORMATS = {
    "canvas": Format(canvas, "csv", "utf-8-sig"),
    "moodle": Format(moodle, "csv", "utf-8-sig"),
    "gradescope": Format(gradescope, "csv", "utf-8"),
    "json": Format(document, "json", "utf-8"),
}
"""By the system's name."""


@dataclass(frozen=True)
class Written:
    """The written file.

    Args:
        path: its path.
        warnings: warnings for the teacher before using it, one per line.
    """

    path: Path
    warnings: tuple[str, ...]


def write_export(
    course: CourseFolder,
    system: str,
    lessons: Sequence[str] = (),
    students: Sequence[str] = (),
    to: Path | None = None,
) -> Written:
    """Write grades for another system.

    Args:
        course: the course folder.
        system: a key of ``FORMATS``.
        lessons: which; all that are graded, if there are none here.
        students: whose; everybody's, if there are none here.
        to: the file; in ``reports/`` of the course folder, if left out.

    Raises:
        CourseError: when a lesson or a student does not exist, nothing is graded, or the file
            cannot be written.
    """
    form = FORMATS[system]
    path = to or course.root / "reports" / f"{system}.{form.suffix}"
    grades = read_grades(course, lessons, students)
    return save(path, form.render(grades).encode(form.encoding), grades.warnings)


def save(path: Path, content: bytes, warnings: Iterable[str]) -> Written:
    """Write a file, and create its folder if it doesn't exist yet.

    Raises:
        CourseError: when it cannot be written.
    """
    with opened(path) as file:
        file.write(content)
    return Written(path, tuple(warnings))


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file to write, in a folder that is created if it doesn't exist yet. An earlier file stays
    until this one is complete.

    Raises:
        CourseError: when it cannot be written.
    """
    # Nothing takes the place of a device.
    in_place = path.exists() and not path.is_file()
    written = path if in_place else path.with_name(f"{path.name}.unfinished")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with written.open("wb") as file:
                yield file
            if not in_place:
                written.replace(path)
        finally:
            if not in_place:
                written.unlink(missing_ok=True)
    except OSError as error:
        raise CourseError(
            f"{path} cannot be written ({error.strerror}): name another file with --to."
        ) from None
