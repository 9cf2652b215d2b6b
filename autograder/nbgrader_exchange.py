"""nbgrader's exchange between students' accounts, hardened: only a student's own files come in.

Every student can write to a course's inbound folder. nbgrader's own ``collect`` follows links, with
the rights of the account that grades, and accepts what one student leaves there in another's name.
"""

from __future__ import annotations

import glob
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default.collect import ExchangeCollect
from nbgrader.exchange.default.release_feedback import ExchangeReleaseFeedback
from nbgrader.utils import parse_utc

from autograder.sanitize.program_files import drop_programs
from autograder.sanitize.submission import MOST_FILES, TIMESTAMP, read_timestamp
from selfcheck.responses import printable

SECRET_FILE = "submission_secret.txt"
"""The file that nbgrader's submit adds, from which the address of the feedback follows."""

NOT_COLLECTED = "Not collected: "
"""How a line of the log begins that says what was left in the exchange."""

_SUBMITTED = 0o777
"""The permissions that nbgrader's submit gives a submission's folder when all of it is there."""

_COPYING = 60.0
"""Seconds after which a folder without these permissions counts as complete."""

_MOST_DEPTH = 20
_MOST_LINES = 20
_LONGEST = 1_000
_NOT_THEIRS = "not a regular file that the student owns"
_OPENED = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


class _NotCollected(Exception):
    """A submission wasn't collected; the message says why."""


