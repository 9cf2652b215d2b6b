"""docs/add-an-exercise.md, followed to the letter in a copy of the checkout.

Every block of code goes where the page says, every command runs there. Only JupyterLab is played:
cells get what its Create Assignment writes.
"""

import os
import re
import shutil
import subprocess

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from autograder.audit.questions import EQUIVALENT
from autograder.cells import grade_id, is_autograded
from autograder.course_folder import CONFIG, CourseFolder
from autograder.simulate import read_expected
from tests.conftest import LESSON, REPOSITORY, copy_checkout
from tests.support.commands import BIN
from tests.support.graded import verdicts_in
from tests.support.pages import blocks

pytestmark = [pytest.mark.timeout(1800)]

PAGE = (REPOSITORY / "docs" / "add-an-exercise.md").read_text("utf8")
CELL = "attention_entropy"
RIGHT = "right_entropy_by_xlogy"
WRONG = ("wrong_entropy_in_bits", "wrong_entropy_of_columns", "wrong_entropy_of_zero")
NOTEBOOK = f"source/{LESSON}/{LESSON}.ipynb"

BLOCKS = list(blocks("add-an-exercise.md"))
END = re.compile(r"At the end of `([^`]+)`:")
NEW_FILE = re.compile(r"In the new file `([^`]+)`:")
QUOTED = re.compile(r"As in `([^`]+)`:")
NEW_CELL = re.compile(
    r"A (?P<kind>Markdown|code) cell, type \*(?P<type>[^*]+)\*(, ID `(?P<id>\w+)`)?"
    r"(, points (?P<points>\d+))?(, tag `(?P<tag>[\w-]+)`)?:"
)
SELECTED = re.compile(r"Select the last cell of section 5, which begins `([^`]+)`")
FLAGS = {
    "Autograded answer": {"grade": False, "locked": False, "solution": True},
    "Autograded tests": {"grade": True, "locked": True, "solution": False},
}
"""What Create Assignment writes for these types."""

ROW = re.compile(r"^\| ([^|]+) \| `autograder (\w+)` \| `(.+)` \|$", re.MULTILINE)
MESSAGES = {happened: says for happened, *says in ROW.findall(PAGE)}
"""The page's table: by what happened, the command that says so, and its message."""


def run(folder, *command, packages):
    """Run a command with other packages than the installed ones: those of one or more folders."""
    ours = ("COURSE_", "PYTEST_")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command,
        cwd=folder,
        env=clean | {"PATH": path, "PYTHONPATH": str(packages), "TF_CPP_MIN_LOG_LEVEL": "3"},
        capture_output=True,
        text=True,
        check=False,
    )


def copy_of_checkout(folder):
    """What git knows of, or would add."""
    copy_checkout(folder)
    # What is seen of the course in a sandbox is the installed one.
    with (folder / CONFIG).open("a") as config:
        config.write('c.ExecuteSubmission.sandbox = "none"\n')
    return folder


class Teacher:
    """Somebody who follows the page.

    Args:
        root: a copy of the checkout.
    """

    def __init__(self, root):
        self.root = root
        self.written = []
        self.said_by_check = ""
        self._selected = SELECTED.search(" ".join(PAGE.split()))[1]
        self._outputs = []

    @property
    def told(self):
        """All that the commands wrote."""
        return "".join(self._outputs)

    def follow(self, said, language, text):
        """Do what the page says about a block."""
        if language == "sh":
            self._run(text)
        elif language == "text" and said:
            self.said_by_check = text
        elif language == "text":
            self._compare(text)
        elif cell := NEW_CELL.fullmatch(said):
            self._add_cell(cell, text)
        elif quoted := QUOTED.fullmatch(said):
            assert (self.root / quoted[1]).read_text("utf8").endswith(text)
        else:
            self._write(said, text)

    def _run(self, command):
        finished = run(self.root, "bash", "-e", "-c", command, packages=self.root)
        self._outputs.append(finished.stdout + finished.stderr)
        assert finished.returncode == 0, f"{command}\n{self._outputs[-1]}"

    def _compare(self, text):
        for line in text.splitlines():
            parts = map(re.escape, line.split("..."))
            assert re.search(".*".join(parts), self._outputs[-1]), self._outputs[-1]

    def _write(self, said, text):
        place = next(place for place in (END, NEW_FILE) if place.fullmatch(said))
        name = place.fullmatch(said)[1]
        path = self.root / name
        assert path.is_file() == (place != NEW_FILE)
        before = "" if place == NEW_FILE else path.read_text("utf8")
        if before:
            before = before.rstrip("\n") + ("\n\n" if path.suffix == ".py" else "\n")
        path.write_text(before + text, "utf8")
        self.written.append(name)

    def _add_cell(self, asked, text):
        path = self.root / NOTEBOOK
        notebook = nbformat.read(path, as_version=4)
        made = new_markdown_cell if asked["kind"] == "Markdown" else new_code_cell
        cell = made(text.rstrip("\n"))
        if asked["type"] in FLAGS:
            marks = FLAGS[asked["type"]] | {"grade_id": asked["id"], "schema_version": 3}
            cell.metadata.nbgrader = marks | {"task": False}
        if asked["points"]:
            cell.metadata.nbgrader.points = int(asked["points"])
        if asked["tag"]:
            cell.metadata.tags = [asked["tag"]]
        if asked["kind"] == "code":
            # It was tried out before it was saved.
            cell.update(execution_count=1, outputs=[new_output("stream", text="tried")])
        (place,) = [n for n, c in enumerate(notebook.cells) if c.source.startswith(self._selected)]
        notebook.cells.insert(place + 1, cell)
        self._selected = cell.source
        nbformat.write(notebook, path)


