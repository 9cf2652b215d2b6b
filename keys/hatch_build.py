"""Puts the course folder, with its simulated class, into the wheel and sdist of the keys.

It is a build hook because the files are beside this folder in a checkout, where ``source/`` is a
nbgrader course, and inside it in an sdist.
"""

from itertools import filterfalse
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = "course_folder"
"""What ``autograder.installed_course`` reads."""


class BundleCourse(BuildHookInterface):
    """The hook that ``pyproject.toml`` names."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the course's files to the build.

        Args:
            version: of the build; an editable one is a checkout, which has the course already.
            build_data: what is built.
        """
        root = Path(self.root)
        if version == "editable" or (root / FOLDER).is_dir():
            return
        for path in _files(root.parent):
            build_data["force_include"][str(root.parent / path)] = f"{FOLDER}/{path.as_posix()}"


def _files(checkout: Path) -> list[Path]:
    """The course's files, by their path in the checkout."""
    lessons = sorted(path.parent.name for path in checkout.glob("source/*/*.ipynb"))
    folders = ["source", "rubrics", *(f"tests/submissions/{lesson}" for lesson in lessons)]
    paths = [path for folder in folders for path in (checkout / folder).rglob("*")]
    inside = [path.relative_to(checkout) for path in paths if path.is_file()]
    return [Path("nbgrader_config.py"), *filterfalse(_is_left_over, inside)]


def _is_left_over(path: Path) -> bool:
    """Whether JupyterLab, Python or a file manager has left a file there."""
    return any(part.startswith(".") or part == "__pycache__" for part in path.parts)
