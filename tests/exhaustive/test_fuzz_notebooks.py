"""Hundreds of submissions mutated at random.

Whatever can be read becomes the lesson again; and whatever editors, platforms and students' habits
add to a right one, it is found among the files, its answers are read as they are, and they earn all
their points.
"""

import copy
import functools
import json
import random
import shutil

import nbformat
import pytest
from hypothesis import assume, event, given, note, settings
from hypothesis import strategies as st

from autograder.cells import grade_id
from autograder.grading.results import read_row
from autograder.sanitize.reader import parse_notebook, stated_name
from autograder.sanitize.recognition import recognise
from tests.conftest import QUICK_LESSON
from tests.kernels.test_given_code import answered, grade_all
from tests.support.every_kind import ANSWERS, LESSON, Released

pytestmark = [
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
    # A list of nothing but other things is refused, which other tests look at.
    assume(not mutated["cells"] or any(isinstance(cell, dict) for cell in mutated["cells"]))
    repaired, repairs = released.repair(mutated)
    released.assert_is_the_lesson(repaired)
    again = nbformat.reads(nbformat.writes(repaired).encode("utf8").decode("utf8"), 4)
    assert [grade_id(cell) for cell in again.cells] == list(map(grade_id, repaired.cells))
    event("repaired" if repairs else "as it was")


def add_cell(rng, notebook):
    cell = {"cell_type": rng.choice(["code", "markdown", "raw"]), "source": rng.choice(TEXTS)}
    cell |= {"metadata": {}, "id": f"mine-{rng.randrange(10**6)}"}
    notebook["cells"].insert(rng.randrange(len(notebook["cells"]) + 1), cell)


def add_no_cell(rng, notebook):
    place = rng.randrange(len(notebook["cells"]) + 1)
    notebook["cells"].insert(place, rng.choice([None, 1, "text", []]))


def in_all_cells(change):
    def mutate(rng, notebook):
        for cell in notebook["cells"]:
            if isinstance(cell, dict) and rng.random() < 0.7:
                change(rng, cell)

    return mutate


@in_all_cells
def add_outputs(rng, cell):
    cell["outputs"] = rng.choice([anything(rng), [anything(rng) for _ in range(3)]])
    cell["execution_count"] = anything(rng)


@in_all_cells
def add_metadata(rng, cell):
    metadata = cell.setdefault("metadata", {})
    metadata |= {rng.choice(["colab", "vscode", "jupyter", "tags"]): anything(rng)}


@in_all_cells
def add_attachments(rng, cell):
    cell["attachments"] = anything(rng)


@in_all_cells
def drop_id(rng, cell):
    cell.pop("id", None)


@in_all_cells
def drop_metadata(rng, cell):
    """Where an id says which cell it is, or nobody has to know."""
    if cell.get("id"):
        cell.pop("metadata", None)


@in_all_cells
def split_source(rng, cell):
    if isinstance(cell["source"], str):
        cell["source"] = cell["source"].splitlines(keepends=True)


@in_all_cells
def end_lines_otherwise(rng, cell):
    end = rng.choice(["\r\n", "\r"])
    if isinstance(cell["source"], str):
        cell["source"] = cell["source"].replace("\n", end)


def change_format(rng, notebook):
    for part in ("nbformat", "nbformat_minor", "metadata"):
        if rng.random() < 0.5:
            notebook[part] = anything(rng)
        else:
            notebook.pop(part, None)


def deepen(rng, notebook):
    notebook["more"] = deep = []
    for _ in range(300):
        deep.append([])
        deep = deep[0]


HABITS = [add_cell, add_no_cell, add_outputs, add_metadata, add_attachments, split_source]
HABITS += [end_lines_otherwise, change_format, deepen]
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "utf-32-be"]
NAMES = ["{}.ipynb", "{}-Copy1.ipynb", "{} (1).ipynb", "Copy of {}.ipynb", "Untitled.ipynb"]
NAMES += ["{}.ipynb.txt", "{}_Übung_final.ipynb", "{}.IPYNB", "Копия {}.ipynb", "作业.ipynb"]
NAMES += ["{} – نسخة.ipynb", "ΑΣΚΗΣΗ 1.ipynb"]


def as_json(notebook):
    """Its content, with each cell's text in one piece."""
    return json.loads(nbformat.writes(notebook, split_lines=False))


def change_some(rng, habits, notebook):
    """Apply several habits in any order, each once; return their names."""
    drops = rng.choice([drop_id, drop_metadata])  # without both, nothing says which cell it is
    applied = rng.sample([*habits, drops], k=rng.randrange(1, 7))
    for change in applied:
        change(rng, notebook)
    return ", ".join(change.__name__ for change in applied)


