"""Update the class from a learning platform's lists: new, changed and missing people."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.names import folded, is_student_id
from autograder.roster.csv_lists import ClassList, ListedPerson, split_name
from autograder.roster.roster import Person, normalized_name, read_roster, write_roster

_FEW = 3  # people who may leave a small class at once


class IdFrom(StrEnum):
    """The source of a new student's id."""

    login = "login"
    email = "email"
    sis = "sis"
    lms = "lms"


class ChangeKind(StrEnum):
    """The kind of change that a list makes to a person."""

    new = "new"
    changed = "changed"
    same = "unchanged"
    left = "no longer in the list"


@dataclass(frozen=True)
class PersonChange:
    """A change to one person.

    Args:
        person: the person after the change.
        what: the kind of change.
        details: every changed field, with its old and new value.
        rename: the command that renames the person after their new login, if that changed; for a
            new person, the command that assigns them work under another of their names.
    """

    person: Person
    what: ChangeKind
    details: tuple[str, ...] = ()
    rename: str = ""


@dataclass(frozen=True)
class Update:
    """The changes to a class.

    Args:
        changes: everybody in the class, by student id.
        left_out: lines that aren't students.
        problems: lines that were skipped, each with the reason.
        spared: ids of students who are missing from the lists, but aren't marked as having left,
            because a skipped line may be theirs.
    """

    changes: tuple[PersonChange, ...]
    left_out: tuple[str, ...]
    problems: tuple[str, ...]
    spared: tuple[str, ...] = ()

    def count(self, what: ChangeKind) -> int:
        """The number of people with this kind of change."""
        return sum(change.what is what for change in self.changes)


def update_roster(
    course: CourseFolder,
    lists: Sequence[ClassList],
    *,
    id_from: IdFrom | None = None,
    partial: bool = False,
    replace_class: bool = False,
    dry_run: bool = False,
) -> Update:
    """Update the gradebook and ``roster.json`` from class lists.

    A person keeps the student id, whatever a list says, because submissions and grades are stored
    under it.

    Args:
        course: the course folder.
        lists: the class lists, in this order; later ones add to earlier ones.
        id_from: the source of a new student's id; if left out, the first one available.
        partial: whether the lists are only a part of the class, so that nobody missing has left.
        replace_class: whether to accept lists that are missing most of the class.
        dry_run: write nothing.

    Raises:
        CourseError: when the lists are missing most of the class, or somebody is grading.
    """
    # This import takes half a second, so --help doesn't load it.
    from autograder.grading.batch import grading_lock

    with nullcontext() if dry_run else grading_lock(course):
        known = {person.student: person for person in read_roster(course).people}
        for folder in sorted(course.folder("submitted").glob("*/")):
            known.setdefault(folder.name, Person(folder.name))
        merging = _Merging(known, id_from)
        for listed in lists:
            merging.refused += listed.refused
            merging.add(listed.entries)
        if not partial:
            merging.mark_those_who_left(most=replace_class)
        changes = tuple(merging.changes())
        if not dry_run:
            write_roster(
                course,
                [each.person for each in changes],
                {
                    each.person.student
                    for each in changes
                    if each.what in (ChangeKind.new, ChangeKind.changed)
                },
            )
    left_out = [line for listed in lists for line in listed.left_out]
    problems = [line for listed in lists for line in listed.problems]
    problems += merging.problems
    return Update(changes, tuple(left_out), tuple(problems), tuple(merging.spared))


