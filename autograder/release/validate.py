"""Check that a source notebook can be released and judged."""

from __future__ import annotations

import ast
import builtins
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from autograder.cells import (
    BEGIN_HIDDEN,
    BEGIN_SOLUTION,
    END_HIDDEN,
    END_SOLUTION,
    calls,
    defined_names,
    grade_id,
    graded_exercise,
    is_autograded,
    is_manually_graded,
    is_protected,
    is_solution,
    needed_names,
    parse_code,
    region,
    syntax_error,
    without_solutions,
)
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.judging import proof
from autograder.judging.keys import Key, key_of
from autograder.rubrics import problems, read_rubrics
from selfcheck import Exercise, UnknownExercise


def _is_graded(cell: NotebookNode) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get("grade"))


# The regions that nbgrader clears for students, by their keywords (in nbgrader.preprocessors,
# ClearSolutions and ClearHiddenTests), and the only cells in which it does so.
_REGIONS = (
    ("BEGIN SOLUTION", "END SOLUTION", is_solution, "a solution"),
    ("BEGIN HIDDEN TESTS", "END HIDDEN TESTS", _is_graded, "autograder tests"),
)


def defects(course: CourseFolder, lesson: str, source: NotebookNode, *, own: bool) -> Iterator[str]:
    """The problems that keep a source notebook from being released.

    Args:
        course: the course folder.
        lesson: the lesson.
        source: its notebook with solutions.
        own: whether the folder contains the exercises' package.
    """
    if unreadable := list(_unreadable(source)):
        yield from unreadable
        return
    seen: dict[str, str | None] = {}
    yield from _of_another_language(source)
    yield from _unready(source, course.declared.package)
    yield from _unprotected(source)
    yield from _instructors_files(course)
    yield from _strays(course, lesson)
    yield from _wrong_rubrics(course, lesson, source)
    solutions = {grade_id(cell): cell for cell in source.cells if not is_autograded(cell)}
    for cell in source.cells:
        if cell.cell_type == "code" and cell.outputs:
            yield f"cell {cell.id} has outputs: strip them (nbstripout --keep-id)"
        name = grade_id(cell)
        if name is not None and cell.id != name:
            yield f"cell {name}: its id is {cell.id!r}; it must equal the grade_id"
        yield from _unpaired(cell)
        if _is_graded(cell):
            yield from _unworthy(cell)
        if calls(cell, "grade") and not is_autograded(cell):
            yield f"cell {name or cell.id} calls grade(): mark it as Autograded tests"
        if not is_autograded(cell) or ("grade(" not in cell.source and not calls(cell, "check")):
            continue
        exercise, checked = graded_exercise(cell), calls(cell, "check")
        for called in {each for each in (exercise, *checked) if each is not None}:
            try:
                key = key_of(course.declared, called)
                found = itertools.chain(
                    proof.problems(key), proof.mistake_problems(key), _pointing_nowhere(key, source)
                )
                yield from (f"{called}: {problem}" for problem in found)
                # An installed package can't be changed, and its lesson may have a different name.
                if own and key.exercise.lesson != lesson and checked == [exercise]:
                    yield _in_another(course, lesson, key.exercise)
            except (CourseError, UnknownExercise) as error:
                yield f"cell {name}: {error}"
            except Exception as error:
                yield f"cell {name}: {called}: {type(error).__name__}: {error}"
        if exercise is None or checked != [exercise] or len(calls(cell, "grade")) != 1:
            yield f"cell {name}: check() and grade() must name the same exercise, once each"
        elif (function := exercise.rpartition(".")[2]) not in solutions:
            yield f"cell {name}: no solution cell has the grade_id {function!r}"
        elif name != f"test_{function}":
            yield f"cell {name}: the graded cell of {exercise} is called test_{function}"
        else:
            yield from _unlike(cell, solutions[function])
        if exercise in seen:
            yield f"cell {name}: {exercise} is graded in cell {seen[exercise]} already"
        elif exercise:
            seen[exercise] = name


def _wrong_rubrics(course: CourseFolder, lesson: str, source: NotebookNode) -> Iterator[str]:
    points = {
        grade_id(cell) or "": float(cell.metadata.nbgrader.points)
        for cell in filter(is_manually_graded, source.cells)
    }
    try:
        yield from problems(read_rubrics(course, lesson), points)
    except CourseError as error:
        yield str(error)


