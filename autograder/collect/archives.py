"""Read zip archives from strangers without trusting them.

Nothing here writes to a path that an archive names: members are returned as bytes, each with its
problem if it has one.
"""

from __future__ import annotations

import codecs
import operator
import re
import stat
import struct
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import BinaryIO

from autograder.names import path_problem

MOST_BYTES = 100_000_000
"""Maximum size of a submission in bytes, unpacked."""

MOST_ARCHIVED_FILES = 1_000
"""Maximum number of files in a submission."""

MOST_DIRECTORY = 16_000_000
"""Maximum size of an archive's list of contents in bytes, some hundred thousand names."""

LITTLE_BYTES = 20_000_000
"""Size up to which a file may unpack however small it's packed, because outputs repeat. It's the
limit for notebooks that are inspected."""

MOST_RATIO = 200
"""Maximum compression ratio of a larger file."""

# Other formats that are mistaken for zip files, by their first bytes, in lower case; a web page may
# begin with spaces.
_KINDS = {
    b"7z\xbc\xaf\x27\x1c": "a 7z archive: unpack it and zip it again",
    b"rar!\x1a\x07": "a rar archive: unpack it and zip it again",
    b"\x1f\x8b": "a gzip file, such as tar.gz: unpack it and zip it again",
    b"pk\x03\x04": "only the beginning of one, because it was cut off: download it again",
    b"<!doctype html": "a web page, perhaps one to log in: log in, and download it again",
    b"<html": "a web page, perhaps one to log in: log in, and download it again",
}
_CHUNK = 2**20
_ENCRYPTED = 0x1
_UTF8 = 0x800
_DOS = 0
_UNICODE_PATH = 0x7075
# What Windows writes names in that it doesn't mark as UTF-8, by country, and what some other
# program then took them for.
_CODE_PAGES = (
    *("cp850", "cp852", "cp1252", "cp1250", "cp1251", "cp866", "cp1253", "cp737", "cp1254"),
    *("cp857", "cp932", "gb18030", "cp949", "cp950"),
)
_TAKEN_FOR = ("cp437", "cp850", "cp1252", "latin-1")
# Moodle's "Teilnehmer*in", which ZipStream writes with an underscore and other packers don't.
_STAR = re.compile(r"\*(?=[^/]*_assignsubmission_)")


class Unreadable(Exception):
    """An archive, or a file in one, is refused; the message says why."""


@dataclass(frozen=True)
class Member:
    """One file of an archive.

    Args:
        path: its folders and its name; unchecked if the file is refused.
        size: in bytes, as the archive claims.
        problem: why it's refused whatever its name, else "".
    """

    path: tuple[str, ...]
    size: int
    problem: str
    _info: zipfile.ZipInfo = field(repr=False)
    _zip: zipfile.ZipFile = field(repr=False)

    @property
    def modified(self) -> datetime | None:
        """Its time in the archive, in an unknown time zone; None if it's no valid time."""
        with suppress(ValueError):
            return datetime(*self._info.date_time)
        return None

    def chunks(self) -> Iterator[bytes]:
        """Its content, in parts that fit into memory.

        Raises:
            Unreadable: when it is damaged, or not as long as the archive claims.
        """
        length = 0
        try:
            with self._zip.open(self._info) as file:
                while chunk := file.read(_CHUNK):
                    length += len(chunk)
                    yield chunk
        except Exception as error:  # zipfile and zlib have a dozen ways to say it
            raise Unreadable(_damage(error)) from None
        if length != self.size:
            raise Unreadable(f"it claims to have {self.size:,} bytes but has {length:,}")

    def equals(self, other: Member) -> bool:
        """Whether the content is the same; not if it can't be read."""
        if (self.size, self._info.CRC) != (other.size, other._info.CRC):
            return False
        with suppress(Unreadable):  # CRCs can be forged
            return all(map(operator.eq, self.chunks(), other.chunks()))
        return False

    def opened(self, stack: ExitStack) -> Archive:
        """Open this file as an archive.

        Args:
            stack: closes it.

        Raises:
            Unreadable: when it isn't one.
        """
        copy = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
        for chunk in self.chunks():
            copy.write(chunk)
        return Archive(copy)


