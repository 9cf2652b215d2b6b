"""Catalogues of what students read, for gettext: ``make texts`` brings them up to date.

The sentences stand in the code. Some are looked up where they are said; titles, the names of cases,
hints and causes are looked up later, and are collected from the exercises and the banks.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import autograder
import course
from autograder import misconceptions
from course import exercises, verdicts
from course.answers import PUBLISHED_SEED
from course.diagnosis import failures
from course.exercises import classifiers, documents
from course.texts import DOMAIN, FOLDER

_ROOTS = (Path(course.__file__).parent, Path(autograder.__file__).parent)
_WIDTH = 100


def template() -> Catalog:
    """Every sentence, in English, with where it is said."""
    catalog = Catalog(project="attention-course", charset="utf-8")
    for sentence, place in (*_said(), *_said_later()):
        catalog.add(sentence, locations=[(place, None)])
    return catalog


def _said() -> Iterator[tuple[str, str]]:
    """The literal first arguments of ``say``, by module."""
    for root in _ROOTS:
        for path in sorted(root.rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say":
                    sentence = node.args[0]
                    if isinstance(sentence, ast.Constant):
                        yield sentence.value, path.relative_to(root.parent).as_posix()


def _said_later() -> Iterator[tuple[str, str]]:
    yield verdicts.NOT_ANSWERED, "course/verdicts.py"
    causes = (*(cause for *_, cause in failures.CAUSES), *filter(None, failures.OURS.values()))
    yield from ((cause, "course/diagnosis/failures.py") for cause in causes)
    kinds = (*classifiers.ROWS, *documents.ENTRIES)
    yield from ((kind, "course/exercises") for kind in kinds)
    for name in exercises.names():
        exercise = exercises.get(name)
        yield from ((aspect.title, name) for aspect in exercise.aspects)
        yield from ((case.name, name) for case in exercise.cases(PUBLISHED_SEED))
        for misconception in misconceptions.of(exercise):
            yield from ((hint.sentence, name) for hint in misconception.hints)


def updated(path: Path) -> tuple[str, bytes]:
    """A language's catalogue with today's sentences, as text and compiled.

    Args:
        path: of its ``.po``. A sentence that is new there has no translation; one that changed a
            little keeps its old one, marked as fuzzy, which is not compiled.
    """
    with path.open("rb") as file:
        catalog = read_po(file, locale=path.parts[-3])
    english = template()
    english.creation_date = catalog.creation_date
    catalog.update(english)
    catalog.obsolete.clear()
    compiled = BytesIO()
    write_mo(compiled, catalog)
    return _text(catalog), compiled.getvalue()


def _text(catalog: Catalog, **options: bool) -> str:
    file = BytesIO()
    write_po(file, catalog, width=_WIDTH, include_lineno=False, **options)
    return file.getvalue().decode()


def expected_files() -> dict[Path, bytes]:
    """What ``course/texts`` must hold: the list of all sentences, and each language's catalogue."""
    files = {FOLDER / f"{DOMAIN}.pot": _text(template(), omit_header=True).encode()}
    for path in sorted(FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        text, compiled = updated(path)
        files |= {path: text.encode(), path.with_suffix(".mo"): compiled}
    return files


def main(check: bool) -> None:
    """Bring all catalogues up to date, or fail where one is not."""
    files = expected_files()
    stale = [
        path
        for path, content in files.items()
        if not path.is_file() or path.read_bytes() != content
    ]
    if check and stale:
        sys.exit(f"Not up to date: {', '.join(map(str, stale))}. make texts writes them anew.")
    for path in stale:
        path.write_bytes(files[path])


if __name__ == "__main__":
    main(check="--check" in sys.argv[1:])
