"""The class: names, addresses, and each person's ids on the learning platform.

nbgrader's gradebook has columns for first and last names, e-mail addresses and the ids of the
learning platform. Everything else is in ``roster.json`` in the course folder.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from selfcheck.responses import printable

ROSTER_FILE = "roster.json"
"""The file in the course folder for data without a column in the gradebook, by student."""

_NOT_A_WORD = re.compile(r"\W")


@dataclass(frozen=True)
class Person:
    """A person in the class; unknown fields are "" or empty.

    Args:
        student: the student id: the name of the submission's folder.
        first_name, last_name, email: the person's names and e-mail address.
        lms_user_id: the learning platform's user number.
        login: the login there.
        sis_id: the id in the school's own records, such as a matriculation number.
        lti_user_id: the learning platform's id of the person for tools.
        participants: the person's numbers in Moodle's assignments with anonymous grading, and in
            the names of its archives.
        sections: the person's sections of the course.
        groups: the person's groups, which hand in together.
        dropped: whether the person has left the class.
    """

    student: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_user_id: str = ""
    login: str = ""
    sis_id: str = ""
    lti_user_id: str = ""
    participants: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    dropped: bool = False

    @property
    def lms_number(self) -> str:
        """The learning platform's user id if it's a number, else "".

        Canvas and Moodle number their users, and may read any other text as the number at its
        beginning, which is somebody else's.
        """
        known = self.lms_user_id.strip()
        return known if known.isascii() and known.isdecimal() else ""

    @property
    def label(self) -> str:
        """The student id, with the name if it's known, on one line."""
        label = f"{self.student} ({self.full_name})" if self.full_name else self.student
        return printable(label)

    @property
    def full_name(self) -> str:
        """First and last name, as Moodle writes them."""
        return " ".join(filter(None, (self.first_name, self.last_name)))

    @property
    def sortable_name(self) -> str:
        """Last name first, as Canvas writes it."""
        return ", ".join(filter(None, (self.last_name, self.first_name)))

    @property
    def slug(self) -> str:
        """The name as Canvas writes it before file names in an archive.

        Source: https://github.com/instructure/canvas-lms/blob/master/lib/content_zipper.rb

        Example:
            >>> Person("zoe", "Zoë", "van den Berg_Smith").slug
            'vandenberg_smithzoë'
        """
        return _slug(self.sortable_name)

    @property
    def names(self) -> frozenset[str]:
        """All names and ids of this person, normalized for comparison."""
        name, ids = self.full_name, (self.student, self.email, self.login, self.sis_id)
        backwards = " ".join(filter(None, (self.last_name, self.first_name)))
        spelled = (name, backwards, self.sortable_name, self.slug, *ids)
        return frozenset(filter(None, map(normalized_name, spelled)))

    @property
    def numbers(self) -> frozenset[str]:
        """The numbers next to the person's name in archives."""
        return frozenset(filter(None, (self.lms_user_id, *self.participants)))


@dataclass(frozen=True)
class Roster:
    """The class.

    Args:
        people: by student id, also those who have left.
    """

    people: tuple[Person, ...] = ()

    @property
    def enrolled(self) -> tuple[Person, ...]:
        """Everybody who has not left the class."""
        return tuple(person for person in self.people if not person.dropped)

    def get(self, student: str) -> Person:
        """The person with a student id; if there is none, one with unknown fields."""
        return self._by_id.get(student) or Person(student)

    @cached_property
    def _by_id(self) -> Mapping[str, Person]:
        return {person.student: person for person in self.people}

    def find(self, name: str, number: str = "") -> list[Person]:
        """Find people by the names in an archive or a list.

        Args:
            name: a full name, first or last name first, the one in Canvas' archives, an e-mail
                address, a login or an id; "" if there is only a number.
            number: the learning platform's number, which distinguishes people with the same name.

        Returns:
            One person if it's unambiguous, several people with the same name if it isn't, else
            nobody.
        """
        name, number = normalized_name(name), normalized_name(number)
        named = [each for each in self.people if name in each.names or name in each.numbers]
        numbered = [each for each in named or self.people if number and number in each.numbers]
        return numbered if numbered and (named or not name) else named

    def group(self, name: str) -> list[Person]:
        """The members of a group or a section."""
        wanted = {normalized_name(name), _slug(name)}
        return [
            each
            for each in self.people
            if any(
                wanted & {normalized_name(own), _slug(own)} for own in each.groups + each.sections
            )
        ]


