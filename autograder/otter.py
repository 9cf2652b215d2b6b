"""A lesson from an assignment for Otter-Grader: from the notebook that ``otter assign`` reads.

Nothing in it is executed. Both of Otter's formats are read: blocks between raw cells, and the older
one, whose questions begin in Markdown. The formats are described in Otter-Grader's documentation,
under "Otter Assign".
"""

from __future__ import annotations

import ast
import copy
import re
import shutil
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import nbformat
import yaml
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from autograder.cells import (
    BEGIN_HIDDEN,
    BEGIN_SOLUTION,
    END_HIDDEN,
    END_SOLUTION,
    syntax_error,
    without_solutions,
)
from autograder.course_folder import CourseFolder, check_lesson_name
from autograder.errors import CourseError
from autograder.release.generate import read_source_notebook

_KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


@dataclass(frozen=True)
class Imported:
    """The result of importing an assignment.

    Args:
        lesson: its name here.
        path: the lesson's notebook.
        questions: the number of questions.
        by_machine: points of test cells, by grade id.
        by_hand: points of manually graded answers, by grade id.
        files: files that were copied next to the notebook.
        remarks: what was left out or differs from Otter, one sentence each.
    """

    lesson: str
    path: Path
    questions: int
    by_machine: Mapping[str, float]
    by_hand: Mapping[str, float]
    files: Sequence[str]
    remarks: Sequence[str]

    def report(self) -> list[str]:
        """The summary for the instructor."""
        machine, hand = sum(self.by_machine.values()), sum(self.by_hand.values())
        return [
            f"{self.path}: {_counted(self.questions, 'question')}, "
            f"{_counted(machine + hand, 'point')}: {_number(machine)} by machine, "
            f"{_number(hand)} by hand ({', '.join(self.by_hand) or 'nothing'}).",
            *([f"Copied next to the notebook: {', '.join(self.files)}."] if self.files else []),
            *self.remarks,
        ]


def _counted(number: float, what: str) -> str:
    return f"{_number(number)} {what}{'' if number == 1 else 's'}"


def _number(points: float) -> str:
    return f"{round(points, 5):g}"


def import_otter(course: CourseFolder, notebook: Path) -> Imported:
    """Make a lesson of a notebook for ``otter assign``, which stays as it is.

    Args:
        course: the course folder.
        notebook: the notebook; the lesson gets its name.

    Raises:
        CourseError: when the lesson already exists, or Otter couldn't read the notebook.
    """
    lesson = notebook.stem
    check_lesson_name(lesson)
    target = course.source(lesson)
    if target.parent.exists():
        raise CourseError(f"{target.parent} already exists: rename it or the notebook.")
    master = _read(notebook)
    made = _Lesson({cell.id for cell in master.cells})
    made.convert(master.cells, notebook.parent)
    if not made.questions:
        raise CourseError(
            f"{notebook} has no question: import the notebook that `otter assign` reads, "
            "not one that it made."
        )
    master.cells = made.cells
    files = list(_files(notebook, made.config.get("files") or []))
    target.parent.mkdir(parents=True)
    for name in files:
        _copy(notebook.parent / name, target.parent / name)
    nbformat.write(master, target)
    remarks = [*made.remarks, *(f"Left out: {what} ({n})." for what, n in made.dropped.items())]
    return Imported(
        lesson, target, len(made.questions), made.by_machine, made.by_hand, files, remarks
    )


def _read(notebook: Path) -> NotebookNode:
    """The notebook, if it's for Python, with ids for its cells."""
    if notebook.suffix != ".ipynb":
        raise CourseError(
            f"{notebook} isn't a Jupyter notebook, and only notebooks can be imported."
        )
    master = read_source_notebook(notebook)
    kernel = master.metadata.setdefault("kernelspec", _KERNEL)
    told = master.metadata.get("language_info", {}).get("name", "python")
    if "python" not in (language := kernel.get("language", told)).lower():
        raise CourseError(f"{notebook} is for {language}: only Python can be imported.")
    master.metadata.pop("otter", None)
    return nbformat.v4.upgrade(master)


def _files(notebook: Path, names: str | list[str]) -> Iterator[str]:
    """The files that the assignment's ``files`` names, relative to the notebook's folder."""
    folder = notebook.parent.resolve()
    for name in [names] if isinstance(names, str) else names:
        path = (folder / str(name)).resolve()
        if not path.exists() or folder not in path.parents or path == notebook.resolve():
            raise CourseError(f"files: {name} isn't in {folder}, beside the notebook.")
        yield str(path.relative_to(folder))