class CollectOwnFiles(ExchangeCollect):
    """nbgrader's collect, restricted to files that belong to the submission's student.

    A submission in another's name is not collected, unless ``check_owner`` is off. Links, and files
    that belong to somebody else, are left out. A submission that can't be collected doesn't stop
    the others, and earlier submissions are kept.
    """

    def _path_to_record(self, path: str) -> dict[str, Any]:
        try:
            return super()._path_to_record(path)
        except (ExchangeError, ValueError, OverflowError):  # a name without a time
            return {"username": "", "filename": Path(path).name, "timestamp": datetime.min}

    def _sort_by_timestamp(self, records: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """The records of one student: their own first, the newest of these first, and none that
        is still arriving."""
        problems = {record["filename"]: self._problem(record) for record in records}
        refused = [(name, problem) for name, problem in problems.items() if problem]
        for name, problem in refused[:_MOST_LINES]:
            self.log.error(NOT_COLLECTED + "%s: %s", _shown(name), problem)
        if len(refused) > _MOST_LINES:
            self.log.error(NOT_COLLECTED + "%d more like these", len(refused) - _MOST_LINES)
        own = [
            record
            for record in records
            if not problems[record["filename"]] and not self._is_arriving(record)
        ]
        return super()._sort_by_timestamp(own or records)

    def copy_files(self) -> None:
        """Collect the newest submission of each student."""
        records = [record for record in self.src_records if not self._problem(record)]
        lesson, course = self.coursedir.assignment_id, self.coursedir.course_id
        if not records:
            self.log.warning("No submissions of '%s' for course '%s' to collect", lesson, course)
        for record in records:
            if self._is_arriving(record):
                name = _shown(record["filename"])
                self.log.warning("Still being handed in, collect it in a minute: %s", name)
                continue
            try:
                self._collect(record)
            except (_NotCollected, OSError, RuntimeError) as error:
                name = _shown(record["filename"])
                self.log.error(NOT_COLLECTED + "%s: %s", name, printable(str(error)))

    def _problem(self, record: Mapping[str, Any]) -> str:
        """Why a submission is not its student's, or ""."""
        if not record["username"]:
            return "its name has no student or no time"
        about = self._path(record).lstat()
        if not stat.S_ISDIR(about.st_mode):
            return "it isn't a folder"
        owner = _account(about.st_uid)
        if self.check_owner and owner != record["username"]:
            return f"it's named after {_shown(record['username'])} but belongs to {owner}"
        return ""

    def _is_arriving(self, record: Mapping[str, Any]) -> bool:
        """Whether nbgrader's submit is still copying a submission."""
        about = self._path(record).lstat()
        age = time.time() - about.st_mtime
        return stat.S_IMODE(about.st_mode) & _SUBMITTED != _SUBMITTED and 0 <= age < _COPYING

    def _path(self, record: Mapping[str, Any]) -> Path:
        return Path(self.inbound_path, record["filename"])

    def _collect(self, record: Mapping[str, Any]) -> None:
        student, lesson = record["username"], self.coursedir.assignment_id
        submitted = self.coursedir.submitted_directory
        target = Path(self.coursedir.format_path(submitted, student, lesson))
        there = target.is_dir()
        if there and not self._is_wanted(record, target):
            said = "No newer submission to collect" if self.update else "It is there; see --update"
            self.log.info("%s: %s %s", said, student, lesson)
            return
        is_new = not target.parent.is_dir()
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._replace(record, target, there)
        except BaseException:
            if is_new:
                with suppress(OSError):
                    target.parent.rmdir()
            raise

    def _replace(self, record: Mapping[str, Any], target: Path, there: bool) -> None:
        student, lesson = record["username"], self.coursedir.assignment_id
        with tempfile.TemporaryDirectory(prefix=".collecting-", dir=target.parent) as scratch:
            own, new = Path(scratch, "own"), Path(scratch, "new")
            left_out = list(_copied(self._path(record), own, 1000 * self.coursedir.max_dir_size))
            for name in left_out[:_MOST_LINES]:
                self.log.warning("%s: left out, %s", student, name)
            if len(left_out) > _MOST_LINES:
                self.log.warning("%s: left out: %d more", student, len(left_out) - _MOST_LINES)
            if not _has_time(own):
                self.log.warning("%s: no time in %s: the folder's name has one", student, TIMESTAMP)
                _write_time(own, record["timestamp"])
            self.log.info("%s: %s %s", "Updating" if there else "Collecting", student, lesson)
            self.do_copy(str(own), str(new))
            if there:
                target.rename(Path(scratch, "old"))
            new.rename(target)

    def _is_wanted(self, record: Mapping[str, Any], target: Path) -> bool:
        """Whether a submission replaces the one that was collected before."""
        before = None
        with suppress(ValueError, OverflowError):
            before = parse_utc(read_timestamp(target))
        if self.update and (before is None or record["timestamp"] > before):
            return True
        return bool(self.before_duedate and before != record["timestamp"])


def _has_time(submission: Path) -> bool:
    """Whether nbgrader can read a submission's time: the formgrader shows no submissions at all if
    it can't read one student's time."""
    text = read_timestamp(submission)
    try:
        return bool(text) and text.isprintable() and parse_utc(text) is not None
    except (ValueError, OverflowError):
        return False


def _write_time(submission: Path, time: datetime) -> None:
    path = submission / TIMESTAMP
    if path.is_dir():
        shutil.rmtree(path)
    path.write_text(f"{time:%Y-%m-%d %H:%M:%S.%f} UTC", "utf8")


def _shown(name: str) -> str:
    """A name unchanged, or quoted if it has characters that don't belong in a log."""
    return name if printable(name) == name else ascii(name)


def _account(number: int) -> str:
    import pwd  # missing on Windows, as is the exchange

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"the account {number}"


def _copied(source: Path, target: Path, most: int) -> Iterator[str]:
    """Copy the files of a folder that belong to the folder's owner.

    Its owner may change it meanwhile, so no file is opened by a path in which a link could appear.

    Args:
        source: the folder.
        target: the new folder, which doesn't exist yet.
        most: the maximum size of all files, in bytes.

    Yields:
        What was left out, and why.

    Raises:
        _NotCollected: when there is too much in it, or nothing.
    """
    count, room = 0, most
    unread: list[OSError] = []
    opened = os.open(source, _OPENED | os.O_DIRECTORY)
    try:
        owner = os.fstat(opened).st_uid
        for inside, folders, files, here in os.fwalk(".", onerror=unread.append, dir_fd=opened):
            if inside.count("/") > _MOST_DEPTH:
                raise _NotCollected(f"its folders are nested more than {_MOST_DEPTH} levels deep")
            (target / inside).mkdir()
            count += len(folders) + len(files)
            if count > MOST_FILES:
                raise _NotCollected(f"it has more than {MOST_FILES:,} files and folders")
            links = [name for name in folders if _is_link(name, here)]
            yield from (f"{_NOT_THEIRS}: {_shown(str(Path(inside, name)))}" for name in links)
            folders[:] = sorted(set(folders).difference(links))
            dropped = drop_programs(folders, partial(_is_there, here))
            yield from (f"a program's own folder: {_shown(str(Path(inside, x)))}" for x in dropped)
            for name in files:
                content = _content(name, here, owner, room)
                if content is None:
                    yield f"{_NOT_THEIRS}: {_shown(str(Path(inside, name)))}"
                    continue
                room -= len(content)
                if room < 0:
                    raise _NotCollected(f"its files have more than {most / 1e6:g} MB")
                (target / inside / name).write_bytes(content)
    finally:
        os.close(opened)
    yield from (f"{_NOT_THEIRS}: a folder ({error.strerror})" for error in unread)
    if not any(path.is_file() for path in target.rglob("*")):
        raise _NotCollected("there is no file in it that can be read")


def _is_link(name: str, folder: int) -> bool:
    """Whether a folder's entry is a link, or has gone."""
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return True


def _is_there(folder: int, path: str) -> bool:
    """Whether a path exists below a folder."""
    try:
        os.stat(path, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    return True


def _content(name: str, folder: int, owner: int, most: int) -> bytes | None:
    """At most ``most`` + 1 bytes of the owner's regular file; None if it isn't one."""
    try:
        opened = os.open(name, _OPENED, dir_fd=folder)
    except OSError:  # a link, or unreadable
        return None
    with os.fdopen(opened, "rb") as file:
        about = os.fstat(opened)
        if not stat.S_ISREG(about.st_mode) or about.st_uid != owner:
            return None
        return file.read(most + 1)


class ReleaseFeedback(ExchangeReleaseFeedback):
    """nbgrader's release of feedback; a student who can't get it doesn't stop the others.

    Feedback goes to an address that is computed from a file in the submission. A submission that
    didn't come through the exchange has no such file.
    """

    def copy_files(self) -> None:
        """Release every page to its student."""
        excluded = self.coursedir.student_id_exclude
        without = dict(self._without_address())
        for student, unread in without.items():
            said = f"{unread} is missing or can't be read; nbgrader submit writes it"
            self.log.warning("No feedback for %s: %s", _shown(student), said)
        self.coursedir.student_id_exclude = ",".join([*filter(None, [excluded]), *without])
        try:
            super().copy_files()
        finally:
            self.coursedir.student_id_exclude = excluded

    def _without_address(self) -> Iterator[tuple[str, str]]:
        """The students, each with the file that has no address."""
        root = Path(self.coursedir.format_path(self.coursedir.feedback_directory, ".", "."))
        student = glob.escape(self.coursedir.student_id.strip("*")) or "*"
        for folder in sorted(root.glob(f"{student}/{self.coursedir.assignment_id}")):
            for name in (TIMESTAMP, SECRET_FILE):
                if not _says_something(folder / name):
                    yield folder.parent.name, name


def _says_something(path: Path) -> bool:
    """Whether a file holds a short text."""
    try:
        return 0 < path.stat().st_size <= _LONGEST and bool(path.read_text("utf8").strip())
    except (OSError, UnicodeError):
        return False
