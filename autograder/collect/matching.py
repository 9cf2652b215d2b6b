"""Match archive names to students, by a names file, lists of times, and the roster."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.collect.archives import misread
from autograder.collect.filenames import Origin, Platform, moodle_name, participant_id
from autograder.collect.gradescope import GradescopeSubmission
from autograder.collect.manifest import read_collected
from autograder.collect.timestamps import PlatformSubmission
from autograder.course_folder import CourseFolder
from autograder.names import folded, is_student_id
from autograder.roster.roster import Person, Roster, read_roster
from autograder.roster.worksheet import Line


@dataclass(frozen=True)
class Owners:
    """The owners of a submission.

    Args:
        students: their ids; several for a group.
        problem: why they are unknown, else "".
        outcome: why there are none, else "".
        remarks: evidence against this match.
    """

    students: tuple[str, ...] = ()
    problem: str = ""
    outcome: str = ""
    remarks: tuple[str, ...] = ()


class NameMatcher:
    """Finds the students that lists mean.

    Args:
        roster: the class.
        names: student ids by other names; they take precedence over the roster.
    """

    def __init__(self, roster: Roster, names: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self._roster, self._names = roster, names or {}
        self._called: dict[str, list[Person]] = defaultdict(list)
        self._users: dict[str, list[Person]] = defaultdict(list)
        self._participants: dict[str, list[Person]] = defaultdict(list)
        for person in roster.people:
            for own in person.names | {
                _comparable(moodle_name(each)) for each in (person.full_name, person.sortable_name)
            }:
                self._called[own].append(person)
            self._users[person.lms_user_id].append(person)
            for number in person.participants:
                self._participants[number].append(person)

    def people(self, name: str) -> list[Person]:
        """The people in the roster whom a name may mean."""
        return self._called.get(_comparable(name), [])

    def group(self, name: str) -> list[str]:
        """The members of the group with this name."""
        called = [
            person
            for person in self._roster.people
            if any(_comparable(moodle_name(own)) == _comparable(name) for own in person.groups)
        ]
        found = self._roster.group(name) or called
        return [person.student for person in found if not person.dropped]

    def meant(self, entry: PlatformSubmission) -> tuple[str, ...]:
        """Match a line of a list: by the most reliable of its names in the roster, or by Moodle's
        number if several people have the same name, or there are no names."""
        if entry.platform == Platform.canvas and entry.number:
            people = self._users[entry.number]
            if len(people) == 1:
                return (people[0].student,)
        for name in entry.names:
            if name in self._names:
                return self._names[name]
            people = self.people(name)
            if len(people) == 1:
                return (people[0].student,)
        if entry.platform != Platform.moodle:
            return ()
        called = [person for name in entry.names for person in self.people(name)]
        for person in called if entry.names else self._participants[entry.number]:
            if entry.number in person.participants:
                return (person.student,)
        return () if entry.names else (participant_id(entry.number),)


def whom_lines_mean(
    course: CourseFolder, lesson: str, lines: Sequence[Line]
) -> dict[str, list[str]]:
    """Students to whom each line of a Moodle worksheet may belong, most likely first, by number.

    Args:
        course: the course folder.
        lesson: the worksheet's lesson.
        lines: the worksheet's lines; a team's line without names may belong to any member.
    """
    known = NameMatcher(read_roster(course))
    numbers: dict[str, str] = {}
    numbered: dict[str, list[str]] = defaultdict(list)
    for student, entry in read_collected(course, lesson).items():
        if entry.platform == Platform.moodle and entry.number:
            numbers[student] = entry.number
            numbered[entry.number].append(student)
    whom = {}
    for line in lines:
        meant = [
            *known.meant(PlatformSubmission(Platform.moodle, line.number, line.names)),
            *line.names,
        ]
        if line.group:
            meant += [] if line.names else known.group(line.group)
        else:  # a collected submission has the number of the team, or else of the participant
            meant = [each for each in meant if numbers.get(each, line.number) == line.number]
            meant += numbered[line.number]
        whom[line.number] = meant
    return whom


class Owned:
    """Matches names in archives to students and submission times.

    If several sources apply, the instructor's own names file decides, then numbers that a platform
    gives to a single person, then names. It never guesses between people.

    Args:
        names: student ids by the names in archives.
        roster: the class.
        complete: whether the roster is complete, so that a name missing from it is refused.
        times: the platforms' data on single submissions.
        taken: names that aren't a student's, such as a lesson's.
    """

    def __init__(
        self,
        names: Mapping[str, tuple[str, ...]],
        roster: Roster,
        *,
        complete: bool,
        times: Sequence[PlatformSubmission],
        taken: Callable[[str], bool],
    ) -> None:
        self._names, self._roster, self._complete = names, roster, complete
        self._taken, self._known = taken, NameMatcher(roster, names)
        self._numbered: dict[tuple[Platform, str], list[PlatformSubmission]] = defaultdict(list)
        self._grouped: dict[str, list[PlatformSubmission]] = defaultdict(list)
        self._of: dict[str, list[PlatformSubmission]] = defaultdict(list)
        for entry in times:
            if entry.number:
                self._numbered[entry.platform, entry.number].append(entry)
            if entry.group:
                self._grouped[folded(moodle_name(entry.group))].append(entry)
            for student in self._known.meant(entry) or filter(is_student_id, entry.names):
                self._of[student].append(entry)

    def owners(self, origin: Origin, alike: int, shared: str) -> Owners:
        """Find the owners of a submission.

        Args:
            origin: the owner according to the archive.
            alike: the number of people in this archive with the name.
            shared: what all names in this archive begin with.
        """
        for name in (origin.label, *([origin.name] if alike == 1 else [])):
            if name in self._names:
                return self._given(name)
        enrolled = any(not person.dropped for person in self._known.people(origin.name))
        if origin.is_test_student and not enrolled:
            return Owners(outcome=f"skipped: the test student of {origin.platform}")
        if found := self._numbered_owners(origin):
            return found
        known = [
            name
            for name in _spelled(origin)
            if self._is_known(name) and self._is_prefix(origin, name, shared)
        ]
        if origin.platform == Platform.blackboard and len(known) > 1:
            several = " or ".join(known)
            return Owners(problem=f"{origin.name!r} may be by {several}: {_add(origin.name)}")
        origin = self._as_known(origin, known, shared)
        if alike == 1 and origin.name in self._names:
            return self._given(origin.name)
        if origin.anonymous and not self._is_known(origin.name):
            if origin.platform == Platform.moodle:
                return Owners((participant_id(origin.number),))
            return Owners(
                problem=f"the download is anonymous: show names in {origin.platform} and download "
                f"again, or {_add(origin.label)}"
            )
        if alike > 1:
            namesakes = self._known.people(origin.name)
            if origin.platform == Platform.canvas and any(p.lms_user_id for p in namesakes):
                return Owners(
                    problem=f"Canvas' user {origin.number} isn't in the roster: read a newer list "
                    f"with `autograder roster`, or {_add(origin.label)}"
                )
            hint = ""
            if origin.platform == Platform.moodle:
                hint = "give Moodle's grading worksheet with --times, or "
            return Owners(
                problem=f"{alike} people in the archive are called {origin.name!r}: {hint}tell "
                f"them apart in the file that --names gives, as {origin.label!r}"
            )
        return self._named_owners(origin)

    def submitters(self, origin: Origin, submission: GradescopeSubmission) -> Owners:
        """Find the owners of a submission from Gradescope."""
        if origin.label in self._names:
            return self._given(origin.label)
        students: list[str] = []
        remarks: list[str] = []
        for submitter in submission.submitters:
            named = {person.student: person for person in self._known.people(submitter.name)}
            # Only these distinguish people with the same name.
            sure = [each for each in (submitter.email, submitter.sid) if each]
            surely = {person.student for each in sure for person in self._known.people(each)}
            found = surely or named.keys()
            given = [self._names[name] for name in submitter.names if name in self._names]
            ids = list(filter(is_student_id, (submitter.sid, submitter.email)))
            if given:
                students += given[0]
            elif len(found) == 1:
                students += found
                (student,) = found
                if named and student not in named:
                    remarks.append(
                        f"matched to {student} by {', '.join(sure)}, although {submitter.name!r} "
                        "is "
                        f"{' or '.join(sorted(named))} in the roster"
                    )
                elif sure and not surely and (named[student].email or named[student].sis_id):
                    remarks.append(
                        f"matched to {student} only by the name: the roster doesn't have "
                        f"{', '.join(sure)}"
                    )
            elif len(found) > 1:
                several = " and ".join(sorted(found))
                add = _add(submitter.names[0])
                return Owners(problem=f"{submitter.label!r} may be {several}: {add}")
            elif self._complete or not ids:
                name = (submitter.names or (submitter.label,))[0]
                return Owners(problem=f"{submitter.label!r} isn't in the roster: {_add(name)}")
            else:
                students.append(ids[0])
        if not students:
            return Owners(problem="Gradescope lists no submitter")
        return Owners(tuple(dict.fromkeys(students)), remarks=tuple(remarks))

    def _given(self, name: str) -> Owners:
        """The owners by the names file, with a remark on those who may be typing mistakes."""
        students = self._names[name]
        unknown = [each for each in students if self._complete and not self._known.people(each)]
        remark = "isn't in the roster: is that a typing mistake in the file that --names gives?"
        return Owners(students, remarks=tuple(f"{each} {remark}" for each in unknown))

    def handed_in(
        self, origin: Origin, student: str
    ) -> tuple[PlatformSubmission | None, tuple[str, ...]]:
        """The platform's data on a student's submission: of several attempts, the last; and remarks
        on data that isn't used."""
        found = self._numbered.get((origin.platform, origin.number), []) if origin.number else []
        own = self._of.get(student, [])
        members = {id(entry) for entry in own}
        if team := self._grouped.get(folded(origin.name)):
            # A group's number isn't a participant's. Without names, any member's line will do.
            found = [entry for entry in team if not entry.names]
        entries = [entry for entry in found if not members or id(entry) in members]
        by_team = bool(team or self._known.group(origin.name))
        entries += [entry for entry in own if by_team or not _is_elsewhere(entry, origin)]
        if own and not entries:
            remark = (
                f"the list of times has number {own[0].number} for {student}, the archive "
                f"{origin.number}: it's of a different assignment, and its time isn't used"
            )
            return None, (remark,)
        return max(entries, key=_order, default=None), ()

    def _numbered_owners(self, origin: Origin) -> Owners | None:
        """The owner of a platform's number; None if it's unknown."""
        if not origin.number:
            return None
        if origin.platform == Platform.moodle:
            for entry in self._numbered.get((Platform.moodle, origin.number), ()):
                named = {folded(moodle_name(name)) for name in entry.names}
                is_blind = origin.anonymous or not (entry.names or entry.group)
                is_theirs = is_blind or not named.isdisjoint(map(folded, _readings(origin)))
                if is_theirs and (students := self._known.meant(entry)):
                    return Owners(students)
            people = [p for p in self._roster.people if origin.number in p.participants]
            called = [p for name in _readings(origin) for p in self._known.people(name)]
            people = [p for p in people if origin.anonymous or p in called]
            return Owners((people[0].student,)) if len(people) == 1 else None
        if origin.platform != Platform.canvas:
            return None
        if origin.anonymous:
            for entry in self._numbered.get((Platform.canvas, origin.number), ()):
                if students := self._known.meant(entry):
                    return Owners(students)
        people = [p for p in self._roster.people if p.lms_user_id == origin.number]
        if len(people) != 1:
            return None
        (person,) = people
        if any(person in self._known.people(name) for name in _readings(origin)):
            return Owners((person.student,))
        if members := self._known.group(origin.name):
            return Owners(tuple(members))
        return Owners(
            problem=f"Canvas' user {origin.number} is {person.full_name or person.student} in the "
            f"roster, not {origin.name!r}: of a group? {_add(origin.label)}"
        )

    def _named_owners(self, origin: Origin) -> Owners:
        """The owner of a name that only one person in the archive has."""
        name = origin.name
        people = self._known.people(name)
        if origin.platform == Platform.canvas and len(people) == 1:
            known = people[0].lms_user_id
            if known and known != origin.number:
                return Owners(
                    problem=f"{name!r} is Canvas' user {known} in the roster, and here "
                    f"{origin.number}: read a newer list with `autograder roster`, or "
                    f"{_add(origin.label)}"
                )
        in_roster = self._known.group(name)
        group = in_roster + [
            student
            for entry in self._grouped.get(folded(name), ())
            if entry.names or not in_roster
            for student in self._known.meant(entry) or filter(is_student_id, entry.names[:1])
        ]
        if people and group:
            return Owners(problem=f"{name!r} is both a person and a group: {_add(origin.label)}")
        if group:
            return Owners(tuple(dict.fromkeys(group)))
        if len(people) == 1:
            return Owners((people[0].student,))
        if people:
            several = ", ".join(person.student for person in people)
            return Owners(problem=f"{name!r} may be {several}: {_add(origin.label)}")
        if self._complete:
            return Owners(
                problem=f"{name!r} isn't in the roster: read a newer list with `autograder "
                f"roster`, or {_add(origin.label)}"
            )
        if not is_student_id(name) or self._taken(name):
            return Owners(problem=f"{name!r} isn't a student id: {_add(name)}")
        return Owners((name,))

    def _as_known(self, origin: Origin, known: Sequence[str], shared: str) -> Origin:
        """The origin with a name that is known here: without the team's or the assignment's name
        before it, or decoded in a different code page, if there is exactly one."""
        if known:
            return replace(origin, name=known[0])
        if origin.platform == Platform.blackboard:
            return replace(origin, name=origin.name.removeprefix(f"{shared}_"))
        fitting = list(filter(self._is_known, misread(origin.name)))
        return replace(origin, name=fitting[0]) if len(fitting) == 1 else origin

    def _is_prefix(self, origin: Origin, name: str, shared: str) -> bool:
        """Whether what is before a name is a team's or the assignment's name, and not a part of
        somebody else's, such as Anna-Lena's."""
        before = origin.name.removesuffix(name)[:-1]
        if not before or origin.platform == Platform.blackboard:
            return f"{shared}_".startswith(f"{before}_") or not before
        return bool(self._known.group(before)) or folded(before) in self._grouped

    def _is_known(self, name: str) -> bool:
        """Whether a person or a group has this name."""
        return (
            name in self._names
            or bool(self._known.people(name) or self._known.group(name))
            or folded(name) in self._grouped
        )


