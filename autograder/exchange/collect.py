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
from contextlib import ExitStack, contextmanager, suppress
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
from autograder.exchange.gradescope import METADATA, Submission, read_metadata
from autograder.exchange.handout import FOLDER
from autograder.exchange.notebooks import (
    MOST_NOTEBOOK_BYTES,
    holding,
    lesson_ids,
    possible_ids,
    released_ids,
)
from autograder.exchange.origins import (
    Origin,
    Platform,
    is_zip,
    origin,
    platform_origin,
    version,
)
from autograder.exchange.owners import Owned, Owners
from autograder.exchange.record import Entry, read_collected, write_collected
from autograder.exchange.times import HandedIn
from autograder.grading.batch import alone
from autograder.grading.submitted import TIMESTAMP, read_timestamp
from autograder.roster import FILE as ROSTER
from autograder.roster import Roster, read_roster
from course.responses import printable

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
        stale_penalty: whether it is graded, and now known to have been handed in at another time.
        time: when it was handed in, in UTC; None where nobody knows.
        late: whether the platform calls it late.
        platform: whose archive it is.
    """

    student: str
    source: str
    files: int = 0
    outcome: str = ""
    left_out: tuple[str, ...] = ()
    problem: str = ""
    taken: bool = False
    stale_penalty: bool = False
    time: datetime | None = None
    late: bool = False
    platform: Platform = Platform.unknown


def collect(
    course: CourseFolder,
    lesson: str,
    archives: Sequence[Path],
    names: Mapping[str, tuple[str, ...]],
    *,
    times: Sequence[HandedIn] = (),
    force: bool = False,
    dry_run: bool = False,
) -> list[Row]:
    """Put what students handed in where it is graded.

    A submission becomes visible as a whole or not at all. One that was there is only replaced by a
    newer one, and is kept beside it. Its time is the platform's or unknown: the times in an archive
    are those of the download.

    Args:
        course: the course folder.
        lesson: a folder of ``source/``.
        archives: zip files.
        names: student ids by the names in the archives.
        times: when submissions were handed in, as platforms say.
        force: also replace what is newer, or what can't be told to be older.
        dry_run: read everything and write nothing.

    Raises:
        CourseError: when somebody is grading, or the disk cannot be written to.
    """
    collecting = _Collecting(course, lesson, names, times, force=force, dry_run=dry_run)
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


def no_longer_there(course: CourseFolder, lesson: str, rows: Sequence[Row]) -> list[str]:
    """Whom the same platform had before, and has no longer: perhaps they withdrew what they handed
    in, which only its absence tells.

    An archive with fewer than half of them isn't the whole class's, and says nothing.

    Args:
        course: the course folder.
        lesson: the lesson.
        rows: what was collected now.
    """
    platforms = {row.platform for row in rows} - {Platform.unknown}
    refused = {_label(row.source) for row in rows if not row.student}
    left = {person.student for person in read_roster(course).people if person.dropped}
    known = {
        student: entry
        for student, entry in read_collected(course, lesson).items()
        if entry.platform in platforms and course.submitted(student, lesson).is_dir()
    }
    there = {row.student for row in rows}
    there |= {student for student, entry in known.items() if _label(entry.source) in refused}
    absent = known.keys() - there - left
    return [] if 2 * len(absent) > len(known) else sorted(absent)


def _label(source: str) -> str:
    """The name in an archive, of a row's source."""
    return source.partition(": ")[2]


@dataclass(frozen=True)
class _Age:
    """What tells an earlier submission from a later one."""

    time: datetime | None = None
    platform: str = ""
    attempt: int = 0
    upload: int = 0

    def newer_than(self, other: _Age) -> bool | None:
        """Whether this one is the later one; None where nothing says so."""
        if self.time and other.time and self.time != other.time:
            return self.time > other.time
        if self.platform == other.platform:
            for own, its in ((self.attempt, other.attempt), (self.upload, other.upload)):
                if own and its and own != its:
                    return own > its
        return None


