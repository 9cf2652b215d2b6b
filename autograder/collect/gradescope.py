"""Gradescope's export of submissions: a folder per submission, and a file with the submitters.

Gradescope's source isn't public: the format is that of files it exported. The list is YAML as Ruby
writes it, with keys that begin with a colon. By folder, it has the submitters (several, where a
group handed in together) with ``:name``, ``:sid`` and ``:email``, and ``:created_at``.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from autograder.collect.archives import Member, Unreadable, megabytes

METADATA_FILE = "submission_metadata.yml"
_MOST_BYTES = 50_000_000
_EXPORT = re.compile(r"(assignment_\d+_export/)?submission_\d+/.*", re.DOTALL)
_NUMBER = re.compile(r"\D*(?P<number>\d{1,18})(\.\w+)?")


@dataclass(frozen=True)
class Submitter:
    """One of the submitters of a submission.

    Args:
        email, sid, name: the person's, if the list has them; ``sid`` is the student id.
    """

    email: str
    sid: str
    name: str

    @property
    def names(self) -> tuple[str, ...]:
        """What identifies the person, the most reliable first."""
        return tuple(filter(None, (self.email, self.sid, self.name)))

    @property
    def label(self) -> str:
        """The name to show for this person."""
        return self.name or self.email or self.sid or "?"


@dataclass(frozen=True)
class GradescopeSubmission:
    """One submission of an export.

    Args:
        submitters: the people who handed it in.
        time: the submission time in UTC; None if the file has none.
        upload: its number, which grows with every submission.
    """

    submitters: tuple[Submitter, ...]
    time: datetime | None
    upload: int


def read_metadata(members: Sequence[Member]) -> Mapping[str, GradescopeSubmission] | None:
    """Read an export's list of submissions, by the name of their folder.

    Returns:
        None if the archive isn't an export from Gradescope.

    Raises:
        Unreadable: when its metadata can't be read.
    """
    file = next((member for member in members if member.path == (METADATA_FILE,)), None)
    if file is None:
        if members and all(_EXPORT.fullmatch("/".join(member.path)) for member in members):
            raise Unreadable(
                f"{METADATA_FILE} is missing, which lists the submitters: export the submissions "
                "from Gradescope again"
            )
        return None
    if file.problem or file.size > _MOST_BYTES:
        limit = f"it may have {megabytes(_MOST_BYTES)}"
        raise Unreadable(f"{METADATA_FILE}: {file.problem or limit}")
    import yaml  # slow to import

    # Ten times as fast, if it's installed.
    fastest: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(fastest):
        """Reads tagged values as plain data, and odd ones as text, so that one student's name can't
        make the whole list unreadable."""

        def construct_object(self, node: Any, deep: bool = False) -> Any:
            try:
                return super().construct_object(node, deep)
            except Exception:  # for example an impossible date: yaml raises many kinds of errors
                self.recursive_objects.pop(node, None)
                return _plain(self, node.tag, node)

    Loader.add_multi_constructor("", _plain)
    for tag in ("!binary", "tag:yaml.org,2002:binary"):
        Loader.add_constructor(tag, _decoded)
    try:
        found = yaml.load(b"".join(file.chunks()), Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise Unreadable(f"{METADATA_FILE} isn't YAML: {str(error).splitlines()[0]}") from None
    if not isinstance(found, dict):
        raise Unreadable(f"{METADATA_FILE} lists no submissions")
    return {
        str(folder): _submission(str(folder), fields)
        for folder, fields in found.items()
        if isinstance(fields, dict)
    }


def _submission(folder: str, fields: Mapping[str, Any]) -> GradescopeSubmission:
    people = fields.get(":submitters")
    submitters = tuple(
        _submitter(each)
        for each in (people if isinstance(people, list) else ())
        if isinstance(each, dict)
    )
    time = fields.get(":created_at")
    if isinstance(time, dict):  # an ActiveSupport::TimeWithZone
        time = time.get("utc")
    # Without its offset from UTC, the time is ambiguous.
    known = time.astimezone(UTC) if isinstance(time, datetime) and time.tzinfo else None
    number = _NUMBER.fullmatch(folder)
    return GradescopeSubmission(submitters, known, int(number["number"]) if number else 0)


def _plain(loader: Any, tag: str, node: Any) -> Any:
    """The plain data that an object consists of; no object is made."""
    return {
        "mapping": lambda: loader.construct_mapping(node, deep=True),
        "sequence": lambda: loader.construct_sequence(node, deep=True),
        "scalar": lambda: loader.construct_scalar(node),
    }[node.id]()


def _decoded(loader: Any, node: Any) -> Any:
    """A text that Ruby writes in base64, as it does where it doesn't know the encoding."""
    try:
        return base64.b64decode(node.value).decode("utf8")
    except (ValueError, TypeError):
        return _plain(loader, node.tag, node)


def _submitter(fields: Mapping[str, Any]) -> Submitter:
    return Submitter(*(str(fields.get(key) or "") for key in (":email", ":sid", ":name")))
