"""``autograder init``: a new course with one lesson and one exercise."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import keyword
import re
from pathlib import Path
from string import Template

from autograder import installed_course
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.release import handout

_TEMPLATE = Path(__file__).with_name("course_template")
_ENDING = ".template"


def new_course(folder: Path) -> CourseFolder:
    """Begin a course.

    Args:
        folder: an empty or new folder; its name becomes the course's.

    Returns:
        The course folder. It contains the package that students install and, next to it, the keys.

    Raises:
        CourseError: when the folder isn't empty, or Python has a module of that name.
    """
    name = folder.resolve().name
    package = re.sub(r"\W+", "_", name.lower())
    if not (package.isascii() and package.isidentifier()) or keyword.iskeyword(package):
        raise CourseError(
            f"{name!r} can't be a package's name: use letters from a to z, and no Python keyword."
        )
    for taken in (package, f"{package}_keys"):
        if importlib.util.find_spec(taken):
            raise CourseError(f"There is a Python package {taken!r} already: choose another name.")
    installed_course.make_empty(folder)
    words = {
        "package": package,
        "distribution": package.replace("_", "-"),
        "title": name.replace("-", " ").replace("_", " ").capitalize(),
        "version": importlib.metadata.version(handout.ENGINE),
    }
    places = {
        "package": package,
        "keys": f"{package}_keys",
        "submissions": "tests/submissions",
        "gitignore.template": ".gitignore.template",
    }
    for template in sorted(_TEMPLATE.rglob(f"*{_ENDING}")):
        first, *rest = template.relative_to(_TEMPLATE).parts
        path = folder.joinpath(places.get(first, first), *rest)
        path = path.with_name(path.name.removesuffix(_ENDING))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(Template(template.read_text("utf8")).substitute(words), "utf8")
    return CourseFolder(folder)