@pytest.fixture(scope="module")
def teacher(tmp_path_factory):
    """A teacher who has followed the page to its end."""
    somebody = Teacher(copy_of_checkout(tmp_path_factory.mktemp("guide")))
    for block in BLOCKS:
        somebody.follow(block.lead, block.language, block.text)
    return somebody


def verdict_on(teacher, student):
    path = CourseFolder(teacher.root).autograded(student, LESSON)
    return verdicts_in(path)[f"test_{CELL}"]


def total(teacher):
    """What the lesson's graded cells are worth."""
    cells = nbformat.read(teacher.root / NOTEBOOK, as_version=4).cells
    return sum(cell.metadata.nbgrader.points for cell in cells if is_autograded(cell))


def test_students_get_the_new_task_without_its_solution(teacher):
    source = nbformat.read(teacher.root / NOTEBOOK, as_version=4)
    released = nbformat.read(CourseFolder(teacher.root).release(LESSON), as_version=4)
    assert all(cell.id == grade_id(cell) for cell in source.cells if grade_id(cell))
    cells = {cell.id: cell.source for cell in released.cells}
    assert "raise NotImplementedError" in cells[CELL]
    assert "ops.log" not in cells[CELL]
    assert cells[f"test_{CELL}"] == f'check("attention.{CELL}", {CELL})'
    assert list(cells) == [cell.id for cell in source.cells]


def test_a_right_answer_earns_everything(teacher):
    assert verdict_on(teacher, RIGHT).percent == 100
    assert f"{RIGHT}: {total(teacher):g} of {total(teacher):g} points" in teacher.told


@pytest.mark.parametrize("student", WRONG)
def test_a_wrong_answer_earns_what_its_file_states_and_gets_its_hint(teacher, student):
    path = teacher.root / "tests" / "submissions" / LESSON / f"{student}.py"
    stated = read_expected(path)[CELL]
    verdict = verdict_on(teacher, student)
    assert verdict.mistakes == (stated.mistake,)
    assert stated.contradicted(verdict) == ""
    assert verdict.percent < 100
    earned = total(teacher) - 1 + verdict.points(1)
    assert f"{student}: {earned:g} of {total(teacher):g} points" in teacher.told
    (hint,) = verdict.hints
    on_the_page = re.sub(r'"\n +"', "", PAGE)
    assert f'"{stated.mistake}",\n    "{hint.removesuffix(" See section 5.")}"' in on_the_page


def test_the_students_own_check_says_what_the_page_says(teacher):
    answer = teacher.root / "tests" / "submissions" / LESSON / "wrong_entropy_of_zero.py"
    code = f"""
from keras import ops
from course import check
from selfcheck.checks import CheckFailed
exec(open({str(answer)!r}).read())
try:
    check("attention.{CELL}", {CELL})
except CheckFailed as failed:
    print(failed)
"""
    finished = run(teacher.root, "python", "-c", code, packages=teacher.root)
    assert finished.stdout == teacher.said_by_check, finished.stderr


def test_the_feedback_page_shows_the_hint(teacher):
    page = CourseFolder(teacher.root).feedback("wrong_entropy_of_zero", LESSON).read_text("utf8")
    assert "what can stand in its place there, so that it adds nothing?" in page


def test_what_the_page_writes_is_in_the_style_of_the_project(teacher):
    written = (name for name in teacher.written if name.endswith(".py"))
    code = {name for name in written if not name.startswith("tests/")}
    assert len(code) == 2
    for command in (["check"], ["format", "--check", "--diff"]):
        finished = run(teacher.root, "ruff", *command, *code, NOTEBOOK, packages=teacher.root)
        assert finished.returncode == 0, finished.stdout + finished.stderr


