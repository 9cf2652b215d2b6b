"""What the lesson gives is the lesson's: habits of students that cost nothing, or their own task.

A class, each with right answers and one habit, is graded once with the installed command's code.
"""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from autograder.cells import grade_id
from autograder.course_folder import CourseFolder
from autograder.feedback.sanitize_html import without_places
from autograder.grading.results import read_row
from autograder.release.generate import release
from autograder.simulate import REFERENCE, simulate
from tests.conftest import QUICK_LESSON, REPOSITORY, write_configuration

TASKS = ("find_emails", "tokenize", "label_encode")
TESTS = tuple(f"test_{task}" for task in TASKS)
HELPER = "def addresses_in(text):\n    return re.findall(r'[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+', text)"


def place(notebook, name):
    return next(n for n, cell in enumerate(notebook.cells) if cell.id == name)


def cell_of(notebook, name):
    return notebook.cells[place(notebook, name)]


def first_line(line, name="setup"):
    def habit(notebook):
        cell = cell_of(notebook, name)
        cell.source = f"{line}\n{cell.source}"

    return habit


def last_line(line, name="setup"):
    def habit(notebook):
        cell_of(notebook, name).source += f"\n{line}"

    return habit


def without_setup(notebook):
    del notebook.cells[place(notebook, "setup")]


def retyped(notebook):
    cell = cell_of(notebook, "setup")
    cell.cell_type = "markdown"
    del cell["outputs"], cell["execution_count"]


def cell_after(source, name="test_find_emails"):
    def habit(notebook):
        notebook.cells.insert(place(notebook, name) + 1, new_code_cell(source))

    return habit


def beginning_with(line, name="tokenize"):
    """An answer that does something else first; the rest of it stays right."""

    def habit(notebook):
        cell = cell_of(notebook, name)
        begin = cell.source.index('"""', cell.source.index('"""') + 3) + 3
        cell.source = f"{cell.source[:begin]}\n    {line}{cell.source[begin:]}"

    return habit


def both(*habits):
    def habit(notebook):
        for each in habits:
            each(notebook)

    return habit


PLACES = (
    "import json\njson.loads('{')",
    "np.zeros(-1, order='Z')\n",
    "from selfcheck import responses\nresponses.encode([[[[[[0]]]]]])",
    "import sys\nprint(sys.prefix + '/bin', nltk.__file__, file=sys.stderr)",
    "open(nltk.__file__ + '.txt')",
    "nltk.__file__",
)
UNKNOWN = "No module named 'no_such_library'"
FREE = {
    "import": first_line("import no_such_library"),
    "drive": first_line("from google.colab import drive\ndrive.mount('/content/drive')"),
    "install": first_line("raise SystemExit('restart the kernel')"),
    "slip": last_line("print("),
    "deleted": without_setup,
    "retyped": retyped,
    "emptied": lambda notebook: cell_of(notebook, "setup").update(source="# done"),
    "own": both(last_line("import string as letters"), beginning_with("letters.digits")),
    "grade": cell_after("grade = 2"),
    "check": cell_after("check = grade = None"),
    "points": cell_after("from operator import add as grade, sub as check"),
    "helper": beginning_with("addresses_in(text)"),
    "inner": beginning_with("(lambda: [addresses_in(text) for _ in range(1)])()"),
    "exit": cell_after("exit()"),
    "quit": cell_after("print('bye')\nquit()"),
    "kill": cell_after("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"),
    "leaves": cell_after("import os\nos._exit(3)"),
    "paths": both(*map(cell_after, PLACES)),
    "timeit": first_line("%%timeit -n 1 -r 1", "tokenize"),
    "time": first_line("%%time", "tokenize"),
}
"""Habits that cost nothing."""

COSTLY = {
    "lost helper": both(
        cell_after("import no_such_library\ndef lowered(text):\n    return text.lower()"),
        beginning_with("lowered(text)"),
    ),
    "ends": both(
        cell_after("def lowered(text):\n    return text.lower()\nexit()"),
        beginning_with("lowered(text)"),
    ),
    "crash": first_line("import os\nos._exit(3)", "tokenize"),
    "crash inside": beginning_with("__import__('os')._exit(4)"),
    "file": first_line("%%writefile tokens.py", "tokenize"),
    "syntax": both(
        last_line("print(f'{'no'}' + )", "tokenize"),
        lambda notebook: notebook.metadata.update(
            language_info={"name": "python", "version": "3.99.1"}
        ),
    ),
}
"""Habits that cost the second task."""

UNLOADED = {
    "unloaded": both(
        last_line("\u00a0print()", "tokenize"),
        beginning_with("tokenize('a')", "label_encode"),
    ),
}
"""Habits that cost the second task, and the third, which calls it."""

SAID = {
    "lost helper": f"with `import no_such_library` stopped with ModuleNotFoundError: {UNKNOWN}",
    "ends": "cell that begins with `def lowered(text):` stopped with KernelEndedHere: the kernel",
    "crash": "own cell stopped with KernelEndedHere: the kernel ended itself, with code 3",
    "crash inside": "the kernel ended itself, with code 4, in this cell",
    "file": "under `%%writefile`, a cell defines nothing",
    "syntax": "the notebook was written with Python 3.99.1",
}


