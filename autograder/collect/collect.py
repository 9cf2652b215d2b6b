"""Collect submissions from platforms' archives into ``submitted/<student>/<lesson>/``."""

from __future__ import annotations

import filecmp
import itertools
import os
import shutil
import stat
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from autograder.collect.archives import Unreadable
from autograder.collect.filenames import (
    Naming,
    Origin,
    Platform,
    shared_start,
    version,
)
from autograder.collect.lesson_files import LessonFiles
from autograder.collect.manifest import ManifestEntry, read_collected, write_collected
from autograder.collect.matching import Owned, Owners
from autograder.collect.people import Age, CollectedRow, PersonFiles, without_doubles
from autograder.collect.sorting import people_in
from autograder.collect.timestamps import PlatformSubmission, Times, time_in_name
from autograder.course_folder import STAGING, CourseFolder
from autograder.errors import CourseError
from autograder.grading.batch import grading_lock
from autograder.names import folded
from autograder.roster.roster import ROSTER_FILE, Roster, read_roster
from autograder.sanitize.submission import TIMESTAMP, read_timestamp
from selfcheck.responses import printable

# No student can have this name.
_UNFINISHED = ".collecting"
_SAME = timedelta(minutes=2)
_UNKNOWN = Times()


def collect(
    course: CourseFolder,
    lesson: str,
    archives: Sequence[Path],
    naming: Naming,
    *,
    times: Times = _UNKNOWN,
    force: bool = False,
    dry_run: bool = False,
) -> list[CollectedRow]:
    """Put submissions where they are graded.

    A submission becomes visible as a whole or not at all. An earlier one is only replaced by a
    newer one, and is kept next to it. Its time is the platform's or unknown. The times of files in
    an archive are usually those of the download; in Moodle's they are those of the uploads, and are
    used if there is a time zone but no list from Moodle.

    Args:
        course: the course folder.
        lesson: a folder of ``source/``.
        archives: zip files.
        naming: how the names in the archives are read.
        times: the platforms' submission times, and the time zone of Moodle's archives.
        force: also replace a submission that is newer, or that might be.
        dry_run: read everything and write nothing.

    Raises:
        CourseError: when somebody is grading, or the disk cannot be written to.
    """
    collecting = _Collecting(course, lesson, naming, times, force=force, dry_run=dry_run)
    with ExitStack() as stack:
        found = (people_in(path, collecting.files, stack, naming) for path in archives)
        people = list(itertools.chain.from_iterable(found))
        people = without_doubles(collecting.identified(people))
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


def no_longer_there(course: CourseFolder, lesson: str, rows: Sequence[CollectedRow]) -> list[str]:
    """Students who were in an earlier archive of the same platform and aren't in this one: perhaps
    they withdrew their submission.

    An archive with fewer than half of them isn't the whole class's, and tells nothing.

    Args:
        course: the course folder.
        lesson: the lesson.
        rows: the submissions collected now.
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
    """The name in an archive, from a row's source."""
    return source.partition(": ")[2]


