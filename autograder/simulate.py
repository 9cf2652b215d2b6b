"""A simulated class: the released notebook, answered correctly, incorrectly or not at all."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

import jupytext
import nbformat
import yaml
from nbformat import NotebookNode

from autograder.cells import BEGIN_SOLUTION, END_SOLUTION, grade_id, is_solution
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from selfcheck.verdicts import Verdict

REFERENCE, UNANSWERED = "reference", "unanswered"
EVERYTHING = "everything"
"""The word that states that all aspects of an exercise fail."""


@dataclass(frozen=True)
class Stated:
    """What a file of answers states about one verdict.

    Args:
        fails: the titles of the aspects that fail; None for all of them.
        mistake: the known mistake that it names; ``"none"`` if it must name none, "" if nothing
            is stated.
        relation: the name of the fact that explains the answer, if no known mistake does.
        reason: a part of the explanation.
    """

    fails: frozenset[str] | None = frozenset()
    mistake: str = ""
    relation: str = ""
    reason: str = ""

    @classmethod
    def read(cls, entry: object) -> Stated:
        """Read the entry below an exercise in a file's header.

        Raises:
            ValueError: when it's malformed; the message says how.
        """
        known = [field.name for field in fields(cls)]
        if not isinstance(entry, dict) or "fails" not in entry:
            raise ValueError(f"`fails: [...]` is missing (or `fails: {EVERYTHING}`)")
        if unknown := entry.keys() - known:
            raise ValueError(f"unknown: {_listed(unknown)}; there are {', '.join(known)}")
        fails, others = entry["fails"], {name: entry[name] for name in entry.keys() - {"fails"}}
        if fails != EVERYTHING and not _are_texts(fails):
            raise ValueError(
                f"`fails` is a list of the aspects' titles in quotation marks, or {EVERYTHING}"
            )
        if not _are_texts(list(others.values())):
            raise ValueError(f"{_listed(others)}: a text, in quotation marks if need be")
        return cls(None if fails == EVERYTHING else frozenset(fails), **others)

    def contradicted(self, verdict: Verdict) -> str:
        """How the failed aspects of a verdict differ from the stated ones; "" if they don't."""
        failed = {finding.title for finding in verdict.findings if not finding.passed}
        if self.fails is None:
            held = {finding.title for finding in verdict.findings} - failed
            return f"holds: {_listed(held)}" if held else ""
        if not verdict.findings:
            return "" if self.fails else verdict.explanation
        unknown = self.fails - {finding.title for finding in verdict.findings}
        parts = {
            "no such aspect": unknown,
            "fails as well": failed - self.fails,
            "holds": self.fails - failed - unknown,
        }
        return "; ".join(f"{what}: {_listed(titles)}" for what, titles in parts.items() if titles)

    def differences(self, verdict: Verdict) -> Iterator[str]:
        """How a verdict differs from the stated one, in words."""
        if difference := self.contradicted(verdict):
            yield f"not as stated: {difference}"
        # A mistake for which an earlier answer lost points isn't named again.
        paid = any(loss.earlier for loss in verdict.losses)
        if self.mistake and not paid and not self.names(verdict):
            found = ", ".join(verdict.mistakes) or "none"
            yield f"mistake {found}, stated {self.mistake}"
        if self.reason not in verdict.explanation:
            yield f"the reason is not {self.reason!r}"

    def names(self, verdict: Verdict) -> bool:
        """Whether a verdict names the stated cause."""
        if self.mistake:
            return self.mistake in (verdict.mistakes or ("none",))
        return bool(verdict.relation) and self.relation == verdict.relation


FULL_MARKS = Stated()
NO_MARKS = Stated(fails=None)


@dataclass(frozen=True)
class Answers:
    """One simulated student's answers, as written in a file of ``simulated_class``.

    The file is Python in the percent format with one cell per answer. A cell marked
    ``grade_id="..."`` is the whole answer; a cell marked ``changes="..."`` has the functions and
    methods that are written differently in the lesson's own solution. Missing cells are answered as
    in the source. A YAML header says what is wrong in the submission.

    Args:
        student: the file's name.
        cells: source code by grade_id, whole cells.
        expected: the expected verdict by exercise; full points if left out.
    """

    student: str
    cells: Mapping[str, str]
    expected: Mapping[str, Stated]