def _copy(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.copytree(path, to, dirs_exist_ok=True)
    else:
        shutil.copyfile(path, to)


# --- blocks ---------------------------------------------------------------------------------------

_CONFIG = re.compile(r"#\s+assignment\s+config\b", re.I)
_EDGE = re.compile(r"#\s+(begin|end)\s+(question|prompt|solution|tests)\b", re.I)
_FENCE = re.compile(r"^```otter[ \t]*\n(.*?)^```[ \t]*$\n?", re.M | re.S)

_OLD_FENCE = re.compile(
    r"^```[ \t]*\nBEGIN (ASSIGNMENT|QUESTION)\b(.*?)^```[ \t]*$\n?", re.M | re.S
)
_OLD_TEST = re.compile(r"#+\s*(hidden\s+)?test\b|.{,8}#\s*BEGIN\s*TEST\s*CONFIG", re.I)
_OLD_SOLUTION = re.compile(r"^(<strong>|\*\*)solution:?(</strong>|\*\*)", re.I | re.M)


@dataclass
class _Question:
    """A question's configuration, and its cells, each with the block that it's in."""

    config: dict[str, Any]
    parts: list[tuple[str, NotebookNode]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return str(self.config["name"])

    def cells(self, block: str) -> list[NotebookNode]:
        return [cell for where, cell in self.parts if where == block]


def _settings(text: str) -> dict[str, Any]:
    """Parse the YAML below one of Otter's markers."""
    try:
        settings = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise CourseError(f"Otter could not read this as YAML:\n{text}\n{error}") from error
    if not isinstance(settings, dict):
        raise CourseError(f"Otter expects names with values here:\n{text}")
    return settings


def _unfenced(cells: Iterable[NotebookNode]) -> Iterator[NotebookNode]:
    """The cells, with raw cells in place of Otter's fences in Markdown."""
    for cell in cells:
        if cell.cell_type != "markdown" or not _FENCE.search(cell.source):
            yield cell
            continue
        for number, part in enumerate(_FENCE.split(cell.source)):
            if part.strip():
                yield new_raw_cell(part) if number % 2 else _part(cell, part)


def _part(cell: NotebookNode, text: str) -> NotebookNode:
    """A part of a Markdown cell, with its pasted pictures."""
    pasted = {key: cell[key] for key in cell.keys() & {"attachments"}}
    return new_markdown_cell(text.strip(), **pasted)


def _newer(cells: Iterable[NotebookNode]) -> Iterator[NotebookNode]:
    """Convert cells of the older format to the newer one's blocks.

    In the older format, a question begins in Markdown, and ends with its solution and tests.
    """
    question: dict[str, Any] | None = None
    answered = False

    def block(kind: str, cell: NotebookNode) -> list[NotebookNode]:
        return [new_raw_cell(f"# BEGIN {kind}"), cell, new_raw_cell(f"# END {kind}")]

    for cell in cells:
        fence = _OLD_FENCE.search(cell.source) if cell.cell_type == "markdown" else None
        test = cell.cell_type == "code" and _OLD_TEST.match(cell.source)
        if question is not None and (fence or (answered and not test)):
            yield new_raw_cell("# END QUESTION")
            question = None
        if fence:
            settings = fence[2]
            if fence[1] == "QUESTION":
                question, answered = _settings(settings), False
            mark = "BEGIN QUESTION" if question else "ASSIGNMENT CONFIG"
            yield new_raw_cell(f"# {mark}{settings}")
            if (text := _OLD_FENCE.sub("", cell.source)).strip():
                yield _part(cell, text)
        elif question is None:
            yield cell
        elif test:
            answered = True
            yield from block("TESTS", cell)
        elif (
            question.get("manual")
            and cell.cell_type == "markdown"
            and not _OLD_SOLUTION.search(cell.source)
        ):
            yield from block("PROMPT", cell)
        else:
            answered = True
            yield from block("SOLUTION", cell)
    if question is not None:
        yield new_raw_cell("# END QUESTION")


def _blocks(cells: Iterable[NotebookNode]) -> Iterator[NotebookNode | _Question]:
    """Cells outside of questions, and questions, in order."""
    opened: list[str] = []
    question = _Question({})
    for cell in cells:
        edge = _EDGE.match(cell.source) if cell.cell_type == "raw" else None
        if not edge:
            if opened:
                question.parts.append((opened[-1], cell))
            else:
                yield cell
            continue
        which, block = edge[1].lower(), edge[2].lower()
        around = [block] if which == "end" else ["question"] if block != "question" else []
        if opened[-1:] != around:
            after = question.config.get("name", "the beginning")
            raise CourseError(
                f"{edge[0]}, after {after}, is out of place: Otter doesn't expect it there."
            )
        if which == "begin":
            opened.append(block)
            if block == "question":
                question = _Question(_settings(cell.source))
                if "name" not in question.config:
                    raise CourseError(f"A question has no name:\n{cell.source}")
        elif opened.pop() == "question":
            yield question
    if opened:
        raise CourseError(f"{question.name} has no # END {opened[-1].upper()}.")


# --- lines ----------------------------------------------------------------------------------------

_IGNORED = "marked # IGNORE"
_IGNORED_CELL = re.compile(r"\A(##\s*ignore\s*##|#\s*ignore)[ \t]*(\n.*)?\Z", re.I | re.S)
_PLUGIN = re.compile(r"#\s+plugin\b", re.I)
_DROPPED = (
    (re.compile(r"^[^\n]*# BEGIN IGNORE\b.*?# END IGNORE[^\n]*\n?", re.M | re.S), _IGNORED),
    (re.compile(r"^.*# IGNORE[ \t]*$\n?", re.M), _IGNORED),
    (re.compile(r"^[^\n]*# BEGIN PLUGIN\b.*?# END PLUGIN[^\n]*\n?", re.M | re.S), "plugins"),
    (
        re.compile(r"^(import otter\b|from otter\b|\w+\s*=\s*otter\.|grader\.\w+\().*\n?", re.M),
        "Otter's own lines, such as grader.check",
    ),
)

_MARK = re.compile(r"[ \t]*#\s*SOLUTION\b(?P<quiet> NO PROMPT)?.*$")
_SEED = re.compile(r"#\s*SEED\s*$", re.M)
_BEGIN, _END = re.compile(r"\s*#\s*BEGIN SOLUTION\b"), re.compile(r".*#\s*END SOLUTION\s*$")
_PROMPT = re.compile(r".*#\s*(BEGIN|END) PROMPT\s*$")
_TARGET = r"[\w.]+(?:\[[^\]]*\])*"
_ASSIGNED = re.compile(rf"\s*{_TARGET}(?:,\s*{_TARGET})*\s*=(?!=)")


@dataclass(frozen=True)
class _Line:
    """A line of a solution cell, without Otter's marker.

    Args:
        kind: "given", "solution", or "prompt", which students get instead of a solution.
        text: the line with its indentation.
        indent: the indentation of the line, or of the marker before it.
    """

    kind: str
    text: str
    indent: int


def _lines(source: str) -> Iterator[_Line]:
    block, outer = "", 0
    for text in source.splitlines():
        indent = len(text) - len(text.lstrip())
        begins, ends, prompt = _BEGIN.match(text), _END.match(text), _PROMPT.match(text)
        if not block and (begins or prompt):
            block, outer = "solution" if begins else "prompt", indent
        elif (block == "solution" and ends) or (block == "prompt" and prompt):
            block = ""
        elif begins or ends:
            raise CourseError(
                f"{text.strip()} is out of place; Otter doesn't expect it in:\n{source}"
            )
        elif block:
            yield _Line(block, text, outer)
        elif mark := _MARK.search(text):
            code = text[: mark.start()]
            assigned = _ASSIGNED.match(code)
            if assigned and not mark["quiet"]:
                yield _Line("prompt", f"{assigned[0]} ...", indent)
            yield _Line("solution", code, indent)
        else:
            yield _Line("given", text, indent)
    if block:
        raise CourseError(f"A {block} doesn't end in this cell:\n{source}")


def _is_marked(code: str) -> bool:
    """Whether students get only a part of the code."""
    return any(line.kind != "given" for line in _lines(code))


def _is_included(cell: NotebookNode) -> bool:
    """Whether students get a solution cell unchanged."""
    return cell.cell_type == "markdown" and "otter_include" in cell.metadata.get("tags", [])


def _commented(code: str) -> Iterator[str]:
    for line in code.splitlines():
        bare = line.lstrip()
        yield line if not bare or bare[0] == "#" else line[: -len(bare)] + f"# {bare}"


def _with_regions(source: str) -> str:
    """A solution cell with nbgrader's solution comments.

    Otter's prompt becomes a comment above the solution. As code, ``df = ...`` would overwrite the
    variable from which the solution, ``df = df.dropna()``, starts.
    """
    groups: list[list[_Line]] = []
    for line in _lines(source):
        first = groups[-1][0] if groups else None
        alike = first and (first.kind == "given") == (line.kind == "given")
        if first and alike and line.indent >= first.indent:
            groups[-1].append(line)
        else:
            groups.append([line])
    written: list[str] = []
    for group in groups:
        written += [line.text for line in group if line.kind == "given"]
        written += _commented("\n".join(line.text for line in group if line.kind == "prompt"))
        if solution := [line.text for line in group if line.kind == "solution"]:
            indent = " " * next(line.indent for line in group if line.kind == "solution")
            written += [indent + BEGIN_SOLUTION, *solution, indent + END_SOLUTION]
    return "\n".join(written)


# --- tests ----------------------------------------------------------------------------------------

_QUOTES = r"(?:\"{1,3}|'{1,3})"
_TEST_CONFIG = re.compile(
    rf"\s*(?:.\s*=\s*)?{_QUOTES}\s*#\s*BEGIN\s*TEST\s*CONFIG[^\n]*\n(.*?)"
    rf"^{_QUOTES};?\s*#\s*END\s*TEST\s*CONFIG[^\n]*\n?",
    re.I | re.M | re.S,
)
_TEST_HEAD = re.compile(r"\s*#(?:[^\n]*\bhidden\b|#*\s*test\b)[^\n]*\n?", re.I)


@dataclass(frozen=True)
class _Test:
    """A test cell.

    Args:
        code: the test, written with asserts.
        problem: why there is no code, if so.
        hidden: whether it's hidden from students.
        points: its own points, if any.
        unsaid: how many of its messages are never shown.
        warns: whether it wrote to stderr.
    """

    code: str
    problem: str
    hidden: bool
    points: Any
    unsaid: int
    warns: bool

    @property
    def source(self) -> str:
        return f"{BEGIN_HIDDEN}\n{self.code}\n{END_HIDDEN}" if self.hidden else self.code


class _Unclear(Exception):
    """It's unknown what a test expects."""


def _test(cell: NotebookNode, functions: bool) -> _Test:
    """Read a test cell.

    Args:
        cell: as Otter has it.
        functions: whether tests are functions that raise, regardless of their names.
    """
    if found := _TEST_CONFIG.match(cell.source):
        settings = _settings(found[1])
    else:
        found = _TEST_HEAD.match(cell.source)
        settings = {"hidden": bool(found and "hidden" in found[0].lower())}
    code = cell.source[found.end() :] if found else cell.source
    success, failure = settings.get("success_message"), settings.get("failure_message")
    problem = ""
    points = settings.get("points")
    try:
        code, points = _undecorated(code.strip(), points)
        code = _asserting(code, cell, failure, functions)
    except SyntaxError:
        problem = "isn't plain Python"
    except _Unclear as error:
        problem = str(error)
    unsaid = bool(success) + bool(failure and repr(failure) not in code)
    warns = any(output.get("name") == "stderr" for output in cell.outputs)
    return _Test(code, problem, bool(settings.get("hidden")), points, unsaid, warns)


def _undecorated(code: str, points: Any) -> tuple[str, Any]:
    """A test function without Otter's ``@test_case(...)``, and the points set there."""
    function = next(iter(ast.parse(code).body), None)
    if not isinstance(function, ast.FunctionDef):
        return code, points
    for mark in function.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func).split(".")[-1] == "test_case":
            given = {each.arg: each.value for each in mark.keywords}.get("points")
            if isinstance(given, ast.Constant):
                points = given.value
            code = "\n".join(code.splitlines()[function.lineno - 1 :])
    return code, points


def _asserting(code: str, cell: NotebookNode, message: str | None, functions: bool) -> str:
    """A test's code, with asserts in place of Otter's comparison with outputs."""
    body = ast.parse(code).body
    if not body:
        raise _Unclear("is empty")
    function, last = body[0], body[-1]
    if isinstance(function, ast.FunctionDef) and (functions or not cell.outputs):
        called = len(body) == 2 and _calls(last, function.name)
        if (len(body) == 1 or called) and (functions or function.name.startswith("test")):
            return f"{(_before(code, last) if called else code).rstrip()}\n\n{_call(function)}"
    if functions:
        raise _Unclear("isn't a single function")
    value, printed = _outputs(cell)
    because = f", {message!r}" if message else ""
    if printed:
        line = [each for each in body if each.lineno == last.lineno]
        return f"{_before(code, line[0])}{_printing(line, value, printed)}{because}"
    if isinstance(last, ast.Expr):
        return f"{_before(code, last)}assert {_expected(last.value, value, cell)}{because}"
    return code


def _outputs(cell: NotebookNode) -> tuple[str | None, str]:
    """The value that a test cell left, as text, and what it printed."""
    value, printed = None, ""
    for output in cell.outputs:
        if output.output_type == "execute_result" and "text/plain" in output.data:
            value = output.data["text/plain"]
        elif output.get("name") == "stdout":
            printed += output.text
        elif output.get("name") != "stderr":
            left = "stopped with an error" if output.output_type == "error" else "showed a picture"
            raise _Unclear(f"{left} in the saved notebook")
    return value, printed


def _expected(expression: ast.expr, value: str | None, cell: NotebookNode) -> str:
    """The condition that a test's last line has the same value as in the notebook.

    Otter compares representations: 9.0 isn't 9. A student may have redefined ``repr``.
    """
    shown = ast.unparse(expression)
    if value == "True" and isinstance(expression, ast.Compare):
        return shown
    if value in ("True", "False"):
        return f"'%s' % ({shown},) == {value!r}"  # NumPy's own are shown differently since 2.0
    if value is not None:
        return f"'%r' % ({shown},) == {value!r}"
    if cell.execution_count:
        return ast.unparse(ast.Compare(expression, [ast.Is()], [ast.Constant(None)]))
    raise CourseError(
        f"The test `{shown}` was never run, and Otter compares with its output: run the "
        "notebook with its solutions and save it, then import it."
    )


def _printing(line: Sequence[ast.stmt], value: str | None, printed: str) -> str:
    """The statements of a line, and an assert that they print the same as in the notebook."""
    statements = [ast.unparse(each) for each in line]
    check = f"_printed.getvalue() == {printed!r}"
    if isinstance(line[-1], ast.Expr):
        statements[-1] = f"_value = {statements[-1]}"
        check += " and _value is None" if value is None else f" and '%r' % (_value,) == {value!r}"
    run = textwrap.indent("\n".join(statements), "    ")
    return (
        "from contextlib import redirect_stdout\nfrom io import StringIO\n\n"
        f"with redirect_stdout(StringIO()) as _printed:\n{run}\n"
        f"assert {check}"
    )


def _before(code: str, last: ast.stmt) -> str:
    """The code before its last statement."""
    lines = code.splitlines()[: last.lineno]
    begun = lines.pop().encode()[: last.col_offset].decode().rstrip("; \t")
    before = "\n".join([*lines, begun]).rstrip()
    return f"{before}\n" if before else ""


def _calls(statement: ast.stmt, name: str) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Name)
        and statement.value.func.id == name
    )


