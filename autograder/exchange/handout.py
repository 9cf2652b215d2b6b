"""What students get: lessons, the package they need, and how to begin, in one archive."""

from __future__ import annotations

import base64
import fnmatch
import hashlib
import importlib.metadata
import re
import stat
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from string import Template

import nbformat
from nbformat import NotebookNode

from autograder import release as releasing
from autograder import sheets
from autograder.course_folder import CourseError, CourseFolder
from autograder.exchange.archives import MOST_BYTES, MOST_FILES, megabytes
from course import exercises
from course.environment import DISTRIBUTION

FOLDER = "attention-course"
"""The one folder in every archive: a lesson that is unpacked later lies beside the earlier ones."""

_FOR_STUDENTS = Path(__file__).with_name("for_students")
_WHEEL_NAME = re.compile(r"[\w.]+-[\w.!+]+-py3-none-any\.whl")
_INSTRUCTORS = {"source", "autograder", "submitted", "autograded", "feedback", "gradebook.db"}
_FIRST_TIME = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Handout:
    """An archive that was written.

    Args:
        path: where.
        names: what is in it.
    """

    path: Path
    names: tuple[str, ...]


def write_handouts(
    course: CourseFolder, lessons: Sequence[str], into: Path, wheel: Path | None = None
) -> list[Handout]:
    """Write an archive for each lesson.

    The same release and wheel give the same bytes. There is none of several lessons: later ones
    show what earlier ones asked for.

    Args:
        course: the course folder.
        lessons: the lessons.
        into: the folder to write to; it is made where there is none.
        wheel: what students install. If left out, it's built from the course folder where that
            is a checkout, else from the installed package.

    Raises:
        CourseError: when something is not released or out of date, the wheel is not the students'
            or cannot be built, or an archive would hold what students must not see. Then nothing
            is written.
    """
    _refuse_stale(course, lessons)
    with tempfile.TemporaryDirectory(prefix="course-wheel-") as scratch:
        package = _read_wheel(wheel or _make_wheel(course, Path(scratch)), lessons)
    archives = {lesson: _contents(course, lesson, package) for lesson in lessons}
    _refuse_leaks(package.members, course.root.glob("source/*/*.ipynb"))
    for lesson, contents in archives.items():
        _refuse_leaks(contents, course.source(lesson).parent.glob("*.ipynb"))
    into.mkdir(parents=True, exist_ok=True)
    return [_write(into / f"{lesson}.zip", contents) for lesson, contents in archives.items()]


@dataclass(frozen=True)
class _Wheel:
    """The students' package: its file's name and bytes, and what is in it."""

    name: str
    content: bytes
    members: Mapping[str, bytes]


def _refuse_stale(course: CourseFolder, lessons: Sequence[str]) -> None:
    """See that release/ is what source/ gives today, no less and no more."""
    missing = [lesson for lesson in lessons if not course.release(lesson).is_file()]
    if missing:
        raise CourseError(
            f"Not released: {', '.join(missing)}. Run `autograder release {' '.join(missing)}`."
        )
    strange = [
        f"release/{lesson}/{name}"
        for lesson in lessons
        for name in _released(course, lesson)
        if not (course.source(lesson).parent / name).is_file()
    ]
    stale = [*releasing.stale(course, lessons), *strange]
    if stale:
        raise CourseError(
            f"Not what source/ gives, run `autograder release {' '.join(lessons)}`:\n  "
            + "\n  ".join(sorted(stale))
        )


def _released(course: CourseFolder, lesson: str) -> dict[str, Path]:
    """A lesson's files, by their path in its folder, but for those that nbgrader ignores."""
    folder = course.release(lesson).parent
    ignored = course.nbgrader.coursedir.ignore
    files = {}
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.is_file() and not any(
            fnmatch.fnmatch(part, pattern) for part in inside.parts for pattern in ignored
        ):
            files[inside.as_posix()] = path
    return files


def _make_wheel(course: CourseFolder, scratch: Path) -> Path:
    """Make the students' wheel, from a checkout as ``make wheels`` does."""
    project = course.root / "pyproject.toml"
    if project.is_file() and _project_name(project) == DISTRIBUTION:
        return _build_wheel(course, scratch)
    return _repack_installed(scratch)


def _project_name(project: Path) -> str | None:
    return tomllib.loads(project.read_text("utf8")).get("project", {}).get("name")


def _repack_installed(scratch: Path) -> Path:
    """Make a wheel of the students' package as it's installed here.

    Raises:
        CourseError: when a checkout is installed, which is not a package's files.
    """
    distribution = importlib.metadata.distribution(DISTRIBUTION)
    name = f"{DISTRIBUTION.replace('-', '_')}-{distribution.version}"
    members = {
        path.as_posix(): path.read_binary()
        for path in distribution.files or ()
        if _is_from_wheel(path)
    }
    if "course/__init__.py" not in members:
        raise CourseError(
            "The course was installed from a checkout as editable, so there's no students' wheel "
            "here. Run `make wheels` in the checkout and name dist/attention_course-*.whl with "
            "--wheel."
        )
    record = f"{name}.dist-info/RECORD"
    lines = [
        f"{member},sha256={_wheel_hash(content)},{len(content)}"
        for member, content in sorted(members.items())
    ]
    members[record] = "".join(f"{line}\n" for line in [*lines, f"{record},,"]).encode()
    return _write(scratch / f"{name}-py3-none-any.whl", members).path