class _Collecting:
    """One run of the command: its sources, target and options."""

    def __init__(
        self,
        course: CourseFolder,
        lesson: str,
        naming: Naming,
        times: Times,
        *,
        force: bool,
        dry_run: bool,
    ) -> None:
        self._course, self._lesson, self._naming = course, lesson, naming
        self._force, self._dry_run = force, dry_run
        self.files = LessonFiles(course, lesson)
        # Only `autograder roster` lists everybody; the gradebook has all who were graded.
        complete = (course.root / ROSTER_FILE).is_file()
        others = self.files.handed_out.union(course.lessons())
        self._owned = Owned(
            naming.students,
            read_roster(course) if complete else Roster(),
            complete=complete,
            times=times.entries,
            taken=lambda name: version(name)[0] in others,
        )
        listed = {entry.platform for entry in times.entries}
        self._server = None if Platform.moodle in listed else times.zone
        self._before = read_collected(course, lesson)
        self._entries: dict[str, ManifestEntry] = {}
        self._times: dict[str, datetime | None] = {}

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A folder for incomplete submissions: in the course folder, unless this is a dry run."""
        if self._dry_run:
            with tempfile.TemporaryDirectory(prefix="course-collect-") as folder:
                yield Path(folder)
            return
        with grading_lock(self._course):
            unfinished = self._course.root / STAGING / _UNFINISHED
            shutil.rmtree(unfinished, ignore_errors=True)  # of a run that was killed
            unfinished.mkdir()
            try:
                yield unfinished
            finally:
                shutil.rmtree(unfinished)
                self._remember()

    def _remember(self) -> None:
        """Update times in the gradebook, and remember where the submissions came from."""
        if self._times:
            _record_times(self._course, self._lesson, self._times)
        try:
            if self._entries:
                write_collected(self._course, self._lesson, self._entries)
        except CourseError as error:
            raise CourseError(
                f"{str(error).removesuffix('.')}. The submissions are in place, but who was "
                "late, and which upload each one is, wasn't recorded: run the same command again "
                "once this is fixed."
            ) from error

    def identified(self, people: Sequence[PersonFiles]) -> list[PersonFiles]:
        """Find everybody's student id (in a group, every member's), or say why there is none."""
        packed_at = {
            file.modified
            for person in people
            for file in person.files.values()
            if person.origin and person.origin.platform == Platform.moodle
        }
        if not _differ(packed_at):
            self._server = None
        alike, names = defaultdict(set), defaultdict(set)
        for person in people:
            if person.origin:
                alike[person.archive, person.origin.name].add(person.origin.label)
                names[person.archive].add(person.origin.name)
        found: list[PersonFiles] = []
        for person in people:
            origin = person.origin
            if person.problem or not origin:
                found.append(person)
                continue
            count = len(alike[person.archive, origin.name])
            is_moodles = origin.platform == Platform.moodle
            if is_moodles and count > 2 and len(names[person.archive]) == 1:
                # More than two with the same name: in no language is it a person's.
                origin = replace(origin, anonymous=True)
                person = replace(person, origin=origin)
            owners = self._owners(person, origin, count, shared_start(names[person.archive]))
            if not owners.students:
                found.append(replace(person, problem=owners.problem, outcome=owners.outcome))
            person = replace(person, left_out=person.left_out + owners.remarks)
            found += [self._owned_by(person, origin, student) for student in owners.students]
        return found

    def _owners(self, person: PersonFiles, origin: Origin, alike: int, shared: str) -> Owners:
        if person.submission:
            return self._owned.submitters(origin, person.submission)
        owners = self._owned.owners(origin, alike, shared)
        is_by_folder = origin.platform == Platform.unknown and not self._naming.pattern
        is_in_doubt = owners.problem or origin.name in self._naming.students
        if (
            is_by_folder
            and is_in_doubt
            and self.files.are_several_peoples(origin.name, person.files)
        ):
            return Owners(
                problem=f"{origin.name!r} seems to hold several people's files: say with --pattern "
                "whose each file is"
            )
        return owners

    def _owned_by(self, person: PersonFiles, whose: Origin, student: str) -> PersonFiles:
        """A copy for one student, with what is known about the submission time."""
        said = person.submission
        told, remarks = self._owned.handed_in(whose, student)
        told = told or PlatformSubmission(whose.platform)
        person = replace(person, left_out=person.left_out + remarks)
        outcome = (
            ("skipped: a draft that was not handed in; --drafts collects it") if told.draft else ""
        )
        named, zone = time_in_name(whose.time), self._naming.zone
        if whose.time and not named:
            remark = (
                f"its time {whose.time!r} isn't understood and treated as unknown: expected one "
                "such as 'Mar 2, 2026 930 PM' or '2026-03-02-21-30-00'"
            )
            person = replace(person, left_out=(*person.left_out, remark))
        exact = named.replace(tzinfo=zone).astimezone(UTC) if named and zone else None
        listed = (said.time if said else None) or told.time
        age = Age(
            listed or exact or self._uploaded(person, whose, student),
            whose.platform.value,
            told.attempt,
            int(f"{named:%Y%m%d%H%M%S}") if named else said.upload if said else whose.upload,
            listed is not None,
        )
        late = whose.late or told.late
        return replace(person, student=student, age=age, late=late, outcome=outcome)

    def _uploaded(self, person: PersonFiles, whose: Origin, student: str) -> datetime | None:
        """The time of the last upload in Moodle's archive; None if it adds nothing."""
        if self._server is None or whose.platform != Platform.moodle:
            return None
        times = [file.modified for file in person.files.values() if file.modified]
        time = max(times, default=None)
        if time is None:
            return None
        time = time.replace(tzinfo=self._server).astimezone(UTC)
        before = _handed_in(self._course.submitted(student, self._lesson))
        # A list may have given a different minute for the same submission.
        return None if before and time < before + _SAME else time

    def collected(self, person: PersonFiles, scratch: Path) -> CollectedRow:
        """Read a person's files and put them where they belong."""
        if person.problem or person.outcome:
            return person.row()
        target = self._course.submitted(person.student, self._lesson)
        if other := _spelt_otherwise(target.parent):
            return person.row(
                problem=f"submitted/{other}/ already exists: is it the same student? "
                "If so, add the name to the file given by --names"
            )
        try:
            with ExitStack() as stack:
                files, left_out = self.files.chosen(person, stack)
                left_out += self.files.copied(files, scratch)
            left_out += self.files.unlike_the_lesson(scratch)
            row = person.row(left_out=person.left_out + left_out)
            return self._placed(row, scratch, target, person)
        except Unreadable as error:
            if not self._dry_run and not target.is_dir():
                self._entries[person.student] = ManifestEntry(
                    person.source, refused=printable(str(error))
                )
            return person.row(problem=str(error))
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def _placed(
        self, row: CollectedRow, scratch: Path, target: Path, person: PersonFiles
    ) -> CollectedRow:
        """Move a complete submission to its place, unless the one there isn't older."""
        files = _contents(scratch)
        row = replace(row, files=len(files))
        age, moved = person.age, ""
        if os.path.lexists(target):
            if target.is_symlink() or not target.is_dir():
                return replace(row, problem=f"{target} isn't a folder: move it away")
            before = self._age(row.student, target)
            if files.keys() == _contents(target).keys() and all(
                _same(path, target / name) for name, path in files.items()
            ):
                return self._confirmed(row, target, person, before)
            newer = age.newer_than(before)
            if not newer and not self._force:
                why = "it's unknown which is newer, this one or the one collected before"
                if newer is False:
                    when = f", of {before.time:%Y-%m-%d %H:%M} UTC," if before.time else ""
                    why = f"the one collected before{when} is newer"
                there = replace(row, time=before.time, late=self._is_late(row.student))
                return replace(there, outcome=f"skipped: {why}; --force replaces it")
            kept = _kept(target, before.time)
            moved = f"; the earlier one is kept in {kept.relative_to(self._course.root)}"
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

    def _confirmed(
        self, row: CollectedRow, target: Path, person: PersonFiles, before: Age
    ) -> CollectedRow:
        """Add the time to a submission that was already collected, if it was unknown, or correct
        it. Handing in the same files again makes nobody late."""
        age = person.age
        if entry := self._before.get(row.student):
            is_same_upload = age.upload == entry.upload
            person = replace(person, late=person.late and (entry.late or is_same_upload))
        row = replace(row, late=person.late)
        is_again = age.is_again(before) and not self._force
        if is_again or not age.time or age.time == before.time:
            if not self._dry_run:
                age = replace(age, listed=age.listed or before.listed)
                self._entries[row.student] = _entry(replace(person, age=age), before.time)
            outcome = "already collected"
            if is_again:
                outcome += f"; the same files again at {age.time:%Y-%m-%d %H:%M} UTC, so the first "
                outcome += "time counts; --force takes the later one"
            return replace(row, time=before.time, outcome=outcome)
        graded = self._course.autograded(row.student, self._lesson).parent.is_dir()
        outcome = "already collected; the submission time was added"
        if before.time:
            outcome = (
                "already collected; the submission time was changed, before it was "
                f"{before.time:%Y-%m-%d %H:%M} UTC"
            )
        if not self._dry_run:
            stamp = target / f"{TIMESTAMP}.unfinished"
            stamp.write_text(_stamp(age.time), "utf8")
            stamp.replace(target / TIMESTAMP)
            self._entries[row.student] = _entry(person, age.time)
            self._times[row.student] = age.time
        return replace(row, outcome=outcome, stale_penalty=graded)

    def _age(self, student: str, target: Path) -> Age:
        """What is known about the submission that was collected before."""
        entry = self._before.get(student, ManifestEntry(""))
        return Age(_handed_in(target), entry.platform, entry.attempt, entry.upload, entry.listed)

    def _is_late(self, student: str) -> bool:
        return student in self._before and self._before[student].late


