"""Files into a sandboxed kernel's folder and out of it again, trusting nothing that is there."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

DEEPEST = 20
"""Levels of folders that are looked into."""

LONGEST = 500
"""Bytes of a path below the working folder."""


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


def copy_out(descriptor: int, folder: Path, most: int) -> None:
    """Copy what a kernel left: regular files with decent names; nothing else, and no link.

    Args:
        descriptor: of its working folder.
        folder: where they belong. What lies there under the same name is replaced.
        most: bytes in all; what goes beyond is left out.
    """
    for root, folders, files, here in os.fwalk(dir_fd=descriptor):
        depth = len(Path(root).parts)
        if depth >= DEEPEST:
            folders.clear()
        folders[:] = [name for name in folders if _decent(root, name)]
        for name in files:
            if not _decent(root, name):
                continue
            try:
                opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=here)
            except OSError:
                continue  # a link or a socket
            with os.fdopen(opened, "rb") as file:
                about = os.fstat(opened)
                if not stat.S_ISREG(about.st_mode):
                    continue
                most -= about.st_size  # a file with holes may seem larger than the disk
                if most < 0:
                    return
                _put(file.read(about.st_size), folder / root / name, folder)


def _put(content: bytes, path: Path, folder: Path) -> None:
    """Write a file, unless something else than a file or a folder is in the way."""
    for parent in path.relative_to(folder).parents:
        if (folder / parent).is_symlink():
            return
    if path.is_file() and not path.is_symlink():
        if path.read_bytes() == content:
            return
        path.unlink()
    elif path.is_symlink() or path.exists():
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        return  # a file of the lesson's
    path.write_bytes(content)


def _decent(root: str, name: str) -> bool:
    """Whether every step that follows can live with a name."""
    return name.isprintable() and len(os.fsencode(Path(root) / name)) <= LONGEST
