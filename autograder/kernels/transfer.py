"""Files into a sandboxed kernel's folder and out of it again, trusting nothing that is there."""

from __future__ import annotations

import os
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

from autograder.kernels.forkserver import MOST_FILES

DEEPEST = 20
"""Levels of folders that are looked into."""

LONGEST = 500
"""Bytes of a path below the working folder."""

MOST_LEFT = 100 * 2**20
"""Bytes that a kernel may leave: a lesson's trained model takes a few million."""

MOST_FILES_LEFT = 1_000
"""Files and folders that a kernel may leave."""

PAGE = 4096
"""A sandbox's disk is in memory, where a file takes whole pages."""

_LONGEST_NAME = 200
_PIECE = 2**20  # bytes of a file that are in memory at a time
# Modules for the lesson's next notebook, data, and pictures without scripts: what else browsers run
# as a page no list knows whole, and of a name without a kind they look at the content.
_KINDS = {
    *(".py", ".txt", ".md", ".log", ".csv", ".tsv", ".json", ".jsonl", ".yaml", ".yml", ".toml"),
    *(".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp"),
    *(".npy", ".npz", ".h5", ".hdf5", ".keras", ".ckpt", ".index", ".pkl", ".pickle", ".joblib"),
    *(".db", ".sqlite", ".parquet", ".feather", ".arrow", ".bin", ".model", ".vocab"),
    *(".zip", ".gz", ".bz2", ".xz", ".tar", ".wav", ".mp3", ".mp4"),
}


def copy_in(folder: Path, descriptor: int) -> None:
    """Copy a folder's files into an empty one in which nothing runs yet.

    Args:
        folder: links in it are left out.
        descriptor: of the empty folder.
    """
    target = Path(f"/proc/self/fd/{descriptor}")
    for root, folders, files in os.walk(folder):
        inside = target / Path(root).relative_to(folder)
        folders[:] = [name for name in folders if not (Path(root) / name).is_symlink()]
        for name in folders:
            (inside / name).mkdir()
        for name in files:
            source = Path(root) / name
            if stat.S_ISREG(source.lstat().st_mode):
                shutil.copyfile(source, inside / name)
                # The instructor may have made it read-only here; there it is the student's.
                (inside / name).chmod(0o644)


@dataclass
class Room:
    """What a kernel may still leave in a folder.

    Args:
        size: bytes, in whole pages.
        files: files and folders.
    """

    size: int
    files: int

    @classmethod
    def of(cls, folder: Path, disk: int) -> Self:
        """At most half of what a sandbox has beside the folder's files: the lesson's next notebook
        is executed beside them.

        Args:
            folder: what was handed in, and what the notebooks before left.
            disk: bytes of a sandbox's disk.
        """
        size, files = disk, MOST_FILES
        for root, folders, names in os.walk(folder):
            files -= len(folders) + len(names)
            size -= sum(in_pages((Path(root) / name).lstat().st_size) for name in names)
        return cls(min(MOST_LEFT, size // 2), min(MOST_FILES_LEFT, files // 2))


def in_pages(size: int) -> int:
    """What a file of so many bytes takes of a sandbox's disk."""
    return -(-size // PAGE) * PAGE


def copy_out(descriptor: int, folder: Path, disk: int) -> None:
    """Copy what a kernel left: regular files that ``is_kept`` lets pass; nothing else, and no link.

    A file for which there is no room is left out, and so is one with holes.

    Args:
        descriptor: of its working folder.
        folder: where they belong. A file that is there under the same name is replaced.
        disk: bytes of a sandbox's disk.
    """
    room = Room.of(folder, disk)
    for root, folders, files, here in os.fwalk(dir_fd=descriptor):
        inside = Path(root)
        folders[:] = [name for name in folders if _is_plain((inside / name).as_posix())]
        for name in files:
            path = (inside / name).as_posix()
            if not is_kept(path):
                continue
            try:
                opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=here)
            except OSError:
                continue  # a link or a socket
            with os.fdopen(opened, "rb") as file:
                about = os.fstat(opened)
                # A file with holes would become as large here as it seems.
                if stat.S_ISREG(about.st_mode) and about.st_blocks * 512 >= about.st_size:
                    put(file, path, folder, room)


def put(file: BinaryIO, path: str, folder: Path, room: Room) -> None:
    """Write a file that a kernel left, unless something other than a file is there already.

    Args:
        file: the file, at its beginning.
        path: below the folder; ``is_kept`` lets it pass.
        folder: where it belongs.
        room: what is left of it; a file that was handed in and has not changed takes none.
    """
    target = folder / path
    parents = [folder / parent for parent in Path(path).parents]
    if any(parent.is_symlink() for parent in [target, *parents]):
        return
    if target.exists() and (not target.is_file() or _is_same(file, target)):
        return
    size = in_pages(file.seek(0, os.SEEK_END))
    files = 1 + sum(not parent.exists() for parent in parents)
    if size > room.size or files > room.files:
        return
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        return  # a file of the lesson's
    target.unlink(missing_ok=True)
    file.seek(0)
    with target.open("wb") as written:
        shutil.copyfileobj(file, written, _PIECE)
    room.size -= size
    room.files -= files


def _is_same(file: BinaryIO, path: Path) -> bool:
    """Whether a file has what lies under a path."""
    if path.stat().st_size != file.seek(0, os.SEEK_END):
        return False
    file.seek(0)
    with path.open("rb") as other:
        while piece := file.read(_PIECE):
            if piece != other.read(_PIECE):
                return False
    return True


def is_kept(path: str) -> bool:
    """Whether a file that a kernel left may come out under its name.

    Only modules, data and pictures may: nbgrader would take notebooks and ``timestamp.txt`` for the
    submission's own, and a browser runs what is in a page. Nor may hidden files, and names that
    cannot be printed or are too long.

    Args:
        path: below the working folder, with slashes.
    """
    return Path(path).suffix.casefold() in _KINDS and _is_plain(path)


def _is_plain(path: str) -> bool:
    parts = path.split("/")
    return (
        path.isprintable()
        and len(parts) <= DEEPEST
        and len(os.fsencode(path)) <= LONGEST
        and not any(map(_is_reserved, parts))
    )


def _is_reserved(name: str) -> bool:
    # Upper case, too: not every disk can tell it from lower case.
    name = name.casefold()
    return (
        not name
        or name.startswith(".")
        or name == "timestamp.txt"
        or len(os.fsencode(name)) > _LONGEST_NAME
    )