def _is_from_wheel(path: PurePath) -> bool:
    """Whether an installed file was in the wheel: installers add some of their own."""
    folder, *inside = path.parts
    if folder == "course":
        return path.suffix != ".pyc"
    kept = (["METADATA"], ["WHEEL"], ["entry_points.txt"])
    return folder.endswith(".dist-info") and (inside[:1] == ["licenses"] or inside in kept)


def _wheel_hash(content: bytes) -> str:
    """A hash as RECORD has it."""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _build_wheel(course: CourseFolder, scratch: Path) -> Path:
    """Build the students' wheel from a checkout.

    Raises:
        CourseError: when it cannot be built.
    """
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", scratch]
    done = subprocess.run(
        [*build, course.root], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip()[-2000:]
        raise CourseError(
            "The students' wheel cannot be built; one that is there already can be named with "
            f"--wheel.\n{said}"
        )
    (path,) = scratch.glob("*.whl")
    return path


def _read_wheel(path: Path, lessons: Iterable[str]) -> _Wheel:
    """Read a wheel, and see that it is the students', with these lessons' answer sheets."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except (OSError, zipfile.BadZipFile) as error:
        raise CourseError(f"{path} cannot be read as a wheel: {error}") from None
    problem = "; ".join(_wheel_problems(path.name, members, lessons))
    if problem:
        raise CourseError(
            f"{path} is not what students install for these lessons: {problem}. "
            "`make wheels` in the course's checkout builds it."
        )
    return _Wheel(path.name, path.read_bytes(), members)


def _wheel_problems(
    name: str, members: Mapping[str, bytes], lessons: Iterable[str]
) -> Iterator[str]:
    if not _WHEEL_NAME.fullmatch(name):
        yield "it has no wheel's name, such as attention_course-0.1.0-py3-none-any.whl"
    rooms = {member.split("/")[0] for member in members}
    if foreign := sorted(r for r in rooms if r != "course" and not r.endswith(".dist-info")):
        yield f"it holds {', '.join(foreign)}"
    for exercise in (name for lesson in lessons for name in exercises.names(lesson)):
        sheet = f"course/answers/{exercise}.json"
        if members.get(sheet) != sheets.write(exercise).encode():
            yield f"{sheet} is {'out of date' if sheet in members else 'missing'}"


def _contents(course: CourseFolder, lesson: str, wheel: _Wheel) -> dict[str, bytes]:
    """What goes into a lesson's archive, by its path there."""
    released = _released(course, lesson)
    files = {f"{lesson}/{name}": path.read_bytes() for name, path in released.items()}
    files[wheel.name] = wheel.content
    words = {
        "lesson": lesson,
        "wheel": wheel.name,
        "environment": FOLDER,
        "most_files": f"{MOST_FILES:,}",
        "most_bytes": megabytes(MOST_BYTES),
    }
    for template in sorted(_FOR_STUDENTS.iterdir()):
        files[template.name] = Template(template.read_text("utf8")).substitute(words).encode()
    return {f"{FOLDER}/{name}": files[name] for name in sorted(files)}


def _refuse_leaks(contents: Mapping[str, bytes], sources: Iterable[Path]) -> None:
    """See that nothing of the instructor's is handed out, whatever release/ and the wheel hold.

    Args:
        contents: what is to be handed out, by its path.
        sources: the notebooks whose solutions and hidden tests it must not show.
    """
    leaks = {
        f"{name}: not for students" for name in contents if _INSTRUCTORS & set(name.split("/"))
    }
    texts = {
        name: content.decode("utf8", "replace").splitlines()
        for name, content in contents.items()
        if not name.endswith(".whl")  # compressed; its members are looked at one by one
    }
    for source in map(_read, sources):
        for name, lines in texts.items():
            leaks.update(releasing.leaks_into(source, lines, name))
    if leaks:
        raise CourseError(
            "\n  ".join(["Students would be told what they must find out:", *sorted(leaks)])
        )


def _read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def _write(path: Path, contents: Mapping[str, bytes]) -> Handout:
    """Write an archive whose bytes depend on its contents alone; all of it or nothing."""
    unfinished = path.with_suffix(".unfinished")
    with zipfile.ZipFile(unfinished, "w") as archive:
        for name in sorted(contents):
            info = zipfile.ZipInfo(name, _FIRST_TIME)
            info.create_system = 3  # Unix, whose permissions these are
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(info, contents[name], zipfile.ZIP_DEFLATED, compresslevel=9)
    unfinished.replace(path)
    return Handout(path, tuple(sorted(contents)))