def _call(function: ast.FunctionDef) -> str:
    """A call with the notebook's variables of the parameters' names, as Otter makes it."""
    names = [each.arg for each in (*function.args.args, *function.args.kwonlyargs)]
    given = (f"{name}={'globals()' if name == 'env' else name}" for name in names)
    return f"{function.name}({', '.join(given)})"


def _shares(name: str, points: Any, own: Sequence[Any]) -> list[float]:
    """The points of a question's tests, distributed as Otter does.

    Args:
        name: the question's name.
        points: a number, a list of numbers, ``{each: number}``, or None.
        own: each test's own points, or None.
    """
    if isinstance(points, dict):
        points = points.get("each", 1) * len(own)
    if isinstance(points, list):
        if len(points) != len(own):
            raise CourseError(f"{name} has {len(points)} points for {len(own)} tests.")
        points, own = None, points
    for number in (points, *own):
        if not (number is None or (type(number) in (int, float) and number >= 0)):
            raise CourseError(f"{name}: {number!r} isn't a number of points.")
    settled = sum(number or 0 for number in own)
    rest = (settled or 1 if points is None else points) - settled
    if rest < 0:
        raise CourseError(f"{name}: its tests have more points than the question.")
    each = rest / max(1, own.count(None))
    return [each if number is None else number for number in own]


