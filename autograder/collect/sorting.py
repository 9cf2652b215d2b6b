"""Sort the files of an archive by owner."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from autograder.collect.archives import Archive, Member, Unreadable
from autograder.collect.filenames import (
    Naming,
    Origin,
    Platform,
    origin,
    pattern_origin,
    platform_origin,
    turn,
)
from autograder.collect.gradescope import METADATA_FILE, GradescopeSubmission, read_metadata
from autograder.collect.lesson_files import LessonFiles, shown_path
from autograder.collect.people import PersonFiles
from autograder.names import path_problem


def people_in(
    path: Path, lesson: LessonFiles, stack: ExitStack, naming: Naming
) -> Iterator[PersonFiles]:
    """Sort an archive's files by owner, without reading any of them.

    Args:
        path: the archive.
        lesson: the lesson to collect.
        stack: closes the archive.
        naming: how to read names.
    """
    try:
        members = Archive(stack.enter_context(path.open("rb"))).members
        members = members if naming.pattern else _unwrapped(members)
        submissions = None if naming.pattern else read_metadata(members)
    except (OSError, Unreadable) as error:
        yield PersonFiles(path, problem=str(error))
        return
    handed_in = members if naming.pattern else _submitted_in_teams(members)
    if others := len(members) - len(handed_in):
        files = "1 file" if others == 1 else f"{others:,} files"
        yield PersonFiles(path, outcome=f"skipped: {files} beside those that were handed in")
    members = handed_in
    groups: dict[tuple[str, str, str], list[tuple[Origin, Member]]] = defaultdict(list)
    for inside, member in _origins(path, members, lesson, submissions, naming):
        groups[inside.name, inside.label, inside.time].append((inside, member))
    if not groups:
        yield PersonFiles(path, problem="it's empty")
    expected = f"expected <student>/{lesson.name}.ipynb; use --pattern for other names"
    reason = "--pattern doesn't fit it" if naming.pattern else f"in no student's folder: {expected}"
    for (name, label, _), found in groups.items():
        paths = [(inside.path, member) for inside, member in found]
        taken, left_out = lesson.sound(paths, named=not label)
        taken, earlier = _last_turns(taken)
        left_out += earlier
        origins = [inside for inside, _ in found]
        uploads = {member: inside.upload for inside, member in found}
        person = PersonFiles(path, _joined(origins), taken, uploads, left_out)
        if not label:
            lost = tuple(f"{shown_path(inside)}: {reason}" for inside in taken)
            person = replace(person, origin=None, files={}, left_out=(*left_out, *lost))
            person = replace(person, problem="these have no owner")
        elif submissions is not None:
            person = replace(person, submission=submissions[name])
        yield person


def _origins(
    archive: Path,
    members: Sequence[Member],
    lesson: LessonFiles,
    submissions: Mapping[str, GradescopeSubmission] | None,
    naming: Naming,
) -> Iterator[tuple[Origin, Member]]:
    """The owner of each file; an empty name if it has none."""
    named = [platform_origin(member.path) for member in members]
    of_brightspace = any(each and each.platform == Platform.brightspace for each in named)
    by_platform = not naming.pattern and submissions is None
    whole = _origin_of(archive) if by_platform and _is_one_persons(members, lesson) else None
    is_unclear = by_platform and not whole and _is_a_class(members, lesson)
    for member in members:
        first, *rest = member.path
        if naming.pattern:
            inside = pattern_origin(member.path, naming.pattern)
        elif whole:
            inside = replace(whole, path=member.path)
        elif is_unclear:
            inside = None
        elif submissions is None:
            if of_brightspace and member.path == ("index.html",):  # its list of submissions
                continue
            inside = origin(member.path)
        elif first in submissions and rest:
            inside = Origin(first, "", tuple(rest), Platform.gradescope)
        elif member.path == (METADATA_FILE,):
            continue
        else:
            inside = None
        if not inside or path_problem(member.path[:1]):
            inside = Origin("", "", member.path)
        yield inside, member


def _is_one_persons(members: Sequence[Member], lesson: LessonFiles) -> bool:
    """Whether an archive is a single student's: the lesson's notebook isn't in anybody's folder,
    but at the top or where the handout has it. Several notebooks with its tasks under other names
    are a class's, from an unknown platform."""
    files = {member.path: member for member in members if not path_problem(member.path)}
    paths = files.keys()
    if not any(map(origin, paths)):
        if lesson.folders(paths):
            return True
        return (
            any(path[-1].endswith(".ipynb") for path in paths) and len(lesson.notebooks(files)) < 2
        )
    named = filter(None, map(platform_origin, paths))
    if any(each.path[-1].endswith((".ipynb", ".zip")) for each in named):
        return False
    folders = lesson.folders(paths)
    return bool(folders) and all(lesson.handed_out.issuperset(folder) for folder in folders)


