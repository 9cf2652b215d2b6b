"""Remember where each submission came from, for later steps: ``collected.json``.

nbgrader only keeps the submission time. The archive of a submission, and whether the platform calls
it late without saying by how much, are kept here, next to the gradebook.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.roster.roster import Person, join_people, write_atomically
from autograder.sanitize.submission import read_timestamp

COLLECTED_FILE = "collected.json"
"""The file in the course folder that says, by lesson and student, where submissions came from."""


@dataclass(frozen=True)
class ManifestEntry:
    """Where a submission came from.

    Args:
        source: the archive, and the name in it.
        time: the submission time as in ``timestamp.txt``; "" if it's unknown.
        late: whether the platform calls it late.
        platform: the learning platform, or "".
        attempt: the number of the attempt; 0 if attempts aren't counted.
        upload: the platform's number, which grows with every upload; 0 if there is none.
        refused: why none of it could be collected, else "".
        number: the platform's number next to the name, such as Moodle's participant or team; "" if
            there is none.
        listed: whether the time is from the platform's list, and not from an archive.
    """

    source: str
    time: str = ""
    late: bool = False
    platform: str = ""
    attempt: int = 0
    upload: int = 0
    refused: str = ""
    number: str = ""
    listed: bool = False


def read_collected(course: CourseFolder, lesson: str) -> Mapping[str, ManifestEntry]:
    """Where a lesson's submissions came from, by student; only of those that still exist.

    Raises:
        CourseError: when the file can't be read.
    """
    return _existing(course, lesson, _read(course.root / COLLECTED_FILE).get(lesson, {}))


def _existing(
    course: CourseFolder, lesson: str, entries: Mapping[str, ManifestEntry]
) -> Mapping[str, ManifestEntry]:
    return {
        student: entry
        for student, entry in entries.items()
        if not entry.refused and entry.time == read_timestamp(course.submitted(student, lesson))
    }


def read_refused(course: CourseFolder, lesson: str) -> Mapping[str, str]:
    """Why submissions could not be collected, for students who have no other one.

    Raises:
        CourseError: when the file can't be read.
    """
    entries = _read(course.root / COLLECTED_FILE).get(lesson, {})
    return {
        student: entry.refused
        for student, entry in entries.items()
        if entry.refused and not course.submitted(student, lesson).is_dir()
    }


def without_submission(missing: Sequence[Person], refused: Mapping[str, str], class_of: int) -> str:
    """A sentence on who handed in nothing, and whose submissions could not be collected.

    Args:
        missing: the people who have nothing in ``submitted/``.
        refused: the result of ``read_refused``.
        class_of: the number of people in the class.
    """
    kinds = {
        "handed in nothing": [each for each in missing if each.student not in refused],
        ("with a submission that could not be collected"): [
            p for p in missing if p.student in refused
        ],
    }
    return "; ".join(
        f"{len(people)} of {class_of} {what}: {join_people(people)}"
        for what, people in kinds.items()
        if people
    )


def late_without_time(course: CourseFolder, lesson: str) -> list[str]:
    """Students who were late by an unknown time, so that no penalty can be computed."""
    entries = _read(course.root / COLLECTED_FILE).get(lesson, {})
    unknown = {name: entry for name, entry in entries.items() if entry.late and not entry.time}
    return sorted(_existing(course, lesson, unknown))


def write_collected(course: CourseFolder, lesson: str, new: Mapping[str, ManifestEntry]) -> None:
    """Remember where submissions came from; those of other students and lessons are kept."""
    known = {**_read(course.root / COLLECTED_FILE)}
    known[lesson] = {**known.get(lesson, {}), **new}
    _write(course.root / COLLECTED_FILE, known)


def rename_in_collected(course: CourseFolder, old: str, new: str) -> None:
    """Rename a student in the manifest, unless that is done already."""
    known = _read(course.root / COLLECTED_FILE)
    if any(old in students for students in known.values()):
        renamed = {
            lesson: {new if name == old else name: entry for name, entry in students.items()}
            for lesson, students in known.items()
        }
        _write(course.root / COLLECTED_FILE, renamed)


def _write(path: Path, known: Mapping[str, Mapping[str, ManifestEntry]]) -> None:
    content = {
        name: {student: asdict(entries[student]) for student in sorted(entries)}
        for name, entries in sorted(known.items())
    }
    write_atomically(path, json.dumps(content, indent=1) + "\n")


def _read(path: Path) -> dict[str, dict[str, ManifestEntry]]:
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_bytes())
        return {
            lesson: {student: _entry(values) for student, values in students.items()}
            for lesson, students in found.items()
        }
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise CourseError(
            f"{path} can't be read ({error}): restore a backup, or delete it. The information on "
            "late "
            "submissions comes back when their archives are collected again."
        ) from None


def _entry(values: Mapping[str, Any]) -> ManifestEntry:
    known = {field.name: field for field in fields(ManifestEntry)}
    kept = {name: value for name, value in values.items() if name in known}
    entry = ManifestEntry(**kept)
    for name in known:
        if type(getattr(entry, name)) is not type(getattr(_EXAMPLE, name)):
            raise ValueError(f"{name} is {getattr(entry, name)!r}")
    return entry


_EXAMPLE = ManifestEntry("")
