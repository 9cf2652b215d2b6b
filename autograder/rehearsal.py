"""A lesson graded before anybody hands it in: with its own answers, and with none."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import nbformat

from autograder.cells import is_autograded
from autograder.course_folder import CourseFolder
from autograder.grading.batch import grade
from autograder.kernels import sandbox
from autograder.release import copy_of, release
from autograder.simulate import REFERENCE, UNANSWERED, simulate


def rehearse(course: CourseFolder, lesson: str) -> Iterator[str]:
    """What goes wrong where a class would be graded, though no student has a part in it.

    The lesson's cells run there one after another, in a kernel: what its set-up lacks, or does too
    late, would cost everybody all points.

    Args:
        course: the course folder, which stays as it is.
        lesson: the lesson.

    Yields:
        What was lost by the lesson's own answers, and what was earned without any.
    """
    with tempfile.TemporaryDirectory(prefix="course-rehearsal-") as folder:
        copy = copy_of(course, Path(folder))
        release(copy, lesson)
        nobody = Path(folder) / "nobody"
        nobody.mkdir()
        students = simulate(copy, lesson, nobody)
        where = "none" if sandbox.problem() else None  # as the course's configuration says
        rows = list(grade(copy, lesson, students, sandbox=where))
        yield from sorted({row.problem for row in rows} - {""})
        yield from _stopped(copy.autograded(REFERENCE, lesson))
        for row in rows:
            for score in row.scores:
                if score.verdict is None:
                    continue
                if row.student == REFERENCE and score.points < score.maximum:
                    yield (
                        f"the lesson's own notebook earns {score.points:g} of {score.maximum:g} "
                        f"points in {score.cell}: {score.verdict.explanation}"
                    )
                if row.student == UNANSWERED and score.points > 0:
                    yield f"{score.cell} gives {score.points:g} points for no answer"


def _stopped(graded: Path) -> Iterator[str]:
    """Cells of the lesson's that stop with an error, though they may not."""
    cells = nbformat.read(graded, as_version=4).cells if graded.is_file() else ()
    for cell in cells:
        if is_autograded(cell) or "raises-exception" in cell.metadata.get("tags", []):
            continue
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                yield f"the cell {cell.id} stops with {output.ename}: {output.evalue}"
