"""The people whose files are in an archive, and the outcome for each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from autograder.collect.archives import Member
from autograder.collect.filenames import (
    Origin,
    Platform,
)
from autograder.collect.gradescope import GradescopeSubmission
from autograder.names import folded
from selfcheck.responses import printable

_MOST_LINES = 10


@dataclass(frozen=True)
class CollectedRow:
    """The outcome for one person's files in an archive.

    Args:
        student: the student's id; "" if it's unknown.
        source: the archive, and the name in it.
        files: the number of files, without those left out.
        outcome: what was done with them, else "".
        left_out: files that were skipped, each with the reason.
        problem: why nothing was collected, else "".
        taken: whether the submission is now this one.
        stale_penalty: whether it's graded, and its submission time has changed since.
        time: the submission time in UTC; None if it's unknown.
        late: whether the platform calls it late.
        platform: the platform that the archive comes from.
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


@dataclass(frozen=True)
class Age:
    """Data that decides which of two submissions is later."""

    time: datetime | None = None
    platform: str = ""
    attempt: int = 0
    upload: int = 0
    listed: bool = False

    def is_again(self, other: Age) -> bool:
        """Whether this is a later upload of what has the other age, if their files are the same: a
        list's later time for what an archive had is its own time."""
        if not self.time or not other.time or self.time <= other.time:
            return False
        return other.listed or not self.listed

    @property
    def order(self) -> tuple[float, int, int]:
        """What sorts submissions of which each is known to be later or earlier than another."""
        return self.time.timestamp() if self.time else 0, self.attempt, self.upload

    def newer_than(self, other: Age) -> bool | None:
        """Whether this one is later; None if it's unknown."""
        if self.time and other.time and self.time != other.time:
            return self.time > other.time
        if self.platform == other.platform:
            for own, its in ((self.attempt, other.attempt), (self.upload, other.upload)):
                if own and its and own != its:
                    return own > its
        return None


@dataclass(frozen=True)
class PersonFiles:
    """A person and their files in an archive, before any of them is read.

    Args:
        archive: the zip file.
        origin: the owner according to the archive; None for files without an owner.
        files: by their path among this person's.
        uploads: the platform's numbers of the files, which grow with every upload.
        left_out: files that are skipped.
        problem: why nothing can be collected, else "".
        submission: Gradescope's data on it.
        student: the id, once it's known.
        age: what decides which of two submissions is later, if known.
        late: whether the platform calls it late.
        outcome: why it isn't collected, else "".
    """

    archive: Path
    origin: Origin | None = None
    files: Mapping[tuple[str, ...], Member] = field(default_factory=dict)
    uploads: Mapping[Member, int] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    problem: str = ""
    submission: GradescopeSubmission | None = None
    student: str = ""
    age: Age = Age()
    late: bool = False
    outcome: str = ""

    @property
    def source(self) -> str:
        """The archive, and the name in it."""
        label = self.origin.label if self.origin else ""
        if self.submission and self.submission.submitters:
            label += f" ({', '.join(each.label for each in self.submission.submitters)})"
        return printable(f"{self.archive.name}: {label}" if label else self.archive.name)

    def has_files_of(self, other: PersonFiles) -> bool:
        """Whether both have the same files."""
        return self.files.keys() == other.files.keys() and all(
            member.equals(other.files[path]) for path, member in self.files.items()
        )

    def row(self, **values: Any) -> CollectedRow:
        """A row for this person, with what is known so far."""
        row = CollectedRow(
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


def without_doubles(people: Sequence[PersonFiles]) -> list[PersonFiles]:
    """Keep one submission per student: the newer one, if that is known, or if all have the same
    files. Its time is the first at which its files were handed in."""
    by_student = defaultdict(list)
    spellings = defaultdict(set)
    for person in people:
        by_student[person.student].append(person)
        spellings[folded(person.student)].add(person.student)
    result = []
    for person in people:
        same = by_student[person.student]
        if person.problem or not person.student:
            pass
        elif len(spellings[folded(person.student)]) > 1:
            both = " and ".join(sorted(spellings[folded(person.student)]))
            problem = f"{both} only differ in case or Unicode form: use --names to say who is who"
            person = replace(person, problem=problem)
        elif any(other.age.newer_than(person.age) for other in same):
            person = replace(person, outcome="skipped: the archive has a newer one")
        else:
            person = _newest(person, same)
        result.append(person)
    return result


def _newest(person: PersonFiles, same: Sequence[PersonFiles]) -> PersonFiles:
    """A submission of which no other one is known to be newer.

    Args:
        person: the submission.
        same: all submissions by the student, in the order of the archives.
    """
    alike = [each for each in same if each is person or not person.age.newer_than(each.age)]
    if not all(each is person or person.has_files_of(each) for each in alike):
        return replace(
            person,
            problem=f"there are {len(same)} submissions by {person.student}, and it's "
            "unknown "
            "which is the newest: collect one archive after the other, the last with "
            "--force",
        )
    if alike[0] is not person:
        return replace(person, outcome=f"skipped: the same files as in {alike[0].source}")
    again = person
    older = [each for each in same if person.age.newer_than(each.age)]
    for other in sorted(older, key=lambda each: each.age.order, reverse=True):
        if not person.has_files_of(other):
            break
        time = other.age.time if again.age.is_again(other.age) else again.age.time
        again = replace(again, age=replace(again.age, time=time), late=again.late and other.late)
    if (again.age, again.late) != (person.age, person.late):
        remark = "the same files were handed in several times: the first time counts"
        again = replace(again, left_out=(*again.left_out, remark))
    return again