class _Merging:
    """A class while lists are added to it.

    Args:
        known: the people before the update, by student id.
        id_from: the source of a new student's id.
    """

    def __init__(self, known: Mapping[str, Person], id_from: IdFrom | None) -> None:
        self.problems: list[str] = []
        self.refused: list[ListedPerson] = []
        self.spared: list[str] = []
        self._before, self._people = known, dict(known)
        self._id_from = id_from
        self._listed: set[str] = set()
        self._renames: dict[str, str] = {}
        self._by_key: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._by_id: dict[str, str] = {}
        for person in known.values():
            self._index(person)

    def add(self, entries: Sequence[ListedPerson]) -> None:
        """Add a list's people."""
        here: dict[str, ListedPerson] = {}
        for entry in entries:
            found = self._find(entry)
            if isinstance(found, Person):
                other = here.setdefault(found.student, entry)
                found = _two_people(other, entry) or found
            if isinstance(found, Person):
                merged = self._merged(found, entry)
                self._people[found.student] = merged
                self._listed.add(found.student)
                self._index(merged)
            else:
                self.problems.append(f"{entry.place}: {found}")
                self.refused.append(entry)

    def _index(self, person: Person) -> None:
        """Index a person by all their names and ids."""
        self._by_id[folded(person.student)] = person.student
        for key in _keys(vars(person)):
            self._by_key[key].add(person.student)

    def mark_those_who_left(self, *, most: bool) -> None:
        """Mark everybody as having left who is in none of the lists and in no skipped line.

        Args:
            most: whether that may be most of the class.

        Raises:
            CourseError: when it's most of the class, but may not be.
        """
        known = {p.student for p in self._before.values() if p != Person(p.student)}
        known -= {student for student in known if self._before[student].dropped}
        absent = self._people.keys() - self._listed
        perhaps = {
            student
            for student in absent
            if any(_may_mean(entry, self._people[student]) for entry in self.refused)
        }
        leave = known & absent - perhaps
        if len(leave) > max(_FEW, len(known) / 2) and not most:
            raise CourseError(
                f"{len(leave)} of the {len(known)} people in the class are missing from the list: "
                "is it "
                "a different course's, or only a part of the class (--partial)? --replace accepts "
                "it anyway."
            )
        for student in absent - perhaps:
            self._people[student] = replace(self._people[student], dropped=True)
        self.spared = sorted(known & perhaps)

    def changes(self) -> Iterator[PersonChange]:
        """The changes to everybody."""
        for student, person in sorted(self._people.items()):
            if person == Person(student):  # a submission's folder, which isn't in any list
                continue
            before = self._before.get(student)
            details = tuple(_details(before, person)) if before else ()
            if before is None:
                what = ChangeKind.new
                if earlier := self._without_a_name(person):
                    command = ["autograder", "rename-student", earlier, student]
                    self._renames[student] = shlex.join(command)
            elif person.dropped and not before.dropped:
                what = ChangeKind.left
            else:
                what = ChangeKind.changed if details else ChangeKind.same
            yield PersonChange(person, what, details, self._renames.get(student, ""))

    def _without_a_name(self, person: Person) -> str:
        """A new person's existing id: before there was a roster, names in archives became ids. ""
        if there is none, or if it's ambiguous."""
        ids = [
            each
            for each, before in self._before.items()
            if normalized_name(each) in person.names and each not in self._listed
            if not before.full_name
        ]
        called = [p for p in self._people.values() if ids and normalized_name(ids[0]) in p.names]
        # The person with that id also has this name.
        return ids[0] if len(ids) == 1 and len(called) == 2 else ""

    def _find(self, entry: ListedPerson) -> Person | str:
        """The person in an entry, a new one, or the reason why there is none."""
        found = {student for key in _keys(entry.fields) for student in self._by_key[key]}
        if found:
            if len(found) == 1:
                return self._people[found.pop()]
            names = " and ".join(sorted(found))
            return f"its fields belong to different people: {names}. Correct the list."
        ids = list(_ids(entry, self._id_from))
        for student in ids:
            if other := self._people.get(self._by_id.get(folded(student), "")):
                if not _contradict(other, entry):
                    return other
                return (
                    f"the student id would be {student}, but {other.full_name or 'somebody'} has "
                    "it: choose a different source with --id"
                )
        if ids:
            return Person(ids[0])
        name = normalized_name(entry.full_name or _full_name(entry.fields))
        alike = [each for each in self._people.values() if normalized_name(each.full_name) == name]
        alike = [each for each in alike if not _contradict(each, entry)]
        if len(alike) == 1:
            return alike[0]
        who = entry.full_name or _full_name(entry.fields) or "nobody"
        if alike:
            return f"{len(alike)} people are called {who}, and the line doesn't say which one it is"
        if self._id_from:
            return f"{who} has nothing from which --id {self._id_from} could make an id"
        return f"{who} has no login, e-mail address or id from which to make a student id"

    def _merged(self, person: Person, entry: ListedPerson) -> Person:
        """A person with a list's data; its sections and groups replace the old ones, unless the
        sections are the platform's, and the list is another system's, such as Gradescope's."""
        fields = dict(entry.fields)
        if person.sections and person.lms_user_id and "lms_user_id" not in fields:
            fields.pop("sections", None)
        if entry.full_name and normalized_name(entry.full_name) != normalized_name(
            person.full_name
        ):
            named = split_name(entry.full_name)
            fields = dict(zip(("first_name", "last_name"), named, strict=True)) | fields
        again = person.student in self._listed
        for kind in ("participants", "sections", "groups"):
            own = getattr(person, kind) if again or kind == "participants" else ()
            if kind in fields:
                fields[kind] = tuple(dict.fromkeys((*own, *fields[kind])))
        for kind in ("sis_id", "login"):
            had, now = getattr(person, kind), str(fields.get(kind, ""))
            if now and had != now == had.lstrip("0"):
                fields[kind] = had
                self.problems.append(
                    f"{entry.place}: the {_TITLES[kind]} {had} has lost its leading zeros, as "
                    "happens in lists "
                    "saved by a spreadsheet. It is unchanged."
                )
        merged = replace(person, **fields, dropped=False)
        before = self._before.get(person.student)
        if before and any(_differ(before, merged, key) for key in ("login", "email")):
            old, new = (next(_ids_of(each, self._id_from), "") for each in (before, merged))
            if new and old == person.student != new:
                command = ["autograder", "rename-student", old, new]
                self._renames[old] = shlex.join(command)
        return merged


