"""Recognize a lesson's notebooks in a submission.

They are recognized by their tasks, whatever their names, and the one to grade by its answers.
Nothing is guessed: if it isn't certain, a person decides.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from nbformat import NotebookNode

from autograder.cells import ReleasedAnswers, lines
from autograder.sanitize.reader import NotANotebook, parse_notebook, stated_name
from selfcheck.responses import printable

ENDINGS = (".ipynb", ".ipynb.txt", ".ipynb.json")
"""Endings of a notebook's name, including one that browsers add; in lower case."""

MOST_NOTEBOOK_BYTES = 20_000_000
"""Larger notebooks aren't inspected."""

MOST_NOTEBOOKS = 20
"""If there are more in one place, none is inspected."""

NO_TASKS = (
    "it has none of the lesson's tasks: is it from another lesson or course, or did a program drop "
    "the cells' metadata and ids?"
)
"""The message for a notebook with the lesson's name but without its tasks."""


@dataclass(frozen=True)
class Recognised:
    """The lesson's notebooks found in one person's files.

    Args:
        files: by a lesson's notebook, the file to be graded, followed by the other candidates.
        remarks: by a lesson's notebook, remarks on files with other names.
        unsure: by a lesson's notebook, why it's unknown which file is to be graded.
    """

    files: Mapping[str, Sequence[str]]
    remarks: Mapping[str, Sequence[str]]
    unsure: Mapping[str, str]


def recognise(
    files: Mapping[str, Callable[[], bytes]],
    tasks: Mapping[str, Set[str]],
    released: Callable[[], Mapping[str, ReleasedAnswers]],
) -> Recognised:
    """Find a lesson's notebooks.

    A file counts as a notebook of the lesson if it has its name, or at least half of its tasks. Of
    several, the one that has all answers of the others is graded: the worked copy next to the
    untouched original.

    Args:
        files: by name, a function that reads a notebook's content. It's only called if some file
            has a different name than the lesson's.
        tasks: by the name of each of the lesson's notebooks, the ids of its cells.
        released: returns the texts that students got, by notebook; called if several files
            qualify.
    """

    notebook = functools.cache(lambda name: _notebook(files[name]))
    claims = _claims(notebook, files.keys(), tasks)
    taken, unsure = {}, {}
    remarks: dict[str, list[str]] = defaultdict(list)
    for name, found in claims.items():
        best = found
        if len(found) > 1:
            handed_out = released().get(name, {})
            answers = {file: _answers(notebook(file), handed_out) for file in found}
            best = [
                file for file in found if all(answers[file] >= each for each in answers.values())
            ]
        passed_over = name in found and name not in best
        # A broken file may have answers, but not an empty one.
        if not best or (passed_over and not notebook(name).cells and files[name]().strip()):
            which = " or ".join(map(shortened, found[:3]))
            unsure[name] = (
                f"it's unclear whether {which} is to be graded as {name}: remove the others, and "
                f"rename the right one to {name}"
            )
            continue
        taken[name] = [best[0], *(file for file in found if file != best[0])]
        remarks[name] = list(_remarks(name, taken[name]))
    return Recognised(taken, remarks, unsure)


def claimed(
    files: Mapping[str, Callable[[], bytes]], tasks: Mapping[str, Set[str]]
) -> Mapping[str, Sequence[str]]:
    """All files that qualify as a notebook of the lesson, by its name.

    Args:
        files: by name, a function that reads a notebook's content.
        tasks: by the name of each of the lesson's notebooks, the ids of its cells.
    """
    return _claims(lambda name: _notebook(files[name]), files.keys(), tasks)


def _claims(
    notebook: Callable[[str], NotebookNode], files: Set[str], tasks: Mapping[str, Set[str]]
) -> Mapping[str, Sequence[str]]:
    claims = defaultdict(list, {name: [name] for name in tasks if name in files})
    others = sorted(files - tasks.keys())
    for file in others if len(others) <= MOST_NOTEBOOKS else ():
        if name := _likest(ids_in(notebook(file)), tasks, files):
            claims[name].append(file)
    return claims


def _notebook(content: Callable[[], bytes]) -> NotebookNode:
    try:
        return parse_notebook(content(), [])
    except NotANotebook:
        return NotebookNode(cells=[])


def _remarks(name: str, files: Sequence[str]) -> Iterator[str]:
    shown = shortened(files[0])
    if name in files[1:]:
        yield f"{name}: {shown} is graded instead, because it has more answers"
    elif name != files[0]:
        yield f"{shown}: has the tasks of {name}, and is graded as it"
    for file in files[1:]:
        if file != name:
            yield f"{shortened(file)}: also has the lesson's tasks, but only {shown} is graded"


def shortened(text: str) -> str:
    """A path, shortened to fit a line, without characters that don't belong in a log."""
    text = printable(text)
    return text if len(text) <= 100 else f"...{text[-97:]}"


def ids_in(notebook: NotebookNode) -> frozenset[str]:
    """The possible ids of a student's cells: grading recognizes a cell that lost its metadata by
    its cell id.

    Args:
        notebook: the result of ``reader.parse_notebook``.
    """
    own = (name for cell in notebook.cells for name in (stated_name(cell), cell.get("id")))
    return frozenset(filter(None, own))


def _likest(ids: Set[str], tasks: Mapping[str, Set[str]], taken: Set[str]) -> str | None:
    """The lesson's notebook with the most of these ids; of two, one that no file is named after."""
    shared = {name: len(ids & wanted) for name, wanted in tasks.items()}
    possible = [name for name in tasks if tasks[name] and 2 * shared[name] >= len(tasks[name])]
    return max(possible, key=lambda name: (shared[name], name not in taken), default=None)


def _answers(notebook: NotebookNode, released: ReleasedAnswers) -> Set[tuple[str, tuple[str, ...]]]:
    """The answer cells that differ from the handout; if the handout is unknown, all named cells."""
    found = {stated_name(cell) or cell.get("id"): lines(cell.source) for cell in notebook.cells}
    return {
        (name, text)
        for name, text in found.items()
        if name and (not released or text not in released.get(name, (text,)))
    }
