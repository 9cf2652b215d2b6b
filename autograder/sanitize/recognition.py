"""Which of the notebooks that somebody handed in are a lesson's.

They are known by their tasks, whatever their names, and of several by their answers. Nothing is
guessed: where it isn't sure, a person decides.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from nbformat import NotebookNode

from autograder.cells import Released, lines
from autograder.sanitize.reader import NotANotebook, read, stated_name
from selfcheck.responses import printable

ENDINGS = (".ipynb", ".ipynb.txt", ".ipynb.json")
"""Of a notebook's name, as browsers save what they show as text; in lower case."""

MOST_NOTEBOOK_BYTES = 20_000_000
"""A larger notebook isn't looked into."""

MOST_NOTEBOOKS = 20
"""Of more in one place none is looked into."""

NO_TASKS = (
    "none of the lesson's tasks is in it: is it of another lesson or course, or did a program drop "
    "the cells' metadata and ids?"
)
"""Said of a notebook that has the lesson's name."""


@dataclass(frozen=True)
class Recognised:
    """What was found among the notebooks of one person.

    Args:
        files: by a lesson's notebook, the file to be graded, and then those that it was chosen
            from.
        remarks: by a lesson's notebook, on files with other names.
        unsure: by a lesson's notebook, why nothing says which file is to be graded.
    """

    files: Mapping[str, Sequence[str]]
    remarks: Mapping[str, Sequence[str]]
    unsure: Mapping[str, str]


def recognise(
    files: Mapping[str, Callable[[], bytes]],
    tasks: Mapping[str, Set[str]],
    released: Callable[[], Mapping[str, Released]],
) -> Recognised:
    """Find a lesson's notebooks.

    A file counts as a notebook of the lesson if it has its name, or at least half of its tasks. Of
    several, the one counts whose answers are all that any of them has: the worked copy beside the
    untouched original.

    Args:
        files: by name, what reads a notebook's content. None is read unless one has another name
            than the lesson's.
        tasks: by the name of each of the lesson's notebooks, the ids of its cells.
        released: what students got, by notebook; asked for where several files may be one.
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
        # What is broken may hold answers, but not what is empty.
        if not best or (passed_over and not notebook(name).cells and files[name]().strip()):
            which = " or ".join(map(shortened, found[:3]))
            unsure[name] = (
                f"nothing says whether {which} is to be graded as {name}: remove the others, and "
                f"give the one that counts the name {name}"
            )
            continue
        taken[name] = [best[0], *(file for file in found if file != best[0])]
        remarks[name] = list(_remarks(name, taken[name]))
    return Recognised(taken, remarks, unsure)


def claimed(
    files: Mapping[str, Callable[[], bytes]], tasks: Mapping[str, Set[str]]
) -> Mapping[str, Sequence[str]]:
    """The files that count as a notebook of the lesson, whichever is to be graded, by its name.

    Args:
        files: by name, what reads a notebook's content.
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
        return read(content(), [])
    except NotANotebook:
        return NotebookNode(cells=[])


def _remarks(name: str, files: Sequence[str]) -> Iterator[str]:
    shown = shortened(files[0])
    if name in files[1:]:
        yield f"{name}: {shown} is graded in its place, which has more answers"
    elif name != files[0]:
        yield f"{shown}: has the tasks of {name}, and is taken for it"
    for file in files[1:]:
        if file != name:
            yield f"{shortened(file)}: holds the lesson's tasks, too, but only {shown} is graded"


def shortened(text: str) -> str:
    """A path for a reader: not more of it than fits into a line, and nothing that no log should
    hold."""
    text = printable(text)
    return text if len(text) <= 100 else f"...{text[-97:]}"


def ids_in(notebook: NotebookNode) -> frozenset[str]:
    """The ids that the cells of a student's notebook may have: grading also knows a cell that lost
    its metadata by its own id.

    Args:
        notebook: as ``reader.read`` gives it.
    """
    own = (name for cell in notebook.cells for name in (stated_name(cell), cell.get("id")))
    return frozenset(filter(None, own))


def _likest(ids: Set[str], tasks: Mapping[str, Set[str]], taken: Set[str]) -> str | None:
    """The notebook of the lesson that has most of these ids; of two such, one that nobody named."""
    shared = {name: len(ids & wanted) for name, wanted in tasks.items()}
    possible = [name for name in tasks if tasks[name] and 2 * shared[name] >= len(tasks[name])]
    return max(possible, key=lambda name: (shared[name], name not in taken), default=None)


def _answers(notebook: NotebookNode, released: Released) -> Set[tuple[str, tuple[str, ...]]]:
    """The cells that students answer in and that aren't as they were handed out; where nobody
    knows how that was, all that have a name."""
    found = {stated_name(cell) or cell.get("id"): lines(cell.source) for cell in notebook.cells}
    return {
        (name, text)
        for name, text in found.items()
        if name and (not released or text not in released.get(name, (text,)))
    }