@dataclass(frozen=True)
class _Person:
    """Whose files an archive holds, before any of them is read.

    Args:
        archive: the zip file.
        origin: whose they are, as the archive says; None for files that are nobody's.
        files: by their path among this person's.
        uploads: the platform's numbers of the files, which grow with every upload.
        left_out: what is not taken.
        problem: why nothing is.
        submission: what Gradescope says of it.
        student: the id, once it is known.
        age: what tells it from an earlier one, as far as that is known.
        late: whether the platform calls it late.
        outcome: why it need not be collected, else "".
    """

    archive: Path
    origin: Origin | None = None
    files: Mapping[tuple[str, ...], Member] = field(default_factory=dict)
    uploads: Mapping[Member, int] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    problem: str = ""
    submission: Submission | None = None
    student: str = ""
    age: _Age = _Age()
    late: bool = False
    outcome: str = ""

    @property
    def source(self) -> str:
        """The archive, and the name in it."""
        label = self.origin.label if self.origin else ""
        if self.submission and self.submission.submitters:
            label += f" ({', '.join(each.label for each in self.submission.submitters)})"
        return printable(f"{self.archive.name}: {label}" if label else self.archive.name)

    def row(self, **values: object) -> Row:
        """A row about this person, with what is known so far."""
        row = Row(
            self.student,
            self.source,
            outcome=self.outcome,
            left_out=self.left_out,
            problem=self.problem,
            time=self.age.time,
            late=self.late,
            platform=self.origin.platform if self.origin else Platform.unknown,
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
        names: Mapping[str, tuple[str, ...]],
        times: Sequence[HandedIn],
        *,
        force: bool,
        dry_run: bool,
    ) -> None:
        self._course, self._lesson = course, lesson
        self._force, self._dry_run = force, dry_run
        folder = course.source(lesson).parent
        self._known = frozenset(path.name for path in folder.iterdir() if path.is_file())
        self._tasks = lesson_ids(folder)
        self._handed_out = {lesson, FOLDER}
        # Only `autograder roster` lists everybody: the gradebook also has whoever was graded.
        complete = (course.root / ROSTER).is_file()
        others = self._handed_out.union(course.lessons())
        self._owned = Owned(
            names,
            read_roster(course) if complete else Roster(),
            complete=complete,
            times=times,
            taken=lambda name: version(name)[0] in others,
        )
        self._before = read_collected(course, lesson)
        self._entries: dict[str, Entry] = {}
        self._times: dict[str, datetime | None] = {}

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
                self._remember()

    def _remember(self) -> None:
        """Let the gradebook know of other times, and keep where the submissions came from."""
        if self._times:
            _record_times(self._course, self._lesson, self._times)
        try:
            if self._entries:
                write_collected(self._course, self._lesson, self._entries)
        except CourseError as error:
            raise CourseError(
                f"{str(error).removesuffix('.')}. The submissions are in their place, but who was "
                "late, and which upload each one is, isn't remembered: run the same command again "
                "once that is fixed."
            ) from error

    def people(self, path: Path, stack: ExitStack) -> Iterator[_Person]:
        """Sort an archive's files by person; no file of a person's is read yet."""
        try:
            members = _unwrapped(Archive(stack.enter_context(path.open("rb"))).members)
            submissions = read_metadata(members)
        except (OSError, Unreadable) as error:
            yield _Person(path, problem=str(error))
            return
        groups: dict[tuple[str, str], list[tuple[Origin, Member]]] = defaultdict(list)
        nobody = Origin("", "", ())
        whole = _origin_of(path) if submissions is None and self._is_one_persons(members) else None
        for member in members:
            first, *rest = member.path
            if whole:
                inside = replace(whole, path=member.path)
            elif submissions is None:
                inside = origin(member.path)
            elif first in submissions and rest:
                inside = Origin(first, "", tuple(rest), Platform.gradescope)
            elif member.path == (METADATA,):
                continue
            else:
                inside = None
            if not inside or name_problem(member.path[:1]):
                inside = replace(nobody, path=member.path)
            groups[inside.name, inside.label].append((inside, member))
        if not groups:
            yield _Person(path, problem="there is nothing in it")
        for (name, label), found in groups.items():
            taken, left_out = _sound([(inside.path, member) for inside, member in found])
            origins = [inside for inside, _ in found]
            uploads = {member: inside.upload for inside, member in found}
            person = _Person(path, _joined(origins), taken, uploads, left_out)
            if not label:
                reason = f"in no student's folder: expected <student>/{self._lesson}.ipynb"
                lost = tuple(f"{_shown(inside)}: {reason}" for inside in taken)
                person = replace(person, origin=None, files={}, left_out=(*left_out, *lost))
                person = replace(person, problem="these are nobody's")
            elif submissions is not None:
                person = replace(person, submission=submissions[name])
            yield person

    def _is_one_persons(self, members: Sequence[Member]) -> bool:
        """Whether an archive is a single student's: the lesson's notebook is not in anybody's
        folder, but at the top or where the handout has it."""
        paths = {member.path for member in members if not name_problem(member.path)}
        if not any(map(origin, paths)):  # a notebook with another name, perhaps
            return any(path[-1].endswith(".ipynb") for path in paths)
        named = filter(None, map(platform_origin, paths))
        if any(each.path[-1].endswith((".ipynb", ".zip")) for each in named):
            return False
        folders = self._folders(paths)
        return bool(folders) and all(self._handed_out.issuperset(folder) for folder in folders)

    def _as_handed_out(self, name: str) -> tuple[str, int]:
        """A file's name as the lesson has it, and the number that was added to it."""
        if name in self._known:
            return name, 0
        plain, number = version(name)
        return (plain, number) if plain in self._known else (name, 0)

    def identified(self, people: Sequence[_Person]) -> list[_Person]:
        """Find everybody's student id, or say why there is none; of a group, every member's."""
        alike = defaultdict(set)
        for person in people:
            if person.origin:
                alike[person.archive, person.origin.name].add(person.origin.label)
        found: list[_Person] = []
        for person in people:
            if person.problem or not person.origin:
                found.append(person)
                continue
            owners = self._owners(person, len(alike[person.archive, person.origin.name]))
            if owners.problem:
                found.append(replace(person, problem=owners.problem))
            person = replace(person, left_out=person.left_out + owners.remarks)
            found += [self._owned_by(person, student) for student in owners.students]
        return found

    def _owners(self, person: _Person, alike: int) -> Owners:
        if person.submission:
            return self._owned.submitters(person.origin, person.submission)
        return self._owned.owners(person.origin, alike)

    def _owned_by(self, person: _Person, student: str) -> _Person:
        """The same as one student's, with what is known of when it was handed in."""
        whose, said = person.origin, person.submission
        told = self._owned.handed_in(whose, student) or HandedIn(whose.platform)
        age = _Age(
            (said.time if said else None) or told.time,
            whose.platform.value,
            told.attempt,
            said.upload if said else whose.upload,
        )
        return replace(person, student=student, age=age, late=whose.late or told.late)

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
            left_out += self._unlike_the_lesson(scratch)
            row = person.row(left_out=person.left_out + left_out)
            return self._placed(row, scratch, target, person)
        except Unreadable as error:
            if not self._dry_run and not target.is_dir():
                self._entries[person.student] = Entry(person.source, refused=printable(str(error)))
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
        if not self._folders(files):
            files, more = self._recognised(files)
            left_out += more
        folder = self._root(files, left_out + person.left_out)
        inside = {path[len(folder) :]: file for path, file in files.items() if _in(path, folder)}
        if beside := len(files) - len(inside):
            many = "1 file that is" if beside == 1 else f"{beside:,} files that are"
            left_out += (f"{many} not in the notebook's folder",)
        renamed, more = self._renamed(inside, person.uploads)
        left_out += more
        chosen, more = _sound(list(renamed.items()))
        left_out += more
        if () not in self._folders(chosen):
            raise Unreadable("; ".join(more[:3]))
        left_out += self._doubtful(chosen)
        if len(chosen) > MOST_FILES:
            raise Unreadable(f"{len(chosen):,} files: a student may hand in {MOST_FILES:,}")
        if (size := sum(file.size for file in chosen.values())) > MOST_BYTES:
            limit = megabytes(MOST_BYTES)
            raise Unreadable(f"{megabytes(size)} unpacked: a student may hand in {limit}")
        return chosen, left_out

    def _recognised(
        self, files: Mapping[tuple[str, ...], Member]
    ) -> tuple[dict[tuple[str, ...], Member], tuple[str, ...]]:
        """The files with the lesson's notebook under its name, where it is known by its tasks.

        Raises:
            Unreadable: when several notebooks hold them.
        """
        named, remarks = dict(files), []
        for name, tasks in self._tasks.items():
            found = holding(files, tasks)
            if len(found) > 1:
                both = " and ".join(map(_shown, found[:3]))
                raise Unreadable(
                    f"{both} hold the tasks of {name}: give the one to grade this name, and "
                    "collect it once more"
                )
            for path in found:
                named[*path[:-1], name] = named.pop(path)
                remarks.append(f"{_shown(path)}: has the tasks of {name}, and is taken for it")
        return named, tuple(remarks)

    def _doubtful(self, files: Mapping[tuple[str, ...], Member]) -> tuple[str, ...]:
        """Further notebooks that hold the lesson's tasks: one of them may be the one to grade."""
        others = {
            path: file
            for path, file in files.items()
            if len(path) == 1 and path[0] not in self._tasks
        }
        return tuple(
            f"{_shown(path)}: holds the lesson's tasks, too, but only {name} is graded"
            for name, tasks in self._tasks.items()
            for path in holding(others, tasks)
        )

    def _folders(self, paths: Iterable[tuple[str, ...]]) -> set[tuple[str, ...]]:
        """Where the lesson's notebooks are."""
        return {path[:-1] for path in paths if self._as_handed_out(path[-1])[0] in self._tasks}

    def _root(
        self, files: Mapping[tuple[str, ...], Member], left_out: Sequence[str]
    ) -> tuple[str, ...]:
        """The folder that holds the lesson's notebook: the outermost, or the one with its name."""
        folders = self._folders(files)
        if not folders:
            others = sorted(_shown(path) for path in files)
            problem = f"there is no {' or '.join(sorted(self._tasks))}"
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
        self, files: Mapping[tuple[str, ...], Member], uploads: Mapping[Member, int]
    ) -> tuple[dict[tuple[str, ...], Member], tuple[str, ...]]:
        """Of files with a number added to their name, the last under its own name: the last upload,
        or where the platform doesn't number them, the one with the highest number added."""

        def age(path: tuple[str, ...]) -> tuple[int, int]:
            return uploads.get(files[path], 0), self._as_handed_out(path[-1])[1]

        last: dict[tuple[str, ...], tuple[str, ...]] = {}
        left_out = []
        for path in sorted(files, key=age):
            own = path if len(path) > 1 else (self._as_handed_out(path[0])[0],)
            if folded(*own) == TIMESTAMP:
                left_out.append(f"{_shown(path)}: the platform says when, not the student")
                continue
            if own in last:
                left_out.append(f"{_shown(last[own])}: {_shown(path)} is a later version")
            last[own] = path
        return {own: files[path] for own, path in last.items()}, tuple(left_out)

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
                if len(path) == 1 and path[0] in self._tasks:
                    raise Unreadable(f"{path[0]}: {error}") from None
                left_out.append(f"{_shown(path)}: {error}")
            except OSError as error:
                if error.errno not in _NAME_REFUSED:
                    raise
                left_out.append(f"{_shown(path)}: this disk knows no such name")
        return tuple(left_out)

    def _unlike_the_lesson(self, scratch: Path) -> tuple[str, ...]:
        """Look whether notebooks that have the lesson's names also have its tasks.

        Returns:
            Remarks about those that have only some.

        Raises:
            Unreadable: when one has none, in any version of the lesson that was released: it is of
                another lesson or course.
        """
        remarks = []
        for name, tasks in self._tasks.items():
            path = scratch / name
            if not tasks or not path.is_file() or path.stat().st_size > MOST_NOTEBOOK_BYTES:
                continue
            try:
                own = possible_ids(path.read_bytes())
            except Unreadable as error:
                raise Unreadable(f"{name}: {error}") from None
            if own.isdisjoint(tasks) and own.isdisjoint(released_ids(self._course, self._lesson)):
                raise Unreadable(
                    f"{name}: none of the lesson's tasks is in it: is it of another lesson or "
                    "course?"
                )
            if 2 * len(own & tasks) < len(tasks):
                remarks.append(
                    f"{name}: only {len(own & tasks)} of the {len(tasks)} cells that the lesson's "
                    "tasks are in"
                )
        return tuple(remarks)

    def _placed(self, row: Row, scratch: Path, target: Path, person: _Person) -> Row:
        """Move a whole submission to its place, unless one that isn't older is there."""
        files = _contents(scratch)
        row = replace(row, files=len(files))
        age, moved = person.age, ""
        if os.path.lexists(target):
            if target.is_symlink() or not target.is_dir():
                return replace(row, problem=f"{target} is no folder: move it away")
            before = self._age(row.student, target)
            if files.keys() == _contents(target).keys() and all(
                _same(path, target / name) for name, path in files.items()
            ):
                return self._confirmed(row, target, person, before)
            newer = age.newer_than(before)
            if not newer and not self._force:
                why = "nothing says which is newer, this one or the one that is there"
                if newer is False:
                    when = f", of {before.time:%Y-%m-%d %H:%M} UTC," if before.time else ""
                    why = f"the one that is there{when} is newer"
                there = replace(row, time=before.time, late=self._is_late(row.student))
                return replace(there, outcome=f"not taken: {why}; --force replaces it")
            kept = _kept(target, before.time)
            moved = f"; the one before is kept in {kept.relative_to(self._course.root)}"
        if age.time:
            (scratch / TIMESTAMP).write_text(_stamp(age.time), "utf8")
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
        self._entries[row.student] = _entry(person, age.time)
        if moved and not age.time:
            self._times[row.student] = None
        return replace(row, outcome=outcome + moved, taken=True)

    def _confirmed(self, row: Row, target: Path, person: _Person, before: _Age) -> Row:
        """Of a submission that is there already, take the time if nobody knew it."""
        time = person.age.time
        if not time or time == before.time:
            if not self._dry_run:
                self._entries[row.student] = _entry(person, before.time)
            return replace(row, time=before.time, outcome="is there already")
        graded = self._course.autograded(row.student, self._lesson).parent.is_dir()
        outcome = "is there already; the time of handing in was added"
        if not self._dry_run:
            stamp = target / f"{TIMESTAMP}.unfinished"
            stamp.write_text(_stamp(time), "utf8")
            stamp.replace(target / TIMESTAMP)
            self._entries[row.student] = _entry(person, time)
            self._times[row.student] = time
        return replace(row, outcome=outcome, stale_penalty=graded)

    def _age(self, student: str, target: Path) -> _Age:
        """What is known of the submission that is there."""
        entry = self._before.get(student, Entry(""))
        return _Age(_handed_in(target), entry.platform, entry.attempt, entry.upload)

    def _is_late(self, student: str) -> bool:
        return student in self._before and self._before[student].late


