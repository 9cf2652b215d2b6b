"""The students' archives: a lesson, the package it needs, and instructions."""

from __future__ import annotations

import base64
import fnmatch
import hashlib
import importlib.metadata
import io
import re
import stat
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path, PurePath
from string import Template

import nbformat
from nbformat import NotebookNode

import selfcheck
from autograder.collect.archives import MOST_ARCHIVED_FILES, MOST_BYTES, megabytes
from autograder.course_folder import STEPS, CourseFolder
from autograder.errors import CourseError
from autograder.judging.keys import key_of
from autograder.release import answer_sheets
from autograder.release import generate as releasing
from autograder.rubrics import FOLDER as RUBRICS
from selfcheck import Course
from selfcheck.course import package_folder

ENGINE = "notebook-selfcheck"
"""pip's name for the students' part of the autograder, which goes into the course's wheel."""

_FOR_STUDENTS = Path(__file__).with_name("for_students")
_FIRST_TIME = (1980, 1, 1, 0, 0, 0)
_SETUP = """
Then run these. (On Windows, write `.venv\\Scripts\\` instead of `.venv/bin/`; with conda, leave it
out.)

```
{commands}
```

{reasons}
"""


@dataclass(frozen=True)
class Handout:
    """A written archive.

    Args:
        path: its path.
        names: the names of its files.
    """

    path: Path
    names: tuple[str, ...]


def write_handouts(
    course: CourseFolder, lessons: Sequence[str], into: Path, wheel: Path | None = None
) -> list[Handout]:
    """Write an archive for each lesson.

    The same release and wheel give the same bytes. Lessons aren't combined into one archive,
    because later ones show the solutions of earlier ones.

    Args:
        course: the course folder.
        lessons: the lessons.
        into: the folder to write to; it's created if necessary.
        wheel: the course's wheel, which students install. If left out, it's built from the course
            folder if that is a checkout, else from the installed package.

    Raises:
        CourseError: when something isn't released or is out of date, the wheel isn't the students'
            or can't be built, or an archive would contain what students must not see. Then nothing
            is written.
    """
    _refuse_stale(course, lessons)
    with tempfile.TemporaryDirectory(prefix="course-wheel-") as scratch:
        package = _students_wheel(course, lessons, wheel, Path(scratch))
    archives = {lesson: _contents(course, lesson, package) for lesson in lessons}
    steps = (course.folder(step).name for step in STEPS if step != "release")
    secret = {"autograder", "gradebook.db", RUBRICS, *steps, course.declared.keys}
    _refuse_leaks(package.members, secret, course.folder("source").glob("*/*.ipynb"))
    for lesson, contents in archives.items():
        _refuse_leaks(contents, secret, course.source(lesson).parent.glob("*.ipynb"))
    into.mkdir(parents=True, exist_ok=True)
    return [_write(into / f"{lesson}.zip", contents) for lesson, contents in archives.items()]


@dataclass(frozen=True)
class _Wheel:
    """A wheel: its file's name, and its files."""

    name: str
    members: Mapping[str, bytes]


def _refuse_stale(course: CourseFolder, lessons: Sequence[str]) -> None:
    """Check that release/ is exactly what source/ gives today."""
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
            f"Out of date, run `autograder release {' '.join(lessons)}`:\n  "
            + "\n  ".join(sorted(stale))
        )


def _released(course: CourseFolder, lesson: str) -> dict[str, Path]:
    """A lesson's files by their path in its folder, except those that nbgrader ignores."""
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


def _students_wheel(
    course: CourseFolder, lessons: Sequence[str], wheel: Path | None, scratch: Path
) -> _Wheel:
    """The course's wheel including the engine's part, so that students install a single file."""
    declared = course.declared
    if not declared.package:
        raise CourseError(
            "This course declares no package that students install: hand out release/ itself."
        )
    path = wheel or _make_wheel(declared.distribution, declared.package, course.root, scratch)
    own = _read_wheel(path, course, lessons)
    if any(name.startswith(f"{selfcheck.__name__}/") for name in own.members):
        return own
    made = _make_wheel(ENGINE, selfcheck.__name__, course.root, scratch)
    engine = _open_wheel(made)
    members = dict(own.members)
    metadata = f"{_info(own)}/METADATA"
    engines = engine.members[f"{_info(engine)}/METADATA"]
    members[metadata] = _without_engine(members[metadata], engines)
    for name, content in engine.members.items():
        if name.startswith(f"{selfcheck.__name__}/"):
            members[name] = content
    return _Wheel(own.name, _recorded(members, _info(own)))


