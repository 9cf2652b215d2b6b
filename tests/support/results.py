"""What a grading has left in a course folder, to compare byte for byte."""

import sqlite3
from contextlib import closing


def _files(folder):
    """Every file below a folder with its mode, and every link, by path."""
    return {
        str(path.relative_to(folder)): (oct(path.lstat().st_mode), path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def results(root):
    """All rows of all tables of the gradebook, and all files of autograded/ and feedback/."""
    with closing(sqlite3.connect(root / "gradebook.db")) as gradebook:
        rows = tuple(sorted(gradebook.iterdump()))
    return {"gradebook": rows} | {
        name: _files(root / name) for name in ("autograded", "feedback") if (root / name).exists()
    }


def journal(root):
    """What lies in the folder in which submissions are prepared, the lock left out."""
    return {
        name: content for name, content in _files(root / ".autograder").items() if name != ".lock"
    }
