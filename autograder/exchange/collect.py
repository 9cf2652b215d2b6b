"""From the archives of a learning platform to ``submitted/<student>/<lesson>/``."""

from __future__ import annotations

import errno
import filecmp
import itertools
import os
import shutil
import stat
import tempfile
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from autograder.course_folder import STAGING, CourseError, CourseFolder
from autograder.exchange.archives import (
    MOST_BYTES,
    MOST_FILES,
    Archive,
    Member,
    Unreadable,
    folded,
    megabytes,
    name_problem,
)
from autograder.exchange.handout import FOLDER
from autograder.exchange.origins import (
    Origin,
    is_student_id,
    is_zip,
    origin,
    platform_origin,
    version,
)
from autograder.grading.batch import alone
from course.responses import printable

TIMESTAMP = "timestamp.txt"
"""Where nbgrader reads when something was handed in."""

_MOST_LINES = 10
_MOST_ZIPS = 10
_NAME_REFUSED = {errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL, errno.EEXIST}
# A student cannot be called so.
_UNFINISHED = ".collecting"


@dataclass(frozen=True)
class Row:
    """What became of one person's files in an archive.

    Args:
        student: the student's id; "" where it is not known.
        source: the archive, and the name in it.
        files: how many there are, but for those left out.
        outcome: what was done with them, else "".
        left_out: files that were not taken, each with the reason.
        problem: why nothing was collected, else "".
        taken: whether the submission is now this one.
        stale_grade: whether a grade is there that `autograder grade` would not renew by itself.
    """

    student: str
    source: str
    files: int = 0
    outcome: str = ""
    left_out: tuple[str, ...] = ()
    problem: str = ""
    taken: bool = False
    stale_grade: bool = False


def collect(
    course: CourseFolder,
    lesson: str,
    archives: Sequence[Path],
    names: Mapping[str, str],
    *,
    force: bool = False,
    dry_run: bool = False,
) -> list[Row]:
    """Put what students handed in where it is graded.

    A submission becomes visible as a whole or not at all. One that was there is replaced by a newer
    one alone, and is kept beside it.

    Args:
        course: the course folder.
        lesson: a folder of ``source/``.
        archives: zip files.
        names: student ids by the names in the archives.
        force: also replace what is newer, or of which nobody knows when it was handed in.
        dry_run: read everything and write nothing.

    Raises:
        CourseError: when somebody is grading, or the disk cannot be written to.
    """
    collecting = _Collecting(course, lesson, names, force=force, dry_run=dry_run)
    with ExitStack() as stack:
        people = [each for path in archives for each in collecting.people(path, stack)]
        people = _without_doubles(collecting.identified(people))
        try:
            with collecting.scratch() as scratch:
                rows = [
                    collecting.collected(person, scratch / str(number))
                    for number, person in enumerate(people)
                ]
        except OSError as error:
            raise CourseError(
                f"Collecting stopped: {error}. What was collected so far is whole; run the same "
                "command again when there is room and permission to write."
            ) from error
    return sorted(rows, key=lambda row: (row.student == "", row.student, row.source))


@dataclass(frozen=True)
class _Person:
    """Whose files an archive holds, before any of them is read.

    Args:
        archive: the zip file.
        name: in the archive; "" for files that are nobody's.
        label: the name, with a number that tells people of the same name apart.
        files: by their path among this person's.
        left_out: what is not taken.
        problem: why nothing is.
        student: the id, once it is known.
        outcome: why it need not be, else "".
    """

    archive: Path
    name: str = ""
    label: str = ""
    files: Mapping[tuple[str, ...], Member] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    problem: str = ""
    student: str = ""
    outcome: str = ""

    @property
    def time(self) -> datetime | None:
        """When the last file was handed in, as the archive says."""
        return max((file.time for file in self.files.values() if file.time), default=None)

    def row(self, **values: object) -> Row:
        """A row about this person, with what is known so far."""
        source = f"{self.archive.name}: {self.label}" if self.label else self.archive.name
        row = Row(
            self.student,
            printable(source),
            outcome=self.outcome,
            left_out=self.left_out,
            problem=self.problem,
        )
        row = replace(row, **values)
        lines = [printable(line) for line in row.left_out]
        if len(lines) > _MOST_LINES:
            lines[_MOST_LINES:] = [f"and {len(lines) - _MOST_LINES:,} more"]
        return replace(row, left_out=tuple(lines), problem=printable(row.problem))