ANSWERS = f"tests/submissions/{LESSON}"
PACKAGES = "packages"


@pytest.fixture
def course(teacher, tmp_path):
    """A course folder whose one task is the new one, with what students import beside it."""
    shutil.copy(teacher.root / CONFIG, tmp_path)
    shutil.copytree(teacher.root / "course", tmp_path / PACKAGES / "course")
    (tmp_path / ANSWERS).mkdir(parents=True)
    for name in (f"{RIGHT}.py", *(f"{student}.py" for student in WRONG), EQUIVALENT):
        shutil.copy(teacher.root / ANSWERS / name, tmp_path / ANSWERS)
    notebook = nbformat.read(teacher.root / NOTEBOOK, as_version=4)
    kept = (None, "setup", CELL, f"test_{CELL}")
    notebook.cells = [cell for cell in notebook.cells if grade_id(cell) in kept]
    (tmp_path / NOTEBOOK).parent.mkdir(parents=True)
    nbformat.write(notebook, tmp_path / NOTEBOOK)
    return tmp_path


def change_cells(course, change):
    notebook = nbformat.read(course / NOTEBOOK, as_version=4)
    cells = {cell.id: cell for cell in notebook.cells}
    change(cells)
    notebook.cells = list(cells.values())
    nbformat.write(notebook, course / NOTEBOOK)


def without_the_last_line(course):
    path = course / PACKAGES / "course" / "exercises" / "attention" / f"{CELL}.py"
    kept, last = path.read_text("utf8").rstrip("\n").rsplit("\n", 1)
    assert last == "EXERCISE = AttentionEntropy()"
    path.write_text(kept, "utf8")


def without_the_graded_cell(course):
    change_cells(course, lambda cells: cells.pop(f"test_{CELL}"))


def with_another_id(course):
    change_cells(course, lambda cells: cells[CELL].metadata.nbgrader.update(grade_id="entropy"))


def with_another_id_of_the_graded_cell(course):
    marks = {"grade_id": "test_entropy"}
    change_cells(course, lambda cells: cells[f"test_{CELL}"].metadata.nbgrader.update(marks))


def with_a_misspelt_name(course):
    def misspell(cells):
        cell = cells[f"test_{CELL}"]
        cell.source = cell.source.replace('"attention.attention_', '"attention.atention_')

    change_cells(course, misspell)


def with_outputs(course):
    change_cells(course, lambda cells: cells[CELL].outputs.append(new_output("stream")))


def with_a_mutant_that_nobody_explains(course):
    (course / ANSWERS / EQUIVALENT).unlink()


def change_an_answer(course, before, after):
    path = course / ANSWERS / "wrong_entropy_of_zero.py"
    assert before in path.read_text("utf8")
    path.write_text(path.read_text("utf8").replace(before, after), "utf8")


def with_another_aspect(course):
    change_an_answer(course, "- a weight of 0 adds nothing", "- the numbers are right")


def with_another_mistake(course):
    change_an_answer(course, "mistake: log_of_zero", "mistake: in_bits")


SPOILED = {
    "the exercise's file doesn't end with `EXERCISE = ...`": without_the_last_line,
    "there is an exercise, but no graded cell": without_the_graded_cell,
    "the answer's cell has a different ID": with_another_id,
    "the graded cell has a different ID": with_another_id_of_the_graded_cell,
    "a name is misspelt in the graded cell": with_a_misspelt_name,
    "the notebook was saved with outputs": with_outputs,
    "a mutant of the solution loses no points": with_a_mutant_that_nobody_explains,
    "a file states that other aspects fail": with_another_aspect,
    "a file names a different mistake from the verdict's": with_another_mistake,
}


# What the audit finds does not get into its way, and it takes longest.
ONE_BY_ONE = [[happened] for happened, (command, _) in MESSAGES.items() if command != "audit"]
TOGETHER = [happened for happened, (command, _) in MESSAGES.items() if command == "audit"]


@pytest.mark.parametrize("happened", [*ONE_BY_ONE, TOGETHER], ids=" and ".join)
def test_what_goes_wrong_is_said_as_the_page_says(teacher, course, happened):
    for one in happened:
        SPOILED[one](course)
    packages = f"{course / PACKAGES}{os.pathsep}{teacher.root}"
    finished = run(course, "autograder", MESSAGES[happened[0]][0], LESSON, packages=packages)
    # A teacher may drop an exercise on purpose.
    assert (finished.returncode == 0) == (SPOILED[happened[0]] is without_the_graded_cell)
    for one in happened:
        assert MESSAGES[one][1] in finished.stdout + finished.stderr


def test_all_that_goes_wrong_is_tried():
    assert MESSAGES.keys() == SPOILED.keys()
