"""Hundreds of submissions mutated at random: whatever nbformat reads becomes the lesson again."""

import copy
import json

import nbformat
import pytest
from hypothesis import event, given, note
from hypothesis import strategies as st

from autograder.cells import grade_id
from tests.autograder.test_repair import Released

pytestmark = [
    pytest.mark.fuzz,
    pytest.mark.filterwarnings("ignore::nbformat.warnings.DuplicateCellId"),
    pytest.mark.filterwarnings("ignore::nbformat.warnings.MissingIDFieldWarning"),
]

TEXTS = ["", "double", "test_double", "essay", "code", "markdown", "raw", "skip-execution", "title"]
TEXTS += [
    "raises-exception",
    "a b",
    "\ud800",
    "\x00",
    "\x1b[2J",
    "NaN",
    "x" * 70,
    "### END SOLUTION",
]
NUMBERS = [0, -1, 1, 3, 4, 99, 2.5, 10**30, float("nan"), float("inf")]
KEYS = ["nbgrader", "grade_id", "grade", "solution", "locked", "task", "points", "schema_version"]
KEYS += ["checksum", "cell_type", "tags", "metadata", "id", "source", "outputs", "attachments"]
KEYS += ["execution_count", "kernelspec", "language_info", "course", "nbformat_minor", "\ud800"]


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    return Released(tmp_path_factory.mktemp("course"))


def anything(rng, depth=0):
    """Some JSON."""
    kind = rng.randrange(6 if depth < 3 else 4)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind == 1:
        return rng.choice(NUMBERS)
    if kind in (2, 3):
        return rng.choice(TEXTS)
    values = [anything(rng, depth + 1) for _ in range(rng.randrange(4))]
    return values if kind == 4 else {rng.choice(KEYS): value for value in values}


def drop(rng, notebook):
    cells = notebook["cells"]
    start = rng.randrange(len(cells) + 1)
    del cells[start : start + rng.choice([1, 1, 1, 4, len(cells)])]


def duplicate(rng, notebook):
    cells = notebook["cells"]
    if cells:
        cells.insert(rng.randrange(len(cells) + 1), copy.deepcopy(rng.choice(cells)))


def move(rng, notebook):
    cells = notebook["cells"]
    if cells:
        cell = cells.pop(rng.randrange(len(cells)))
        cells.insert(rng.randrange(len(cells) + 1), cell)


def shuffle(rng, notebook):
    rng.shuffle(notebook["cells"])


def insert(rng, notebook):
    cell = {"cell_type": "code", "source": "", "metadata": {}, "outputs": []} | {
        rng.choice(KEYS): anything(rng) for _ in range(3)
    }
    notebook["cells"].insert(
        rng.randrange(len(notebook["cells"]) + 1), rng.choice([cell, anything(rng)])
    )


def in_a_cell(change):
    """A mutation of one well-formed cell that nbgrader knows, if there is one."""

    def mutate(rng, notebook):
        cells = [
            cell
            for cell in notebook["cells"]
            if isinstance(cell, dict)
            and isinstance(cell.get("metadata"), dict)
            and isinstance(cell["metadata"].get("nbgrader"), dict)
        ]
        if cells:
            change(rng, rng.choice(cells))

    return mutate


@in_a_cell
def retype(rng, cell):
    cell["cell_type"] = rng.choice(["code", "markdown", "raw", anything(rng)])


@in_a_cell
def set_mark(rng, cell):
    key = rng.choice(KEYS[1:10])
    cell["metadata"]["nbgrader"][key] = rng.choice([True, False, 100, anything(rng)])


@in_a_cell
def set_metadata(rng, cell):
    cell["metadata"][rng.choice(["nbgrader", "tags", "name", "\ud800"])] = anything(rng)


@in_a_cell
def set_part(rng, cell):
    cell[rng.choice(["metadata", "id", "source", "outputs", "attachments"])] = anything(rng)


@in_a_cell
def remove_part(rng, cell):
    where = rng.choice([cell, cell["metadata"], cell["metadata"]["nbgrader"]])
    if where:
        del where[rng.choice(list(where))]


@in_a_cell
def cut_source(rng, cell):
    source = str(cell.get("source"))
    cell["source"] = source[: rng.randrange(len(source) + 1)] + rng.choice(TEXTS)


def set_notebook(rng, notebook):
    notebook[rng.choice(["metadata", "nbformat_minor", "more"])] = anything(rng)


def set_notebook_metadata(rng, notebook):
    if isinstance(notebook["metadata"], dict):
        notebook["metadata"][rng.choice(KEYS)] = anything(rng)


MUTATIONS = [drop, duplicate, move, shuffle, insert, retype, set_mark, set_metadata, set_part]
MUTATIONS += [remove_part, cut_source, set_notebook, set_notebook_metadata]


@pytest.mark.parametrize("part", range(5))
@given(rng=st.randoms(use_true_random=False))
def test_whatever_nbformat_reads_becomes_the_lesson_again(released, part, rng):
    mutated = json.loads(nbformat.writes(released.answered()))
    applied = rng.choices(MUTATIONS, k=rng.randrange(1, 7))
    for mutate in applied:
        mutate(rng, mutated)
    note(", ".join(mutate.__name__ for mutate in applied))
    repaired, repairs = released.repair(mutated)
    released.assert_is_the_lesson(repaired)
    again = nbformat.reads(nbformat.writes(repaired).encode("utf8").decode("utf8"), 4)
    assert [grade_id(cell) for cell in again.cells] == list(map(grade_id, repaired.cells))
    event("repaired" if repairs else "as it was")
