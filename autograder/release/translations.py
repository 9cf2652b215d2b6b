"""gettext catalogues of the students' texts: ``make release`` updates them.

The sentences are in the code. Some are translated by ``say`` on the spot; titles, the names of
cases, hints and causes are translated later, and are collected from the exercises and their keys.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

import autograder
import selfcheck
from autograder.course_folder import CourseFolder
from autograder.judging.keys import key_of
from selfcheck import Course, texts, verdicts
from selfcheck.diagnosis import failures
from selfcheck.sheets import PUBLISHED_SEED

_WIDTH = 100

Said = Iterator[tuple[str, str]]
"""English sentences, each with its location."""


def of_engine() -> Said:
    """The engine's sentences, for any course."""
    for package in (selfcheck, autograder):
        yield from _said(Path(package.__path__[0]))
    yield verdicts.NOT_ANSWERED, "selfcheck/verdicts.py"
    for cause in failures.COMMON_CAUSES:
        yield cause.sentence, "selfcheck/diagnosis/failures.py"


def of_course(course: Course) -> Said:
    """A course's own sentences."""
    yield from _said(course.folder)
    for cause in course.exception_causes:
        yield cause.sentence, f"{course.package}"
    for name in course.names():
        exercise = course.get(name)
        yield from ((sentence, name) for sentence in exercise.translatable_outputs)
        yield from ((aspect.title, name) for aspect in exercise.aspects)
        yield from ((case.name, name) for case in exercise.cases(PUBLISHED_SEED))
        for mistake in key_of(course, name).mistakes:
            yield from ((hint.sentence, name) for hint in mistake.hints)


def _said(root: Path) -> Said:
    """The literal first arguments of ``say``, by module."""
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say":
                sentence = node.args[0]
                if isinstance(sentence, ast.Constant) and isinstance(sentence.value, str):
                    yield sentence.value, path.relative_to(root.parent).as_posix()


def updated(path: Path, said: Iterable[tuple[str, str]]) -> str:
    """A language's catalogue with today's sentences.

    Args:
        path: the path of its ``.po``. A new sentence has no translation; one that changed slightly
            keeps its old one, marked as fuzzy, which isn't compiled.
        said: the sentences.
    """
    with path.open("rb") as file:
        catalog = read_po(file, locale=path.stem)
    english = Catalog(charset="utf-8")
    for sentence, place in said:
        if sentence:
            english.add(sentence, locations=[(place, 0)])
    english.creation_date = catalog.creation_date
    catalog.update(english)
    catalog.obsolete.clear()
    written = BytesIO()
    write_po(written, catalog, width=_WIDTH, include_lineno=False)
    return written.getvalue().decode()


def expected_files(course: Course) -> dict[Path, str]:
    """The expected contents of the catalogues of the engine and of a course."""
    engine = list(of_engine())
    known = {sentence for sentence, _ in engine}
    own = [(sentence, place) for sentence, place in of_course(course) if sentence not in known]
    return {
        path: updated(path, said)
        for folder, said in (
            (Path(texts.__file__).parent, engine),
            (course.folder / "texts", own),
        )
        for path in sorted(folder.glob("*.po"))
    }


def main(check: bool) -> None:
    """Update all catalogues of this course folder, or fail if one is out of date."""
    files = expected_files(CourseFolder(Path()).declared)
    stale = [path for path, text in files.items() if path.read_text("utf8") != text]
    if check and stale:
        sys.exit(f"Out of date: {', '.join(map(str, stale))}. Run `make release`.")
    for path in stale:
        path.write_text(files[path], "utf8")


if __name__ == "__main__":
    main(check="--check" in sys.argv[1:])
