"""Who is in the class: names, addresses, and what the learning platform calls each person.

nbgrader's gradebook keeps first and last names, e-mail addresses and the ids of the learning
platform. What it has no column for is in ``roster.json`` of the course folder.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from selfcheck.responses import printable

FILE = "roster.json"
"""In the course folder: what the gradebook has no column for, by student."""

_NOT_A_WORD = re.compile(r"\W")


@dataclass(frozen=True)
class Person:
    """A person in the class; what nobody told us is "" or empty.

    Args:
        student: the student id: the name of the submission's folder.
        first_name, last_name, email: of the person.
        lms_user_id: the number that the learning platform gives its users.
        login: what the person types to log in there.
        sis_id: the id in the school's own records, such as a matriculation number.
        lti_user_id: what the learning platform calls the person where a tool asks.
        participants: the numbers that stand for the person in Moodle's assignments, where grading
            is blind, and in the names of its archives.
        sections: of the course.
        groups: that hand in together.
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
        """The id in the learning platform where it is a number, else "".

        Canvas and Moodle number their users, and may read any other text as the number that it
        begins with: somebody else's.
        """
        known = self.lms_user_id.strip()
        return known if known.isascii() and known.isdecimal() else ""

    @property
    def label(self) -> str:
        """The student id, with the name where it is known, on one line."""
        named = f"{self.student} ({self.full_name})" if self.full_name else self.student
        return printable(named)

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
        """The name as Canvas puts it before the files in an archive.

        Source: https://github.com/instructure/canvas-lms/blob/master/lib/content_zipper.rb

        Example:
            >>> Person("zoe", "Zoë", "van den Berg_Smith").slug
            'vandenberg_smithzoë'
        """
        return _slug(self.sortable_name)

    @property
    def names(self) -> frozenset[str]:
        """Everything that may mean this person, in the form that names are compared in."""
        name, ids = self.full_name, (self.student, self.email, self.login, self.sis_id)
        backwards = " ".join(filter(None, (self.last_name, self.first_name)))
        spelled = (name, backwards, self.sortable_name, self.slug, *ids)
        return frozenset(filter(None, map(comparable, spelled)))

    @property
    def numbers(self) -> frozenset[str]:
        """The numbers that archives put beside the person's name."""
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
        """The person with a student id; one of whom nothing else is known, if there is none."""
        return next((each for each in self.people if each.student == student), Person(student))

    def find(self, name: str, number: str = "") -> list[Person]:
        """People whom an archive or a list may mean.

        Args:
            name: a full name, first or last name first, the one in Canvas' archives, an e-mail
                address, a login or an id; "" where there is a number only.
            number: the learning platform's, which tells people of the same name apart.

        Returns:
            One person where it is clear who is meant, several namesakes where it is not, else
            nobody.
        """
        name, number = comparable(name), comparable(number)
        named = [each for each in self.people if name in each.names or name in each.numbers]
        numbered = [each for each in named or self.people if number and number in each.numbers]
        return numbered if numbered and (named or not name) else named

    def group(self, name: str) -> list[Person]:
        """The people of a group, or of a section."""
        wanted = {comparable(name), _slug(name)}
        return [
            each
            for each in self.people
            if any(wanted & {comparable(own), _slug(own)} for own in each.groups + each.sections)
        ]


def read_roster(course: CourseFolder) -> Roster:
    """Read the class from the gradebook and ``roster.json``; empty where there is neither.

    Raises:
        CourseError: when ``roster.json`` cannot be read.
    """
    more = _read_file(course.root / FILE)
    people = {student: Person(student, **more[student]) for student in more}
    if course.has_gradebook:
        with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
            for entry in gradebook.students:
                known: dict[str, Any] = {name: getattr(entry, name) or "" for name in _COLUMNS}
                people[entry.id] = Person(entry.id, **known, **more.get(entry.id, {}))
    return Roster(tuple(people[student] for student in sorted(people)))


def named(people: Sequence[Person], most: int = 10) -> str:
    """A sentence's worth of people: the first by name, the others by number."""
    shown = ", ".join(person.label for person in people[:most])
    return shown if len(people) <= most else f"{shown} and {len(people) - most} more"


def write_roster(course: CourseFolder, people: Sequence[Person], changed: Set[str]) -> None:
    """Write the class to the gradebook and to ``roster.json``; run again, it completes itself.

    Args:
        course: the course folder, which nobody else writes to.
        people: the whole class.
        changed: the student ids of those whom the gradebook does not know like this.

    Raises:
        CourseError: when either cannot be written.
    """
    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        for person in people:
            if person.student in changed:
                known = {name: getattr(person, name) for name in _COLUMNS}
                # To formgrader, a name that is missing is called None.
                known |= {name: known[name] or None for name in ("email", "lms_user_id")}
                gradebook.update_or_create_student(person.student, **known)
    write_file(course, people)


def write_file(course: CourseFolder, people: Sequence[Person]) -> None:
    """Write what the gradebook has no column for to ``roster.json``.

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
    write_atomically(course.root / FILE, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def write_atomically(path: Path, text: str) -> None:
    """Replace a file by a whole one, whenever the machine stops.

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
"""What the gradebook knows of a student."""

_TEXTS = ("login", "sis_id", "lti_user_id")
_LISTS = ("participants", "sections", "groups")


def _read_file(path: Path) -> dict[str, dict[str, Any]]:
    """What the file says of each student, checked."""
    if not path.is_file():
        return {}
    try:
        return {name: _checked(fields) for name, fields in json.loads(path.read_bytes()).items()}
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise CourseError(
            f"{path} cannot be read ({error}): put a copy back, or delete it and run "
            "`autograder roster FILE` with your platform's list again."
        ) from None


def _checked(fields: Mapping[str, Any]) -> dict[str, Any]:
    texts = {name: str(fields[name]) for name in _TEXTS if name in fields}
    lists = {name: tuple(map(str, fields[name])) for name in _LISTS if name in fields}
    return texts | lists | {"dropped": fields.get("dropped") is True}


def comparable(name: str) -> str:
    """A name as it is compared: however it is capitalised, spaced and composed.

    Example:
        >>> comparable("Jane  DOE")
        'jane doe'
    """
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def _slug(name: str) -> str:
    return _NOT_A_WORD.sub("", unicodedata.normalize("NFC", name).lower())
