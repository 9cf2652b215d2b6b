"""From the lists of a learning platform to the class: who is new, who changed, who has left."""

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
from autograder.roster.csv_lists import Entry, Listed, split_name
from autograder.roster.roster import Person, comparable, read_roster, write_roster

_FEW = 3  # may leave a small class at once


class IdFrom(StrEnum):
    """What a new student's id is made of."""

    login = "login"
    email = "email"
    sis = "sis"
    lms = "lms"


class What(StrEnum):
    """What a list changes about a person."""

    new = "new"
    changed = "changed"
    same = "unchanged"
    left = "no longer in the list"


@dataclass(frozen=True)
class Change:
    """What becomes of one person.

    Args:
        person: as they are in the class afterwards.
        what: in a word.
        details: every field that changes, with what it was and is.
        rename: the command that gives the person the id of the new login, where it changed; of a
            new person, what gives them the work that is there under another of their names.
    """

    person: Person
    what: What
    details: tuple[str, ...] = ()
    rename: str = ""


@dataclass(frozen=True)
class Update:
    """What lists change about a class.

    Args:
        changes: everybody in the class, by student id.
        left_out: lines that aren't a student's.
        problems: lines that were not taken, each with the reason.
        spared: ids of students who are in no list, and don't count as having left, because a line
            that was not taken may be theirs.
    """

    changes: tuple[Change, ...]
    left_out: tuple[str, ...]
    problems: tuple[str, ...]
    spared: tuple[str, ...] = ()

    def count(self, what: What) -> int:
        """How many people it says this of."""
        return sum(change.what is what for change in self.changes)


def update_roster(
    course: CourseFolder,
    lists: Sequence[Listed],
    *,
    id_from: IdFrom | None = None,
    partial: bool = False,
    replace_class: bool = False,
    dry_run: bool = False,
) -> Update:
    """Bring the gradebook and ``roster.json`` up to date with lists of the class.

    A person keeps the student id, whatever a list says: submissions and grades are kept under it.

    Args:
        course: the course folder.
        lists: of the class, in this order; later ones add to what earlier ones say.
        id_from: what a new student's id is made of; the first there is, if left out.
        partial: whether the lists hold only some of the class, so that nobody else has left.
        replace_class: whether to believe lists in which most of the class is not.
        dry_run: write nothing.

    Raises:
        CourseError: when most of the class is not in the lists, or somebody is grading.
    """
    # This import takes half a second, which --help need not wait for.
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
                {each.person.student for each in changes if each.what in (What.new, What.changed)},
            )
    left_out = [line for listed in lists for line in listed.left_out]
    problems = [line for listed in lists for line in listed.problems]
    problems += merging.problems
    return Update(changes, tuple(left_out), tuple(problems), tuple(merging.spared))


class _Merging:
    """A class while lists are added to it.

    Args:
        known: the people before, by student id.
        id_from: what a new student's id is made of.
    """

    def __init__(self, known: Mapping[str, Person], id_from: IdFrom | None) -> None:
        self.problems: list[str] = []
        self.refused: list[Entry] = []
        self.spared: list[str] = []
        self._before, self._people = known, dict(known)
        self._id_from = id_from
        self._listed: set[str] = set()
        self._renames: dict[str, str] = {}
        self._by_key: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._by_id: dict[str, str] = {}
        for person in known.values():
            self._index(person)

    def add(self, entries: Sequence[Entry]) -> None:
        """Add a list's people."""
        here: dict[str, Entry] = {}
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
        """Let a person be found by all that is theirs."""
        self._by_id[folded(person.student)] = person.student
        for key in _keys(vars(person)):
            self._by_key[key].add(person.student)

    def mark_those_who_left(self, *, most: bool) -> None:
        """Mark everybody who is in none of the lists, and whose no refused line may be.

        Args:
            most: whether that may be most of the class.

        Raises:
            CourseError: when it is, and may not be.
        """
        known = {p.student for p in self._before.values() if p != Person(p.student)}
        known -= {student for student in known if self._before[student].dropped}
        leave = known - self._listed
        if len(leave) > max(_FEW, len(known) / 2) and not most:
            raise CourseError(
                f"{len(leave)} of the {len(known)} people in the class are not in the list: is it "
                "another course's, or only a part of the class (--partial)? --replace takes it as "
                "it is."
            )
        for student in sorted(self._people.keys() - self._listed):
            person = self._people[student]
            if not any(_may_mean(entry, person) for entry in self.refused):
                self._people[student] = replace(person, dropped=True)
            elif student in leave:
                self.spared.append(student)

    def changes(self) -> Iterator[Change]:
        """What became of everybody."""
        for student, person in sorted(self._people.items()):
            if person == Person(student):  # a folder, of which no list says anything
                continue
            before = self._before.get(student)
            details = tuple(_details(before, person)) if before else ()
            if before is None:
                what = What.new
                if earlier := self._without_a_name(person):
                    command = ["autograder", "rename-student", earlier, student]
                    self._renames[student] = shlex.join(command)
            elif person.dropped and not before.dropped:
                what = What.left
            else:
                what = What.changed if details else What.same
            yield Change(person, what, details, self._renames.get(student, ""))

    def _without_a_name(self, person: Person) -> str:
        """The id that stands for a new person so far: before there was a roster, the names in
        archives became ids. "" if there is none, or if several people may be meant."""
        ids = [
            each
            for each, before in self._before.items()
            if comparable(each) in person.names and each not in self._listed
            if not before.full_name
        ]
        called = [p for p in self._people.values() if ids and comparable(ids[0]) in p.names]
        # The one who has the id is called so, too.
        return ids[0] if len(ids) == 1 and len(called) == 2 else ""

    def _find(self, entry: Entry) -> Person | str:
        """The person whom an entry means, a new one, or why it is nobody."""
        found = {student for key in _keys(entry.fields) for student in self._by_key[key]}
        if found:
            if len(found) == 1:
                return self._people[found.pop()]
            names = " and ".join(sorted(found))
            return f"some of it means one person, some another: {names}. Put the list right."
        ids = list(_ids(entry, self._id_from))
        for student in ids:
            if other := self._people.get(self._by_id.get(folded(student), "")):
                if not _contradict(other, entry):
                    return other
                return (
                    f"the student id would be {student}, and {other.full_name or 'somebody'} has "
                    "it: choose another with --id"
                )
        if ids:
            return Person(ids[0])
        name = comparable(entry.full_name or _full_name(entry.fields))
        alike = [each for each in self._people.values() if comparable(each.full_name) == name]
        alike = [each for each in alike if not _contradict(each, entry)]
        if len(alike) == 1:
            return alike[0]
        who = entry.full_name or _full_name(entry.fields) or "nobody"
        if alike:
            return f"{len(alike)} people are called {who}, and nothing here says which is meant"
        if self._id_from:
            return f"{who} has nothing that an id of --id {self._id_from} could be made of"
        return f"{who} has no login, e-mail address or id that a student id could be made of"

    def _merged(self, person: Person, entry: Entry) -> Person:
        """A person with what a list says; a list's sections and groups take the old ones' place."""
        fields = dict(entry.fields)
        if entry.full_name and comparable(entry.full_name) != comparable(person.full_name):
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
                    f"{entry.place}: the {_TITLES[kind]} {had} has lost its zeros, as in a list "
                    "that a spreadsheet has saved. It stays as it was."
                )
        merged = replace(person, **fields, dropped=False)
        before = self._before.get(person.student)
        if before and any(_differ(before, merged, key) for key in ("login", "email")):
            old, new = (next(_ids_of(each, self._id_from), "") for each in (before, merged))
            if new and old == person.student != new:
                command = ["autograder", "rename-student", old, new]
                self._renames[old] = shlex.join(command)
        return merged


