"""Copy files into a sandboxed kernel's folder and out of it, trusting nothing in it."""

from __future__ import annotations

import os
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

from autograder.kernels.forkserver import SANDBOX_FILES

DEEPEST = 20
"""Maximum depth of folders that are searched."""

LONGEST_PATH_LEFT = 500
"""Maximum length in bytes of a path below the working folder."""

MOST_LEFT = 100 * 2**20
"""Maximum size in bytes of the files that a kernel may leave: a lesson's trained model takes a few
million."""

MOST_FILES_LEFT = 1_000
"""Maximum number of files and folders that a kernel may leave."""

PAGE = 4096
"""The page size: a sandbox's disk is in memory, where a file takes whole pages."""

_LONGEST_NAME = 200
_PIECE = 2**20  # bytes of a file that are in memory at a time
# Modules for the lesson's next notebook, data, and pictures without scripts: there is no complete
# list of what else browsers run as a page, and for a name without an ending they use the content.
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
        folder: the folder; links in it are left out.
        descriptor: a descriptor of the empty folder.
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
class FileQuota:
    """The remaining room for files that a kernel leaves.

    Args:
        size: bytes, in whole pages.
        files: number of files and folders.
    """

    size: int
    files: int

    @classmethod
    def of(cls, folder: Path, disk: int) -> Self:
        """At most half of the sandbox's disk that the folder's files leave free: the lesson's next
        notebook is executed with the new files.

        Args:
            folder: the submitted files, and those that earlier notebooks left.
            disk: the size of the sandbox's disk in bytes.
        """
        size, files = disk, SANDBOX_FILES
        for root, folders, names in os.walk(folder):
            files -= len(folders) + len(names)
            size -= sum(in_pages((Path(root) / name).lstat().st_size) for name in names)
        return cls(min(MOST_LEFT, size // 2), min(MOST_FILES_LEFT, files // 2))


def in_pages(size: int) -> int:
    """The space that a file of a given size takes on a sandbox's disk."""
    return -(-size // PAGE) * PAGE


def copy_out(descriptor: int, folder: Path, disk: int) -> None:
    """Copy the files that a kernel left: only regular files that ``is_kept`` accepts, no links.

    Files without room are left out, and so are sparse files.

    Args:
        descriptor: a descriptor of its working folder.
        folder: the target folder. Existing files with the same names are replaced.
        disk: the size of the sandbox's disk in bytes.
    """
    quota = FileQuota.of(folder, disk)
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
                # A sparse file would take its full size here.
                if stat.S_ISREG(about.st_mode) and about.st_blocks * 512 >= about.st_size:
                    put(file, path, folder, quota)


def put(file: BinaryIO, path: str, folder: Path, quota: FileQuota) -> None:
    """Write a file that a kernel left, unless the path exists and isn't a file.

    Args:
        file: the file, at its beginning.
        path: its path below the folder, which ``is_kept`` accepts.
        folder: the target folder.
        quota: the remaining room; an unchanged submitted file takes none.
    """
    target = folder / path
    parents = [folder / parent for parent in Path(path).parents]
    if any(parent.is_symlink() for parent in [target, *parents]):
        return
    if target.exists() and (not target.is_file() or _is_same(file, target)):
        return
    size = in_pages(file.seek(0, os.SEEK_END))
    files = 1 + sum(not parent.exists() for parent in parents)
    if size > quota.size or files > quota.files:
        return
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        return  # a file of the lesson's
    target.unlink(missing_ok=True)
    file.seek(0)
    with target.open("wb") as written:
        shutil.copyfileobj(file, written, _PIECE)
    quota.size -= size
    quota.files -= files


def _is_same(file: BinaryIO, path: Path) -> bool:
    """Whether a file has the same content as the one at a path."""
    if path.stat().st_size != file.seek(0, os.SEEK_END):
        return False
    file.seek(0)
    with path.open("rb") as other:
        while piece := file.read(_PIECE):
            if piece != other.read(_PIECE):
                return False
    return True


def is_kept(path: str) -> bool:
    """Whether a file that a kernel left may be copied under its name.

    Only modules, data and pictures may: nbgrader would mistake notebooks and ``timestamp.txt`` for
    the submission's own, and a browser runs scripts in a page. Hidden files, and names that aren't
    printable or are too long, are refused too.

    Args:
        path: its path below the working folder, with slashes.
    """
    return Path(path).suffix.casefold() in _KINDS and _is_plain(path)


def _is_plain(path: str) -> bool:
    parts = path.split("/")
    return (
        path.isprintable()
        and len(parts) <= DEEPEST
        and len(os.fsencode(path)) <= LONGEST_PATH_LEFT
        and not any(map(_is_reserved, parts))
    )


def _is_reserved(name: str) -> bool:
    # Upper case is also refused, because some disks don't distinguish it from lower case.
    name = name.casefold()
    return (
        not name
        or name.startswith(".")
        or name == "timestamp.txt"
        or len(os.fsencode(name)) > _LONGEST_NAME
    )