def written(rng, notebook):
    """The bytes of its file."""
    text = json.dumps(notebook, indent=rng.choice([None, 1, "\t"]))
    text = text.replace("\n", rng.choice(["\n", "\r\n", "\r"]))
    return text.encode(rng.choice(ENCODINGS))


def handed_in(rng, right, untouched, lesson):
    """A right notebook's file under some name, perhaps beside copies: by name, the bytes."""
    first, *others = (name.format(lesson) for name in rng.sample(NAMES, k=rng.randrange(1, 4)))
    copies = {name: written(rng, rng.choice([untouched, right])) for name in others}
    return {first: written(rng, right)} | copies


@settings(max_examples=1_000)
@given(rng=st.randoms(use_true_random=False))
def test_a_right_submission_is_found_and_its_answers_are_read(released, rng):
    right = as_json(released.answered())
    applied = change_some(rng, HABITS, right)
    files = handed_in(rng, right, as_json(released.released), LESSON)
    note(f"{applied}; {', '.join(files)}")
    known, texts = released.recognised_by
    readers = {name: functools.partial(files.get, name) for name in files}
    found = recognise(readers, known, lambda: texts)
    assert not found.unsure
    chosen = found.files[f"{LESSON}.ipynb"][0]
    cells = parse_notebook(files[chosen], []).cells
    answers = {stated_name(cell) or cell.get("id"): cell.source for cell in cells}
    assert {name: answers[name] for name in ANSWERS} == ANSWERS
    event(f"{len(files)} files")


FAILING = ["import no_such_library", "from google.colab import drive", "1 / 0", "print(", "input()"]
FAILING += ["raise SystemExit('restart')", "!no-such-command", "%no_such_magic", "open('data.txt')"]
ENDING = ["exit()", "quit()", "import os; os._exit(3)", "import os; os.kill(os.getpid(), 9)"]
TAKING = ["grade = 2", "check = grade = None", "from operator import add as grade", "del check"]
TAKING += ["def grade(points): return points", "class check: pass", "for grade in range(3): pass"]
TAKING += ["größe, σ, вес, 分数, عدد = range(5)", "print('日本', '\U0001f600')"]
FILES = {"data.csv": b"a,b\n1,2\n", "helper.py": b"import no_such_library\n", ".DS_Store": b"\0"}
FILES |= {"json.py": b"raise SystemExit\n", "заметки.txt": b"\xff", "图片/1.png": b"\x89PNG"}
FILES |= {"scratch.ipynb": b'{"cells": []}', "empty.ipynb": b"", ".ipynb_checkpoints/a.ipynb": b""}
STUDENTS = ["ada", "Zoë", "Łukasz", "张伟", "Иван", "علي", "o'neil", "van der berg"]
CLASS = 100


def added(texts):
    """A habit: a cell more, anywhere."""

    def add(rng, notebook):
        cell = {"cell_type": "code", "source": rng.choice(texts), "metadata": {}, "outputs": []}
        notebook["cells"].insert(rng.randrange(len(notebook["cells"]) + 1), cell)
        add.__name__ = f"add {cell['source']!r}"

    return add


def change_setup(rng, notebook):
    cells = (cell for cell in notebook["cells"] if isinstance(cell, dict))
    for cell in [cell for cell in cells if cell.get("id") == "setup"]:
        lines = "".join(cell["source"]).splitlines()
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(FAILING + ENDING + TAKING))
        changes = [{"source": "\n".join(lines)}, {"source": ""}, {"cell_type": "markdown"}, None]
        if change := rng.choice(changes):
            cell |= change
        else:
            notebook["cells"].remove(cell)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return answered(tmp_path_factory.mktemp("graded"), ("one_hot", "label_encode"))


# Not hypothesis: a class is graded at once, and a student's name is the seed of the changes.
@pytest.mark.parametrize("part", range(10))
def test_a_right_submission_earns_all_its_points(course, part):
    made, right = course
    untouched = as_json(nbformat.read(made.release(QUICK_LESSON), as_version=4))
    shutil.rmtree(made.root / "submitted", ignore_errors=True)
    habits = [*HABITS, duplicate, change_setup, *map(added, (FAILING, ENDING, TAKING))]
    changes = {}
    for seed in random.SystemRandom().sample(range(10**9), CLASS):
        rng, notebook = random.Random(seed), as_json(right)
        student = f"{rng.choice(STUDENTS)}{seed}"
        changes[student] = change_some(rng, habits, notebook)
        files = dict(rng.sample(sorted(FILES.items()), k=rng.randrange(3)))
        for name, content in (files | handed_in(rng, notebook, untouched, QUICK_LESSON)).items():
            path = made.submitted(student, QUICK_LESSON) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    grade_all(made)
    lost = {}
    for student, applied in changes.items():
        scores = read_row(made, QUICK_LESSON, student).scores
        assert scores
        if said := [one.explanation for one in scores if one.points < one.maximum]:
            lost[student] = applied, said
    assert not lost