def _in_another(course: CourseFolder, lesson: str, exercise: Exercise) -> str:
    """What to do about an exercise that belongs to a different lesson."""
    if course.source(exercise.lesson).is_file():
        return (
            f"{exercise.name} belongs to {exercise.lesson}, and each exercise to a single lesson: "
            "this lesson needs its own exercises"
        )
    return (
        f"{exercise.name}: set lesson = {lesson!r} in its file. If you renamed a lesson that "
        "students have handed in, take the name back instead: their submissions and grades stay "
        f"under {exercise.lesson}"
    )


def _unreadable(source: NotebookNode) -> Iterator[str]:
    """Code cells that Python can't parse: other messages about them would be misleading."""
    for cell in source.cells:
        if cell.cell_type == "code" and (error := syntax_error(cell.source)):
            yield f"cell {cell.id}, line {error.lineno}: {error.msg}"


def _of_another_language(source: NotebookNode) -> Iterator[str]:
    """A kernel that was chosen by mistake: students would get it when they open the notebook."""
    kernel = source.metadata.get("kernelspec", {})
    if kernel.get("language", "python").lower() != "python" or kernel.get("name") == "ir":
        yield f"its kernel is {kernel.get('name')!r}: choose Python 3 (Kernel > Change Kernel)"


def _unpaired(cell: NotebookNode) -> Iterator[str]:
    """Markers that nbgrader wouldn't clear, or whose end doesn't match."""
    for begin, end, may_have, kind in _REGIONS:
        marks = re.findall(f"{begin}|{end}", cell.source)
        if begin in marks and not may_have(cell):
            yield (
                f"cell {cell.id} has ### {begin} and isn't marked as {kind}: mark it so under "
                "Create Assignment in JupyterLab, or remove the line"
            )
        elif marks != [begin, end] * (len(marks) // 2):
            yield f"cell {cell.id}: ### {begin} and ### {end} must come in pairs"


def _strays(course: CourseFolder, lesson: str) -> Iterator[str]:
    """Other notebooks in the lesson's folder."""
    for path in sorted(course.source(lesson).parent.glob("*.ipynb")):
        if path.stem != lesson:
            yield (
                f"{path.name} is next to the lesson's notebook, so students would get it and "
                "be graded on it: move it out of the folder"
            )


def _unworthy(cell: NotebookNode) -> Iterator[str]:
    """Why a graded cell's points are invalid."""
    name, points = grade_id(cell), cell.metadata.nbgrader.get("points")
    if points is None:
        yield f"cell {name} has no points: set them under Create Assignment in JupyterLab"
    elif isinstance(points, bool) or not isinstance(points, int | float) or points < 0:
        yield f"cell {name} is worth {points!r} points: set a number under Create Assignment"
    elif not points and graded_exercise(cell):
        yield f"cell {name} is worth 0 points: nobody could lose any"
    nodes = ast.walk(parse_code(cell.source))
    if calls(cell, "grade") and any(isinstance(node, ast.Assert) for node in nodes):
        yield (
            f"cell {name} has an assert next to grade(): below it, the assert never runs, and "
            "above it, "
            "it takes off points for right answers. Put it into a separate cell"
        )


def _unready(source: NotebookNode, package: str) -> Iterator[str]:
    """Graded cells that run before the cells that they need: everybody would earn nothing there."""
    defined: set[str] = set()
    answers = {grade_id(cell): cell for cell in source.cells if is_solution(cell)}
    for cell in (cell for cell in source.cells if cell.cell_type == "code"):
        for node in ast.walk(parse_code(cell.source)):
            if not isinstance(node, ast.ImportFrom) or node.module == package:
                continue
            if wrong := {"check", "grade"} & {each.name for each in node.names}:
                yield (
                    f"cell {cell.id} imports {' and '.join(sorted(wrong))} from {node.module}, but "
                    f"this course's are in {package}"
                )
        exercise = graded_exercise(cell)
        if exercise and "*" not in defined:
            answer = answers.get(exercise.rpartition(".")[2])
            needed = {ast.unparse(call.func) for call in _calls(cell)}
            if answer is not None:
                needed |= defined_names(answer.source)
            for missing in sorted(needed - defined):
                yield f"cell {grade_id(cell)} uses {missing} before any cell defines it"
        defined |= defined_names(cell.source)


def _unprotected(source: NotebookNode) -> Iterator[str]:
    """Cells that students may change or delete, and that answers or their tests depend on."""
    code = [cell for cell in source.cells if cell.cell_type == "code"]
    protected = [cell for cell in code if is_protected(cell)]
    if not any(map(graded_exercise, protected)):
        return  # another course's: its author decides
    needed = set().union(*(needed_names(cell.source) for cell in protected)) - set(dir(builtins))
    needed -= set().union(*(defined_names(cell.source) for cell in protected))
    for cell in code:
        given = defined_names(cell.source) & {*needed, "*"}
        if needed and given and not is_protected(cell):
            what = ", ".join(sorted(given - {"*"} or needed))
            yield (
                f"cell {cell.id} defines what answers or their tests need ({what}), but students "
                "may change it: mark it as Read-only under Create Assignment in JupyterLab, so "
                "that it is restored before grading"
            )


def _unlike(graded: NotebookNode, solution: NotebookNode) -> Iterator[str]:
    """Why a graded cell doesn't look at the answer above it, or shows students too much."""
    names = {ast.unparse(call.args[1]) for call in _calls(graded) if len(call.args) == 2}
    cell, answer = grade_id(graded), grade_id(solution)
    if len(names) == 1 and not names <= defined_names(solution.source):
        yield f"cell {cell} checks {next(iter(names))}, which the cell {answer} doesn't define"
        return
    if len(names) != 1:
        yield (
            f"cell {cell}: check() and grade() must get the same function or class, which the cell "
            f"{answer} defines; they get {' and '.join(sorted(names))}"
        )
    if not any("grade(" in line for line in region(graded.source, BEGIN_HIDDEN, END_HIDDEN)):
        yield (
            f"cell {cell}: grade() must be between ### BEGIN HIDDEN TESTS and "
            "### END HIDDEN TESTS: students check, they don't grade"
        )
    if BEGIN_SOLUTION not in solution.source:
        yield (
            f"cell {answer}: ### BEGIN SOLUTION and ### END SOLUTION must surround what "
            "students write: otherwise nbgrader would clear the whole cell"
        )
    elif names and not names <= defined_names(without_solutions(solution.source)):
        yield (
            f"cell {answer}: ### BEGIN SOLUTION is above the first line of "
            f"{' and '.join(sorted(names))}, so students wouldn't get that line: move it below"
        )


_NUMBERED = re.compile(r"^#{2,6}\s+(\d+)\b", re.MULTILINE)


def _pointing_nowhere(key: Key, source: NotebookNode) -> Iterator[str]:
    """Sections that hints refer to, but that are missing from a lesson with numbered sections."""
    texts = (cell.source for cell in source.cells if cell.cell_type == "markdown")
    there = {int(number) for text in texts for number in _NUMBERED.findall(text)}
    pointed = {key.exercise.section: "its section"}
    for known in key.mistakes:
        for hint in known.hints:
            pointed.setdefault(hint.section, f"the hint of {known.name!r}")
    for section in sorted(pointed.keys() - there) if there else ():
        yield (
            f"{pointed[section]} is {section}, but no heading of the lesson begins with that "
            f"number, as in ## {section}"
        )


_LINE = 20
"""Minimum length of a line that reveals something about a solution wherever it is."""


def given_away(source: NotebookNode, lesson: Path) -> Iterator[str]:
    """What students see besides the stubs, for a teacher to check: it may well be intended.

    Args:
        source: the notebook with solutions.
        lesson: its folder.

    Yields:
        Lines of a solution that can be read elsewhere in the notebook, and other files.
    """
    solved = {
        line.strip()
        for cell in source.cells
        for line in region(cell.source, BEGIN_SOLUTION, END_SOLUTION)
        if len(line.strip()) >= _LINE and not line.strip().startswith(("import ", "from ", "#"))
    }
    for cell in source.cells:
        for line in without_solutions(cell.source).splitlines():
            bare = line.strip(" #>`\t")
            # A stub's own code is intended, except for comments.
            if bare in solved and (line.strip() != bare or not is_solution(cell)):
                yield f"a line of the solution can be read in cell {cell.id}: {bare}"
    for path in sorted(path for path in lesson.rglob("*") if path.is_file()):
        if path.suffix != ".ipynb" and not {".ipynb_checkpoints", "__pycache__"} & {*path.parts}:
            yield f"also handed out: {path.relative_to(lesson)}"


def _instructors_files(course: CourseFolder) -> Iterator[str]:
    """Files in the students' package that import something from the instructors' package."""
    declared = course.declared
    for path in sorted(declared.folder.rglob("*.py")) if declared.package else ():
        try:
            tree = ast.parse(path.read_text("utf8"))
        except (SyntaxError, UnicodeDecodeError, OSError):
            continue  # named where it is imported
        taken = {
            name.partition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in (getattr(node, "module", None), *(alias.name for alias in node.names))
            if name
        }
        for package in sorted(taken & {"autograder", declared.keys}):
            yield f"{path} imports {package}, the instructors' package, but students get that file"


def _calls(cell: NotebookNode) -> Iterator[ast.Call]:
    for node in ast.walk(parse_code(cell.source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("check", "grade"):
            yield node
