"""Small files of the user's that outlast a notebook: results, guesses."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import platformdirs

VARIABLE = "COURSE_RESULTS"
"""Names their folder; else it is the user's data folder."""


def path(name: str) -> Path:
    """Where a file is kept.

    Args:
        name: of the file.
    """
    folder = os.environ.get(VARIABLE) or platformdirs.user_data_dir("attention-course")
    return Path(folder) / name


def read(name: str) -> Any:
    """A file's contents; None if it doesn't exist.

    Args:
        name: of the file.

    Raises:
        OSError, ValueError: when it can't be read.
    """
    try:
        return json.loads(path(name).read_text("utf8"))
    except FileNotFoundError:
        return None


def write(name: str, content: Any) -> None:
    """Replace a file, whole or not at all: another notebook may read it at any time.

    Args:
        name: of the file.
        content: what JSON can hold.

    Raises:
        OSError: when it can't be written.
    """
    target = path(name)
    draft = target.with_name(f"{target.name}.{os.getpid()}")
    target.parent.mkdir(parents=True, exist_ok=True)
    draft.write_text(json.dumps(content, indent=1), "utf8")
    draft.replace(target)
