"""Rename a student: everything that is stored under the old id moves to the new one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.collect.manifest import rename_in_collected
from autograder.course_folder import STAGING, CourseFolder, known_name
from autograder.errors import CourseError
from autograder.folder_lock import RENAMING, check_renamed, locked
from autograder.gradebook.students import count_submissions, rename_row
from autograder.names import is_student_id
from autograder.roster.roster import read_roster, write_atomically, write_file


@dataclass(frozen=True)
class Renamed:
    """The result of a rename.

    Args:
        folders: the renamed folders.
        submissions: the number of submissions in the gradebook.
    """

    folders: tuple[Path, ...]
    submissions: int


def rename_student(course: CourseFolder, old: str, new: str) -> Renamed:
    """Give a student another id.

    The rename is recorded in a file first. If it's interrupted, run it again to resume; until then,
    grading is blocked.

    Args:
        course: the course folder.
        old: the student's id.
        new: the new id, which must not have submissions.

    Raises:
        CourseError: when there is no such student, the new id is invalid or somebody else's,
            another rename was interrupted, or somebody is grading.
    """
    with locked(course):
        unfinished = course.root / STAGING / RENAMING
        if not check_renamed(course, old, new):
            _check(course, old, new)
            write_atomically(unfinished, json.dumps([old, new]))
        submissions = _rename_in_gradebook(course, old, new)
        for folder in _folders(course, old):
            folder.rename(folder.with_name(new))
        rename_in_collected(course, old, new)
        _rename_in_roster(course, old, new)
        unfinished.unlink()
        return Renamed(tuple(_folders(course, new)), submissions)


def _check(course: CourseFolder, old: str, new: str) -> None:
    """Check that a student can be renamed."""
    people = {person.student for person in read_roster(course).people}
    people |= {path.name for path in course.folder("submitted").glob("*/")}
    known_name(old, sorted(people), "student", "the class")
    if not is_student_id(new):
        raise CourseError(
            f"{new!r} isn't a student id, which has up to 64 letters, digits and . _ @ + - and "
            "begins with a letter or a digit."
        )
    if old == new:
        raise CourseError(f"{old} already has that id.")
    taken = [f"{folder.parent.name}/{new}" for folder in _folders(course, new)]
    if _count_submissions(course, new):
        taken.append("grades in the gradebook")
    if taken:
        raise CourseError(
            f"{new} already has work ({', '.join(taken)}), and the work of two students is never "
            f"merged. Move away what you don't want to keep, then run this again."
        )


def _folders(course: CourseFolder, student: str) -> Iterator[Path]:
    """A student's existing folders."""
    steps = [course.folder(step) for step in ("submitted", "autograded", "feedback")]
    folders = (step / student for step in (*steps, course.root / STAGING))
    return (folder for folder in folders if folder.is_dir())


def _count_submissions(course: CourseFolder, student: str) -> int:
    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        return count_submissions(gradebook, student)


def _rename_in_gradebook(course: CourseFolder, old: str, new: str) -> int:
    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        rename_row(gradebook, old, new)
        return count_submissions(gradebook, new)


def _rename_in_roster(course: CourseFolder, old: str, new: str) -> None:
    """Update the id in ``roster.json``."""
    people = {person.student: person for person in read_roster(course).people}
    if old in people:
        before = people.pop(old)
        after = people.get(new, before)
        people[new] = replace(
            after,
            student=new,
            login=after.login or before.login,
            sis_id=after.sis_id or before.sis_id,
            lti_user_id=after.lti_user_id or before.lti_user_id,
            participants=tuple(dict.fromkeys((*before.participants, *after.participants))),
            sections=after.sections or before.sections,
            groups=after.groups or before.groups,
            dropped=after.dropped and before.dropped,
        )
        write_file(course, list(people.values()))
