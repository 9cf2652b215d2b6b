"""Every lesson as it is written."""

import re
import time
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest

from autograder.cells import (
    grade_id,
    graded_exercise,
    is_manually_graded,
    is_solution,
)
from course import COURSE
from course.experiments import training
from course.figures import plots
from tests.conftest import REPOSITORY

SOURCES = sorted(REPOSITORY.glob("source/*/*.ipynb"))
LESSONS = pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)


@LESSONS
def test_the_lesson_asks_for_each_of_its_exercises_once(source):
    asked = [graded_exercise(cell) for cell in nbformat.read(source, as_version=4).cells]
    assert sorted(filter(None, asked)) == sorted(COURSE.names(source.stem))


LONGER = {
    "02-conv1d-baseline": {"task-3", "task-7", "task-8"},
    "05-long-documents": {"task-1", "task-3"},
    "06-fastformer": {"task-1", "task-2", "classifier"},
    "07-pretraining": {"task-1"},
}
"""Tasks that still say more than 120 words at once."""


@LESSONS
def test_a_task_is_asked_in_a_few_words(source):
    """What only a judge needs is folded away."""
    long = set()
    for cell in nbformat.read(source, as_version=4).cells:
        if cell.cell_type == "markdown" and re.search(r"^### Task \d", cell.source, re.MULTILINE):
            seen = re.sub(r"<details>.*?</details>", "", cell.source, flags=re.DOTALL)
            if len(seen.split()) > 120:
                long.add(cell.id)
    assert long == LONGER.get(source.stem, set())


@LESSONS
def test_the_scaffold_is_the_solution_with_holes(source):
    """Signatures, docstrings and returns are the same; a hole is marked for the student."""
    solved = {cell.id: cell for cell in nbformat.read(source, as_version=4).cells}
    path = REPOSITORY / "release" / source.stem / source.name
    released = {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}
    assert solved.keys() == released.keys()
    for name, cell in solved.items():
        if is_solution(cell) and cell.cell_type == "code":
            outside, inside = [], False
            for line in cell.source.splitlines():
                if "### BEGIN SOLUTION" in line or "### END SOLUTION" in line:
                    inside = "BEGIN" in line
                elif not inside:
                    outside.append(line)
            holes = [line.strip() for line in released[name].source.splitlines()]
            assert "# YOUR CODE HERE" in holes
            assert all(line.strip() in holes for line in outside), name
            assert compile(released[name].source, name, "exec")


@pytest.mark.parametrize(
    ("lesson", "cell", "build"),
    [
        ("03-attention", "reverse-model", lambda of: of.build_reverser()),
        ("07-pretraining", "encoder", lambda of: of.Encoder(50)),
    ],
)
def test_words_and_positions_begin_with_different_vectors(lesson, cell, build):
    """One initializer gives the same numbers each time."""
    from benchmarks.recipes import demonstrations

    model = build(demonstrations(lesson, (cell,), MAX_LENGTH=10))
    model(np.ones((1, 10), "int32"))
    words, positions = (w for w in model.weights if w.path.endswith("embeddings"))
    assert not np.isin(positions, words).any()


def test_the_figure_of_early_stopping_marks_the_epoch_whose_weights_are_kept():
    """The kept model has the loss of the marked epoch, though a later one is a little lower."""
    from benchmarks.recipes import demonstrations

    words = np.random.default_rng(0).integers(2, 40, (64, 48))
    rows = SimpleNamespace(ids=words, labels=words[:, 0] % 4)
    figures, rates, draw = [], training.UsedRates(), plots.training_history
    demonstrations(
        "04-transformer-encoder",
        ("news-training",),
        choose=lambda full, smoke: 20 * full,  # so slow a warm-up that the loss hardly falls
        news=SimpleNamespace(is_real=False, description=""),
        parts=SimpleNamespace(vocabulary_size=40, learned=rows, held_out=rows, test=rows),
        plots=SimpleNamespace(
            training_history=lambda *given, **named: figures.append(draw(*given, **named))
        ),
        results=SimpleNamespace(add=lambda *_, **__: None),
        time=time,
        training=SimpleNamespace(UsedRates=lambda: rates),
    )
    validation, mark = figures[0].axes[0].lines[1:]
    losses, marked = validation.get_ydata(), int(mark.get_xdata()[0])
    assert min(losses) < losses[marked - 1]
    kept, _ = rates.model.evaluate(rows.ids, rows.labels, batch_size=64, verbose=0)
    assert losses[marked - 1] == pytest.approx(kept, abs=1e-6)


@LESSONS
def test_the_lesson_follows_the_skeleton(source):
    cells = nbformat.read(source, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    for heading in ("You will be able to", "You need", "minutes"):
        assert heading in text
    # A question is answered in the same breath, or the reader is asked for a guess first.
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    asked, answered = (
        re.findall(rf'predict\.{word}\(\s*"([\w.]+)"', code) for word in ("ask", "answer")
    )
    assert asked == answered
    assert len(asked) >= 6
    assert text.count("<details>") >= 6
    assert sum(is_manually_graded(cell) for cell in cells) >= 2
    assert all(cell.id == grade_id(cell) for cell in cells if grade_id(cell))
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