def _info(wheel: _Wheel) -> str:
    """The folder of a wheel's metadata."""
    return next(name for name in wheel.members if name.endswith(".dist-info/METADATA"))[:-9]


def _without_engine(metadata: bytes, engines: bytes) -> bytes:
    """A wheel's metadata that require the engine's dependencies instead of the engine.

    Args:
        metadata: the wheel's metadata.
        engines: the engine's metadata.
    """
    asks = re.compile(rb"Requires-Dist:\s*" + ENGINE.encode() + rb"\b(?:\[(.*?)\])?")
    lines = metadata.splitlines(keepends=True)
    for place, line in enumerate(lines):
        if asked := asks.match(line):
            needed = _requirements(engines, re.findall(rb"[\w.-]+", asked[1] or b""))
            new = [each for each in needed if each not in lines]
            return b"".join([*lines[:place], *new, *lines[place + 1 :]])
    return metadata


def _requirements(metadata: bytes, extras: Sequence[bytes]) -> list[bytes]:
    """The requirements of a wheel with some of its extras, one per line."""
    lines = []
    for line in metadata.partition(b"\n\n")[0].splitlines():
        wanted, _, extra = line.partition(b"; extra == ")
        if line.startswith(b"Requires-Dist:") and (not extra or extra.strip(b"'\"") in extras):
            lines.append(wanted + b"\n")
    return lines


def _make_wheel(distribution: str, package: str, root: Path, scratch: Path) -> Path:
    """Build a wheel; from a checkout, as ``make wheels`` does.

    Args:
        distribution: pip's name for it.
        package: the package in it.
        root: the course folder, which may be the checkout.
        scratch: the folder to write it to.

    Raises:
        CourseError: when it can't be built.
    """
    folder = package_folder(package)
    for place in (root, folder, folder.parent):
        project = place / "pyproject.toml"
        if project.is_file() and _project_name(project) == distribution:
            return _build_wheel(place, scratch / distribution)
    return _repack_installed(distribution, package, scratch)


def _project_name(project: Path) -> str | None:
    return tomllib.loads(project.read_text("utf8")).get("project", {}).get("name")


def _repack_installed(distribution: str, package: str, scratch: Path) -> Path:
    """Build a wheel from an installed package.

    Raises:
        CourseError: when it isn't installed.
    """
    try:
        installed = importlib.metadata.distribution(distribution)
    except importlib.metadata.PackageNotFoundError:
        raise CourseError(
            f"{distribution or package} isn't installed, so there's no students' wheel. Install it "
            "or name its wheel with --wheel."
        ) from None
    name = f"{distribution.replace('-', '_')}-{installed.version}"
    members = {
        path.as_posix(): path.read_binary()
        for path in installed.files or ()
        if _is_from_wheel(path, package)
    }
    path = scratch / f"{name}-py3-none-any.whl"
    return _write(path, _recorded(members, f"{name}.dist-info")).path


def _recorded(members: Mapping[str, bytes], info: str) -> dict[str, bytes]:
    """A wheel's files, with their list of hashes added."""
    record = f"{info}/RECORD"
    lines = [
        f"{member},sha256={_wheel_hash(content)},{len(content)}"
        for member, content in sorted(members.items())
        if member != record
    ]
    return {**members, record: "".join(f"{line}\n" for line in [*lines, f"{record},,"]).encode()}


def _is_from_wheel(path: PurePath, package: str) -> bool:
    """Whether an installed file comes from the wheel: installers add some of their own."""
    folder, *inside = path.parts
    if folder == package:
        return path.suffix != ".pyc"
    kept = (["METADATA"], ["WHEEL"], ["entry_points.txt"])
    return folder.endswith(".dist-info") and (inside[:1] == ["licenses"] or inside in kept)