def _ids(entry: ListedPerson, id_from: IdFrom | None) -> Iterator[str]:
    """Possible student ids from an entry, the preferred one first."""
    return _ids_of(Person("", **entry.fields), id_from)


def _ids_of(person: Person, id_from: IdFrom | None) -> Iterator[str]:
    made = {
        # Using a full address as a folder name would reveal it.
        IdFrom.login: person.login.partition("@")[0],
        IdFrom.email: person.email.partition("@")[0],
        IdFrom.sis: person.sis_id,
        IdFrom.lms: person.lms_user_id or person.lti_user_id,
    }
    chosen = [made[id_from]] if id_from else made.values()
    return (each for each in dict.fromkeys(chosen) if is_student_id(each))


def _keys(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The fields that identify a single person."""
    for kind in ("lms_user_id", "email", "login", "sis_id", "lti_user_id"):
        if value := fields.get(kind):
            yield kind, normalized_name(str(value))
    for number in fields.get("participants") or ():
        yield "participants", str(number)


def _may_mean(entry: ListedPerson, person: Person) -> bool:
    """Whether a skipped line may be a person's: it has something of theirs, such as a part of their
    name, or it doesn't say whose it is."""
    name = entry.full_name or _full_name(entry.fields)
    words = set(normalized_name(name).split())
    keys = set(_keys(entry.fields))
    if not words and not keys:
        return True
    return (
        not words.isdisjoint(normalized_name(person.full_name).split())
        or not keys.isdisjoint(_keys(vars(person)))
        or folded(person.student) in {folded(each) for each in _ids(entry, None)}
    )


def _contradict(person: Person, entry: ListedPerson) -> bool:
    """Whether an entry contradicts a person's data."""
    of_person, of_entry = dict(_keys(vars(person))), dict(_keys(entry.fields))
    shared = of_person.keys() & of_entry.keys() - {"participants"}
    return any(of_person[kind] != of_entry[kind] for kind in shared)


def _two_people(one: ListedPerson, other: ListedPerson) -> str:
    """Why two lines of a list can't belong to the same person, or ""."""
    first, second = dict(_keys(one.fields)), dict(_keys(other.fields))
    shared = [kind for kind in _TITLES if kind in first and kind in second]
    apart = [_TITLES[kind] for kind in shared if first[kind] != second[kind]]
    if not apart or one is other:
        return ""
    alike = [_TITLES[kind] for kind in shared if first[kind] == second[kind]]
    return (
        f"it has the {' and '.join(alike) or 'student id'} of {one.place}, but a different "
        f"{' and '.join(apart)}. Correct the list."
    )


def _differ(before: Person, after: Person, kind: str) -> bool:
    old, new = (normalized_name(getattr(each, kind)) for each in (before, after))
    return bool(old) and old != new


def _full_name(fields: Mapping[str, object]) -> str:
    return " ".join(str(fields[k]) for k in ("first_name", "last_name") if fields.get(k))


def _details(before: Person, after: Person) -> Iterator[str]:
    """Every changed field, with its old and new value."""
    for kind, title in _TITLES.items():
        old, new = getattr(before, kind), getattr(after, kind)
        if old != new and kind != "dropped":
            shown = [each if isinstance(each, str) else ", ".join(each) for each in (old, new)]
            yield f"{title}: {shown[0] or 'none'} -> {shown[1] or 'none'}"
    if before.dropped and not after.dropped:
        yield "is back in the list"


_TITLES = {
    "first_name": "first name",
    "last_name": "last name",
    "email": "e-mail",
    "lms_user_id": "platform's id",
    "login": "login",
    "sis_id": "SIS id",
    "lti_user_id": "id in LTI",
    "participants": "Moodle's participant number",
    "sections": "sections",
    "groups": "groups",
    "dropped": "",
}