class Archive:
    """A zip archive.

    Args:
        file: open for reading, seekable; the caller closes it.

    Raises:
        Unreadable: when it isn't a zip archive, or damaged.
    """

    def __init__(self, file: BinaryIO) -> None:
        try:
            self._zip = zipfile.ZipFile(_Bounded(file))
        except UnicodeDecodeError:
            raise Unreadable(
                "a name in it is marked as UTF-8 but isn't: unpack it and zip it again"
            ) from None
        except Exception as error:  # zipfile has a dozen ways to say it
            is_other = str(error) == "File is not a zip file"
            raise Unreadable(_kind(file) if is_other else _damage(error)) from None

    @cached_property
    def members(self) -> tuple[Member, ...]:
        """Its files, without those that systems and editors add."""
        found = []
        for info in self._zip.infolist():
            name = _name(info)
            path = tuple(name.split("/"))
            if not name.endswith("/") and not _is_litter(path):
                problem = path_problem(path) or _problem(info)
                found.append(Member(path, info.file_size, problem, info, self._zip))
        return tuple(found)


def megabytes(size: int) -> str:
    """Format a size.

    Example:
        >>> megabytes(100_000_000)
        '100 MB'
    """
    return f"{size / 1e6:,.{0 if size >= 10e6 else 1}f} MB"


def misread(name: str) -> frozenset[str]:
    """Other readings of a name that an archive doesn't declare as UTF-8, or that some program read
    in the wrong code page.

    Example:
        >>> "S\u00f8ren" in misread("S\u00a2ren")  # cp850, as Windows writes it in Denmark
        True
        >>> misread("Jane")
        frozenset()
    """
    pairs = [("cp437", page) for page in _CODE_PAGES] + [(page, "utf8") for page in _TAKEN_FOR]
    found = set()
    for read, written in pairs:
        with suppress(UnicodeError):
            found.add(unicodedata.normalize("NFC", name.encode(read).decode(written)))
    return frozenset(found - {name})


class _Bounded:
    """A file that can't be read in one piece, as zipfile would do to list the contents."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        most = MOST_DIRECTORY + 1
        content = self._file.read(most if size < 0 else min(size, most))
        if len(content) == most:
            raise zipfile.BadZipFile(f"its list of contents is over {megabytes(MOST_DIRECTORY)}")
        return content

    def close(self) -> None:
        """Do nothing: the caller closes the file."""


def _kind(file: BinaryIO) -> str:
    """What a file is instead of a zip archive, if its first bytes tell."""
    file.seek(0)
    start = file.read(1_000)
    if not start:
        return "it isn't a zip archive but an empty file: download it again"
    start = start.removeprefix(codecs.BOM_UTF8).lstrip().lower()
    kind = next((kind for mark, kind in _KINDS.items() if start.startswith(mark)), "")
    return "it isn't a zip archive" + (f" but {kind}" if kind else "")


def _damage(error: Exception) -> str:
    text = str(error) or type(error).__name__
    return f"it is damaged: {text.splitlines()[0][:200]}"


def _name(info: zipfile.ZipInfo) -> str:
    """A member's whole name, without stars in what Moodle puts before files. zipfile cuts it at a
    zero byte, and reads it as a DOS name where the archive does not say that it is UTF-8; macOS
    writes UTF-8 and does not say so."""
    name = info.orig_filename
    if not info.flag_bits & _UTF8:
        raw = name.encode("cp437")
        with suppress(UnicodeError):
            name = (_unicode_path(info.extra, raw) or raw).decode("utf8")
    # PowerShell 5 and others that use .NET's older code write folders as Windows does.
    if info.create_system == _DOS and "/" not in name:
        name = name.replace("\\", "/")
    return unicodedata.normalize("NFC", _STAR.sub("_", name))


def _unicode_path(extra: bytes, raw: bytes) -> bytes:
    """The UTF-8 name from the Unicode Path field, which WinZip and others add to a name in a code
    page; b"" if there is no such field, or if the name has been changed since."""
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        content, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == _UNICODE_PATH and content[:5] == struct.pack("<BL", 1, zlib.crc32(raw)):
            return content[5:]
    return b""


def _is_litter(path: tuple[str, ...]) -> bool:
    folders = {"__MACOSX", ".ipynb_checkpoints", "__pycache__"}
    files = {".DS_Store", "Thumbs.db", "desktop.ini"}
    return bool(folders & set(path[:-1])) or path[-1] in files or path[-1].startswith("._")


def _problem(info: zipfile.ZipInfo) -> str:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return "a link"
    if kind not in (0, stat.S_IFREG):
        return "not a regular file"
    if info.flag_bits & _ENCRYPTED:
        return "encrypted: it must be handed in without a password"
    # Of the other methods zipfile unpacks as much at once as an archive likes.
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "packed by a method other than deflate, which every zip program has"
    if info.file_size > max(LITTLE_BYTES, MOST_RATIO * info.compress_size):
        return f"it unpacks to more than {MOST_RATIO} times its size"
    return ""