def _wheel_hash(content: bytes) -> str:
    """A hash in RECORD's format."""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _build_wheel(project: Path, into: Path) -> Path:
    """Build a wheel from a checkout.

    Raises:
        CourseError: when it cannot be built.
    """
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(into)]
    done = subprocess.run(
        [*build, str(project)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip()[-2000:]
        raise CourseError(
            "The students' wheel can't be built; you can give an existing one with "
            f"--wheel.\n{said}"
        )
    (path,) = into.glob("*.whl")
    return path


def _open_wheel(path: Path) -> _Wheel:
    try:
        with zipfile.ZipFile(path) as archive:
            return _Wheel(path.name, {name: archive.read(name) for name in archive.namelist()})
    except (OSError, zipfile.BadZipFile) as error:
        raise CourseError(f"{path} cannot be read as a wheel: {error}") from None


def _read_wheel(path: Path, course: CourseFolder, lessons: Iterable[str]) -> _Wheel:
    """Read a wheel, and check that it's the students', with these lessons' answer sheets."""
    wheel = _open_wheel(path)
    problem = "; ".join(_wheel_problems(wheel, course.declared, lessons))
    if problem:
        raise CourseError(
            f"{path} is not what students install for these lessons: {problem}. "
            "`make wheels` in the course's checkout builds it."
        )
    return wheel


def _wheel_problems(wheel: _Wheel, course: Course, lessons: Iterable[str]) -> Iterator[str]:
    name = course.distribution.replace("-", "_")
    if not re.fullmatch(rf"{name}-[\w.!+]+-py3-none-any\.whl", wheel.name):
        yield f"its name isn't a wheel's, such as {name}-0.1.0-py3-none-any.whl"
    rooms = {member.split("/")[0] for member in wheel.members}
    ours = (course.package, selfcheck.__name__)
    if foreign := sorted(r for r in rooms if r not in ours and not r.endswith(".dist-info")):
        yield f"it contains {', '.join(foreign)}"
    for exercise in (name for lesson in lessons for name in course.names(lesson)):
        sheet = f"{course.package}/answers/{exercise}.json"
        if wheel.members.get(sheet) != answer_sheets.sheet_text(key_of(course, exercise)).encode():
            yield f"{sheet} is {'out of date' if sheet in wheel.members else 'missing'}"


def _contents(course: CourseFolder, lesson: str, wheel: _Wheel) -> dict[str, bytes]:
    """The files of a lesson's archive, by path."""
    released = _released(course, lesson)
    files = {f"{lesson}/{name}": path.read_bytes() for name, path in released.items()}
    files[wheel.name] = _zipped(wheel.members)
    # All archives have the same top folder, so that later lessons end up next to earlier ones.
    folder = course.declared.distribution
    words = {
        "lesson": lesson,
        "wheel": wheel.name,
        "environment": folder,
        "setup": _setup(course.declared.setup),
        "most_files": f"{MOST_ARCHIVED_FILES:,}",
        "most_bytes": megabytes(MOST_BYTES),
    }
    for template in sorted(_FOR_STUDENTS.iterdir()):
        files[template.name] = Template(template.read_text("utf8")).substitute(words).encode()
    return {f"{folder}/{name}": files[name] for name in sorted(files)}


def _setup(commands: Mapping[str, str]) -> str:
    """The README's section about a course's own commands."""
    if not commands:
        return ""
    return _SETUP.format(
        commands="\n".join(f".venv/bin/{command}" for command in commands),
        reasons="\n".join(f"- `{command}` {reason}." for command, reason in commands.items()),
    )


def _refuse_leaks(contents: Mapping[str, bytes], secret: Set[str], sources: Iterable[Path]) -> None:
    """Check that nothing secret is handed out, whatever release/ and the wheel contain.

    Args:
        contents: the files to hand out, by path.
        secret: names of the instructors' folders and files.
        sources: the notebooks whose solutions and hidden tests must not be shown.
    """
    leaks = {f"{name}: not for students" for name in contents if secret & set(name.split("/"))}
    texts = {
        name: content.decode("utf8", "replace").splitlines()
        for name, content in contents.items()
        if not name.endswith(".whl")  # compressed; its members are checked one by one
    }
    for source in map(_read, sources):
        for name, lines in texts.items():
            leaks.update(releasing.leaks_into(source, lines, name))
    if leaks:
        raise CourseError("\n  ".join(["The handout would leak solutions:", *sorted(leaks)]))


def _read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def _write(path: Path, contents: Mapping[str, bytes]) -> Handout:
    """Write an archive whose bytes only depend on its contents, completely or not at all."""
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_bytes(_zipped(contents))
    unfinished.replace(path)
    return Handout(path, tuple(sorted(contents)))


def _zipped(contents: Mapping[str, bytes]) -> bytes:
    """An archive whose bytes only depend on its contents."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in sorted(contents):
            info = zipfile.ZipInfo(name, _FIRST_TIME)
            info.create_system = 3  # Unix, whose permissions these are
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(info, contents[name], zipfile.ZIP_DEFLATED, compresslevel=9)
    return file.getvalue()
