"""Copy the files next to a submission's notebooks, and the lesson's files over them."""

from __future__ import annotations

import glob
import itertools
import shutil
import stat
from collections.abc import Collection, Sequence
from pathlib import Path

from nbgrader.utils import find_all_files

from autograder.sanitize.program_files import walk_work

_NOTEBOOKS = "*.ipynb"


def copy_submitted(source: Path, target: Path, ignored: Sequence[str]) -> None:
    """Copy a submission's files as nbgrader does, but in linear time, and only regular files with
    printable names, without programs' folders: a link may lead to anybody's file, and a pipe may
    never end.

    Args:
        source: the submission's folder.
        target: the kernels' working directory.
        ignored: patterns of names, nbgrader's ``c.CourseDirectory.ignore``.
    """
    for root, folders, files in walk_work(source):
        # Match names as nbgrader does and pathlib doesn't: * excludes hidden files.
        matches = (glob.glob(pattern, root_dir=root) for pattern in (*ignored, _NOTEBOOKS))  # noqa: PTH207
        beside = set(itertools.chain.from_iterable(matches))
        beside |= {name for name in (*folders, *files) if not name.isprintable()}
        folders[:] = [name for name in folders if name not in beside]
        for path in (Path(root) / name for name in files if name not in beside):
            if stat.S_ISREG(path.lstat().st_mode):
                _copy(path, target / path.relative_to(source))


def copy_lesson(
    source: Path, target: Path, ignored: Sequence[str], changeable: Collection[str]
) -> None:
    """Copy the instructor's files over the student's.

    Args:
        source: the lesson with solutions.
        target: where kernels work.
        ignored: as in ``copy_submitted``.
        changeable: names of files that students may hand in changed, nbgrader's
            ``c.Autograde.exclude_overwriting``.
    """
    for path in map(Path, find_all_files(str(source), [*ignored, _NOTEBOOKS])):
        if str(name := path.relative_to(source)) not in changeable:
            _copy(path, target / name)


def _copy(path: Path, copied: Path) -> None:
    copied.parent.mkdir(parents=True, exist_ok=True)
    copied.unlink(missing_ok=True)
    shutil.copy(path, copied)