def _is_a_class(members: Sequence[Member], lesson: LessonFiles) -> bool:
    """Whether the only folder in an archive isn't a student's: it has subfolders that aren't in the
    handout, and several of them have the lesson's notebook."""
    files = {member.path: member for member in members if not path_problem(member.path)}
    if len({path[0] for path in files}) != 1 or any(map(platform_origin, files)):
        return False
    homes = {path[1] if len(path) > 2 else "" for path in lesson.notebooks(files)}
    return len(homes) > 1 and homes.isdisjoint({"", *lesson.handed_out})


def _joined(origins: Sequence[Origin]) -> Origin:
    """The origin of one person's files."""
    return replace(
        origins[0],
        path=(),
        late=any(each.late for each in origins),
        upload=max(each.upload for each in origins),
    )


def _origin_of(archive: Path) -> Origin:
    """The owner of an archive with one person's files, according to its own name."""
    path = (unicodedata.normalize("NFC", archive.name),)
    return origin(path) or Origin(archive.stem, "", path)


def _unwrapped(members: tuple[Member, ...]) -> tuple[Member, ...]:
    """Strip a folder around everything: Gradescope writes one, and so does unpacking a platform's
    archive and zipping the folder again."""
    tops = {member.path[0] for member in members}
    inner = [member.path[1:] for member in members]
    if (
        len(tops) == 1
        and all(inner)
        and any(path == (METADATA_FILE,) or platform_origin(path) for path in inner)
    ):
        return tuple(replace(member, path=member.path[1:]) for member in members)
    return members


def _submitted_in_teams(members: tuple[Member, ...]) -> tuple[Member, ...]:
    """Strip the folders around Microsoft Teams' <student>/<assignment>/Version <number>, and leave
    out the folder beside them, in which the same students have what they are still working on."""
    turns = [(member, at) for member in members if (at := _turn_at(member.path) or 0) > 2]
    around = {member.path[: at - 2] for member, at in turns}
    students = {member.path[at - 2] for member, at in turns}
    if len(around) != 1 or len(students) == 1 or any(platform_origin(m.path) for m in members):
        return members
    depth = len(*around)
    handed_in = {member for member, _ in turns}
    beside = [member.path for member in members if member not in handed_in]
    working = {path[depth] for path in beside if len(path) > depth}
    if beside and (len({path[:depth] for path in beside}) > 1 or students.isdisjoint(working)):
        return members
    return tuple(replace(member, path=member.path[depth:]) for member, _ in turns)


def _turn_at(path: tuple[str, ...]) -> int | None:
    """Where in a path the folder of a version is; None if there is none."""
    return next((at for at, folder in enumerate(path[:-1]) if turn(folder)), None)


def _last_turns(
    files: Mapping[tuple[str, ...], Member],
) -> tuple[dict[tuple[str, ...], Member], tuple[str, ...]]:
    """Files without those of earlier versions, and a remark for each such version."""
    last: dict[tuple[str, ...], int] = defaultdict(int)
    kept, earlier = dict(files), {}
    for path in files:
        if (at := _turn_at(path)) is not None:
            last[path[:at]] = max(last[path[:at]], turn(path[at]))
    for path in files:
        at = _turn_at(path)
        if at is not None and turn(path[at]) < last[path[:at]]:
            del kept[path]
            earlier[path[: at + 1]] = f"an earlier version than {last[path[:at]]}"
    return kept, tuple(f"{shown_path(folder)}: {why}" for folder, why in earlier.items())
