"""Grade lessons before they are handed in: with their own answers, and with none."""

from __future__ import annotations

import contextlib
import multiprocessing
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import nbformat

from autograder.cells import is_autograded
from autograder.course_folder import CourseFolder
from autograder.execution.executor import cores
from autograder.grading.batch import grade
from autograder.grading.results import SubmissionRow
from autograder.kernels import sandbox
from autograder.release.generate import copy_of, release
from autograder.simulate import REFERENCE, UNANSWERED, simulate


def rehearse(
    course: CourseFolder, lessons: Sequence[str], jobs: int | None = None
) -> Iterator[tuple[str, str]]:
    """Find problems of grading that no student causes.

    The cells of each lesson run one after another in a kernel, as for a class: something missing
    from its set-up, or defined too late, would cost everybody all points.

    Args:
        course: the course folder, which stays as it is.
        lessons: the lessons to grade.
        jobs: the number of lessons in parallel; one per core if left out.

    Yields:
        The lesson's name, with points that its own answers lost or that no answers earned.
    """
    where = "none" if sandbox.problem() else None  # as the course's configuration says
    one = partial(_rehearse, course.root, where)
    with contextlib.ExitStack() as stack:
        mapped: Callable[..., Iterator[list[str]]] = map
        if jobs != 1 and len(lessons) > 1:  # most of it is a lesson's set-up, on one core
            context = multiprocessing.get_context("spawn")
            mapped = stack.enter_context(ProcessPoolExecutor(jobs or cores(), context)).map
        for lesson, found in zip(lessons, mapped(one, lessons), strict=True):
            yield from ((lesson, said) for said in found)


def _rehearse(root: Path, where: str | None, lesson: str) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="course-rehearsal-") as folder:
        copy = copy_of(CourseFolder(root), Path(folder))
        release(copy, lesson)
        nobody = Path(folder) / "nobody"
        nobody.mkdir()
        students = simulate(copy, lesson, nobody)
        rows = list(grade(copy, lesson, students, sandbox=where))
        return [
            *sorted({row.problem for row in rows} - {""}),
            *_stopped(copy.autograded(REFERENCE, lesson)),
            *_unfair(rows),
        ]


def _unfair(rows: Iterable[SubmissionRow]) -> Iterator[str]:
    """Points that the lesson's own answers lost, or that missing answers earned."""
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
    """The lesson's own cells that unexpectedly stop with an error."""
    cells = nbformat.read(graded, as_version=4).cells if graded.is_file() else ()
    for cell in cells:
        if is_autograded(cell) or "raises-exception" in cell.metadata.get("tags", []):
            continue
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                yield f"the cell {cell.id} stops with {output.ename}: {output.evalue}"