def _entry(person: _Person, time: datetime | None) -> Entry:
    """What is remembered of a submission."""
    age = person.age
    return Entry(
        person.source,
        _stamp(time) if time else "",
        person.late,
        age.platform,
        age.attempt,
        age.upload,
    )


def _stamp(time: datetime) -> str:
    """A time as nbgrader's exchange writes it: in UTC, which its gradebook keeps without saying."""
    return f"{time:%Y-%m-%d %H:%M:%S.%f} UTC"


def _joined(origins: Sequence[Origin]) -> Origin:
    """Where the files of one person come from."""
    return replace(
        origins[0],
        path=(),
        late=any(each.late for each in origins),
        upload=max(each.upload for each in origins),
    )


def _record_times(course: CourseFolder, lesson: str, times: Mapping[str, datetime | None]) -> None:
    """Bring the times in the gradebook up to date, where it has the submissions.

    nbgrader would keep the time of one that was replaced, and only learns a new one by grading.
    """
    if not course.has_gradebook:
        return
    from nbgrader.api import MissingEntry  # not before it is needed

    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        for student, time in times.items():
            naive = time.astimezone(UTC).replace(tzinfo=None) if time else None
            with suppress(MissingEntry):
                gradebook.find_submission(lesson, student)
                gradebook.update_or_create_submission(lesson, student, timestamp=naive)