def read_answers(path: Path, right: Mapping[str, str]) -> Answers:
    """Read a simulated student's file.

    Args:
        path: the file.
        right: the lesson's solutions by grade_id.

    Raises:
        CourseError: when a cell isn't marked, or two are marked alike; when the lesson has no such
            solution, or not what the cell changes in it; when the header can't be read.
    """
    cells: dict[str, str] = {}
    written = _cells(path)
    for cell in written:
        if cell.cell_type == "raw":
            continue
        marks = [cell.metadata[mark] for mark in ("grade_id", "changes") if mark in cell.metadata]
        name = marks[0] if len(marks) == 1 else None
        if name is None and "expected:" in cell.source:
            raise CourseError(f"{path}: its header lacks the closing line `# ---`")
        if name is None or name in cells:
            problem = "has no grade_id" if name is None else f"repeats the grade_id {name!r}"
            raise CourseError(
                f'{path}: a cell {problem}; write # %% grade_id="..." above each whole answer, '
                '# %% changes="..." above functions and methods that differ'
            )
        if name not in right:
            raise CourseError(f"{path}: the lesson has no solution cell {name!r}")
        cells[name] = cell.source
        if "changes" in cell.metadata:
            try:
                cells[name] = _changed(_unmarked(right[name]), cell.source)
            except (SyntaxError, ValueError) as error:
                raise CourseError(f'{path}: changes="{name}": {error}') from None
    expected = _expected(path, written)
    if unknown := expected.keys() - right.keys():
        raise CourseError(f"{path}: the lesson has no solution cell {_listed(unknown)}")
    return Answers(path.stem, cells, expected)


def read_expected(path: Path) -> dict[str, Stated]:
    """Read what the header of a simulated student's file states, by exercise.

    Raises:
        CourseError: when it can't be read.
    """
    return _expected(path, _cells(path))


def read_class(folder: Path, right: Mapping[str, str]) -> Iterator[Answers]:
    """Read all files of a folder.

    Args:
        folder: the folder of simulated students.
        right: the lesson's solutions by grade_id.

    Raises:
        CourseError: when there is no such folder, or a file can't be read.
    """
    if not folder.is_dir():
        raise CourseError(f"There is no folder {folder} with simulated students' answers.")
    for path in sorted(folder.glob("*.py")):
        yield read_answers(path, right)


def _cells(path: Path) -> list[NotebookNode]:
    text = path.read_text("utf-8-sig")
    if re.match(r"#\s*expected:", text):
        raise CourseError(f"{path}: its header lacks the first line `# ---`")
    cells: list[NotebookNode] = jupytext.reads(text, fmt="py:percent").cells
    return cells


def _changed(solution: str, changes: str) -> str:
    """A solution in which other functions and methods take the places of those of the same names.

    Raises:
        SyntaxError: when one of the two isn't Python.
        ValueError: when there's something in the changes that the solution doesn't have.
    """
    old, new = dict(_definitions(solution)), dict(_definitions(changes))
    if unknown := new.keys() - old.keys():
        raise ValueError(f"the solution has no {_listed(unknown)}")
    lines = solution.splitlines()
    for name in sorted(new, key=lambda name: old[name].start, reverse=True):
        lines[old[name]] = changes.splitlines()[new[name]]
    return "\n".join(lines)


def _definitions(source: str) -> Iterator[tuple[str, slice]]:
    """The lines of each function and method, and of each statement beside them.

    Example:
        >>> list(_definitions("class Gate(Layer):\\n    def call(self):\\n        return 1"))
        [('class Gate(Layer): call', slice(1, 3, None))]
    """
    waiting: list[tuple[str, ast.stmt]] = [("", node) for node in ast.parse(source).body]
    for owner, node in waiting:
        if isinstance(node, ast.ClassDef):
            head = source.splitlines()[node.lineno - 1].strip()
            waiting += [(f"{owner}{head} ", each) for each in node.body]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min(each.lineno for each in (node, *node.decorator_list))
            yield f"{owner}{node.name}", slice(first - 1, node.end_lineno)
        else:
            yield f"{owner}{ast.unparse(node)}", slice(node.lineno - 1, node.end_lineno)