def _ids(entry: Entry, id_from: IdFrom | None) -> Iterator[str]:
    """Student ids that an entry gives, the one to be chosen first."""
    return _ids_of(Person("", **entry.fields), id_from)


def _ids_of(person: Person, id_from: IdFrom | None) -> Iterator[str]:
    made = {
        # The folder of an address would say where everybody is.
        IdFrom.login: person.login.partition("@")[0],
        IdFrom.email: person.email.partition("@")[0],
        IdFrom.sis: person.sis_id,
        IdFrom.lms: person.lms_user_id or person.lti_user_id,
    }
    chosen = [made[id_from]] if id_from else made.values()
    return (each for each in dict.fromkeys(chosen) if is_student_id(each))


def _keys(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What belongs to one person only, among what is said of one."""
    for kind in ("lms_user_id", "email", "login", "sis_id", "lti_user_id"):
        if value := fields.get(kind):
            yield kind, comparable(str(value))
    for number in fields.get("participants") or ():
        yield "participants", str(number)


def _may_mean(entry: Entry, person: Person) -> bool:
    """Whether a line that was not taken may be a person's: something in it is theirs, a part of
    their name will do, or it says nothing of whose it is."""
    name = entry.full_name or _full_name(entry.fields)
    words = set(comparable(name).split())
    keys = set(_keys(entry.fields))
    if not words and not keys:
        return True
    return (
        not words.isdisjoint(comparable(person.full_name).split())
        or not keys.isdisjoint(_keys(vars(person)))
        or folded(person.student) in {folded(each) for each in _ids(entry, None)}
    )


def _contradict(person: Person, entry: Entry) -> bool:
    """Whether an entry says something of a person that cannot be true."""
    of_person, of_entry = dict(_keys(vars(person))), dict(_keys(entry.fields))
    shared = of_person.keys() & of_entry.keys() - {"participants"}
    return any(of_person[kind] != of_entry[kind] for kind in shared)


def _two_people(one: Entry, other: Entry) -> str:
    """Why two lines of a list cannot both be the same person's, or ""."""
    first, second = dict(_keys(one.fields)), dict(_keys(other.fields))
    shared = [kind for kind in _TITLES if kind in first and kind in second]
    apart = [_TITLES[kind] for kind in shared if first[kind] != second[kind]]
    if not apart or one is other:
        return ""
    alike = [_TITLES[kind] for kind in shared if first[kind] == second[kind]]
    return (
        f"it has the {' and '.join(alike) or 'student id'} of {one.place}, but another "
        f"{' and '.join(apart)}. Put the list right."
    )


def _differ(before: Person, after: Person, kind: str) -> bool:
    old, new = (comparable(getattr(each, kind)) for each in (before, after))
    return bool(old) and old != new


def _full_name(fields: Mapping[str, object]) -> str:
    return " ".join(str(fields[k]) for k in ("first_name", "last_name") if fields.get(k))


def _details(before: Person, after: Person) -> Iterator[str]:
    """Every field that differs, with what it was and is."""
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
