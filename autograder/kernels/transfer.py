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

_LONGEST_NAME = 200
# Data, and pictures without scripts: what else browsers run as a page no list knows whole, and of a
# name without a kind they look at the content.
_KINDS = {
    *(".txt", ".md", ".log", ".csv", ".tsv", ".json", ".jsonl", ".yaml", ".yml", ".toml"),
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


def copy_out(descriptor: int, folder: Path, most: int) -> None:
    """Copy what a kernel left: regular files that ``is_kept`` lets pass; nothing else, and no link.

    Args:
        descriptor: of its working folder.
        folder: where they belong. A file that is there under the same name is replaced.
        most: bytes in all; a file that goes beyond is left out, and so is one with holes.
    """
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
                whole = about.st_blocks * 512 >= about.st_size
                if stat.S_ISREG(about.st_mode) and whole and about.st_size <= most:
                    put(file.read(about.st_size), path, folder)
                    most -= about.st_size


def put(content: bytes, path: str, folder: Path) -> None:
    """Write a file that a kernel left, unless something other than a file is there already.

    Args:
        content: of the file.
        path: below the folder; ``is_kept`` lets it pass.
        folder: where it belongs.
    """
    target = folder / path
    for parent in Path(path).parents:
        if (folder / parent).is_symlink():
            return
    if target.is_file() and not target.is_symlink():
        if target.read_bytes() == content:
            return
        target.unlink()
    elif target.is_symlink() or target.exists():
        return
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        return  # a file of the lesson's
    target.write_bytes(content)


def is_kept(path: str) -> bool:
    """Whether a file that a kernel left may come out under its name.

    Only data and pictures may: nbgrader would take notebooks and ``timestamp.txt`` for the
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