def _expected(path: Path, cells: Iterable[NotebookNode]) -> dict[str, Stated]:
    source = next((cell.source for cell in cells if cell.cell_type == "raw"), "")
    if "\t" in source:
        raise CourseError(f"{path}: its header has a tab: write spaces")
    try:
        header = yaml.safe_load(source.strip().strip("-")) or {}
    except yaml.MarkedYAMLError as error:
        lines = source.strip().strip("-").splitlines()
        # The mistake may be a line above the one where the parser notices it.
        last = error.problem_mark.line + 1 if error.problem_mark else len(lines)
        near = [line for line in lines[:last] if line.strip()][-2:]
        raise CourseError(
            f"{path}: its header isn't valid YAML near {' / '.join(map(repr, near))}: is each line "
            "indented by two more spaces than the line that it belongs to?"
        ) from error
    except yaml.YAMLError as error:
        raise CourseError(f"{path}: its header isn't valid YAML: {error}") from error
    if not isinstance(header, dict) or header.keys() - {"expected"}:
        raise CourseError(f"{path}: its header must have a single entry, `expected:`")
    stated = header.get("expected", {})
    if not isinstance(stated, dict):
        raise CourseError(f"{path}: below `expected:`, list exercises, each with what fails")
    read = {}
    for exercise, entry in stated.items():
        try:
            read[exercise] = Stated.read(entry)
        except ValueError as error:
            raise CourseError(f"{path}: {exercise}: {error}") from None
    return read


def _are_texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _listed(titles: Iterable[str]) -> str:
    return ", ".join(map(repr, sorted(titles)))


def simulate(
    course: CourseFolder, lesson: str, answers: Path, at_most: int | None = None
) -> list[str]:
    """Fill ``submitted/``: the reference, an unanswered notebook, and one student per file.

    Args:
        course: the course folder, in which the lesson has been released.
        lesson: the lesson.
        answers: the folder with the files, percent format.
        at_most: the number of students, chosen for the variety of their answers; everybody if left
            out.

    Returns:
        The students' names.

    Raises:
        CourseError: when the lesson isn't released, or a file answers a cell that it doesn't have.
    """
    if not course.release(lesson).is_file():
        raise CourseError(f"{lesson} is not released: run `autograder release {lesson}` first.")
    unanswered = nbformat.read(course.release(lesson), as_version=4)
    source = nbformat.read(course.source(lesson), as_version=4)
    right = {
        name: _unmarked(cell.source)
        for cell in source.cells
        if is_solution(cell) and (name := grade_id(cell))
    }
    submissions: dict[str, dict[str, str]] = {REFERENCE: right, UNANSWERED: {}}
    students = list(read_class(answers, right))
    if at_most is not None:
        students = _different(students)[: at_most - len(submissions)]
    for student in students:
        submissions[student.student] = right | dict(student.cells)
    for name, cells in submissions.items():
        folder = course.submitted(name, lesson)
        folder.mkdir(parents=True, exist_ok=True)
        nbformat.write(_filled(unanswered, cells), folder / f"{lesson}.ipynb")
    return list(submissions)


def _different(students: Iterable[Answers]) -> list[Answers]:
    """Sort for variety: one who is right, then one known mistake in each exercise."""

    def kind(student: Answers) -> str:
        named = (
            exercise
            for exercise, stated in student.expected.items()
            if stated.mistake not in ("", "none")
        )
        return next(named, "others") if student.expected else ""

    def order(student: Answers) -> tuple[str, bool, int]:
        # Answers that are right except for one thing aren't the first choice to show a mistake.
        almost_right = student.student.startswith("right_")
        return kind(student), almost_right, len(student.expected)

    students = sorted(students, key=order)
    of_each = [next(alike) for _, alike in itertools.groupby(students, kind)]
    return [*of_each, *(student for student in students if student not in of_each)]


def _unmarked(source: str) -> str:
    """A solution without the comments around it, as a student would have written it."""
    marks = (BEGIN_SOLUTION, END_SOLUTION)
    return "\n".join(line for line in source.splitlines() if line.strip() not in marks)


def _filled(release: NotebookNode, cells: Mapping[str, str]) -> NotebookNode:
    """The students' notebook, with its solution cells answered."""
    notebook = nbformat.from_dict(release)
    for cell in notebook.cells:
        name = grade_id(cell)
        if name and is_solution(cell) and name in cells:
            cell.source = cells[name]
    return notebook