def _origin_of(archive: Path) -> Origin:
    """Whose an archive is that holds one person's files: as its own name says."""
    path = (unicodedata.normalize("NFC", archive.name),)
    return origin(path) or Origin(archive.stem, "", path)


def _unwrapped(members: tuple[Member, ...]) -> tuple[Member, ...]:
    """Without the folder around everything: Gradescope writes one, and so does whoever unpacks a
    platform's archive and zips the folder again."""
    tops = {member.path[0] for member in members}
    inner = [member.path[1:] for member in members]
    if (
        len(tops) == 1
        and all(inner)
        and any(path == (METADATA,) or platform_origin(path) for path in inner)
    ):
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
        if person.problem:
            result.append(person)
            continue
        same = [other for other in by_student[person.student] if other is not person]
        if len(spellings[folded(person.student)]) > 1:
            both = " and ".join(sorted(spellings[folded(person.student)]))
            problem = f"{both} differ in case or Unicode form alone: say with --names who is who"
            person = replace(person, problem=problem)
        elif any(other.age.newer_than(person.age) for other in same):
            person = replace(person, outcome="not taken: another of these archives has a newer one")
        elif not all(person.age.newer_than(other.age) for other in same):
            person = replace(
                person,
                problem=f"there are {len(same) + 1} submissions of {person.student}, and nothing "
                "says which is the newest: collect one archive after the other, the last with "
                "--force",
            )
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

    try:
        return parse_utc(read_timestamp(folder)).replace(tzinfo=UTC)
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