class _Collecting:
    """One run of the command: where from, where to, and what is allowed."""

    def __init__(
        self,
        course: CourseFolder,
        lesson: str,
        names: Mapping[str, str],
        *,
        force: bool,
        dry_run: bool,
    ) -> None:
        self._course, self._lesson, self._names = course, lesson, names
        self._force, self._dry_run = force, dry_run
        handed_out = [
            path.name for path in course.source(lesson).parent.iterdir() if path.is_file()
        ]
        self._known = frozenset(handed_out)
        self._notebooks = frozenset(name for name in handed_out if name.endswith(".ipynb"))

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A folder for what is not whole yet: in the course folder, unless this is a dry run."""
        if self._dry_run:
            with tempfile.TemporaryDirectory(prefix="course-collect-") as folder:
                yield Path(folder)
            return
        with alone(self._course):
            folder = self._course.root / STAGING / _UNFINISHED
            shutil.rmtree(folder, ignore_errors=True)  # of a run that was killed
            folder.mkdir()
            try:
                yield folder
            finally:
                shutil.rmtree(folder)

    def people(self, path: Path, stack: ExitStack) -> Iterator[_Person]:
        """Sort an archive's files by person; none of them is read yet."""
        try:
            members = Archive(stack.enter_context(path.open("rb"))).members
        except (OSError, Unreadable) as error:
            yield _Person(path, problem=str(error))
            return
        members = _unwrapped(members)
        groups: dict[tuple[str, str], list[tuple[tuple[str, ...], Member]]] = defaultdict(list)
        whole = _origin_of(path) if self._is_one_persons(members) else None
        for member in members:
            inside = origin(member.path)
            if whole:
                groups[whole.name, whole.label].append((member.path, member))
            elif inside and not name_problem(member.path[:1]):
                groups[inside.name, inside.label].append((inside.path, member))
            else:
                groups["", ""].append((member.path, member))
        if not groups:
            yield _Person(path, problem="there is nothing in it")
        for (name, label), files in groups.items():
            taken, left_out = _sound(files)
            person = _Person(path, name, label, taken, left_out)
            if not name:
                reason = f"in no student's folder: expected <student>/{self._lesson}.ipynb"
                lost = tuple(f"{_shown(inside)}: {reason}" for inside in taken)
                person = replace(person, files={}, left_out=(*left_out, *lost))
                person = replace(person, problem="these are nobody's")
            yield person

    def _is_one_persons(self, members: Sequence[Member]) -> bool:
        """Whether an archive is a single student's: the lesson's notebook is not in anybody's
        folder, but at the top or where the handout has it."""
        paths = {member.path for member in members if not name_problem(member.path)}
        if any(map(platform_origin, paths)):
            return False
        handed_out = {self._lesson, FOLDER}
        folders = self._folders(paths)
        return bool(folders) and all(handed_out.issuperset(folder) for folder in folders)

    def _as_handed_out(self, name: str) -> tuple[str, int]:
        """A file's name as the lesson has it, and the number that was added to it."""
        if name in self._known:
            return name, 0
        plain, number = version(name)
        return (plain, number) if plain in self._known else (name, 0)

    def identified(self, people: Sequence[_Person]) -> list[_Person]:
        """Find everybody's student id, or say why there is none."""
        alike = defaultdict(set)
        for person in people:
            alike[person.archive, person.name].add(person.label)
        return [
            self._identified(person, len(alike[person.archive, person.name])) for person in people
        ]

    def _identified(self, person: _Person, alike: int) -> _Person:
        """Find one person's id, where so many in the archive have the name."""
        name, label = person.name, person.label
        if person.problem:
            return person
        if label in self._names:
            return replace(person, student=self._names[label])
        if alike > 1:
            problem = f"{alike} people in the archive are called {name!r}: tell them apart in the "
            return replace(person, problem=f"{problem}file that --names gives, as {label!r}")
        if name in self._names:
            return replace(person, student=self._names[name])
        handed_out = {self._lesson, FOLDER, *self._course.lessons()}
        if not is_student_id(name) or version(name)[0] in handed_out:
            cell = f'"{name}"' if "," in name else name
            add = f"add the line {cell},<student> to the file that --names gives"
            return replace(person, problem=f"{name!r} is no student id: {add}")
        return replace(person, student=name)

    def collected(self, person: _Person, scratch: Path) -> Row:
        """Read a person's files and put them where they belong."""
        if person.problem or person.outcome:
            return person.row()
        target = self._course.submitted(person.student, self._lesson)
        if other := _spelt_otherwise(target.parent):
            return person.row(
                problem=f"submitted/{other}/ is there already: is it the same student? "
                "Say so in the file that --names gives"
            )
        try:
            with ExitStack() as stack:
                files, left_out = self._chosen(person, stack)
                left_out += self._copied(files, scratch)
            row = person.row(left_out=person.left_out + left_out)
            return self._placed(row, scratch, target, person.time)
        except Unreadable as error:
            return person.row(problem=str(error))
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def _chosen(
        self, person: _Person, stack: ExitStack
    ) -> tuple[dict[tuple[str, ...], Member], tuple[str, ...]]:
        """A person's files as they are to lie in the submission, and what is left out.

        Raises:
            Unreadable: when the lesson's notebook is not among them, or they are too many.
        """
        files, left_out = dict(person.files), ()
        if not self._folders(files):
            files, left_out = _unpacked(files, stack)
        folder = self._root(files, left_out + person.left_out)
        inside = {path[len(folder) :]: file for path, file in files.items() if _in(path, folder)}
        if beside := len(files) - len(inside):
            many = "1 file that is" if beside == 1 else f"{beside:,} files that are"
            left_out += (f"{many} not in the notebook's folder",)
        renamed, more = self._renamed(inside)
        left_out += more
        chosen, more = _sound(list(renamed.items()))
        left_out += more
        if () not in self._folders(chosen):
            raise Unreadable("; ".join(more[:3]))
        if len(chosen) > MOST_FILES:
            raise Unreadable(f"{len(chosen):,} files: a student may hand in {MOST_FILES:,}")
        if (size := sum(file.size for file in chosen.values())) > MOST_BYTES:
            limit = megabytes(MOST_BYTES)
            raise Unreadable(f"{megabytes(size)} unpacked: a student may hand in {limit}")
        return chosen, left_out

    def _folders(self, paths: Iterable[tuple[str, ...]]) -> set[tuple[str, ...]]:
        """Where the lesson's notebooks are."""
        return {path[:-1] for path in paths if self._as_handed_out(path[-1])[0] in self._notebooks}

    def _root(
        self, files: Mapping[tuple[str, ...], Member], left_out: Sequence[str]
    ) -> tuple[str, ...]:
        """The folder that holds the lesson's notebook: the outermost, or the one with its name."""
        folders = self._folders(files)
        if not folders:
            others = sorted(path[-1] for path in files if path[-1].endswith(".ipynb"))
            problem = f"there is no {' or '.join(sorted(self._notebooks))}"
            if others:
                problem += f", only {', '.join(others[:3])}"
            if any(is_zip(path[-1]) for path in files):
                problem += "; a zip in a zip of the student's is not opened"
            raise Unreadable("; ".join([problem, *left_out[:3]]))
        depth = min(map(len, folders))
        outer = sorted(folder for folder in folders if len(folder) == depth)
        named = [folder for folder in outer if folder[-1:] == (self._lesson,)]
        for found in (outer, named):
            if len(found) == 1:
                return found[0]
        raise Unreadable(f"the notebook is in several folders: {', '.join(map(_shown, outer[:3]))}")

    def _renamed(
        self, files: Mapping[tuple[str, ...], Member]
    ) -> tuple[dict[tuple[str, ...], Member], tuple[str, ...]]:
        """Of files with a number added to their name, the last under its own name."""
        chosen: dict[tuple[str, ...], Member] = {}
        left_out = []
        for path in sorted(files, key=lambda path: self._as_handed_out(path[-1])[1]):
            own = path if len(path) > 1 else (self._as_handed_out(path[0])[0],)
            if folded(*own) == TIMESTAMP:
                left_out.append(f"{_shown(path)}: the archive says when, not the student")
                continue
            if own in chosen:
                left_out.append(f"{_shown(own)}: {_shown(path)} is a later version")
            chosen[own] = files[path]
        return chosen, tuple(left_out)

    def _copied(self, files: Mapping[tuple[str, ...], Member], scratch: Path) -> tuple[str, ...]:
        """Write files into an empty folder.

        Returns:
            Those that could not be read.

        Raises:
            Unreadable: when the lesson's notebook is among these.
        """
        scratch.mkdir()
        left_out = []
        for path, member in files.items():
            copy = scratch.joinpath(*path)
            try:
                copy.parent.mkdir(parents=True, exist_ok=True)
                with copy.open("xb") as file:
                    for chunk in member.chunks():
                        file.write(chunk)
            except Unreadable as error:
                copy.unlink()
                if len(path) == 1 and path[0] in self._notebooks:
                    raise Unreadable(f"{path[0]}: {error}") from None
                left_out.append(f"{_shown(path)}: {error}")
            except OSError as error:
                if error.errno not in _NAME_REFUSED:
                    raise
                left_out.append(f"{_shown(path)}: this disk knows no such name")
        return tuple(left_out)

    def _placed(self, row: Row, scratch: Path, target: Path, time: datetime | None) -> Row:
        """Move a whole submission to its place, unless there is one that is as new."""
        files = _contents(scratch)
        row = replace(row, files=len(files))
        moved = ""
        if os.path.lexists(target):
            if target.is_symlink() or not target.is_dir():
                return replace(row, problem=f"{target} is no folder: move it away")
            if files.keys() == _contents(target).keys() and all(
                _same(path, target / name) for name, path in files.items()
            ):
                return replace(row, outcome="is there already")
            before = _handed_in(target)
            newer = bool(time and before and time > before)
            if not newer and not self._force:
                why = "nothing says which is newer, this one or the one that is there"
                if time and before:
                    why = f"the one that is there, of {before:%Y-%m-%d %H:%M} UTC, is not older"
                return replace(row, outcome=f"not taken: {why}; --force replaces it")
            kept = _kept(target, before)
            graded = self._course.autograded(row.student, self._lesson).parent.is_dir()
            row = replace(row, stale_grade=graded and not newer)
            moved = f"; the one before is kept in {kept.relative_to(self._course.root)}"
        if time:
            (scratch / TIMESTAMP).write_text(f"{time:%Y-%m-%d %H:%M:%S.%f} UTC", "utf8")
        outcome = "replaced" if moved else "collected"
        if self._dry_run:
            return replace(row, outcome=f"to be {outcome}{moved}", taken=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        if moved:
            target.rename(kept)
        try:
            scratch.rename(target)
        except OSError:
            if moved:
                kept.rename(target)
            raise
        return replace(row, outcome=outcome + moved, taken=True)


def _origin_of(archive: Path) -> Origin:
    """Whose an archive is that holds one person's files: as its own name says."""
    path = (unicodedata.normalize("NFC", archive.name),)
    return origin(path) or Origin(archive.stem, "", path)


def _unwrapped(members: tuple[Member, ...]) -> tuple[Member, ...]:
    """Without the folder around everything, which is there when somebody unpacked a platform's
    archive and zipped the folder anew."""
    tops = {member.path[0] for member in members}
    inner = [member.path[1:] for member in members]
    if len(tops) == 1 and all(inner) and any(map(platform_origin, inner)):
        return tuple(replace(member, path=member.path[1:]) for member in members)
    return members


def _sound(
    files: Sequence[tuple[tuple[str, ...], Member]],
) -> tuple[dict[tuple[str, ...], Member], tuple[str, ...]]:
    """Files that can lie in one folder anywhere, and the others, with the reason."""
    alike = defaultdict(set)
    for path, _ in files:
        alike[folded(*path)].add(path)
    times = Counter(path for path, _ in files)
    sound, left_out = {}, {}
    for path, member in files:
        parents = (folded(*path[:end]) for end in range(1, len(path)))
        problem = member.problem or name_problem(path)
        if not problem and times[path] > 1:
            problem = f"it is there {times[path]} times"
        if not problem and len(alike[folded(*path)]) > 1:
            problem = "another one's name differs in case or Unicode form alone"
        if not problem and any(parent in alike for parent in parents):
            problem = "its folder is a file, too"
        if problem:
            left_out[f"{_shown(path)}: {problem}"] = None
        else:
            sound[path] = member
    return sound, tuple(left_out)


def _unpacked(
    files: Mapping[tuple[str, ...], Member], stack: ExitStack
) -> tuple[dict[tuple[str, ...], Member], tuple[str, ...]]:
    """The contents of the zips among a person's files, beside the other files.

    Zips in these are not opened.

    Raises:
        Unreadable: when they are too many, or too large.
    """
    sizes = [member.size for path, member in files.items() if is_zip(path[-1])]
    if len(sizes) > _MOST_ZIPS or sum(sizes) > MOST_BYTES:
        limit = f"a student may hand in {_MOST_ZIPS} of up to {megabytes(MOST_BYTES)} in all"
        raise Unreadable(f"{len(sizes):,} zips of {megabytes(sum(sizes))}: {limit}")
    unpacked, left_out = [], []
    for path, member in files.items():
        if not is_zip(path[-1]):
            unpacked.append((path, member))
            continue
        try:
            inner = member.opened(stack).members
        except Unreadable as error:
            left_out.append(f"{_shown(path)}: {error}")
            continue
        place = path[:-1] if len(sizes) == 1 else path
        unpacked += [((*place, *each.path), each) for each in inner]
    sound, more = _sound(unpacked)
    return sound, (*left_out, *more)


def _without_doubles(people: Sequence[_Person]) -> list[_Person]:
    """Everybody once: of two submissions of one student the newer one, if that can be told."""
    by_student = defaultdict(list)
    spellings = defaultdict(set)
    for person in people:
        by_student[person.student].append(person)
        spellings[folded(person.student)].add(person.student)
    result = []
    for person in people:
        same = by_student[person.student]
        times = [other.time for other in same]
        if person.problem:
            pass
        elif len(spellings[folded(person.student)]) > 1:
            both = " and ".join(sorted(spellings[folded(person.student)]))
            problem = f"{both} differ in case or Unicode form alone: say with --names who is who"
            person = replace(person, problem=problem)
        elif len(same) > 1 and (None in times or times.count(max(times)) > 1):
            person = replace(
                person,
                problem=f"there are {len(same)} submissions of {person.student}, and nothing says "
                "which is the newest: collect one archive after the other, the last with --force",
            )
        elif len(same) > 1 and person.time != max(times):
            person = replace(person, outcome="not taken: another of these archives has a newer one")
        result.append(person)
    return result


def _spelt_otherwise(folder: Path) -> str:
    """A student's folder that is there under another spelling of the name."""
    names = {path.name for path in folder.parent.iterdir()} if folder.parent.is_dir() else set()
    if folder.name in names:
        return ""
    return next((name for name in names if folded(name) == folded(folder.name)), "")


def _contents(folder: Path) -> dict[Path, Path]:
    """What is in a submission, but for its time: by the path in it."""
    found = {path.relative_to(folder): path for path in folder.rglob("*") if not path.is_dir()}
    return {inside: path for inside, path in found.items() if str(inside) != TIMESTAMP}


def _same(one: Path, other: Path) -> bool:
    """Whether two files are regular and equal."""
    regular = all(stat.S_ISREG(path.lstat().st_mode) for path in (one, other))
    return regular and filecmp.cmp(one, other, shallow=False)


def _handed_in(folder: Path) -> datetime | None:
    """When a submission was handed in, as nbgrader reads it."""
    # Importing nbgrader takes a while: not before it is needed.
    from nbgrader.utils import parse_utc

    path = folder / TIMESTAMP
    if not os.path.lexists(path) or not stat.S_ISREG(path.lstat().st_mode):
        return None
    try:
        return parse_utc(path.read_text("utf8").strip()).replace(tzinfo=UTC)
    except Exception:  # whatever the date parser makes of it
        return None


def _kept(target: Path, before: datetime | None) -> Path:
    """A free name beside a submission that is replaced; nbgrader knows no lesson of that name."""
    stem = f"{target.name}.before" + (f"-{before:%Y%m%dT%H%M%S}" if before else "")
    names = (stem if number == 1 else f"{stem}-{number}" for number in itertools.count(1))
    return next(path for name in names if not os.path.lexists(path := target.with_name(name)))


def _in(path: tuple[str, ...], folder: tuple[str, ...]) -> bool:
    return path[: len(folder)] == folder


def _shown(path: tuple[str, ...]) -> str:
    """A path for a reader: not more of it than fits into a line."""
    text = "/".join(path)
    return text if len(text) <= 100 else f"...{text[-97:]}"