def _comparable(name: str) -> str:
    """Normalize a name for comparison: its case, spaces and Unicode form."""
    return " ".join(folded(name).split())


def _is_elsewhere(entry: PlatformSubmission, origin: Origin) -> bool:
    """Whether a line is of a different assignment: in Moodle, each one gives somebody a different
    number."""
    of_person = entry.platform == origin.platform == Platform.moodle and not entry.group
    return of_person and bool(origin.number) and entry.number != origin.number


def _order(entry: PlatformSubmission) -> tuple[int, bool, float]:
    return entry.attempt, entry.time is not None, entry.time.timestamp() if entry.time else 0


def _add(name: str) -> str:
    """The line to add for a name to the names file."""
    cell = f'"{name}"' if "," in name else name
    return f"add the line {cell},<student> to the file that --names gives"


def _spelled(origin: Origin) -> Iterator[str]:
    """A name, with and without a prefix: older versions of Moodle write the team's name and a
    hyphen before it, Blackboard the assignment's name and an underscore."""
    between = {Platform.moodle: "-", Platform.blackboard: "_"}.get(origin.platform)
    parts = origin.name.split(between) if between else [origin.name]
    yield from ((between or "").join(parts[first:]) for first in range(len(parts)))


def _readings(origin: Origin) -> Iterator[str]:
    """The possible readings of a name in various code pages."""
    yield from _spelled(origin)
    yield from misread(origin.name)