def _differ(times: Set[datetime | None]) -> bool:
    """Whether times are those of uploads: if somebody packed the files, all are about the same."""
    known = [time for time in times if time]
    return bool(known) and max(known) - min(known) > _SAME


def _entry(person: PersonFiles, time: datetime | None) -> ManifestEntry:
    """The manifest's entry for a submission."""
    age = person.age
    return ManifestEntry(
        person.source,
        _stamp(time) if time else "",
        person.late,
        age.platform,
        age.attempt,
        age.upload,
        number=person.origin.number if person.origin else "",
        listed=age.listed,
    )


def _stamp(time: datetime) -> str:
    """A time in the format of nbgrader's exchange: in UTC, as its gradebook implies."""
    return f"{time:%Y-%m-%d %H:%M:%S.%f} UTC"


def _record_times(course: CourseFolder, lesson: str, times: Mapping[str, datetime | None]) -> None:
    """Update the times of submissions in the gradebook.

    nbgrader would keep the time of a replaced submission, and only reads the new one when grading.
    """
    if not course.has_gradebook:
        return
    from nbgrader.api import MissingEntry  # slow to import

    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        for student, time in times.items():
            naive = time.astimezone(UTC).replace(tzinfo=None) if time else None
            with suppress(MissingEntry):
                gradebook.find_submission(lesson, student)
                gradebook.update_or_create_submission(lesson, student, timestamp=naive)