def read_roster(course: CourseFolder) -> Roster:
    """Read the class from the gradebook and ``roster.json``; empty if there is neither.

    Raises:
        CourseError: when ``roster.json`` cannot be read.
    """
    more = _read_file(course.root / ROSTER_FILE)
    people = {student: Person(student, **more[student]) for student in more}
    if course.has_gradebook:
        with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
            for entry in gradebook.students:
                known: dict[str, Any] = {name: getattr(entry, name) or "" for name in _COLUMNS}
                people[entry.id] = Person(entry.id, **known, **more.get(entry.id, {}))
    return Roster(tuple(people[student] for student in sorted(people)))


def join_people(people: Sequence[Person], most: int = 10) -> str:
    """List people for a sentence: the first ones by name, then the number of the others."""
    shown = ", ".join(person.label for person in people[:most])
    return shown if len(people) <= most else f"{shown} and {len(people) - most} more"


def write_roster(course: CourseFolder, people: Sequence[Person], changed: Set[str]) -> None:
    """Write the class to the gradebook and to ``roster.json``; after an interruption, run it again.

    Args:
        course: the course folder, locked against other writers.
        people: the whole class.
        changed: the student ids of people whose data in the gradebook differs.

    Raises:
        CourseError: when either cannot be written.
    """
    from autograder.gradebook.students import (
        enter_students,  # imports nbgrader, which takes seconds
    )

    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        entries = {}
        for person in people:
            if person.student in changed:
                known = {name: getattr(person, name) for name in _COLUMNS}
                # The formgrader shows a missing name as None.
                known |= {name: known[name] or None for name in ("email", "lms_user_id")}
                entries[person.student] = known
        enter_students(gradebook, entries)
    write_file(course, people)


def write_file(course: CourseFolder, people: Sequence[Person]) -> None:
    """Write the fields without a column in the gradebook to ``roster.json``.

    Raises:
        CourseError: when it cannot be written.
    """
    content = {
        person.student: {
            name: value
            for name in (*_TEXTS, *_LISTS, "dropped")
            if (value := getattr(person, name))
        }
        for person in people
    }
    write_atomically(
        course.root / ROSTER_FILE, json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    )


def write_atomically(path: Path, text: str) -> None:
    """Replace a file atomically, even if the machine crashes.

    Raises:
        CourseError: when it cannot be written.
    """
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        with unfinished.open("w", encoding="utf8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError as error:
        raise CourseError(f"{path} cannot be written: {error.strerror}") from None


_COLUMNS = ("first_name", "last_name", "email", "lms_user_id")
"""A student's data in the gradebook."""

_TEXTS = ("login", "sis_id", "lti_user_id")
_LISTS = ("participants", "sections", "groups")


def _read_file(path: Path) -> dict[str, dict[str, Any]]:
    """The file's data on each student, checked."""
    if not path.is_file():
        return {}
    try:
        return {name: _checked(fields) for name, fields in json.loads(path.read_bytes()).items()}
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise CourseError(
            f"{path} cannot be read ({error}): restore a backup, or delete it and run "
            "`autograder roster FILE` again with your platform's list."
        ) from None


def _checked(fields: Mapping[str, Any]) -> dict[str, Any]:
    texts = {name: str(fields[name]) for name in _TEXTS if name in fields}
    lists = {name: tuple(map(str, fields[name])) for name in _LISTS if name in fields}
    return texts | lists | {"dropped": fields.get("dropped") is True}


def normalized_name(name: str) -> str:
    """Normalize a name for comparison: its case, spaces and Unicode form.

    Example:
        >>> normalized_name("Jane  DOE")
        'jane doe'
    """
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def _slug(name: str) -> str:
    return _NOT_A_WORD.sub("", unicodedata.normalize("NFC", name).lower())