# --- the lesson -----------------------------------------------------------------------------------


_USED = {"config_file", "files", "name", "strip_solutions_from_all_cells", "tests"}
"""Entries of the assignment's configuration that are used."""


class _Lesson:
    """Collects the cells of a lesson while it's being made.

    Args:
        taken: ids that are already in use.
    """

    def __init__(self, taken: set[str]) -> None:
        self.cells: list[NotebookNode] = []
        self.config: dict[str, Any] = {}
        self.questions: list[str] = []
        self.by_machine: dict[str, float] = {}
        self.by_hand: dict[str, float] = {}
        self.remarks: list[str] = []
        self.dropped: Counter[str] = Counter()
        self._taken = taken

    def convert(self, cells: Iterable[NotebookNode], folder: Path) -> None:
        """Convert the notebook's cells and add them."""
        cells = list(_unfenced(cells))
        if any(each.cell_type == "markdown" and _OLD_FENCE.search(each.source) for each in cells):
            cells = list(_newer(cells))
        for part in _blocks(filter(self._kept, cells)):
            if isinstance(part, _Question):
                self._question(part)
            elif part.cell_type == "raw" and _CONFIG.match(part.source):
                self._configure(_settings(part.source), folder)
            else:
                self._given(part)

    def _kept(self, cell: NotebookNode) -> bool:
        """Remove from a cell what isn't for students; return whether anything is left."""
        before = cell.source
        if _IGNORED_CELL.match(before):
            self.dropped[_IGNORED] += 1
            return False
        if cell.cell_type == "raw" and _PLUGIN.match(before):
            self.dropped["plugins"] += 1
            return False
        if cell.cell_type == "code":
            for pattern, label in _DROPPED:
                cell.source, found = pattern.subn("", cell.source)
                self.dropped.update({label: found} if found else {})
        return cell.source == before or bool(re.search(r"^\s*[^#\s]", cell.source, re.M))

    def _configure(self, settings: dict[str, Any], folder: Path) -> None:
        if file := settings.get("config_file"):
            try:
                settings = _settings((folder / file).read_text("utf8")) | settings
            except OSError as error:
                raise CourseError(f"config_file: {file} can't be read: {error}") from error
        self.config |= settings
        for name in sorted(settings.keys() - _USED):
            self.remarks.append(f"{name}, in the assignment's configuration, isn't used.")

    def _given(self, cell: NotebookNode, name: str = "") -> None:
        """Add a cell for students, without its solutions; locked if it has a name."""
        if cell.cell_type == "code" and _is_marked(cell.source):
            cell.source = self._answer(cell, "", name or "A cell outside of questions")
            self._add(cell, "answer", solution=True)
        elif cell.cell_type == "raw" or not name:
            self._add(cell)
        else:
            self._add(cell, name, locked=True)

    def _add(self, cell: NotebookNode, name: str = "", **marks: Any) -> None:
        """Add a cell, with nbgrader metadata if it has a name."""
        added = copy.deepcopy(cell)
        if cell.cell_type == "code":
            added.outputs, added.execution_count = [], None
        for owner in ("nbgrader", "otter"):
            added.metadata.pop(owner, None)
        if tags := added.metadata.pop("tags", None):
            added.metadata.tags = [tag for tag in tags if not tag.startswith("otter_")]
        if name:
            added.id = self._unique(name)
            roles = {"grade": "points" in marks, "locked": False, "solution": False, "task": False}
            added.metadata.nbgrader = {"schema_version": 3, "grade_id": added.id} | roles | marks
        if "points" in marks:
            graded = self.by_hand if marks.get("solution") else self.by_machine
            graded[added.id] = marks["points"]
        self.cells.append(added)

    def _unique(self, wanted: str) -> str:
        plain = re.sub(r"[^A-Za-z0-9_-]", "_", wanted)[:50]
        ids = (plain if number == 1 else f"{plain}_{number}" for number in count(1))
        free = next(each for each in ids if each not in self._taken)
        self._taken.add(free)
        return free

    def _question(self, question: _Question) -> None:
        name = question.name
        if name in self.questions:
            raise CourseError(f"Two questions have the name {name}: give each its own.")
        self.questions.append(name)
        manual = bool(question.config.get("manual"))
        if manual and not question.cells("solution"):
            question.parts.append(("solution", new_markdown_cell()))
        answers = self._answers(question, manual)
        points = (question.config.get("points") or 0) if manual else 0
        shares = _shares(name, points, [None] * len(answers))
        marks = {"points": shares[0]} if manual else {}
        prompts = {cell.cell_type: "" for cell in answers}
        for block, cell in question.parts:
            kind = cell.cell_type
            if cell in answers:
                cell.source = self._answer(cell, prompts[kind], name)
                self._add(cell, name, solution=True, **marks)
                prompts[kind] = ""
            elif block == "prompt" and kind in prompts:
                prompts[kind] += f"{cell.source}\n"
            elif block == "solution" and kind == "markdown" and not _is_included(cell):
                self.remarks.append(f"{name}: the Markdown in its solution is left out.")
            elif block != "tests":
                self._given(cell, f"{name}_text" if block == "question" else "")
        self._tests(question, manual)
        if question.config.get("export"):
            self.remarks.append(f"{name}: export isn't used.")

    def _answers(self, question: _Question, manual: bool) -> list[NotebookNode]:
        """The cells of the solution in which students answer."""
        solution = question.cells("solution")
        code = [cell for cell in solution if cell.cell_type == "code"]
        marked = [cell for cell in code if _is_marked(cell.source)]
        if code and not marked:
            self.remarks.append(
                f"{question.name}: no line of its solution's code is marked # SOLUTION, so "
                "students get none of it; Otter would give them all of it."
            )
        texts = [cell for cell in solution if cell.cell_type == "markdown" and manual]
        return (marked or code) + [cell for cell in texts if not _is_included(cell)]

    def _answer(self, cell: NotebookNode, prompt: str, name: str) -> str:
        """A solution cell, with nbgrader's solution comments if students get a part of it."""
        if cell.cell_type == "markdown":
            marked = "\n".join([prompt, BEGIN_SOLUTION, cell.source, END_SOLUTION])
            return marked if prompt else cell.source
        if _SEED.search(cell.source):
            self.remarks.append(f"{name}: students see its random seed (# SEED).")
        source = _with_regions(cell.source)
        if syntax_error(without_solutions(source)):
            self.remarks.append(
                f"{name}: students get none of its code, because part of it isn't Python."
            )
            inner = (line.text for line in _lines(cell.source) if line.kind != "prompt")
            source = "\n".join([BEGIN_SOLUTION, *inner, END_SOLUTION])
        return "\n".join([*_commented(prompt), source])

    def _tests(self, question: _Question, manual: bool) -> None:
        """Add a question's tests, each with its points."""
        name = question.name
        if any(cell.cell_type != "code" for cell in question.cells("tests")):
            raise CourseError(f"{name} has a test that isn't code.")
        stored = self.config.get("tests")
        functions = isinstance(stored, dict) and stored.get("ok_format") is False
        tests = [_test(cell, functions) for cell in question.cells("tests")]
        own = [0 if manual else test.points for test in tests]
        points = _shares(name, None if manual else question.config.get("points"), own)
        if not (tests or manual):
            self.remarks.append(f"{name} has no tests and isn't graded by hand: it earns nothing.")
        if tests and manual:
            self.remarks.append(f"{name} is graded by hand: its tests earn nothing.")
        if question.config.get("check_cell") is False and not all(test.hidden for test in tests):
            self.remarks.append(f"{name}: students see its public tests despite check_cell.")
        cells = []
        for number, (test, worth) in enumerate(zip(tests, points, strict=True), 1):
            self._remark(f"{name}: test {number} ({_counted(worth, 'point')})", test)
            cells += [] if test.problem else [(test.source, worth)]
        if tests and not (cells or manual):
            self.remarks.append(f"{name} has no test left: it earns nothing.")
        if question.config.get("all_or_nothing") and cells:
            sources, shares = zip(*cells, strict=True)
            cells = [("\n\n".join(sources), sum(shares))]
        for source, worth in cells:
            self._add(new_code_cell(source), f"test_{name}", locked=True, points=worth)

    def _remark(self, which: str, test: _Test) -> None:
        """Note how a test differs from what it was in Otter."""
        if test.problem:
            self.remarks.append(f"{which} {test.problem}, and is left out.")
        elif test.warns:
            self.remarks.append(f"{which} wrote to stderr, and nbgrader gives no points for that.")
        if test.unsaid and not test.problem:
            self.dropped["tests' messages"] += test.unsaid