def answered(root, tasks, *more):
    """The quick lesson with some of its tasks only, released.

    Args:
        root: of the course.
        tasks: the lesson's that it has.
        more: cells that stand behind the first.

    Returns:
        The course, which nobody has handed anything in, and a right submission.
    """
    write_configuration(root)
    path = Path("source", QUICK_LESSON, f"{QUICK_LESSON}.ipynb")
    notebook = nbformat.read(REPOSITORY / path, as_version=4)
    kept = {"setup", *tasks, *(f"test_{task}" for task in tasks)}
    notebook.cells = [cell for cell in notebook.cells if cell.id in kept]
    notebook.cells[1:1] = more
    (root / path).parent.mkdir(parents=True)
    nbformat.write(notebook, root / path)
    (root / "nobody").mkdir()
    made = CourseFolder(root)
    release(made, QUICK_LESSON)
    simulate(made, QUICK_LESSON, root / "nobody")
    right = nbformat.read(made.submitted(REFERENCE, QUICK_LESSON) / path.name, as_version=4)
    shutil.rmtree(root / "submitted")
    return made, right


def grade_all(course):
    """Grade all submissions; nothing is left ungraded."""
    command = [Path(sys.executable).with_name("autograder"), "grade", QUICK_LESSON]
    done = subprocess.run(command, cwd=course.root, capture_output=True, text=True, check=False)
    assert "not graded" not in done.stdout, done.stdout + done.stderr


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course of three tasks and a demonstration, graded."""
    shown = new_code_cell(HELPER, id="shown", metadata={"tags": ["demonstration"]})
    made, right = answered(tmp_path_factory.mktemp("course"), TASKS, shown)
    for student, habit in (FREE | COSTLY | UNLOADED).items():
        folder = made.submitted(student.replace(" ", "-"), QUICK_LESSON)
        folder.mkdir(parents=True)
        submitted = nbformat.from_dict(right)
        habit(submitted)
        nbformat.write(submitted, folder / f"{QUICK_LESSON}.ipynb")
    grade_all(made)
    return made


def row(course, student):
    return read_row(course, QUICK_LESSON, student.replace(" ", "-"))


def lost(course, student):
    """By cell, why points were lost."""
    scores = row(course, student).scores
    assert [score.cell for score in scores] == list(TESTS)
    return {one.cell: one.explanation for one in scores if one.points < one.maximum}


@pytest.mark.parametrize("student", FREE)
def test_what_the_lesson_gives_is_restored_and_costs_nothing(course, student):
    assert lost(course, student) == {}


@pytest.mark.parametrize("student", COSTLY)
def test_a_cell_costs_its_own_task_and_the_reason_names_it(course, student):
    reasons = lost(course, student)
    assert list(reasons) == ["test_tokenize"]
    assert SAID[student] in reasons["test_tokenize"]


def test_a_task_that_calls_one_that_does_not_load_is_told_which(course):
    reasons = lost(course, "unloaded")
    assert list(reasons) == ["test_tokenize", "test_label_encode"]
    said = "`tokenize` is missing because the cell that begins with `def tokenize(text: str)"
    assert said in reasons["test_label_encode"]
    assert "stopped with SyntaxError: invalid non-printable" in reasons["test_label_encode"]


@pytest.mark.parametrize("student", ["import", "deleted", "retyped", "emptied"])
def test_the_row_says_that_set_up_was_repaired(course, student):
    assert any("read-only cell setup" in line for line in row(course, student).repairs)


@pytest.mark.parametrize("student", ["exit", "kill", "leaves", "crash inside"])
def test_the_row_says_which_cell_ended_the_kernel(course, student):
    path = course.autograded(student.replace(" ", "-"), QUICK_LESSON)
    cells = nbformat.read(path, as_version=4).cells
    (line,) = row(course, student).repairs
    number = int(line.split()[1])
    ended = cells[number - 1]
    if student == "crash inside":
        assert grade_id(ended) == "test_tokenize"
    else:
        assert grade_id(ended) is None
    assert "was skipped: the kernel" in line


def test_feedback_shows_no_place_on_the_graders_machine(course):
    command = [Path(sys.executable).with_name("nbgrader"), "generate_feedback", QUICK_LESSON]
    command += ["--student", "paths"]
    done = subprocess.run(command, cwd=course.root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    path = course.root / "feedback" / "paths" / QUICK_LESSON / f"{QUICK_LESSON}.html"
    page = path.read_text("utf8")
    for place in (sys.prefix, sys.base_prefix + "/lib", str(REPOSITORY), str(course.root)):
        assert place not in page
    assert "site-packages/nltk" in page
    assert "selfcheck/responses.py" in page


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("File ~/x/.venv/lib/python3.11/site-packages/a.py:3", "File site-packages/a.py:3"),
        ("'/usr/lib/python3/dist-packages/a.so'", "'dist-packages/a.so'"),
        ("(/opt/python3.12/json/decoder.py)", "(python3.12/json/decoder.py)"),
        (f"{sys.prefix}/bin and {Path.home()}/notes", "bin and notes"),
        ("a/b, /student/news.csv and 1/2", "a/b, /student/news.csv and 1/2"),
    ],
)
def test_paths_are_cut_where_they_tell_where_things_are(text, shown):
    assert without_places(text) == shown


@pytest.mark.parametrize("piece", ["/", "~/", "/python3", "/(", "a/"])
def test_crafted_paths_take_no_longer_than_other_text(piece):
    started = time.process_time()
    without_places(piece * 400_000)
    assert time.process_time() - started < 3
