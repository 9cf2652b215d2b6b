"""Sorts the files of an archive by the person they are from."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from autograder.exchange.archives import (
    Archive,
    Member,
    Unreadable,
    path_problem,
)
from autograder.exchange.choosing import LessonFiles, shown_path, sound
from autograder.exchange.gradescope import METADATA, read_metadata
from autograder.exchange.origins import (
    Origin,
    Platform,
    origin,
    platform_origin,
)
from autograder.exchange.people import Person


def people_in(path: Path, lesson: LessonFiles, stack: ExitStack) -> Iterator[Person]:
    """Sort an archive's files by person; no file of a person's is read yet.

    Args:
        path: the archive.
        lesson: what it is collected for.
        stack: closes the archive.
    """
    try:
        members = _unwrapped(Archive(stack.enter_context(path.open("rb"))).members)
        submissions = read_metadata(members)
    except (OSError, Unreadable) as error:
        yield Person(path, problem=str(error))
        return
    groups: dict[tuple[str, str], list[tuple[Origin, Member]]] = defaultdict(list)
    nobody = Origin("", "", ())
    whole = _origin_of(path) if submissions is None and _is_one_persons(members, lesson) else None
    for member in members:
        first, *rest = member.path
        if whole:
            inside = replace(whole, path=member.path)
        elif submissions is None:
            inside = origin(member.path)
        elif first in submissions and rest:
            inside = Origin(first, "", tuple(rest), Platform.gradescope)
        elif member.path == (METADATA,):
            continue
        else:
            inside = None
        if not inside or path_problem(member.path[:1]):
            inside = replace(nobody, path=member.path)
        groups[inside.name, inside.label].append((inside, member))
    if not groups:
        yield Person(path, problem="there is nothing in it")
    for (name, label), found in groups.items():
        paths = [(inside.path, member) for inside, member in found]
        taken, left_out = sound(paths, named=not label)
        origins = [inside for inside, _ in found]
        uploads = {member: inside.upload for inside, member in found}
        person = Person(path, _joined(origins), taken, uploads, left_out)
        if not label:
            reason = f"in no student's folder: expected <student>/{lesson.name}.ipynb"
            lost = tuple(f"{shown_path(inside)}: {reason}" for inside in taken)
            person = replace(person, origin=None, files={}, left_out=(*left_out, *lost))
            person = replace(person, problem="these are nobody's")
        elif submissions is not None:
            person = replace(person, submission=submissions[name])
        yield person


def _is_one_persons(members: Sequence[Member], lesson: LessonFiles) -> bool:
    """Whether an archive is a single student's: the lesson's notebook is not in anybody's
    folder, but at the top or where the handout has it."""
    paths = {member.path for member in members if not path_problem(member.path)}
    if not any(map(origin, paths)):  # a notebook with another name, perhaps
        return any(path[-1].endswith(".ipynb") for path in paths)
    named = filter(None, map(platform_origin, paths))
    if any(each.path[-1].endswith((".ipynb", ".zip")) for each in named):
        return False
    folders = lesson.folders(paths)
    return bool(folders) and all(lesson.handed_out.issuperset(folder) for folder in folders)


def _joined(origins: Sequence[Origin]) -> Origin:
    """Where the files of one person come from."""
    return replace(
        origins[0],
        path=(),
        late=any(each.late for each in origins),
        upload=max(each.upload for each in origins),
    )


def _origin_of(archive: Path) -> Origin:
    """Whose an archive is that holds one person's files: as its own name says."""
    path = (unicodedata.normalize("NFC", archive.name),)
    return origin(path) or Origin(archive.stem, "", path)


def _unwrapped(members: tuple[Member, ...]) -> tuple[Member, ...]:
    """Without the folder around everything: Gradescope writes one, and unpacking a platform's
    archive and zipping the folder again adds one."""
    tops = {member.path[0] for member in members}
    inner = [member.path[1:] for member in members]
    if (
        len(tops) == 1
        and all(inner)
        and any(path == (METADATA,) or platform_origin(path) for path in inner)
    ):
        return tuple(replace(member, path=member.path[1:]) for member in members)
    return members