def _spelt_otherwise(folder: Path) -> str:
    """A student's existing folder with a different spelling of the name."""
    names = {path.name for path in folder.parent.iterdir()} if folder.parent.is_dir() else set()
    if folder.name in names:
        return ""
    return next((name for name in names if folded(name) == folded(folder.name)), "")


def _contents(folder: Path) -> dict[Path, Path]:
    """The files of a submission by path, except its time."""
    found = {path.relative_to(folder): path for path in folder.rglob("*") if not path.is_dir()}
    return {inside: path for inside, path in found.items() if str(inside) != TIMESTAMP}


def _same(one: Path, other: Path) -> bool:
    """Whether two files are regular and equal."""
    regular = all(stat.S_ISREG(path.lstat().st_mode) for path in (one, other))
    return regular and filecmp.cmp(one, other, shallow=False)


def _handed_in(folder: Path) -> datetime | None:
    """A submission's time, as nbgrader reads it."""
    # Importing nbgrader takes a while, so import it only when it's needed.
    from nbgrader.utils import parse_utc

    try:
        return parse_utc(read_timestamp(folder)).replace(tzinfo=UTC)
    except Exception:  # whatever the date parser makes of it
        return None


def _kept(target: Path, before: datetime | None) -> Path:
    """A free name next to a replaced submission; no lesson has this name."""
    stem = f"{target.name}.before" + (f"-{before:%Y%m%dT%H%M%S}" if before else "")
    names = (stem if number == 1 else f"{stem}-{number}" for number in itertools.count(1))
    return next(path for name in names if not os.path.lexists(path := target.with_name(name)))
